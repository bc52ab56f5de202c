"""Tests that `harness verify` accepts an honest record, and finds every change in it."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from harness.errors import HarnessError, RecordError, VersionError
from harness.events import RunBegan
from harness.judge.rules import game_of
from harness.record.history import History
from harness.record.log import read_journal
from harness.record.run_folder import plan_of
from harness.schedule.due import DueSitting, Play, due
from harness.verify import verify
from tests.cli.workshop import harness
from tests.verify import forger

pytestmark = pytest.mark.whole


def files(logs: Path) -> list[Path]:
    return sorted(path for path in logs.rglob("*") if path.is_file() and not path.name.startswith("."))


def places(size: int, most: int) -> Iterator[int]:
    """Offsets of bytes in a file of this size: the first and the last byte, and about `most` others at
    equal distances."""
    yield from {0, size - 1, *range(3, size, max(1, size // most) | 1)}


def test_an_honest_record_holds(record: Path) -> None:
    found = verify(record)
    assert found.ended is not None
    assert len(found.history.runs) == 2
    assert found.matches == sum(run.matches for run in found.history.runs)


def test_a_record_that_names_no_rulings_is_of_an_older_version(copy: Path) -> None:
    plan = copy / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b'\n  "rulings": 2,', b""))
    with pytest.raises(RecordError, match="not as it was written"):
        verify(copy)
    forger.seal(copy)
    with pytest.raises(
        VersionError, match="only the commit of harness that made the record can read and verify it"
    ):
        verify(copy)


def test_a_knock_out_that_names_no_edition_is_of_an_older_version(copy: Path) -> None:
    plan = copy / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b'"round-robin"', b'"knock-out"'))
    forger.seal(copy)
    with pytest.raises(
        VersionError, match="only the commit of harness that made the record can read and verify it"
    ):
        verify(copy)


def test_a_plan_with_an_unknown_format_is_refused_with_its_file(copy: Path) -> None:
    plan = copy / "plan.json"
    plan.write_bytes(plan.read_bytes().replace(b'"round-robin"', b'"round-robbing"'))
    forger.seal(copy)
    with pytest.raises(RecordError, match=r"plan\.json.*no format is called 'round-robbing'"):
        verify(copy)


def test_a_certificate_with_other_keys_is_of_an_older_version(copy: Path) -> None:
    journal = copy / "tournament.jsonl"
    lines = forger.read(journal)
    del lines[1]["certificate"]["common"]
    forger.write(journal, lines)
    forger.seal(copy)
    with pytest.raises(
        VersionError, match="only the commit of harness that made the record can read and verify it"
    ):
        verify(copy)


def a_sitting_that_run_1_never_reached(logs: Path) -> DueSitting:
    """A sitting of round 2. Run 1 ended in round 1, because a bot was disqualified."""
    history = History()
    for line in read_journal(logs):
        history.add(line.record)
        if isinstance(line.record, RunBegan):
            break
    plan = plan_of(logs)
    step = due(plan, game_of(plan), history)
    assert isinstance(step, Play)
    return next(sitting for sitting in step.sittings if sitting.round == 2)


def test_a_void_attempt_at_a_round_never_reached_says_nothing_of_the_next_run(copy: Path) -> None:
    lost = a_sitting_that_run_1_never_reached(copy)
    lines = forger.read(copy / "tournament.jsonl")
    begins = next(at for at, line in enumerate(lines) if line["is"] == "run")
    void = {"is": "void", "run": 1, "round": 2, "encounter": lost.encounter, "seating": lost.sitting}
    void |= {"bots": list(lost.bots), "attempt": 1, "note": "its worker was lost", "digest": ""}
    forger.write(copy / "tournament.jsonl", [*lines[: begins + 1], void, *lines[begins + 1 :]])
    forger.seal(copy)
    assert any(
        line["is"] == "played" and line["run"] == 2 and line["encounter"] == lost.encounter for line in lines
    ), "a seating of run 2 bears the number of the one that was lost"
    verify(copy)


def kind(path: Path, logs: Path) -> str:
    return path.name if path.parent == logs else path.suffix


def test_the_record_has_files_of_every_kind(record: Path) -> None:
    kinds = {kind(path, record) for path in files(record)}
    assert kinds == {"plan.json", "tournament.jsonl", ".jsonl", ".stderr"}


def test_any_changed_byte_of_any_file_is_found_and_its_file_named(copy: Path) -> None:
    """In the first file of each kind, the test changes about 100 bytes, and in later files about 10."""
    bits = cycle((1, 2, 32))
    known: set[str] = set()
    for path in files(copy):
        whole = path.read_bytes()
        for place in places(len(whole), 10 if kind(path, copy) in known else 100):
            changed = bytearray(whole)
            changed[place] ^= next(bits)
            path.write_bytes(changed)
            with pytest.raises(HarnessError) as caught:
                verify(copy)
            assert isinstance(caught.value, RecordError), f"{path.name} at {place}: {caught.value}"
            assert path.name in caught.value.place or path.name in str(caught.value)
        path.write_bytes(whole)
        known.add(kind(path, copy))
    verify(copy)


def test_a_file_cut_short_is_found(copy: Path) -> None:
    for path in files(copy):
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(RecordError):
            verify(copy)
        path.write_bytes(whole)


def test_a_line_that_was_added_is_found(copy: Path) -> None:
    for path in files(copy):
        whole = path.read_bytes()
        path.write_bytes(whole + whole.splitlines(keepends=True)[-1])
        with pytest.raises(RecordError):
            verify(copy)
        path.write_bytes(whole)


def test_two_encounters_swapped_are_found(copy: Path) -> None:
    first, second = sorted((copy / "run-2" / "000").glob("*.jsonl"))[:2]
    one, other = first.read_bytes(), second.read_bytes()
    first.write_bytes(other)
    second.write_bytes(one)
    with pytest.raises(RecordError) as caught:
        verify(copy)
    assert first.name in caught.value.place


def test_a_record_cut_after_a_whole_line_is_found_by_what_it_does_not_speak_of(copy: Path) -> None:
    journal = copy / "tournament.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines) if b'"is":"run","run":2' in line]
    journal.write_bytes(b"".join(lines[: ends[0]]))
    with pytest.raises(RecordError, match="the journal does not name this file"):
        verify(copy)


def test_a_missing_encounter_is_found(copy: Path) -> None:
    first = min((copy / "run-1" / "000").glob("*.jsonl"))
    first.unlink()
    with pytest.raises(RecordError, match="does not exist") as caught:
        verify(copy)
    assert first.name in caught.value.place


def test_the_command_says_in_one_sentence_where_and_exits_with_1(copy: Path) -> None:
    path = min((copy / "run-1" / "000").glob("*.jsonl"))
    path.write_bytes(path.read_bytes().replace(b'"ranks":[1', b'"ranks":[7', 1))
    told = harness("verify", str(copy))
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert f"{path}:" in told.stderr
    assert "the rules say" in told.stderr


def test_the_command_refuses_a_folder_that_is_no_record(tmp_path: Path) -> None:
    told = harness("verify", str(tmp_path))
    assert told.returncode == 2
    assert "no folder of a run" in told.stderr
