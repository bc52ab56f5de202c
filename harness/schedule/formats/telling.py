"""Tells people what a format will do, and how even its rounds have been."""

from __future__ import annotations

from collections.abc import Iterator

from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.escape import count_of
from harness.record.history import History, Run
from harness.schedule.certificate import Certificate, certify
from harness.schedule.formats.knock_out import LONGER, MOST_AGAIN, tables_of
from harness.schedule.formats.past import past_of
from harness.schedule.formats.two_bots import SprtBounds, course
from harness.schedule.stages import SPRT_ENCOUNTERS, size_of, stages_of, tables_by_bout


def promise(plan: FrozenPlan, bots: int, seats: int) -> str:
    """What the stages of a plan will do with so many bots, as lines for people."""
    return "\n".join(_lines(plan, bots, seats))


def _lines(plan: FrozenPlan, bots: int, seats: int) -> Iterator[str]:
    stages, left = stages_of(plan), bots
    if plan.sprt is not None:
        yield f"a sequential test of {plan.bots[0].name}: Elo {plan.sprt.elo0:g} or {plan.sprt.elo1:g}"
        yield f"at most {plan.sprt.most} pairs of matches; {SPRT_ENCOUNTERS} encounters in a round"
        return
    if plan.stop is not None:
        yield f"at the end it plays on until this is settled at an error of {plan.stop.error}:"
        yield f"{plan.stop.settled}; at most {count_of(plan.stop.most, 'encounter')} of an open pair"
    for number, stage in enumerate(stages, start=1):
        left = min(left, bots)
        name = f"stage {number}: " if len(stages) > 1 else ""
        about = "" if stage.format == "swiss" else "about "
        count = f"{about}{count_of(size_of(stage, left, seats, plan.knock_outs), 'encounter')}"
        yield f"{name}{stage.format}, {left} bots, {seats} seats: {_rounds(stage, left, seats)}{count}"
        if rests := _rests(stage, left, seats, plan.knock_outs):
            yield rests
        if stage.through:
            yield f"the best {stage.through} go on"
        left = stage.through or left
    yield "results decide who meets whom; every bot plays in every seat equally often"


def _rounds(stage: Stage, bots: int, seats: int) -> str:
    if stage.format == "knock-out":
        return f"{count_of(len([*tables_by_bout(stage, bots, seats)]), 'round')} if there is no tie, "
    groups = f"{stage.groups} groups of {bots // (stage.groups or 1)} or more, " if stage.groups else ""
    return f"{groups}{count_of(stage.rounds, 'round')}, " if stage.rounds else groups


def _rests(stage: Stage, bots: int, seats: int, edition: int) -> str:
    """A line about byes; "" if there are none."""
    if stage.format in ("knock-out", "double-elimination"):
        seated = seats * len(tables_of(bots, seats)) if bots >= seats else 0
        rest = f"{count_of(bots - seated, 'bot')} without a match in the first round"
        if edition == 1:
            again = count_of(MOST_AGAIN[1], "time")
            return f"{rest}; a table with a tie is played again, at most {again}, then by lot"
        grown = "a table plays 1 encounter in round 1, 2 in round 2, and so on"
        longer = f"until bets decide, at most {LONGER} times as long, then by lot"
        return f"{rest}\n{grown}\na tie is played on {longer}"
    spare = bots % seats
    if stage.format != "swiss" or not spare:
        return ""
    most = -(-(stage.rounds or 1) * spare // bots)
    resting = f"{count_of(spare, 'bot')} {'rests' if spare == 1 else 'rest'} in each round"
    return f"{resting}, each bot at most {count_of(most, 'time')}; no pair meets again if that is possible"


def tested(plan: FrozenPlan, history: History) -> tuple[SprtBounds, list[tuple[int, float]]] | None:
    """The bounds of a sequential test, and its ratio after each number of pairs; None without a test."""
    run = history.last
    if plan.sprt is None or run is None:
        return None
    bounds, verdicts = course(past_of([run]).rounds, plan.sprt, plan.bots[0].name)
    return bounds, [(0, 0.0), *((each.pairs, each.ratio) for each in verdicts)]


def reached(history: History, run: Run) -> Certificate:
    """The certificate of the rounds of a run that are on record, its kept encounters included."""
    number = {bot: place for place, bot in enumerate(run.bots)}.__getitem__
    names = (map(int, name.split(".")) for name in run.began.kept)
    kept = [history.runs[earlier - 1].played[encounter, 1].bots for earlier, encounter in names]
    rounds = [tuple(tuple(map(number, block)) for block in each.blocks) for each in run.rounds]
    return certify(len(run.bots), rounds, [tuple(map(number, block)) for block in kept])
