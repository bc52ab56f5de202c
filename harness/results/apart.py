"""Compares two bots deal by deal, for tests that bet on deals (`results.betting`).

A table is a set of bots that play together. Bots that met at a table are compared in their common deals.
Other deals are compared with those of the other bot against the same opponents, if there are any, and else
with any of its deals. That is fair if both bots met each of the others about equally often; what the rest
can do at most is the `skew`. If they did not, the choice of opponents is also luck, and whole tables are
compared.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from harness.results.betting import NO_REST, Rest
from harness.results.comparison import Deals

MOST_SKEW = 0.05
"""With a larger skew than this, two bots did not meet the same opponents."""
Table: TypeAlias = tuple[str, ...]
"""The other bots at a table."""


class Ranks:
    """The mean ranks of a bot in its deals, by table; or other numbers, of which a low one is good.

    `span` is the largest possible difference of two numbers; None for ranks, where the table says it.
    """

    def __init__(self, bot: str, deals: Deals, span: float | None = None) -> None:
        self.bot = bot
        self.deals = deals
        self.span = span
        self.tables: dict[Table, array[float]] = {}
        """An array has 8 bytes for a rank, a list 32."""
        for deal in deals.values():
            table = self.tables.get(deal.others)
            if table is None:
                table = self.tables[deal.others] = array("d")
            table.append(deal.total / deal.matches)

    def without(self, other: Ranks) -> Mapping[Table, Sequence[float]]:
        """The tables at which the other bot does not play."""
        return {table: ranks for table, ranks in self.tables.items() if other.bot not in table}


class Apart(NamedTuple):
    """The differences of the deals of two bots, from -1 to 1, with their numbers."""

    differences: Mapping[float, int]
    skew: float
    """Their mean can be this far from 0 if the bots are equal."""
    rest: Rest = NO_REST
    """Further differences, of deals of other bots."""


def met(own: Ranks, other: Ranks) -> Counter[float]:
    """The differences in the deals that both played, with their numbers; above 0 if the first did better."""
    found: Counter[float] = Counter()
    for table, ranks in own.tables.items():
        if other.bot in table:
            theirs = other.tables[tuple(sorted({*table, own.bot} - {other.bot}))]
            _add(found, ranks, theirs, own.span or len(table))
    return found


def apart(own: Ranks, other: Ranks) -> Apart:
    """The differences of all deals of two bots; above 0 if the first did better."""
    lone, lone_other = own.without(other), other.without(own)
    uneven = skew(own, other)
    if uneven > MOST_SKEW:
        lone, lone_other, uneven = _whole(lone), _whole(lone_other), 0.0
    found, left, left_other = met(own, other), list[float](), list[float]()
    for table in {**lone, **lone_other}:
        ranks, theirs = lone.get(table, []), lone_other.get(table, [])
        _add(found, ranks, theirs, own.span or len(table))
        left += ranks[len(theirs) :]
        left_other += theirs[len(ranks) :]
    _add(found, left, left_other, most(own, other))
    return Apart(found, uneven)


def skew(own: Ranks, other: Ranks) -> float:
    """How far the averages of two equal bots can be apart at most, because they met others unequally often.

    It is a share of the largest possible difference, and 0 if they met each of the others equally often. A
    rank is 1 plus the number of others that are ahead. One meeting more, with a bot that is always or never
    ahead, changes the sum of the ranks by a half, compared with a bot that is ahead half of the time.
    """
    mine, theirs = _others(own.without(other)), _others(other.without(own))
    number, number_other = len(own.deals), len(other.deals)
    uneven = sum(abs(mine[bot] / number - theirs[bot] / number_other) for bot in {**mine, **theirs})
    return uneven / 2 / max(map(len, own.tables | other.tables))


def most(own: Ranks, other: Ranks) -> float:
    """The largest possible difference of the ranks of two bots."""
    return own.span or max(map(len, own.tables | other.tables))


def _others(tables: Mapping[Table, Sequence[float]]) -> Counter[str]:
    """How often each of the others was met."""
    found: Counter[str] = Counter()
    for table, ranks in tables.items():
        for bot in table:
            found[bot] += len(ranks)
    return found


def _whole(tables: Mapping[Table, Sequence[float]]) -> dict[Table, list[float]]:
    """The same tables, all deals of a table taken as one."""
    return {table: [sum(ranks) / len(ranks)] for table, ranks in tables.items()}


def _add(found: Counter[float], own: Sequence[float], other: Sequence[float], most: float) -> None:
    """Adds the differences of these ranks, each as a share of the largest possible one."""
    for (rank, theirs), times in Counter(zip(own, other, strict=False)).items():
        found[(theirs - rank) / most] += times
