"""Finds the claims of a grading scheme that are open: those that could still change a grade.

With `settled = "grades"` in `[stop]`, a tournament plays on for these claims. A claim says that a team beats
a bot that the scheme names. After each round harness/grading computes the grades as `harness grade` does at
the end. If the letter of a team is certain, the team has no open claim, even if nobody knows yet whether the
team beats some of the named bots. If a scheme has no letters, the score of the team must be certain.

The scheme must have `looks = "any"`, because the tournament looks at the results after each round.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from harness.config import FrozenPlan
from harness.config.document import Document, parsed, quoted
from harness.config.scheme import Beats, Percentile, Rank, Scheme, scheme_of
from harness.grading import Grade, Grades, grades
from harness.schedule.view import Pair, View

SETTLES = 3.0
"""A claim holds at a confidence of 0.95 if one bot leads by about this number of standard errors."""


def scheme_for(document: Document, bots: Collection[str], house: Collection[str]) -> Scheme:
    """Returns the scheme in this document, for a tournament that plays on until no grade is open.

    Raises InputError if the scheme is wrong, or if a tournament cannot end by the grades of this scheme.
    """
    scheme = scheme_of(document, "", bots, house)
    if scheme.looks != "any":
        why = 'a tournament looks at its results after each round, so [stop] needs looks = "any"'
        raise document.complaint(("looks",), why)
    for place, item in enumerate(scheme.items):
        if isinstance(item, Rank | Percentile):
            why = f'[stop] needs a scheme without places, and this item is a "{item.kind}"'
            raise document.complaint(("item", place, "kind"), why)
        for number, bot in enumerate(item.bots if isinstance(item, Beats) else ()):
            if bot not in (house or scheme.staff):
                why = f"in a gauntlet teams meet only house bots, and {quoted(bot)} is no house bot"
                if not house:
                    why = f"[stop] needs bots that get no grade here: add {quoted(bot)} to staff"
                raise document.complaint(("item", place, "bots", number), why)
    if not any(isinstance(item, Beats) for item in scheme.items):
        raise document.complaint(("item",), '[stop] needs a scheme with an item of the kind "beats"')
    return scheme


class Open(NamedTuple):
    """The teams with an open grade. For each claim that could still change a grade, there is a pair: a team,
    and the bot that it has to beat. The teams whose grades perhaps need the fewest further matches come
    first."""

    teams: tuple[str, ...]
    pairs: tuple[Pair, ...]


def open_in(view: View) -> Open:
    """Returns the open grades of a tournament. Also returns the open claims that compare two bots, if
    both bots are in this stage."""
    assert view.past.history is not None, "grades come from a history"
    found = open_of(grades(view.past.history, view.plan, _scheme(view.plan)))
    left = frozenset(view.bots)
    return found._replace(pairs=tuple(pair for pair in found.pairs if left.issuperset(pair)))


def open_of(made: Grades) -> Open:
    """Returns the open grades and claims."""
    nearest = sorted((grade for grade in made.grades if not grade.settled), key=_at_best)
    pairs = (
        (grade.team, award.against)
        for grade in nearest
        for award in grade.awards
        if award.against and not award.settled
    )
    return Open(tuple(grade.team for grade in nearest), tuple(pairs))


def _at_best(grade: Grade) -> float:
    """Returns the number of further matches that would settle the grade if each lead, or each deficit, were
    one standard error larger than it looks now.

    At first, this number is estimated from few matches, and for half of the teams the estimate is too large.
    If only the estimate decided who plays next, a team with a too large estimate would never play again,
    although a few matches would settle its grade.

    Name: optimism in the face of uncertainty. Formula: m * ((S / (z + 1))^2 - 1), where z = S * sqrt(m / (m +
    n)) is the lead in standard errors after m matches, if n more matches would bring it to S. Source: Lai and
    Robbins, "Asymptotically efficient adaptive allocation rules" (1985).
    """
    needed = 0.0
    for award in grade.awards:
        if not award.settled:
            deals = grade.facts.deals.values()
            met = sum(deal.matches for deal in deals if not award.against or award.against in deal.others)
            lead = SETTLES * sqrt(met / max(1, met + award.more))
            needed = max(needed, met * ((SETTLES / (lead + 1)) ** 2 - 1))
    return needed


def doubt_of(plan: FrozenPlan) -> float:
    """Returns the smallest doubt (probability of an error) that the scheme of the plan allows for a claim. If
    the confidence is for all claims together (`claims = "all"`), this is the doubt that is allowed for the
    first claim."""
    read = _scheme(plan)
    teams = sum(bot.name not in read.staff for bot in plan.bots)
    items = [item for item in read.items if isinstance(item, Beats)]
    doubt = 1 - max(item.confidence for item in items)
    return doubt if read.claims == "each" else doubt / 2 / teams / sum(len(item.bots) for item in items)


def _scheme(plan: FrozenPlan) -> Scheme:
    assert plan.stop is not None, "only a plan with [stop] has a scheme"
    return _read(plan.stop.scheme, tuple(bot.name for bot in plan.bots), plan.house)


@lru_cache(maxsize=4)
def _read(scheme: str, bots: tuple[str, ...], house: tuple[str, ...]) -> Scheme:
    return scheme_for(parsed(scheme, "the scheme in plan.json"), bots, house)
