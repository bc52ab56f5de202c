"""Tests of packs: finished folders of encounters in one file, read like a folder, and safe at each moment."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest

from harness.errors import RecordError
from harness.events import Ended, InTournament, Opened, RunBegan
from harness.job import Done
from harness.record import log, packs
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.log import JOURNAL, Mark, encounter_path, read_encounter, stderr_path
from harness.record.run_folder import check_files, clear_left_over
from tests.record.test_log import a_sitting

LINE = b'{"is":"result","ranks":[1],"scores":[0],"reason":"%d"}\n'
FILES = {
    **{f"{number:06}.jsonl": LINE % number * 300 for number in range(1, 5)},
    "000002.1.2.stderr": b"oh\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of four encounters."""
    folder = tmp_path / "run-1" / "000"
    folder.mkdir(parents=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


def read(folder: Path) -> dict[str, bytes]:
    """The content of all files, in the folder or in its pack."""
    return {name: packs.read_file(folder / name) for name in FILES}


def test_a_sealed_folder_is_one_smaller_file_that_reads_the_same(folder: Path) -> None:
    packs.seal(folder)
    assert [path.name for path in folder.parent.iterdir()] == ["000.zip"]
    assert packs.pack_of(folder).stat().st_size < sum(map(len, FILES.values())) / 10
    assert read(folder) == FILES
    assert packs.members(packs.pack_of(folder)) == {name: len(data) for name, data in FILES.items()}
    assert packs.size_of(folder / "000002.jsonl") == len(FILES["000002.jsonl"])
    assert packs.size_of(folder / "000009.jsonl") is None
    with pytest.raises(FileNotFoundError):
        packs.open_file(folder / "000009.jsonl")


def test_a_part_of_a_file_in_a_pack_is_read_alone(folder: Path) -> None:
    path = folder / "000003.jsonl"
    whole = list(read_encounter(path))
    packs.seal(folder)
    size = len(LINE % 3)
    assert list(read_encounter(path, Mark(size * 7, 7), size * 9)) == whole[7:9]
    with packs.open_file(path) as file:
        file.seek(-size, 2)
        assert file.read() == LINE % 3


def test_the_same_files_give_the_same_pack(folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "other" / "000"))
    packs.seal(folder)
    packs.seal(other)
    assert packs.pack_of(folder).read_bytes() == packs.pack_of(other).read_bytes()


def dies_after(looks: int) -> Callable[[], bool]:
    """A function that ends the sealing with an exception, when the sealing has called it `looks` times."""
    left = iter(range(looks))

    def stopped() -> bool:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return False

    return stopped


@pytest.mark.parametrize("looks", range(2 * len(FILES)))
def test_whenever_it_ends_early_all_files_are_there_and_the_next_time_it_is_done(
    folder: Path, looks: int
) -> None:
    with pytest.raises(KeyboardInterrupt):
        packs.seal(folder, dies_after(looks))
    assert read(folder) == FILES
    packs.seal(folder)
    assert read(folder) == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["000.zip"]


@pytest.mark.parametrize("looks", [0, 3, 7])
def test_it_stops_when_it_is_told(folder: Path, looks: int) -> None:
    left = iter(range(looks))
    packs.seal(folder, lambda: next(left, None) is None)
    assert read(folder) == FILES
    assert folder.is_dir()
    assert packs.pack_of(folder).is_file() == (looks > len(FILES))
    assert not list(folder.parent.glob("*.new"))


def test_a_half_written_pack_is_removed(folder: Path, tmp_path: Path) -> None:
    new = folder.parent / "000.zip.new"
    new.write_bytes(b"half")
    packs.clear_unfinished(tmp_path)
    assert not new.exists()
    assert read(folder) == FILES


def test_a_file_that_differs_from_the_one_in_the_pack_stays_and_is_read(folder: Path) -> None:
    packs.seal(folder)
    folder.mkdir()
    same, other = folder / "000001.jsonl", folder / "000002.jsonl"
    same.write_bytes(FILES[same.name])
    other.write_bytes(FILES[other.name].replace(b"2", b"3"))
    packs.seal(folder)
    assert not same.exists()
    assert packs.read_file(other) == FILES[other.name].replace(b"2", b"3")


def test_a_file_that_belongs_to_nobody_stays_where_it_is(folder: Path) -> None:
    (folder / "note.txt").write_text("mine")
    packs.seal(folder)
    assert [path.name for path in folder.iterdir()] == ["note.txt"]
    assert "note.txt" not in packs.members(packs.pack_of(folder))


def test_a_pack_becomes_a_folder_again(folder: Path) -> None:
    packs.seal(folder)
    packs.unseal(packs.pack_of(folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == FILES
    assert not packs.pack_of(folder).exists()


@pytest.mark.parametrize("where", [0.02, 0.2, 0.5])
def test_a_changed_byte_in_a_pack_is_told(folder: Path, where: float) -> None:
    packs.seal(folder)
    pack = packs.pack_of(folder)
    data = bytearray(pack.read_bytes())
    data[60 + int(where * 100)] ^= 0xFF
    pack.write_bytes(data)
    with pytest.raises(RecordError, match=r"000\.zip: this pack is damaged"):
        read(folder)


@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_a_pack_by_a_method_that_harness_does_not_use_is_told(folder: Path, method: int) -> None:
    pack = packs.pack_of(folder)
    with ZipFile(pack, "w", method) as zipped:
        zipped.writestr("000001.jsonl", FILES["000001.jsonl"])
    with pytest.raises(RecordError, match="it has a file in a form that harness does not write"):
        packs.open_file(folder / "000009.jsonl")


def test_a_pack_with_a_file_that_begins_before_its_beginning_is_told(folder: Path) -> None:
    packs.seal(folder)
    pack = packs.pack_of(folder)
    with ZipFile(pack, "a") as zipped:
        # With another comment, the list of the files in the pack is written again.
        zipped.comment = b"."
        begins = zipped.start_dir
    data = bytearray(pack.read_bytes())
    # These bytes say where the list of the files begins. Now they are wrong.
    data[-6 - 1 : -2 - 1] = (begins + 1_000).to_bytes(4, "little")
    pack.write_bytes(data)
    with pytest.raises(RecordError, match="this pack is damaged"):
        packs.members(pack)


def test_a_small_pack_that_would_fill_the_memory_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "LARGE", 100_000)
    pack = packs.pack_of(folder)
    with ZipFile(pack, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr("000009.jsonl", bytes(packs.LARGE + 1))
    with pytest.raises(
        RecordError, match=r"damaged: \d+ bytes in it would become 100,001, and no log shrinks"
    ):
        packs.open_file(folder / "000009.jsonl")


def test_a_folder_of_which_nobody_could_read_the_pack_stays_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "LARGE", 10_000)
    packs.seal(folder)
    assert [path.name for path in folder.parent.iterdir()] == ["000"]
    assert read(folder) == FILES


def test_a_pack_that_is_cut_off_is_told(folder: Path) -> None:
    packs.seal(folder)
    pack = packs.pack_of(folder)
    pack.write_bytes(pack.read_bytes()[:-30])
    with pytest.raises(RecordError, match="this pack is damaged"):
        packs.size_of(folder / "000001.jsonl")


# -- while a tournament is played ------------------------------------------------------------------


@pytest.fixture
def three_to_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "PER_FOLDER", 3)


def records() -> Iterator[InTournament]:
    yield Opened("demo", "sevens", "0" * 32, "0.1.0")
    yield RunBegan(1, ("anna", "bert"), 2, 9, 2, 1)


def sitting(encounter: int, number: int) -> Done:
    done = a_sitting(number)
    return done._replace(job=done.job._replace(encounter=encounter))


def play(folder: Path, encounters: range, *, wait: bool = True) -> History:
    """Plays both sittings of these encounters."""
    history = History()
    journal = Journal(folder, history.add)
    journal.sealing.begin(ended=False)
    if not history.lines:
        for record in records():
            journal.append(record)
            history.add(record)
    for encounter in encounters:
        size = 0
        for number in (1, 2):
            played = journal.append_sitting(sitting(encounter, number), size)
            history.add(played)
            size = played.size
    if wait:
        journal.sealing.wait()
    journal.close()
    return history


def kinds(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "run-1").iterdir())


@pytest.mark.usefixtures("three_to_a_folder")
def test_a_folder_is_sealed_when_all_its_sittings_are_on_record(tmp_path: Path) -> None:
    history = play(tmp_path, range(1, 9))
    assert kinds(tmp_path) == ["000.zip", "001.zip", "002"]
    check_files(tmp_path, history)
    for encounter in range(1, 9):
        path = encounter_path(tmp_path, 1, encounter)
        assert packs.read_file(path) == a_sitting(1).log + a_sitting(2).log
        assert packs.read_file(stderr_path(tmp_path, 1, encounter, 2, 2)) == b"oh\n"
    clear_left_over(tmp_path, history)
    assert kinds(tmp_path) == ["000.zip", "001.zip", "002"]


@pytest.mark.usefixtures("three_to_a_folder")
def test_when_a_tournament_has_ended_its_last_finished_folder_is_sealed_too(tmp_path: Path) -> None:
    journal = Journal(tmp_path, lambda record: None)
    journal.sealing.begin(ended=False)
    for record in records():
        journal.append(record)
    for encounter in (1, 2, 3):
        journal.append_sitting(sitting(encounter, 1), 0)
        journal.append_sitting(sitting(encounter, 2), len(a_sitting(1).log))
    journal.append(Ended())
    journal.close()
    assert kinds(tmp_path) == ["000.zip"]


@pytest.mark.usefixtures("three_to_a_folder")
def test_what_was_not_sealed_is_sealed_when_play_goes_on(tmp_path: Path) -> None:
    play(tmp_path, range(1, 6))
    # A killed process can leave the folder in this state.
    packs.unseal(tmp_path / "run-1" / "000.zip")
    (tmp_path / "run-1" / "000.zip.new").write_bytes(b"half")
    play(tmp_path, range(6, 8))
    assert kinds(tmp_path) == ["000.zip", "001.zip", "002"]


@pytest.mark.usefixtures("three_to_a_folder")
def test_a_record_that_has_ended_stays_as_it_is(tmp_path: Path) -> None:
    play(tmp_path, range(1, 7))
    packs.unseal(tmp_path / "run-1" / "000.zip")
    journal = Journal(tmp_path, lambda record: None)
    journal.append(Ended())
    journal.sealing.begin(ended=True)
    journal.sealing.wait()
    journal.close()
    assert kinds(tmp_path) == ["000", "001.zip"]


@pytest.mark.usefixtures("three_to_a_folder")
def test_a_disk_that_takes_no_pack_leaves_the_files(tmp_path: Path) -> None:
    play(tmp_path, range(1, 3))
    journal = Journal(tmp_path, lambda record: None)
    journal.sealing.begin(ended=False)
    # A folder with this name lets nobody write the file of the pack.
    (tmp_path / "run-1" / "000.zip.new").mkdir()
    journal.append_sitting(sitting(3, 1), 0)
    journal.append_sitting(sitting(3, 2), len(a_sitting(1).log))
    journal.sealing.wait()
    journal.close()
    assert kinds(tmp_path) == ["000", "000.zip.new"]
    assert encounter_path(tmp_path, 1, 3).read_bytes() == a_sitting(1).log + a_sitting(2).log


@pytest.mark.usefixtures("three_to_a_folder")
def test_after_a_cut_of_the_journal_the_files_are_as_long_as_it_says(tmp_path: Path) -> None:
    play(tmp_path, range(1, 4))
    journal = tmp_path / JOURNAL
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    history = History()
    Journal(tmp_path, history.add).close()
    clear_left_over(tmp_path, history)
    assert kinds(tmp_path) == ["000"]
    assert encounter_path(tmp_path, 1, 3).read_bytes() == a_sitting(1).log
    play_on = Journal(tmp_path, lambda record: None)
    play_on.sealing.begin(ended=False)
    play_on.append_sitting(sitting(3, 2), len(a_sitting(1).log))
    play_on.sealing.wait()
    play_on.close()
    assert kinds(tmp_path) == ["000.zip"]
