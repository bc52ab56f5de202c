"""Says what a tournament whose rounds depend on results will probably tell, and what to change."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log, log2, sqrt

from harness.config import FrozenPlan
from harness.config.ends import settled
from harness.config.terms import SprtTerms, Stage
from harness.escape import count_of
from harness.events import RunBegan
from harness.results.statistics.sprt import PER_PAIR
from harness.schedule.forecast import MOST_DEALS, goes_on, scale_of, told_by_bets
from harness.schedule.formats.knock_out import LONGER
from harness.schedule.sittings import Sides
from harness.schedule.stages import stages_of, tables_by_bout

BETTER = 0.6
"""The share of matches that a clearly better bot wins in examples."""
SURE = 0.9
DEVIATION = sqrt(1 / 8)
"""The standard deviation of the score of a pair of matches between equal bots, if no match is a draw."""


def outlook(plan: FrozenPlan, run: RunBegan, sides: Sides) -> Iterator[str]:
    """Sentences about each stage, and about the test that ends the tournament."""
    stages, left = stages_of(plan), len(run.bots)
    for number, stage in enumerate(stages, start=1):
        left = min(left, len(run.bots))
        name = f"stage {number}: " if len(stages) > 1 else ""
        yield from (f"{name}{line}" for line in _of_stage(plan, run, sides, stage, left))
        if plan.stop is None or number < len(stages):
            left = stage.through or left
    if plan.stop is not None:
        yield _of_stop(plan, run, sides, left)
    if plan.sprt is not None:
        yield from _of_sprt(plan.sprt)


def _of_stage(plan: FrozenPlan, run: RunBegan, sides: Sides, stage: Stage, bots: int) -> Iterator[str]:
    if stage.format in ("knock-out", "double-elimination"):
        yield from _of_tables(plan, run, sides, len([*tables_by_bout(stage, bots, run.seats)]))
    elif stage.format == "swiss" and stage.rounds:
        own = max(1, stage.rounds * (bots // run.seats) * run.seats // bots)
        scale = scale_of(plan, run, sides)._replace(
            bots=bots, encounters=stage.rounds * (bots // run.seats), per_bot=own
        )
        yield (
            f"95 % intervals: about ±{scale.reach():.2f} around a rating, from {scale.own_matches} matches "
            "of each bot"
        )
        wanted = min(bots - 1, ceil(2 * log2(bots)))
        if stage.rounds < wanted:
            yield f"rounds = {wanted}: the order is much better with twice the logarithm of {bots} bots"


def _of_tables(plan: FrozenPlan, run: RunBegan, sides: Sides, last: int) -> Iterator[str]:
    """What the matches of a table tell, and how many would tell much more."""
    matches = run.seatings * run.deals
    ahead = 100 * goes_on(BETTER, matches, LONGER)
    wins = f"a bot that wins {100 * BETTER:.0f} % of its matches against another one"
    yield f"{wins} goes on after {matches} matches in {ahead:.0f} % of cases"
    if last > 1:
        final = 100 * goes_on(BETTER, last * matches, LONGER)
        yield f"each round has {matches} more matches at a table: {final:.0f} % in round {last}"
    for deals in range(plan.deals, MOST_DEALS + 1):
        scale = scale_of(plan, run, sides, deals)
        if goes_on(BETTER, scale.sittings * scale.matches, LONGER) >= SURE:
            if deals > plan.deals:
                yield f"deals = {deals}: it goes on in {100 * SURE:.0f} % of cases"
            return


def _of_stop(plan: FrozenPlan, run: RunBegan, sides: Sides, bots: int) -> str:
    """How small a difference the most encounters of a pair probably settle."""
    assert plan.stop is not None
    scale, wanted = scale_of(plan, run, sides), settled(plan.stop.settled)
    assert wanted is not None, "the plan was checked"
    among = 2 * (bots - 1) if wanted.against else bots * (bots - 1)
    deals = plan.stop.most * scale.lots
    # The ranks at a table add up to a constant, so two of them vary against each other.
    per_deal = scale.variance * scale.lots / (scale.sittings * scale.matches)
    deviation = sqrt(2 * per_deal * run.seats / (run.seats - 1)) / (run.seats - 1)
    found = told_by_bets(deals, min(1.0, deviation), plan.stop.error / among)
    most = f"{count_of(plan.stop.most, 'encounter')} of a pair ({count_of(deals, 'deal')})"
    if found is None:
        return f"{most} can settle nothing at this error: raise most"
    if run.seats == 2:
        return f"{most} probably settle who is better if one wins {100 * (1 + found) / 2:.0f} % or more"
    return f"{most} probably settle who is better if ranks are {found * (run.seats - 1):.2f} apart or more"


def _of_sprt(terms: SprtTerms) -> Iterator[str]:
    """How many pairs the test needs on average, by Wald's approximation."""
    if terms.model == "normalized":
        apart, so = (terms.elo1 - terms.elo0) * PER_PAIR, ""
    else:
        apart, so = (_score(terms.elo1) - _score(terms.elo0)) / DEVIATION, " (fewer if matches are drawn)"
    up, down = log((1 - terms.beta) / terms.alpha), log(terms.beta / (1 - terms.alpha))
    zero = -2 * (terms.alpha * up + (1 - terms.alpha) * down) / apart**2
    one = 2 * ((1 - terms.beta) * up + terms.beta * down) / apart**2
    between = -up * down / apart**2
    yield (
        f"the test needs about {ceil(zero)} pairs if elo0 is true, {ceil(one)} if elo1 is true, "
        f"{ceil(between)} in the middle{so}"
    )
    if between > terms.most:
        yield f"most = {2 * ceil(between)}: with at most {terms.most} pairs the test often accepts neither"


def _score(elo: float) -> float:
    """The score at this logistic Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))
