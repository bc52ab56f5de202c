"""Rates bots: a rating is the average rank that a bot would have if all bots had met the same opponents.

An average rank is fair only if all bots met the same opponents equally often. If bots met different
opponents, some bots had the luck to meet weak opponents. Even many deals do not remove this luck from an
average rank. The rating removes this luck.

The rating comes from a model. In a match with k seats, a bot with rank r beats the share (k - r) / (k - 1) of
its opponents; a tie counts as a half. In the model, this share is 1/2 plus the strength of the bot minus the
mean strength of its opponents. The strengths are the least-squares solution, as if each bot had also played
`PRIOR` ties against a bot of strength 0. For two seats this is Colley's method. Because of these added ties
there is always exactly one solution, even if some bots never met, and bots with few matches stay near the
middle. The rating is the rank that belongs to the share of a bot against all other bots: k - (k
- 1) * share. If all bots met equally often, ratings and average ranks give the same order. A rating may be a
little better than 1 if the bot won everything against opponents above the average.

Name: Colley's method, extended to tables of several bots; a ridge least-squares rating.
Formula: (PRIOR * E + sum over tables of w * L) s = sum over tables of surplus, where w is the number of
matches of a table divided by the number of opponents of a bot, and L is the Laplacian of the complete graph
of the table. The surplus of a bot in a match is its share of beaten opponents minus 1/2. Source: Colley,
"Colley's bias free college football ranking method" (2002); for PRIOR, ridge regression (Hoerl and Kennard
1970).

The equations are linear, and `statistics.equations` solves them. The result comes only from + - * / of 64-bit
floats in a fixed order, because bots and tables are sorted by name. So every machine and every version of
Python computes the same bits, for any order of the matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.results.statistics import RankedMatch
from harness.results.statistics.equations import Vector, solution

PRIOR = 2.0
"""The number of ties that are added for each bot."""
DIGITS = 9
"""The number of decimals of a rating. Further digits would depend on the order of additions."""

DealSums: TypeAlias = list[Number]
"""The number of matches of a deal, then for each bot of the table twice the number of bots that it beat. If
luck is taken off the ranks, these numbers may be fractions."""
Strengths: TypeAlias = Vector


class TableDeals(NamedTuple):
    """A table: a set of bots that played together, and the deals that they played, by name. The bots are
    sorted."""

    bots: tuple[str, ...]
    deals: Mapping[str, DealSums]

    def sums(self) -> DealSums:
        """Returns the numbers of `DealSums`, added up over all deals of the table."""
        first, *others = self.deals.values()
        return [sum(column) for column in zip(first, *others, strict=True)] if others else first


class Tables:
    """The results of all matches, added up by table and deal (see `DealSums`)."""

    def __init__(self, matches: Iterable[RankedMatch] = ()) -> None:
        self._deals: dict[tuple[str, ...], dict[str, DealSums]] = {}
        self._known: dict[tuple[str, ...], tuple[dict[str, DealSums], Sequence[int]]] = {}
        for match in matches:
            self.add(match.bots, match.ranks, match.deal)

    def add(self, bots: tuple[str, ...], ranks: Sequence[Number], deal: str, times: int = 1) -> None:
        """Adds `times` equal matches of a deal; `bots` and `ranks` are in the order of seats."""
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
            sums[place] += 2 * (seats - ranks[seat]) * times

    def sorted(self) -> list[TableDeals]:
        """Returns all tables, in an order that does not depend on the order of the matches."""
        return [TableDeals(bots, self._deals[bots]) for bots in sorted(self._deals)]


class Equations:
    """The normal equations of the strengths of bots: `of` multiplies their matrix by a vector."""

    def __init__(self, tables: Sequence[TableDeals]) -> None:
        self.bots = sorted({bot for table in tables for bot in table.bots})
        number = {bot: place for place, bot in enumerate(self.bots)}.__getitem__
        self.places = [tuple(map(number, table.bots)) for table in tables]
        self.weights: list[float] = []
        """For each table, the number of its matches divided by the number of opponents of a bot."""
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
        """Returns the matrix times a vector. The result is PRIOR times the vector, plus a sum over tables:
        for each bot, the differences between its number and the numbers of its opponents."""
        found = [PRIOR * value for value in vector]
        for places, weight in zip(self.places, self.weights, strict=True):
            if len(places) == 2:  # At two seats, this code needs half the time of the code below.
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
        """Returns the strengths. The mean of all strengths is 0."""
        return solution(self.of, self._surplus, self.diagonal)


def ratings(tables: Tables, seats: int) -> dict[str, float]:
    """Returns the rating of each bot that has a match, by name. `seats` is the number of seats at each table
    of the model."""
    equations = Equations(tables.sorted())
    return {
        bot: rounded(strength, len(equations.bots), seats)
        for bot, strength in zip(equations.bots, equations.solved(), strict=True)
    }


def rounded(strength: float, bots: int, seats: int) -> float:
    """Returns the rating of a bot of this strength, rounded as in printed tables and in comparisons."""
    return round(as_rank(strength, bots, seats), DIGITS)


def as_rank(strength: float, bots: int, seats: int) -> float:
    """Returns the average rank of a bot of this strength at tables with all the other bots."""
    share = 0.5 + strength * bots / (bots - 1)
    return seats - (seats - 1) * share
