"""Tests that a bot's folder arrives at a node as it was sent."""

from pathlib import Path

import pytest

from harness.cluster.host import Parcels
from harness.cluster.parcel import pack
from harness.errors import InputError


def a_bot(folder: Path) -> Path:
    """A bot whose folder has every kind of file that a bot may have."""
    (folder / "empty").mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "lib" / "bot").write_bytes(b"\x7fELF")
    (folder / "lib" / "bot").chmod(0o700)
    (folder / "run").symlink_to("lib/bot")
    (folder / ".hidden").write_text("kept")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"made")
    return folder


def files(folder: Path) -> dict[str, object]:
    """The files of a folder by path: content and whether it is executable, or the target of a link."""
    return {
        path.relative_to(folder).as_posix(): path.readlink()
        if path.is_symlink()
        else (path.read_bytes(), path.stat().st_mode & 0o111 != 0)
        if path.is_file()
        else "folder"
        for path in folder.rglob("*")
    }


def test_a_bot_arrives_as_it_was_sent(tmp_path: Path) -> None:
    parcel = pack(a_bot(tmp_path / "bot"), tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    parcels = Parcels(store)
    assert parcels.lacking((parcel.name,)) == [parcel.name]
    for piece in parcel.pieces():
        parcels.store(parcel.name, *piece)
    assert parcels.lacking((parcel.name,)) == []
    parcels.unpack(parcel.name, tmp_path / "there")
    sent = {name: what for name, what in files(tmp_path / "bot").items() if "__pycache__" not in name}
    assert files(tmp_path / "there") == sent


def test_the_same_files_make_the_same_parcel(tmp_path: Path) -> None:
    one, other = pack(a_bot(tmp_path / "one"), tmp_path), pack(a_bot(tmp_path / "other"), tmp_path)
    assert one.name == other.name
    (tmp_path / "other" / ".hidden").write_text("changed")
    assert pack(tmp_path / "other", tmp_path).name != one.name


def test_a_parcel_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    parcel = pack(a_bot(tmp_path / "bot"), tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    with pytest.raises(InputError, match="did not arrive whole"):
        Parcels(store).store(parcel.name, 0, parcel.file.read_bytes()[:-1], True)
    assert Parcels(store).lacking((parcel.name,)) == [parcel.name]


def test_a_large_parcel_travels_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.cluster.parcel.PIECE", 1_000)
    parcel = pack(a_bot(tmp_path / "bot"), tmp_path)
    store = tmp_path / "store"
    store.mkdir()
    pieces = list(parcel.pieces())
    assert len(pieces) > 5
    assert [last for *_, last in pieces] == [False] * (len(pieces) - 1) + [True]
    for piece in pieces:
        Parcels(store).store(parcel.name, *piece)
    assert (store / parcel.name).read_bytes() == parcel.file.read_bytes()
