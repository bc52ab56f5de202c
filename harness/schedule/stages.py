"""Finds the next round and the end of a tournament with stages, and the bots that enter each stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from harness.chance import derived
from harness.config import FrozenPlan
from harness.config.terms import PlanTerms, Stage
from harness.events import Ended, RoundBegan, RunBegan
from harness.record.history import History, Run
from harness.schedule.formats import Format, find
from harness.schedule.sittings import Sides
from harness.schedule.stop import outlook_of, promise_of
from harness.schedule.strength import Tiers, by_lot, in_turn
from harness.schedule.view import LadderWaits, Past, View, lineage, past_of

KNOCK_OUTS = 2
"""The edition of the rules that make the rounds of knock-outs. A recorded plan contains this number if the
report of one of its stages has a bracket."""


def knock_outs_of(terms: PlanTerms) -> int:
    """Returns the edition of the rules of knock-outs, or 0 if no stage has a bracket."""
    return KNOCK_OUTS if any(find(stage.format).drawing == "bracket" for stage in stages_of(terms)) else 0


def stages_of(terms: PlanTerms) -> tuple[Stage, ...]:
    """Returns the stages of a plan, or () if all its encounters are known when a run begins."""
    if not terms.stage and find(terms.format).is_known_at_start(terms):
        return ()
    return terms.stage or (whole(terms),)


def whole(terms: PlanTerms) -> Stage:
    """Makes one stage from a tournament without stages. The stage has the keys of the tournament."""
    return Stage(format=terms.format, rounds=terms.rounds, meet=terms.meet)


def next_round(plan: FrozenPlan, history: History, run: Run) -> RoundBegan | Ended | LadderWaits:
    """Returns the next round of the last run, or the end of the tournament. All rounds on record must be
    complete."""
    runs = lineage(history, run.began.seats, keep=plan.rerun == "keep")
    return step(plan, past_of(runs, history.playing, history), run.number)


def step(plan: FrozenPlan, past: Past, run: int) -> RoundBegan | Ended | LadderWaits:
    """Returns the next round of this run, or the end of the tournament. A tournament that bots can join at
    any time (an open field) has no end."""
    stages = stages_of(plan)
    number = past.rounds[-1].number + 1 if past.rounds else 1
    at = past.rounds[-1].stage if past.rounds else 1
    for stage in range(at, len(stages) + 1):
        view = view_of(plan, past, stage)
        found = format_of(view).next(view) if len(view.bots) >= past.seats else None
        if found is not None:
            ended = ""
            if stage > at:
                before = view_of(plan, past, at)
                ended = format_of(before).why(before)
            why = f"{found.why}; {ended}" if ended else found.why
            return RoundBegan(run, stage, number, *found._replace(why=why))
    last = view_of(plan, past, len(stages))
    why = format_of(last).why(last)
    if format_of(last).open_field:
        return LadderWaits(why)
    return Ended(note=why, order=_final_order(plan, past))


def format_of(view: View) -> Format:
    """Returns the format of the stage."""
    return find(view.stage.format)


def decides_places(stages: Sequence[Stage]) -> bool:
    """Returns whether the stages, and not the standings, decide the places at the end."""
    return len(stages) > 1 or find(stages[0].format).decides_places


def _final_order(plan: FrozenPlan, past: Past) -> tuple[tuple[str, ...], ...]:
    """Returns all bots in the order that the stages decide, or () if the standings decide.

    If a bot entered a later stage and another bot did not, the first bot has the better place.
    """
    stages = stages_of(plan)
    if not decides_places(stages):
        return ()
    known: set[str] = set()
    order: Tiers = []
    for stage in range(len(stages), 0, -1):
        view = view_of(plan, past, stage)
        for tier in format_of(view).order(view):
            order.append(tuple(bot for bot in tier if bot not in known))
        known.update(bot for tier in order for bot in tier)
    return tuple(tier for tier in order if tier)


def view_of(plan: FrozenPlan, past: Past, number: int) -> View:
    """Returns the view of the stage with this number, from 1."""
    stages = stages_of(plan)
    stage = stages[number - 1]
    # In a format with an open field, bots can join at any time. So all bots that play now count as bots that
    # entered the stage.
    begin = len(past.rounds) if find(stage.format).open_field else past.begin_of(number)
    seed = plan.seed if number == 1 else derived(plan.seed, "stage", number)
    own = past.of_stage(number)
    entry = _entry(plan, past.before(begin), number)
    return View(plan, stage, entry, own, past if stage.carry else own, seed, number == len(stages))


def _entry(plan: FrozenPlan, past: Past, number: int) -> tuple[str, ...]:
    """Returns the bots that enter a stage, the best first. `past` ends where the stage begins."""
    if number == 1:
        return tuple(by_lot(past.bots, plan.seed))
    view = view_of(plan, past, number - 1)
    order = in_turn(format_of(view).order(view), view.seed)
    return tuple(islice(order, view.stage.through))


def expected_encounters(plan: FrozenPlan, bots: int, seats: int, rounds: Sequence[RoundBegan]) -> int:
    """Returns the number of encounters that this number of bots will probably play after these rounds."""
    at = rounds[-1].stage if rounds else 1
    total, left = 0, bots
    for number, stage in enumerate(stages_of(plan), start=1):
        left = min(left, bots)
        if number >= at:
            here = [each for each in rounds if each.stage == number]
            total += find(stage.format).remaining(stage, left, seats, here, len(plan.house))
        left = stage.through or left
    return total


# -- words for `check plan` ------------------------------------------------------------------------


def promise(plan: FrozenPlan, bots: int, seats: int) -> Iterator[str]:
    """Yields lines that say what the stages of a plan will do with this number of bots."""
    stages, left = stages_of(plan), bots
    if plan.stop is not None:
        yield from promise_of(plan.stop)
    for number, stage in enumerate(stages, start=1):
        left = min(left, bots)
        first, *more = find(stage.format).promise(plan, stage, left, seats)
        yield f"stage {number}: {first}" if len(stages) > 1 else first
        yield from more
        if stage.through:
            yield f"the best {stage.through} go on"
        left = stage.through or left
    if bots > seats:
        yield "results decide who meets whom, so only ratings will have intervals"
        yield "every bot plays in every seat equally often"


def outlook(plan: FrozenPlan, run: RunBegan, sides: Sides) -> Iterator[str]:
    """Yields sentences about the probable results of each stage, and of the test that ends the tournament."""
    stages, left = stages_of(plan), len(run.bots)
    for number, stage in enumerate(stages, start=1):
        left = min(left, len(run.bots))
        name = f"stage {number}: " if len(stages) > 1 else ""
        found = find(stage.format).outlook(plan, run, sides, stage, left)
        yield from (f"{name}{line}" for line in found)
        left = stage.through or left
    if plan.stop is not None:
        yield outlook_of(plan, plan.stop, run, sides, left)
