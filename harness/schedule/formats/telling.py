"""Tells people what a format will do, and how even its rounds have been."""

from __future__ import annotations

from collections.abc import Iterator

from harness.config import FrozenPlan
from harness.config.stages import Stage, stages_of
from harness.escape import count_of
from harness.record.history import History, Run
from harness.schedule.certificate import Certificate, certify


def promise(plan: FrozenPlan, bots: int, seats: int) -> str:
    """What the stages of a plan will do with so many bots, as lines for people."""
    return "\n".join(line for stage in stages_of(plan) for line in _lines(stage, bots, seats))


def _lines(stage: Stage, bots: int, seats: int) -> Iterator[str]:
    rounds, spare = stage.rounds or 1, bots % seats
    size = f"{count_of(rounds, 'round')} of {count_of(bots // seats, 'encounter')}"
    yield f"{bots} bots, {seats} seats, {stage.format}: {size}"
    if spare:
        most = -(-rounds * spare // bots)
        resting = f"{count_of(spare, 'bot')} {'rests' if spare == 1 else 'rest'} in each round"
        yield f"{resting}, each bot at most {count_of(most, 'time')}"
    yield "results decide who meets whom; no pair meets again if that is possible"


def reached(history: History, run: Run) -> Certificate:
    """The certificate of the rounds of a run that are on record, its kept encounters included."""
    number = {bot: place for place, bot in enumerate(run.bots)}.__getitem__
    names = (map(int, name.split(".")) for name in run.began.kept)
    kept = [history.runs[earlier - 1].played[encounter, 1].bots for earlier, encounter in names]
    rounds = [tuple(tuple(map(number, block)) for block in each.blocks) for each in run.rounds]
    return certify(len(run.bots), rounds, [tuple(map(number, block)) for block in kept])
