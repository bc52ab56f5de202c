"""Finds the points of a grading scheme that no hand-in can get in the matches of an autograder, because these
matches are too few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.config import Plan, freeze
from harness.config.scheme import Beats, Faultless, Scheme
from harness.errors import InputError
from harness.escape import count_of
from harness.events import RunBegan
from harness.league.league import HAND_IN
from harness.record.history import History
from harness.results.statistics.betting import bets
from harness.schedule.due import due
from harness.schedule.forecast import scale_of
from harness.schedule.rounds import rounds_of

REMEDY = "set higher `deals` or `meet` in the table [autograder] of the league"


def out_of_reach(plan: Plan, scheme: Scheme) -> list[str]:
    """Returns a sentence for each item of a scheme for which even the best possible bot cannot get all
    points."""
    return [*_out_of_reach(plan, scheme)]


def check_reach(plan: Plan, scheme: Scheme, where: str) -> None:
    """Raises InputError if even the best possible bot cannot get all points of a scheme. `where` is the file
    of the scheme."""
    if sentences := out_of_reach(plan, scheme):
        raise InputError(f"{sentences[0]}; {REMEDY}", where)


def _out_of_reach(plan: Plan, scheme: Scheme) -> Iterator[str]:
    frozen = freeze(plan, 0)
    began = due(frozen, plan.rules, History())
    assert isinstance(began, RunBegan)
    rounds, _ = rounds_of(frozen, began.bots, began.seats, ())
    met = Counter(bot for each in rounds for block in each if HAND_IN in block for bot in block)
    scale = scale_of(frozen, began, plan.rules.sides(plan.options, began.seats))
    matches = met[HAND_IN] * scale.sittings * scale.matches
    claims = sum(len(item.bots) for item in scheme.items if isinstance(item, Beats))
    for item in scheme.items:
        if isinstance(item, Faultless) and item.matches is not None and item.matches > matches:
            wanted = count_of(item.matches, "match")
            yield f"the scheme wants {wanted} without a fault, but a hand-in plays {matches}"
        if isinstance(item, Beats):
            least = _fewest(scheme, item.confidence, claims)
            wanted = f"at a confidence of {item.confidence:.4g} takes at least {least} deals"
            for bot in item.bots:
                if (deals := met[bot] * scale.lots) < least:
                    yield f"to beat {bot} {wanted}, but a hand-in plays {deals} with it"


def _fewest(scheme: Scheme, confidence: float, claims: int) -> int:
    """Returns the smallest number of deals that can show that a bot beats another bot, if the bot wins all
    these deals.

    If all claims are corrected together, Holm's method multiplies the smallest two-sided p-value (here called
    doubt) by the number of claims.
    """
    most = 1 - confidence
    if scheme.claims == "all":
        most /= 2 * claims
    deals = 1
    while (0.5**deals if scheme.looks == "once" else bets({1.0: deals}).doubt) > most + 1e-12:
        deals += 1
    return deals
