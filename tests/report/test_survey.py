"""Tests which facts of each match a report keeps, and a list of a million matches."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness.errors import RecordError
from harness.record import run_folder
from harness.record.log import Mark
from harness.report.survey import LARGEST, MatchFacts, RunFacts, Survey
from harness.report.writing import PART, script
from tests.report import played


def test_each_match_has_its_own_numbers_however_late_it_comes() -> None:
    facts = RunFacts(2, 3)
    matches = [
        ((encounter, sitting), deal)
        for encounter in (1, 2, 10**12)
        for sitting in (1, 2)
        for deal in (1, 2, 3)
    ]
    for number, (key, deal) in enumerate(matches, start=1):
        facts.note(key, deal, number, 10 * number)
        facts.have_read(key[0], Mark(7 * key[0], number))
    assert [facts.answers(*match) for match in matches] == [(n, 10 * n) for n in range(1, 19)]
    assert [facts.read(encounter) for encounter in (1, 2, 3, 10**12)] == [
        (7, 6),
        (14, 12),
        (0, 0),
        (7 * 10**12, 18),
    ]
    facts.note((3, 1), 1, 1, 10**30)
    assert facts.answers((3, 1), 1) == (1, LARGEST)


def test_a_match_is_told_from_its_file_and_from_its_replay(tmp_path: Path) -> None:
    logs = played.write(tmp_path, deals=1)
    survey = Survey(logs)
    first, *_ = [match.head.id for match in survey.new(run_folder.history_of(logs))]
    known = survey.facts_of(first)
    assert known.answers
    assert known.slowest_us
    assert not known.told
    survey.note(first, 3, 0.5)
    assert survey.facts_of(first) == known._replace(leads=3, behind=0.5, told=True)
    assert survey.facts_of("2.1.1.1") == MatchFacts()
    assert not list(survey.new(run_folder.history_of(logs)))


@pytest.mark.parametrize("other", ["1.2.1.1", "2.1.1.1", "1.1.9.1", "1.1.1.9", "1.1.0.1", "1.1.1.x", "1.1.1"])
def test_a_match_in_a_file_of_another_encounter_is_an_error(tmp_path: Path, other: str) -> None:
    logs = played.write(tmp_path, deals=1)
    history = run_folder.history_of(logs)
    [file] = [path for path in logs.rglob("*.jsonl") if b'"1.1.1.1"' in path.read_bytes()]
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b'"1.1.1.1"', f'"{other}"'.encode()).ljust(len(whole), b"\n"))
    with pytest.raises(RecordError, match="has no match"):
        list(Survey(logs).new(history))


@pytest.mark.parametrize("count", [0, 1, PART, PART + 1])
def test_the_list_in_parts_is_the_list_at_once(count: int) -> None:
    rows: list[Any] = [(f'"{number}"', "ä\\", None) for number in range(count)]
    listed: dict[str, Any] = {"bots": ['"rows":[', "é"], "until": {1: 2}, "rows": (), "made": "x"}
    whole = msgspec.json.encode(msgspec.json.encode({**listed, "rows": rows}).decode())
    assert b"".join(script(listed, iter(rows))) == b"matches(JSON.parse(%b));\n" % whole
