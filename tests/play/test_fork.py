"""Tests that a fork with the answer on record repeats the match, and one with another answer does not."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from harness.config import Plan
from harness.errors import InputError
from harness.events import Fault, InEncounter, Turn
from harness.play.conduct import conduct, ready
from harness.play.fork import Forked, ForkOrder, play_fork
from harness.record import run_folder
from harness.record.forks import ForkPoint, fork_point, rest_on_record
from harness.record.one_match import RecordedMatch
from harness.schedule.plan import read_plan

pytestmark = pytest.mark.real
PLAN = """
game = "{game}"
seats = {seats}
bots = [{bots}]
isolation = "none"
seed = 5
{more}
"""
HOUSE = Path.cwd() / "bots"


def played(folder: Path, game: str, bots: list[str], seats: int = 2, more: str = "") -> Plan:
    """Plays a tournament, and returns its plan. Its record is in `folder`/logs."""
    names = ", ".join(f'"{each if each.startswith("spar") else HOUSE / each}"' for each in bots)
    file = folder / "plan.toml"
    file.write_text(PLAN.format(game=game, seats=seats, bots=names, more=more))
    plan = read_plan(file)
    conduct(plan, folder / "logs")
    return plan


def forked(plan: Plan, point: ForkPoint, move: str | None, draw: int = 0, stand_ins: bool = False) -> Forked:
    names = point.recorded.head.bots
    with ready(plan, lambda line: None) as bots:
        seats = [
            None if stand_ins and seat != point.seat else bots.entrants[name]
            for seat, name in enumerate(names, start=1)
        ]
        return trio.run(play_fork, point, ForkOrder(tuple(seats), move, draw, 2))


@pytest.mark.parametrize("game", ["sevens", "squash"])
def test_with_the_answer_on_record_a_fork_is_the_match_again(game: str, tmp_path: Path) -> None:
    second = "greedy" if game == "sevens" else "sensible"
    plan = played(tmp_path, game, [f"{game}/random", f"{game}/{second}"])
    frozen = run_folder.plan_of(tmp_path / "logs")
    forks = 0
    for match in ("1.1.1.1", "1.1.1.2"):
        recorded = RecordedMatch(tmp_path / "logs", match)
        turns = [each for each in recorded.records if isinstance(each, Turn) and each.ask[:4] != "new "]
        for number in {1, len(turns) // 2, len(turns)} - {0} if turns else ():
            point = fork_point(frozen, recorded, number)
            assert point.turn == turns[number - 1]
            for move in (point.turn.said, None):
                found = forked(plan, point, move)
                assert rest_on_record(point, found.records)
                assert found.differ == (0, 0)
                forks += 1
    assert forks >= 2


def test_another_answer_makes_another_match_and_the_same_luck(tmp_path: Path) -> None:
    plan = played(tmp_path, "sevens", ["spar:2", "spar:1"])
    recorded = RecordedMatch(tmp_path / "logs", "1.1.1.1")
    point = fork_point(run_folder.plan_of(tmp_path / "logs"), recorded, 3)
    other = next(move for move in point.state.legal(point.seat) if move != point.turn.said)
    found = forked(plan, point, other)
    assert not rest_on_record(point, found.records)
    turns = [each for each in found.records if isinstance(each, Turn)]
    assert [each.said for each in turns[:4]] == [
        each.said for each in recorded.records if isinstance(each, Turn)
    ][:4]
    assert turns[4].said == other
    assert found.brief == forked(plan, point, other).brief


def test_drawn_again_the_others_have_other_cards_and_the_seat_its_own(tmp_path: Path) -> None:
    plan = played(tmp_path, "sevens", ["spar:2", "spar:1", "spar:4"], seats=3)
    recorded = RecordedMatch(tmp_path / "logs", "1.1.1.1")
    point = fork_point(run_folder.plan_of(tmp_path / "logs"), recorded, 4)
    assert point.hidden
    plays = [forked(plan, point, point.turn.said, draw, stand_ins=True).records for draw in (1, 1, 2)]
    said = [[each.said for each in records if isinstance(each, Turn)] for records in plays]
    assert said[0] == said[1] != said[2]
    cards = {word.split(" ")[1] for each in said for word in each if word and word.startswith("play")}
    assert len(cards) > 10


def test_a_bot_that_answers_otherwise_before_the_question_is_counted(tmp_path: Path) -> None:
    plan = played(tmp_path, "sevens", ["sevens/random", "sevens/greedy"])
    recorded = RecordedMatch(tmp_path / "logs", "1.1.1.1")
    point = fork_point(run_folder.plan_of(tmp_path / "logs"), recorded, 20)
    swapped = {"random": "greedy", "greedy": "random"}
    bots = tuple(replace(bot, name=swapped[bot.name]) for bot in plan.bots)
    found = forked(replace(plan, bots=bots), point, point.turn.said)
    assert all(found.differ)


def test_a_question_that_was_not_asked_and_an_illegal_move_are_refused(tmp_path: Path) -> None:
    played(tmp_path, "sevens", ["spar:2", "spar:1"])
    recorded = RecordedMatch(tmp_path / "logs", "1.1.1.1")
    frozen = run_folder.plan_of(tmp_path / "logs")
    with pytest.raises(InputError, match=r"match 1.1.1.1 has 50 questions, and no question 51"):
        fork_point(frozen, recorded, 51)
    point = fork_point(frozen, recorded, 1)
    assert point.canonical(str(point.turn.said).removeprefix("play ")) == point.turn.said
    with pytest.raises(InputError, match="this is not a legal move at question 1: "):
        point.canonical("play 2C 99 0")


def test_a_fault_is_the_same_though_another_time_is_left(tmp_path: Path) -> None:
    """The question before a fault names the time left in the bank. This time is different in the fork."""
    more = 'policy = "forfeit"\n[limits]\nbank_ms = 20_000'
    plan = played(tmp_path, "sevens", ["rogues/wrong-word.sh", "sevens/random"], more=more)
    recorded = RecordedMatch(tmp_path / "logs", "1.1.1.1")
    point = fork_point(run_folder.plan_of(tmp_path / "logs"), recorded, 1)
    assert any(isinstance(each, Fault) for each in recorded.records)

    def changed(**fields: str) -> list[InEncounter]:
        return [replace(each, **fields) if isinstance(each, Fault) else each for each in recorded.records]

    assert changed(ask="play 1000 19000") != list(recorded.records)
    assert rest_on_record(point, changed(ask="play 1000 19000"))
    assert not rest_on_record(point, changed(name="late"))
    assert plan.limits.bank_ms == 20_000
