"""Owns the tests of a run's folder: harness appends to it, and reads it after a crash or a forged change."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from harness.errors import RecordError
from harness.events import Brief, Ended, Event, InEncounter, InTournament, Match, Opened, Result, SittingBegan
from harness.job import Done, Entrant, Job, PlainRules
from harness.record.journal import Journal
from harness.record.log import (
    JOURNAL,
    Mark,
    by_match,
    decode_encounter,
    digest,
    encounter_path,
    read_encounter,
    read_journal,
    stderr_path,
)

OPENED = Opened("demo", "sevens", "0" * 32, "0.1.0")
ENDED = Ended("all played")


def a_sitting(
    number: int = 1, log: bytes = b'{"is":"result","ranks":[1],"scores":[0],"reason":""}\n'
) -> Done:
    entrants = (Entrant("anna", ("true",), "/"), Entrant("bert", ("true",), "/"))
    job = Job(1, 1, 1, number, 1, PlainRules("sevens", {}), entrants, (1,), ((1, 2),))
    return Done(job, log, (Brief((1, 2), (0, 0)),), ((2, b"oh\n"),))


def written(folder: Path, *records: InTournament) -> None:
    journal = Journal(folder, lambda record: None)
    for record in records:
        journal.append(record)
    journal.close()


def on_record(folder: Path) -> list[InTournament]:
    return [line.record for line in read_journal(folder)]


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    written(tmp_path, OPENED, ENDED)
    assert on_record(tmp_path) == [OPENED, ENDED]


def test_a_journal_opened_again_tells_what_is_there_and_goes_on(tmp_path: Path) -> None:
    written(tmp_path, OPENED)
    seen: list[InTournament] = []
    journal = Journal(tmp_path, seen.append)
    journal.append(ENDED)
    journal.close()
    assert seen == [OPENED]
    assert on_record(tmp_path) == [OPENED, ENDED]


def test_half_a_last_line_is_taken_away_when_the_journal_is_opened(tmp_path: Path) -> None:
    written(tmp_path, OPENED)
    with (tmp_path / JOURNAL).open("ab") as file:
        file.write(b'{"is":"ended","no')
    written(tmp_path, ENDED)
    assert on_record(tmp_path) == [OPENED, ENDED]


def test_a_journal_that_grows_is_read_on_after_the_last_line(tmp_path: Path) -> None:
    written(tmp_path, OPENED, *[Ended(f"end {number}") for number in range(9)])
    journal = tmp_path / JOURNAL
    whole, data = list(read_journal(tmp_path)), journal.read_bytes()
    for cut in range(len(data) + 1):
        journal.write_bytes(data[:cut])
        first = list(read_journal(tmp_path, growing=True))
        assert first == whole[: data[:cut].count(b"\n")]
        journal.write_bytes(data)
        assert first + list(read_journal(tmp_path, first[-1] if first else None)) == whole


def test_a_journal_that_was_replaced_is_not_read_on(tmp_path: Path) -> None:
    written(tmp_path, OPENED, Ended("a long text, so that this file is longer than the next one"))
    *_, last = read_journal(tmp_path)
    (tmp_path / JOURNAL).unlink()
    written(tmp_path, OPENED, ENDED)
    with pytest.raises(RecordError, match="are gone"):
        list(read_journal(tmp_path, last))


def test_any_changed_byte_of_the_journal_is_found_in_its_line(tmp_path: Path) -> None:
    written(tmp_path, OPENED, ENDED)
    whole = (tmp_path / JOURNAL).read_bytes()
    first_line = whole.index(b"\n") + 1
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1
        (tmp_path / JOURNAL).write_bytes(changed)
        with pytest.raises(RecordError) as caught:
            on_record(tmp_path)
        assert caught.value.place == f"{tmp_path / JOURNAL}:{1 if place < first_line else 2}"


def test_a_line_taken_out_of_the_journal_is_found(tmp_path: Path) -> None:
    written(tmp_path, OPENED, ENDED, ENDED)
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_bytes(lines[0] + lines[2])
    with pytest.raises(RecordError, match="not as it was written"):
        on_record(tmp_path)


def test_a_sitting_is_recorded_with_the_size_and_digest_of_its_encounters_file(tmp_path: Path) -> None:
    journal = Journal(tmp_path, lambda record: None)
    first = journal.append_sitting(a_sitting(1), 0)
    second = journal.append_sitting(a_sitting(2), first.size)
    journal.close()
    content = encounter_path(tmp_path, 1, 1).read_bytes()
    assert (second.size, second.file) == (len(content), digest(content))
    assert content == a_sitting(1).log + a_sitting(2).log
    assert stderr_path(tmp_path, 1, 1, 2, 2).read_bytes() == b"oh\n"
    assert second.stderr == {"2": digest(b"oh\n")}


def test_what_lies_beyond_the_record_is_cut_off_when_the_run_goes_on(tmp_path: Path) -> None:
    journal = Journal(tmp_path, lambda record: None)
    first = journal.append_sitting(a_sitting(1), 0)
    with encounter_path(tmp_path, 1, 1).open("ab") as file:
        file.write(b"what a crash left of the second seating")
    journal.close()
    journal = Journal(tmp_path, lambda record: None)
    journal.append_sitting(a_sitting(2), first.size)
    journal.close()
    assert encounter_path(tmp_path, 1, 1).read_bytes() == a_sitting(1).log + a_sitting(2).log


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Stands for a full disk: no file can grow beyond this size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_line_that_the_disk_takes_half_of_is_not_on_it_and_may_be_appended_later(tmp_path: Path) -> None:
    journal = Journal(tmp_path, lambda record: None)
    journal.append(OPENED)
    before = everything(tmp_path)
    with (
        no_file_beyond(len(before[str(tmp_path / JOURNAL)]) + 9),
        pytest.raises(OSError, match="File too large") as caught,
    ):
        journal.append(ENDED)
    assert caught.value.filename == str(tmp_path / JOURNAL)
    assert everything(tmp_path) == before
    journal.append(ENDED)
    journal.close()
    assert on_record(tmp_path) == [OPENED, ENDED]


@pytest.mark.parametrize("room", [0, 9, 100, 160, 200])
def test_a_sitting_that_the_disk_takes_a_part_of_leaves_no_trace(tmp_path: Path, room: int) -> None:
    journal = Journal(tmp_path, lambda record: None)
    journal.append(OPENED)
    size = journal.append_sitting(a_sitting(1), 0).size
    before = everything(tmp_path)
    with no_file_beyond(size + room), pytest.raises(OSError, match="File too large"):
        journal.append_sitting(a_sitting(2, a_sitting().log * 2), size)
    assert everything(tmp_path) == before
    journal.append_sitting(a_sitting(2), size)
    journal.close()
    assert encounter_path(tmp_path, 1, 1).read_bytes() == a_sitting(1).log + a_sitting(2).log


def test_a_folder_holds_at_most_a_thousand_encounters(tmp_path: Path) -> None:
    folders = [encounter_path(tmp_path, 1, encounter).parent.name for encounter in range(1, 2_002)]
    assert max(folders.count(name) for name in set(folders)) == 1_000


def test_a_line_that_is_no_record_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "encounter.jsonl"
    path.write_bytes(a_sitting().log + b"what is this\n")
    with pytest.raises(RecordError) as caught:
        list(read_encounter(path))
    assert caught.value.place == f"{path}:2"


# -- an encounter's file ---------------------------------------------------------------------------

HEAD = SittingBegan(1, 1, 1, ("anna", "bert"))
FIRST, SECOND = (Match(f"1.1.1.{deal}", ("anna", "bert")) for deal in (1, 2))
END = Result((1, 2), (0, 0), "")
ENCOUNTER: tuple[InEncounter, ...] = (HEAD, FIRST, END, SECOND, Event("pass"), END)


def an_encounter(folder: Path, *records: InEncounter) -> Path:
    path = folder / "encounter.jsonl"
    path.write_bytes(msgspec.json.Encoder().encode_lines(records or ENCOUNTER))
    return path


def test_an_encounters_file_is_read_with_the_numbers_of_its_lines(tmp_path: Path) -> None:
    assert list(read_encounter(an_encounter(tmp_path))) == list(enumerate(ENCOUNTER, start=1))


@pytest.mark.parametrize("cut", range(len(ENCOUNTER) + 1))
def test_a_file_read_in_two_parts_gives_the_same_lines(tmp_path: Path, cut: int) -> None:
    path = an_encounter(tmp_path)
    size = len(b"".join(path.read_bytes().splitlines(keepends=True)[:cut]))
    parts = read_encounter(path, size=size), read_encounter(path, Mark(size, cut))
    assert [line for part in parts for line in part] == list(enumerate(ENCOUNTER, start=1))


def test_what_lies_beyond_the_record_is_not_read(tmp_path: Path) -> None:
    path = an_encounter(tmp_path)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() + b"half a li")
    assert len(list(read_encounter(path, size=size))) == len(ENCOUNTER)


def test_a_file_that_is_shorter_than_its_record_says_so_after_its_last_line(tmp_path: Path) -> None:
    path = an_encounter(tmp_path)
    lines = read_encounter(path, size=path.stat().st_size + 1)
    assert [next(lines) for _ in ENCOUNTER] == list(enumerate(ENCOUNTER, start=1))
    with pytest.raises(RecordError, match="the file ends before"):
        next(lines)


def test_a_file_of_an_encounter_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="this file is missing") as caught:
        list(read_encounter(tmp_path / "gone.jsonl"))
    assert caught.value.place == str(tmp_path / "gone.jsonl")


def test_lines_are_grouped_by_match_without_those_of_sittings(tmp_path: Path) -> None:
    numbered = list(read_encounter(an_encounter(tmp_path, *ENCOUNTER, HEAD, FIRST)))
    assert list(by_match(numbered)) == [numbered[1:3], numbered[3:6], numbered[7:]]


def test_lines_without_a_match_have_no_group() -> None:
    assert list(by_match(enumerate((HEAD, END), start=1))) == []


def test_whole_lines_are_decoded_up_to_the_first_that_is_no_record() -> None:
    data = msgspec.json.Encoder().encode_lines(ENCOUNTER)
    assert decode_encounter(data) == (list(ENCOUNTER), "")
    for wrong in (b"\n", b"what is this\n", b'{"is":"ended"}\n', b"\xff\n"):
        records, trouble = decode_encounter(data + wrong + data)
        assert records == list(ENCOUNTER)
        assert trouble.startswith("no line of an encounter: ")
