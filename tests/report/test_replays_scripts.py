"""Tests replays that several processes make: the bytes are always the same, and an error is one sentence."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from harness.errors import RecordError
from harness.events import Event
from harness.job.workers import Crew
from harness.record.masking import Mask, unmasked
from harness.record.run_folder import history_of, plan_of
from harness.report import replays as scripts
from harness.report.names import Names
from harness.report.replays import Replays
from harness.report.survey import MatchLines, Survey
from harness.report.writing import Report
from tests.report import played

CLEAR = Names(unmasked(played.NAMES), False)
MASKED = Names(Mask(played.NAMES, "key"), True)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played.write(tmp_path_factory.mktemp("report"), "sevens", 3, deals=3, fault_at=4)


def matches_of(logs: Path) -> list[MatchLines]:
    return list(Survey(logs).new(history_of(logs)))


@pytest.mark.parametrize("names", [CLEAR, MASKED])
def test_two_processes_write_the_same_bytes_as_one(logs: Path, tmp_path: Path, names: Names) -> None:
    pages = []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        Report(logs, plan_of(logs), out, names, workers=workers).write()
        pages.append({file.relative_to(out): file.read_bytes() for file in out.rglob("*") if file.is_file()})
    assert len([page for page in pages[0] if page.parts[0] == "matches"]) == 3
    assert pages[0] == pages[1]


def test_a_small_report_starts_no_process(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "cores", lambda: [0, 1])
    monkeypatch.setattr(Crew, "give", None)
    replays, matches = Replays(plan_of(logs), CLEAR), matches_of(logs)
    assert len(list(scripts.scripts(replays, matches))) == len(matches)
    monkeypatch.setattr(scripts, "ALONE_LINES", len(matches[0].lines))
    with pytest.raises(TypeError):
        list(scripts.scripts(replays, matches))


def test_a_match_that_does_not_fit_the_game_is_named_by_any_process(logs: Path) -> None:
    told = []
    matches = matches_of(logs)
    lines = list(matches[4].lines)
    where = next(place for place, (_, record) in enumerate(lines) if isinstance(record, Event))
    lines[where] = (lines[where][0], Event("played 9 999"))
    matches[4] = matches[4]._replace(lines=tuple(lines))
    for workers in (1, 2):
        with pytest.raises(RecordError, match=rf"match {matches[4].head.id} has a line") as caught:
            list(scripts.scripts(Replays(plan_of(logs), CLEAR), matches, workers))
        told.append((caught.value.message, caught.value.place))
    assert told[0] == told[1]


def test_a_process_that_dies_is_one_sentence() -> None:
    died = r"^a process that makes replays died: is there too little memory\?$"
    with closing(Crew[int, None](2, 1, "makes replays", dying)) as crew:
        crew.give(1)
        with pytest.raises(OSError, match=died):
            crew.take()
        with pytest.raises(OSError, match=died):
            crew.give(2)


def dying() -> Callable[[int], None]:
    return os._exit


def test_tasks_wait_in_a_bounded_number_and_answers_come_in_their_order() -> None:
    with closing(Crew[int, int](2, 2, "counts", counting)) as crew:
        answers = []
        for number in range(20):
            crew.give(number)
            assert len(crew) <= 5
            if crew.full:
                answers.append(crew.take())
        while crew:
            answers.append(crew.take())
    assert answers == [(number, -number) for number in range(20)]


def counting() -> Callable[[int], int]:
    return int.__neg__
