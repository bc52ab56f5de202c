"""Finds the claims of a grading scheme that are open: those that could still change a grade.

With `settled = "grades"` in `[stop]`, a tournament plays on for these claims. A claim says that a team beats
a bot that the scheme names. After each round harness/grading computes the grades, in the same way as at the
end for `harness grade`. If the letter of a team is certain, the team has no open claim, even if it is
not known whether the team beats some bot. If a scheme has no letters, the score of the team must be certain.

The scheme must have `looks = "any"`, because the tournament looks at the results after each round.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from harness.config import FrozenPlan
from harness.config.document import Document, parsed
from harness.config.scheme import Beats, Percentile, Rank, Scheme, scheme_of
from harness.grading import Grades, grades
from harness.schedule.view import Pair, View


def scheme_for(document: Document, bots: Collection[str], house: Collection[str]) -> Scheme:
    """Returns the scheme in this document, for a tournament that plays on until no grade is open.

    Raises InputError if the scheme is wrong, or if no tournament can end by this scheme.
    """
    scheme = scheme_of(document, "", bots, house)
    if scheme.looks != "any":
        why = 'a tournament looks at its results after each round, so [stop] needs looks = "any"'
        raise document.complaint(("looks",), why)
    for place, item in enumerate(scheme.items):
        if isinstance(item, Rank | Percentile):
            why = f'[stop] needs a scheme without places, and this item is a "{item.kind}"'
            raise document.complaint(("item", place, "kind"), why)
    if not any(isinstance(item, Beats) for item in scheme.items):
        raise document.complaint(("item",), '[stop] needs a scheme with an item of the kind "beats"')
    return scheme


def open_claims_of(view: View, scheme: str) -> list[Pair]:
    """Returns a pair for each open claim: a team, and the bot that it has to beat. `scheme` is the text of
    the scheme."""
    assert view.past.history is not None, "grades come from a history"
    left = frozenset(view.bots)
    made = grades(view.past.history, view.plan, _read(scheme, _names(view.plan), view.plan.house))
    return [pair for pair in open_pairs(made) if left.issuperset(pair)]


def open_pairs(made: Grades) -> list[Pair]:
    """Returns a pair for each claim that could still change a grade: a team, and the bot that it has to beat.

    The teams whose grades need the fewest further matches come first.
    """
    nearest = sorted((grade for grade in made.grades if not grade.settled), key=lambda grade: grade.more)
    return [
        (grade.team, award.against)
        for grade in nearest
        for award in grade.awards
        if award.against and not award.settled
    ]


def doubt_of(plan: FrozenPlan, scheme: str) -> float:
    """Returns the smallest doubt that a claim of the scheme needs. If all claims are corrected together, this
    is the doubt that the first claim needs."""
    read = _read(scheme, _names(plan), plan.house)
    teams = sum(bot.name not in read.staff for bot in plan.bots)
    items = [item for item in read.items if isinstance(item, Beats)]
    doubt = 1 - max(item.confidence for item in items)
    return doubt if read.claims == "each" else doubt / 2 / teams / sum(len(item.bots) for item in items)


def _names(plan: FrozenPlan) -> tuple[str, ...]:
    return tuple(bot.name for bot in plan.bots)


@lru_cache(maxsize=4)
def _read(scheme: str, bots: tuple[str, ...], house: tuple[str, ...]) -> Scheme:
    return scheme_for(parsed(scheme, "the scheme in plan.json"), bots, house)
