"""Tests that a report finds the moments of a match from nothing but its standings after each step."""

from pathlib import Path

import pytest

from harness import games
from harness.events import Event, Fault, Match, Record, Result, Turn
from harness.record import run_folder
from harness.record.masking import unmasked
from harness.report import scenes
from harness.report.moments import Course, Moment, StandingTrack, course
from harness.report.names import Names
from harness.report.replays import Replays
from harness.report.scenes import Standing
from harness.report.survey import MatchLines, Survey
from tests.report import played

EACH = ((1,), (2,))


def _course(records: list[Record], changes: dict[int, dict[str, int]], fewer: bool = False) -> Course:
    lines = tuple(enumerate((Match("1.1.1.1", ("a", "b")), *records), start=1))
    standings = StandingTrack(Standing("points", "points", fewer), {}, 2)
    for line, changed in changes.items():
        standings.add(line, changed)
    return course(MatchLines(lines[0][1], 1, "x", lines), standings, EACH)  # type: ignore[arg-type]


CHANGES = {2: {"points 1": 3}, 3: {"points 2": 9}, 4: {"points 1": 20}}
PLAYED: list[Record] = [Event("x"), Event("y"), Event("z"), Result((1, 2), (20, 9), "x")]


def test_the_last_change_of_the_lead_decides() -> None:
    found = _course(PLAYED, CHANGES)
    assert found.moments == (Moment(3, "lead", 2), Moment(4, "decided", 1), Moment(4, "swing", 1))
    assert found.leads == 2
    assert found.behind == pytest.approx(6 / 11, abs=0.001)


def test_a_match_is_decided_when_one_side_leads_alone_to_the_end() -> None:
    level = _course(PLAYED, {2: {"points 1": 3}, 3: {"points 2": 3}, 4: {"points 1": 4}})
    assert [moment for moment in level.moments if moment.kind == "decided"] == [Moment(4, "decided", 1)]
    tied = _course(PLAYED, {2: {"points 1": 3}, 4: {"points 2": 3}})
    assert not any(moment.kind == "decided" for moment in tied.moments)
    lost = _course(PLAYED, {2: {"points 1": 3}, 3: {"points 2": 3}, 4: {"points 1": 1}})
    assert [moment for moment in lost.moments if moment.kind == "decided"] == [Moment(4, "decided", 2)]


def test_fewer_is_better_where_losses_count() -> None:
    found = _course([*PLAYED[:3], Result((2, 1), (20, 9), "x")], CHANGES, fewer=True)
    assert [moment for moment in found.moments if moment.kind == "decided"] == [Moment(4, "decided", 2)]


def test_a_fault_decides_and_the_slowest_answer_is_found() -> None:
    records = [Turn(1, "play", "a", 5), Turn(2, "play", "b", 90), Fault(2, "illegal", "x"), PLAYED[-1]]
    found = _course(records, {2: {"points 1": 3}})
    assert {(moment.line, moment.kind) for moment in found.moments} == {(3, "slow"), (4, "fault")}


@pytest.mark.parametrize(
    ("points", "line"),
    [((1, 2, 5), 4), ((1, 4, 7), 4), ((3, 6, 7), 3), ((3, 4, 7), 4), ((1, 2, 3), 0), ((3, 3, 3), 0)],
)
def test_the_swing_is_the_last_of_the_largest_changes_if_they_stand_out(
    points: tuple[int, ...], line: int
) -> None:
    found = _course(PLAYED, {number: {"points 1": each} for number, each in enumerate(points, start=2)})
    swings = [moment for moment in found.moments if moment.kind == "swing"]
    assert swings == ([Moment(line, "swing", 1)] if line else [])


SCORED = {"sevens": 3, "squadron": 3, "biplane": 2}


@pytest.mark.parametrize("game", SCORED)
def test_the_standing_at_the_end_is_the_score_of_the_game(tmp_path: Path, game: str) -> None:
    options = dict(games.find(game).brief)
    logs = played.write(tmp_path, game, SCORED[game], options=options)
    plan = run_folder.plan_of(logs)
    replays = Replays(plan, Names(unmasked(bot.name for bot in plan.bots), False))
    [match, *_] = Survey(logs).new(run_folder.history_of(logs))
    made, picture = replays.of(match), {}
    picture = made["opening"]
    for _, _, groups in made["steps"]:
        for viewers, changes in groups:
            picture = scenes.changed(picture, changes) if viewers is None or 1 in viewers else picture
    result = match.lines[-1][1]
    assert isinstance(result, Result)
    key = made["standing"].key
    assert [picture[f"{key} {seat}"] for seat in range(1, SCORED[game] + 1)] == list(result.scores)
