"""Computes the next round of a tournament in which the encounters of a round depend on earlier results.

Everything follows from the plan and the rounds before, so the same function starts a round, continues a
tournament that was interrupted, and proves a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from harness.config import FrozenPlan
from harness.config.stages import stages_of
from harness.events import Ended, RoundBegan
from harness.record.history import History, Run
from harness.schedule.formats import swiss
from harness.schedule.formats.past import lineage, past_of


def next_round(plan: FrozenPlan, history: History, run: Run) -> RoundBegan | Ended:
    """The next round of the last run, whose rounds on record are complete, or the end of the tournament."""
    past = past_of(lineage(history, run.began.seats, keep=plan.rerun == "keep"))
    stages = stages_of(plan)
    number = past.rounds[-1].number + 1 if past.rounds else 1
    at = past.rounds[-1].stage if past.rounds else 1
    found = swiss.swiss(stages[at - 1], past.of_stage(at), plan.seed)
    if found is None:
        return Ended()
    return RoundBegan(run.number, at, number, found.blocks, found.byes, found.why)


def expected(plan: FrozenPlan, bots: int, seats: int, rounds: Sequence[RoundBegan]) -> int:
    """The number of encounters that so many bots are expected to play after these rounds."""
    played = Counter(each.stage for each in rounds)
    at = rounds[-1].stage if rounds else 1
    return sum(
        swiss.remaining(stage, bots, seats, played[number])
        for number, stage in enumerate(stages_of(plan), start=1)
        if number >= at
    )
