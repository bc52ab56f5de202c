"""Tests that a diagnosis finds a planted habit first, and none in a usual bot, and uses no hidden fact."""

from __future__ import annotations

import shutil
from math import inf
from pathlib import Path

import pytest

from harness.chance import Seeded
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.events import Record, Turn
from harness.games import State
from harness.judge.rejudge import Look
from harness.model import Limits
from harness.play.conduct import conduct
from harness.record import run_folder
from harness.record.one_match import RecordedMatch
from harness.results import habits
from harness.results.habits import (
    ALL,
    LITTLE_TIME,
    MORE_TIME,
    CostlyAnswer,
    Decision,
    Diagnosis,
    Habit,
    habits_of,
    time_left,
)
from harness.schedule.plan import read_plan

pytestmark = pytest.mark.real
GREEDY = Path.cwd() / "bots" / "sevens" / "greedy"
LATE = "    most = (min if len(table.hand) <= 8 else max)(move.claim for move in moves)\n"
"""The planted habit: with at most 8 cards in its hand, the bot plays for the fewest points, not the most."""
MATCHES = 8


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of matches of a house bot against a copy of it that has the planted habit."""
    folder = tmp_path_factory.mktemp("habits")
    shutil.copytree(GREEDY, folder / "late")
    main = folder / "late" / "main.py"
    code = main.read_text()
    line = "    most = max(move.claim for move in moves)\n"
    assert line in code
    main.write_text(code.replace(line, LATE))
    (folder / "late" / "bot.toml").write_text('run = "python3 main.py"\n')
    (folder / "plan.toml").write_text(
        f'game = "sevens"\nseats = 2\nbots = ["late", "{GREEDY}"]\nisolation = "none"\nseed = 3\n'
        f"deals = {MATCHES // 2}\n"
    )
    conduct(read_plan(folder / "plan.toml"), folder / "logs")
    return folder / "logs"


@pytest.fixture(autouse=True)
def _few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the tests draw fewer positions, to save time. The habit costs so much that a few draws show it."""
    for name, draws in (("FIRST_DRAWS", 4), ("DRAWS", 12), ("MORE_DRAWS", 30)):
        monkeypatch.setattr(habits, name, draws)


def diagnosed(logs: Path, bot: str, matches: int = MATCHES) -> Diagnosis:
    found = Diagnosis(run_folder.plan_of(logs), bot, 8)
    for number in range(1, matches + 1):
        found.take(RecordedMatch(logs, f"1.1.1.{number}"))
    return found


def test_a_guess_that_is_not_finite_is_refused(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(habits, "lead_after_answers", lambda *_: inf)
    with pytest.raises(InputError, match="is not finite"):
        diagnosed(logs, "late", 1)


def test_a_planted_habit_comes_first(logs: Path) -> None:
    found = diagnosed(logs, "late")
    first, *_, last = found.habits()
    assert (first.kind, first.certain, last.kind) == ("late in the match", True, ALL)
    assert last.decisions == found.decisions == 25 * MATCHES
    worst = found.costliest()
    assert worst
    for each in worst:
        answer = dict(RecordedMatch(logs, each.match).numbered)[each.line]
        assert isinstance(answer, Turn)
        assert (answer.seat, answer.said) == (each.seat, each.said)
    assert all(each.cost.low is not None and each.cost.low > 0 for each in worst)
    assert all(
        "Your hand" in each.position and f"Seat {3 - each.seat}  " not in each.position for each in worst
    )


class Otherwise(RecordedMatch):
    """A match in which the facts that the asked seat does not know are replaced by others."""

    changed = 0

    def judge(self, plan: FrozenPlan, look: Look) -> None:
        def other(record: Record, state: State | None) -> None:
            if isinstance(record, Turn) and state is not None:
                unlike = state.alike(record.seat, Seeded(5))
                self.changed += unlike != state
                state = unlike
            look(record, state)

        super().judge(plan, other)


def test_a_kind_with_the_habit_and_more_comes_after_the_habit() -> None:
    """Only the answers to `shoot` are bad. Larger kinds contain these answers too, and so cost as much."""
    few, seat = "at most 4 moves", "seat 1"

    def decision(question: str, cost: float, *kinds: str) -> Decision:
        return Decision("1", 1, "a", "b", cost, (ALL, f"question {question}", seat, *kinds))

    matches = [
        [
            decision("keep", 0.0),
            decision("place", luck, few),
            decision("shoot", 1 + luck, few),
            decision("shoot", 1 - luck, few),
            decision("place", -luck, few),
        ]
        for luck in (0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.4)
    ]
    matches[0][2] = decision("shoot", 0.9, few)
    first, second, *others, last = habits_of(matches)
    assert (first.kind, first.certain, first.decisions) == ("question shoot", True, 20)
    assert (second.kind, second.certain, last.kind) == (few, True, ALL)
    assert first.cost == second.cost == last.cost
    assert first.excess > second.excess > last.excess == 0
    assert first.stands_out
    assert not last.stands_out
    assert not any(each.stands_out for each in others)
    assert {each.kind for each in others} == {"question keep", "question place"}


def _kind(*decisions: tuple[str, str, float]) -> Habit:
    [kind] = habits_of([[Decision("1", 1, said, instead, cost, (ALL,)) for said, instead, cost in decisions]])
    return kind


def test_the_answer_with_most_of_the_cost_is_named() -> None:
    answers = (("no", "a", 2.0), ("no", "b", 3.0), ("no", "b", 1.0), ("no", "no", 0.0), ("x", "a", 4.0))
    assert _kind(*answers).answer == CostlyAnswer("no", "b", 3, 0.6)


@pytest.mark.parametrize(
    "answers",
    [
        [("no", "a", 9.0)],
        [("no", "no", 0.0), ("no", "no", 0.0)],
        [(str(number // 2), "a", 1.0) for number in range(10)],
        [("no", "a", 1.0), ("no", "a", 1.0), ("x", "a", -3.0)],
    ],
)
def test_no_answer_is_named_that_is_given_once_or_costs_little(
    answers: list[tuple[str, str, float]],
) -> None:
    assert _kind(*answers).answer is None


def test_what_the_seat_does_not_know_changes_nothing(tmp_path: Path) -> None:
    """A diagnosis must tell a team no hidden fact: if the seat sees the same, the diagnosis is the same."""
    (tmp_path / "plan.toml").write_text(
        'game = "sevens"\nseats = 3\nbots = ["spar:1", "spar:2", "spar:4"]\nseed = 3\ndeals = 1\n'
    )
    logs = tmp_path / "logs"
    conduct(read_plan(tmp_path / "plan.toml"), logs)
    match = Otherwise(logs, "1.1.1.1")
    plan = run_folder.plan_of(logs)
    seen, told = (Diagnosis(plan, "spar:1", 4) for _ in range(2))
    seen.take(match)
    told.take(RecordedMatch(logs, "1.1.1.1"))
    assert match.changed > 40
    assert seen.told() == told.told()
    assert told.habits()[-1].cost > 0


def test_from_few_matches_nothing_is_certain(logs: Path) -> None:
    assert not any(habit.certain for habit in diagnosed(logs, "late", 3).habits())


def test_the_time_left_is_counted_for_each_seat_without_excused_time() -> None:
    turns = [
        Turn(1, "a", us=600_000),
        Turn(2, "a"),
        Turn(1, "a", us=500_000, excused_us=200_000),
        Turn(1, "a"),
    ]
    assert [*time_left(turns, Limits(bank_ms=1000))] == [1.0, 1.0, 0.4, pytest.approx(0.1)]
    assert [*time_left(turns, Limits())] == [None] * 4


def test_decisions_with_little_time_left_are_a_kind_if_there_is_a_bank(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, recorded = run_folder.plan_of(logs), RecordedMatch(logs, "1.1.1.1")
    kinds = []
    for first, later in (0.5, 0.2), (None, None):
        left = [first] * 5 + [later] * 1_000
        monkeypatch.setattr(habits, "time_left", lambda turns, limits, left=left: left[: len(turns)])
        found = Diagnosis(plan, "late", 1)
        found.take(recorded)
        kinds.append({each.kind for each in found.habits()} & {LITTLE_TIME, MORE_TIME})
    assert kinds == [{LITTLE_TIME, MORE_TIME}, set()]
