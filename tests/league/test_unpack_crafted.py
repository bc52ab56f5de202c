"""Tests archives that no packer makes: sizes that lie, members that overlap, holes, 100,000 names, bombs in
bombs. Each is refused with a sentence and writes nothing, or unpacks to what its list of members says."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from stat import S_IFLNK, S_IFREG
from tarfile import BLOCKSIZE, GNUTYPE_LONGNAME, PAX_FORMAT, USTAR_FORMAT, XHDTYPE, TarInfo
from zlib import crc32

import pytest

from harness.config.folder import BOUNDS
from harness.errors import InputError
from harness.league.mending import unpack_bot
from harness.league.unpack import unpack
from harness.model import MEGABYTE
from tests.league.crafted import Entry, a_crafted_zip, a_sparse_tar, head_of, many_names, one_kernel
from tests.league.handed import BOT, a_bomb, a_tar, a_zip, member

TERABYTE = 1 << 40


def with_sizes(size: int, packed: int, data: bytes = b"0123456789") -> Callable[[Path], Path]:
    """A zip with one file of ten bytes. The directory of the zip gives wrong sizes for the file."""
    head = head_of(Entry(b"data", len(data), len(data)))
    return lambda path: a_crafted_zip(path, head + data, [Entry(b"data", size, packed, 0, crc32(data))])


def inside(path: Path) -> Path:
    """A bomb inside another archive. The outer archive is small and looks harmless."""
    bomb = a_bomb(path.with_name("bomb.zip"), 40)
    return a_zip(path, {"bot.zip": bomb.read_bytes()})


def shifted(path: Path) -> Path:
    """A zip of two files, in which the second file lies inside the bytes of the first one."""
    second = head_of(Entry(b"b", 4, 4)) + b"evil"
    first = head_of(Entry(b"a", len(second), len(second)))
    outer = Entry(b"a", len(second), len(second), 0, crc32(second))
    entries = [outer, Entry(b"b", 4, 4, len(first), crc32(b"evil"))]
    return a_crafted_zip(path, first + second, entries)


def with_head(size: int, many: int = 1, kind: bytes = XHDTYPE) -> Callable[[Path], Path]:
    """A tar of `many` members. Each member has a header with a text of this size."""
    text = TarInfo("x")
    text.type, text.size = kind, size
    record = b"%d a=%s\n" % (size, b"b" * (size - len(str(size)) - 4))
    block = text.tobuf(USTAR_FORMAT) + record + bytes(-size % BLOCKSIZE)

    def make(path: Path) -> Path:
        with gzip.open(path, "wb", compresslevel=1) as file:
            for number in range(many):
                file.write(block + TarInfo(f"{number}.py").tobuf())
            file.write(bytes(2 * BLOCKSIZE))
        return path

    return make


def many_holes(path: Path) -> Path:
    """A tar with a sparse file of very many parts. As in GNU tar, the list of parts stands before the
    file."""
    info = TarInfo("hole")
    info.size = MEGABYTE
    info.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "hole"}
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(info.tobuf(PAX_FORMAT) + b"999999999\n" + b"0\n" * MEGABYTE)
    return path


def many_holes_as_of_old(path: Path) -> Path:
    """The same tar in an older format of GNU tar: each block of the list says whether another block
    follows."""
    a_sparse_tar(path, 5)
    head = bytearray(path.read_bytes()[:BLOCKSIZE])
    head[482] = 1
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    block = b"%011o\0%011o\0" % (0, 0) * 21 + b"\1" + bytes(7)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(bytes(head) + block * 2_000)
    return path


def unread(path: Path) -> Path:
    """A zip whose file is packed by a method that few programs can read."""
    data = b"0123456789"
    entry = Entry(b"main.py", len(data), len(data), 0, crc32(data), 9)
    return a_crafted_zip(path, head_of(entry) + data, [entry])


ATTACKS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "300 files that are one": (
        lambda path: one_kernel(path, 300, MEGABYTE),
        "300 MB; at most 256|overlap|bomb",
    ),
    "20 files that are one": (lambda path: one_kernel(path, 20, MEGABYTE), "bomb|broken"),
    "two names for the same bytes": (lambda path: one_kernel(path, 2, 1_000), "broken"),
    "a file in the bytes of another": (shifted, "broken"),
    "a terabyte, by its directory": (with_sizes(TERABYTE, 10), "MB; at most 256"),
    "a packed size of a terabyte": (with_sizes(10, TERABYTE), "broken"),
    "more than there is": (with_sizes(1_000, 1_000), "broken"),
    "less than there is": (with_sizes(4, 4), "broken"),
    "a file outside of the archive": (
        lambda path: a_crafted_zip(path, b"", [Entry(b"data", 10, 10, 1 << 31)]),
        "broken|no zip",
    ),
    "a long text in a head": (with_head(70_000), "very long names or notes"),
    "a long name": (with_head(70_000, kind=GNUTYPE_LONGNAME), "very long names or notes"),
    "many texts in heads": (with_head(60_000, 300), "very long names or notes"),
    "a long list of holes": (many_holes, "a file of many parts"),
    "a long list of holes, as of old": (many_holes_as_of_old, "a file of many parts"),
    "an unusual method": (unread, "cannot be read: .*compression.*; pack it again"),
    "a hole of a terabyte": (lambda path: a_sparse_tar(path, TERABYTE), "expands to more than 1024 MB"),
    "a hole of 300 MB": (lambda path: a_sparse_tar(path, 300 * MEGABYTE), "300 MB; at most 256"),
    "a bomb in an archive": (inside, "this is a bomb"),
    "a NUL in a name of a tar": (lambda path: a_tar(path, BOT, pax("ma\0in.py")), "not printable|broken"),
    "a line that turns the text": (lambda path: a_zip(path, {"ma\u202ein.py": ""}), "not printable"),
    "a name that hides a character": (lambda path: a_zip(path, {"ma\u200bin.py": ""}), "not printable"),
    "ligatures": (lambda path: a_zip(path, {"\ufb01le": "", "fi\u200dle": ""}), "not printable"),
    "a capital of two letters": (lambda path: a_zip(path, {"stra\u00dfe": "", "STRASSE": ""}), "two files"),
}


def pax(name: str) -> TarInfo:
    """A member of a tar whose extra header gives it this name."""
    info = member("main2.py")
    info.pax_headers = {"path": name}
    return info


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_crafted_archive_is_refused_with_a_sentence_and_writes_nothing(tmp_path: Path, attack: str) -> None:
    make, said = ATTACKS[attack]
    packed = make(tmp_path / "bot.zip")
    with pytest.raises(InputError, match=said):
        unpack_bot(packed, tmp_path / "room", BOUNDS)
    assert not [path for path in tmp_path.glob("room/*/*") if path.suffix != ".zip"]


@pytest.mark.parametrize(("name", "mode"), [("bot.toml/x", S_IFREG), ("bot.toml", S_IFLNK)])
def test_a_manifest_that_is_no_file_is_told(tmp_path: Path, name: str, mode: int) -> None:
    path = a_zip(tmp_path / "bot.zip", {name: "no/thing", "main.py": ""}, {name: mode | 0o644})
    with pytest.raises(InputError, match=r"bot\.toml is a folder, or a link to nothing"):
        unpack_bot(path, tmp_path / "room", BOUNDS)


@pytest.mark.parametrize("many", [20_000, pytest.param(100_000, marks=pytest.mark.soak)])
def test_very_many_files_are_refused(tmp_path: Path, many: int) -> None:
    packed = many_names(tmp_path / "bot.zip", many)
    with pytest.raises(InputError, match=f"it has {many} files and folders"):
        unpack(packed, tmp_path / "room", BOUNDS)
    assert not (tmp_path / "room").exists()


def test_a_small_hole_is_a_file_of_zeros(tmp_path: Path) -> None:
    unpack(a_sparse_tar(tmp_path / "bot.tar", 5_000), tmp_path / "place")
    assert (tmp_path / "place" / "hole").read_bytes() == bytes(5_000)


def test_a_name_of_a_zip_ends_at_its_nul(tmp_path: Path) -> None:
    entry = Entry(b"main.py\0.txt", 1, 1, crc=crc32(b"x"))
    path = a_crafted_zip(tmp_path / "bot.zip", head_of(entry) + b"x", [entry])
    unpack(path, tmp_path / "place")
    assert [each.name for each in (tmp_path / "place").iterdir()] == ["main.py"]


def test_letters_that_look_alike_are_two_files(tmp_path: Path) -> None:
    """The two names look alike, but they are different names. The bot gets both files."""
    unpack(a_zip(tmp_path / "bot.zip", {"main.py": "1", "m\u0430in.py": "2"}), tmp_path / "place")
    assert (tmp_path / "place" / "main.py").read_text() == "1"
    assert (tmp_path / "place" / "m\u0430in.py").read_text() == "2"
