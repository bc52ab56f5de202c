"""Computes the next round of a tournament in which the encounters of a round depend on earlier results.

Everything follows from the plan and the rounds before, so the same function starts a round, continues a
tournament that was interrupted, and proves a record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from harness.chance import derived
from harness.config import FrozenPlan
from harness.config.terms import Stage
from harness.events import Ended, RoundBegan
from harness.record.history import History, Run
from harness.schedule.formats.all_meet import all_meet, order_of_groups
from harness.schedule.formats.double_elimination import (
    double_elimination,
    order_of_double_elimination,
    why_double_elimination,
)
from harness.schedule.formats.knock_out import knock_out, order_of_knock_out, why_knock_out
from harness.schedule.formats.ladder import ladder, waiting
from harness.schedule.formats.past import LadderWaits, Pairing, Past, View, lineage, past_of
from harness.schedule.formats.settling import reason, until_settled
from harness.schedule.formats.strength import Tiers, by_lot, in_tiers, in_turn, strengths
from harness.schedule.formats.two_bots import told, two_bots
from harness.schedule.stages import size_of, stages_of


def _by_strength(view: View) -> Tiers:
    return in_tiers(view.bots, strengths(view.counted, view.by))


class FormatRules(NamedTuple):
    """What a format decides: the next round (None: no more), and the order of its bots."""

    next: Callable[[View], Pairing | None]
    order: Callable[[View], Tiers]
    why: Callable[[View], str] = lambda view: ""
    """Why the stage ends as it does; "" if that is clear."""


FORMATS: Mapping[str, FormatRules] = {
    "swiss": FormatRules(until_settled, _by_strength, reason),
    "round-robin": FormatRules(until_settled, _by_strength, reason),
    "sprt": FormatRules(two_bots, _by_strength, told),
    "groups": FormatRules(all_meet, order_of_groups),
    "knock-out": FormatRules(knock_out, order_of_knock_out, why_knock_out),
    "ladder": FormatRules(ladder, _by_strength),
    "double-elimination": FormatRules(
        double_elimination, order_of_double_elimination, why_double_elimination
    ),
}


def next_round(plan: FrozenPlan, history: History, run: Run) -> RoundBegan | Ended | LadderWaits:
    """The next round of the last run, whose rounds on record are complete, or the end of the tournament."""
    runs = lineage(history, run.began.seats, keep=plan.rerun == "keep")
    return step(plan, past_of(runs, history.playing), run.number)


def step(plan: FrozenPlan, past: Past, run: int) -> RoundBegan | Ended | LadderWaits:
    """The next round of this run, or the end of the tournament. A ladder has no end."""
    stages = stages_of(plan)
    number = past.rounds[-1].number + 1 if past.rounds else 1
    at = past.rounds[-1].stage if past.rounds else 1
    for stage in range(at, len(stages) + 1):
        view = view_of(plan, past, stage)
        found = FORMATS[view.stage.format].next(view) if len(view.bots) >= past.seats else None
        if found is not None:
            ended = FORMATS[stages[at - 1].format].why(view_of(plan, past, at)) if stage > at else ""
            why = f"{found.why}; {ended}" if ended else found.why
            return RoundBegan(run, stage, number, *found._replace(why=why))
    last = view_of(plan, past, len(stages))
    if last.stage.format == "ladder":
        return waiting(last)
    return Ended(note=FORMATS[last.stage.format].why(last), order=_final_order(plan, past))


def decides_places(stages: Sequence[Stage]) -> bool:
    """Whether the places at the end are those that the stages decide, not those of the standings."""
    return len(stages) > 1 or stages[0].format not in ("swiss", "round-robin", "sprt")


def _final_order(plan: FrozenPlan, past: Past) -> tuple[tuple[str, ...], ...]:
    """All bots in the order that the stages decide; () if the standings decide.

    Who came into a later stage is before those who did not.
    """
    stages = stages_of(plan)
    if not decides_places(stages):
        return ()
    known: set[str] = set()
    order: Tiers = []
    for stage in range(len(stages), 0, -1):
        view = view_of(plan, past, stage)
        for tier in FORMATS[view.stage.format].order(view):
            order.append(tuple(bot for bot in tier if bot not in known))
        known.update(bot for tier in order for bot in tier)
    return tuple(tier for tier in order if tier)


def view_of(plan: FrozenPlan, past: Past, stage: int) -> View:
    """A stage and its past."""
    terms = stages_of(plan)[stage - 1]
    # Bots come into a ladder at any time, so those that play now are the ones that entered it.
    begin = len(past.rounds) if terms.format == "ladder" else past.begin_of(stage)
    seed = plan.seed if stage == 1 else derived(plan.seed, "stage", stage)
    own = past.of_stage(stage)
    counted = past if terms.carry else own
    entry = _entry(plan, past.before(begin), stage)
    tested = plan.bots[0].name if plan.sprt else ""
    stop = plan.stop if stage == len(stages_of(plan)) else None
    return View(
        terms, entry, own, counted, seed, plan.order or "rating", stop, plan.sprt, tested, plan.knock_outs
    )


def _entry(plan: FrozenPlan, past: Past, stage: int) -> tuple[str, ...]:
    """The bots that enter a stage, the best first. The past ends where the stage begins."""
    if stage == 1:
        return tuple(by_lot(past.bots, plan.seed))
    view = view_of(plan, past, stage - 1)
    order = in_turn(FORMATS[view.stage.format].order(view), view.seed)
    return tuple(islice(order, view.stage.through))


def expected(plan: FrozenPlan, bots: int, seats: int, rounds: Sequence[RoundBegan]) -> int:
    """The number of encounters that so many bots are expected to play after these rounds."""
    at = rounds[-1].stage if rounds else 1
    here = [each for each in rounds if each.stage == at]
    total, left = 0, bots
    for number, stage in enumerate(stages_of(plan), start=1):
        left = min(left, bots)
        if number == at and stage.rounds and stage.format == "swiss":
            total += max(0, stage.rounds - len(here)) * (left // seats)
        elif number >= at:
            played = sum(len(each.blocks) for each in here) if number == at else 0
            total += max(0, size_of(stage, left, seats, plan.knock_outs) - played)
        left = stage.through or left
    return total
