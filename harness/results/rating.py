"""Rates bots: the average rank that each would have if all had met the same opponents.

An average rank is fair only if all bots met the same opponents equally often. If they did not, the luck of
opponents stays in it however many deals they play. The rating takes it out.

The theory. In a match at k seats, a bot with rank r beats the share (k - r) / (k - 1) of its opponents; a tie
is half. The model says that this share is 1/2 plus the strength of the bot minus the mean strength of its
opponents. The strengths are the least-squares solution, with one addition: as if each bot had also played
`PRIOR` matches with an even result against a bot of strength 0. For two seats this is Colley's method. So
there is always exactly one solution, also if some bots never met, and bots with few matches stay near the
middle. The rating is the rank that belongs to the share of a bot against all others: k - (k - 1) * share. Its
order is that of average ranks if all bots met equally often. A rating may be a little better than 1: then the
bot won everything, against opponents above the average.

The equations are linear (see `results.equations`). Only + - * / of 64-bit floats decide the result, in a
fixed order: bots and tables are sorted by name. So every machine and every version of Python computes the
same bits, in whatever order the matches come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.record.history import MatchResult
from harness.results.equations import Vector, solution

PRIOR = 2.0
"""The number of even matches that are added for each bot."""
DIGITS = 9

DealSums: TypeAlias = list[int]
"""The number of matches of a deal, then for each bot of the table twice the number of bots that it beat."""
Strengths: TypeAlias = Vector


class TableDeals(NamedTuple):
    """A table: a set of bots that played together, and their deals there by name. The bots are sorted."""

    bots: tuple[str, ...]
    deals: Mapping[str, DealSums]

    def sums(self) -> DealSums:
        """All deals together."""
        first, *others = self.deals.values()
        return [sum(column) for column in zip(first, *others, strict=True)] if others else first


class Tables:
    """Adds up matches by table and deal."""

    def __init__(self, matches: Iterable[MatchResult] = ()) -> None:
        self._deals: dict[tuple[str, ...], dict[str, DealSums]] = {}
        self._known: dict[tuple[str, ...], tuple[dict[str, DealSums], Sequence[int]]] = {}
        for match in matches:
            self.add(match.bots, match.ranks, match.deal)

    def add(self, bots: tuple[str, ...], ranks: Sequence[Number], deal: str, times: int = 1) -> None:
        """Adds so many equal matches of a deal; `bots` and `ranks` are by seat."""
        if bots not in self._known:
            order: Sequence[int] = sorted(range(len(bots)), key=bots.__getitem__)
            deals = self._deals.setdefault(tuple([bots[seat] for seat in order]), {})
            self._known[bots] = deals, order
        deals, order = self._known[bots]
        seats = len(bots)
        sums = deals.get(deal)
        if sums is None:
            sums = deals[deal] = [0] * (seats + 1)
        sums[0] += times
        for place, seat in enumerate(order, start=1):
            sums[place] += int(2 * (seats - ranks[seat])) * times

    def sorted(self) -> list[TableDeals]:
        """All tables, in an order that does not depend on the order of the matches."""
        return [TableDeals(bots, self._deals[bots]) for bots in sorted(self._deals)]


class Equations:
    """The normal equations of the strengths of bots: `of` multiplies their matrix by a vector."""

    def __init__(self, tables: Sequence[TableDeals]) -> None:
        self.bots = sorted({bot for table in tables for bot in table.bots})
        number = {bot: place for place, bot in enumerate(self.bots)}.__getitem__
        self.places = [tuple(map(number, table.bots)) for table in tables]
        self.weights: list[float] = []
        """For each table, its matches divided by the number of opponents of a bot."""
        self.diagonal = [PRIOR] * len(self.bots)
        self._surplus = [0.0] * len(self.bots)
        for places, table in zip(self.places, tables, strict=True):
            others = len(places) - 1
            matches, *beaten = table.sums()
            self.weights.append(matches / others)
            even, parts = matches * others, 2 * others
            for bot, doubled in zip(places, beaten, strict=True):
                self.diagonal[bot] += matches
                self._surplus[bot] += (doubled - even) / parts

    def of(self, vector: Strengths) -> Strengths:
        """The matrix times a vector: PRIOR and, table by table, the differences from opponents."""
        found = [PRIOR * value for value in vector]
        for places, weight in zip(self.places, self.weights, strict=True):
            if len(places) == 2:  # The same sum as below, in half the time.
                first, second = places
                part = weight * (vector[first] - vector[second])
                found[first] += part
                found[second] -= part
                continue
            total = 0.0
            for bot in places:
                total += vector[bot]
            share, scale = weight * total, weight * len(places)
            for bot in places:
                found[bot] += scale * vector[bot] - share
        return found

    def solved(self) -> Strengths:
        """The strengths. The mean of all strengths is 0."""
        return solution(self.of, self._surplus, self.diagonal)


def ratings(tables: Tables, seats: int) -> dict[str, float]:
    """The rating of each bot that has a match, by name; `seats` is the number of seats of its scale."""
    equations = Equations(tables.sorted())
    return {
        bot: round(as_rank(strength, len(equations.bots), seats), DIGITS)
        for bot, strength in zip(equations.bots, equations.solved(), strict=True)
    }


def as_rank(strength: float, bots: int, seats: int) -> float:
    """The average rank of a bot of this strength at tables with all the other bots."""
    share = 0.5 + strength * bots / (bots - 1)
    return seats - (seats - 1) * share
