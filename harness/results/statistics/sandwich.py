"""Computes 95 % confidence intervals of ratings: a sandwich estimate, with deals as units.

The strengths of bots are linear in the results (see `statistics.rating`). The inverse of the matrix of the
equations says how far each result moves each strength. These numbers are called influences. The variance of a
strength is a sum over all tables. The term of a table is the covariance of its results, multiplied on both
sides by the influences. This covariance comes from the deals alone, so the interval is right even if the
model is wrong:

- If a table has two or more deals, the deals are a sample, and their deviations from the mean of the table
  give the covariance.
- If a table has one deal, the deviations from the solution give the covariance. All such tables share one
  estimate, so that the estimate has enough degrees of freedom. These deals themselves decide a part of the
  solution: the sum of their leverages says how large this part is. The number of degrees of freedom is the
  number of these deals minus this sum.

The interval uses a quantile of Student's t. The degrees of freedom of tables are combined by the formula of
Welch and Satterthwaite for equal variances, so they depend on who met whom, and not on the results. If a bot
had one place more or less in one deal, its strength would change by some amount. The variance is never below
half of the square of this amount, so no interval has the width 0.

Name: sandwich (cluster-robust) variance of a least-squares estimate, with deals as clusters.
Formula: var(s_i) = sum over tables of I_i C I_i', where I_i is row i of the inverse of the normal matrix, cut
to the bots of the table, and C is the covariance of the results of the table: the covariance of its deals, or
the pooled covariance of residuals divided by 1 minus their leverage. The interval is s_i +- t(0.975, f) *
sqrt(var).
Source: Huber (1967), White (1980), Liang and Zeger (1986); leverages as in Bell and McCaffrey (2002);
degrees of freedom by Satterthwaite (1946) and Welch (1947).

The code inverts the matrix if there are at most `MOST_INVERTED` bots. With more bots, the code considers only
how the results of a bot and of its opponents move the strength of this bot. If each bot meets 10 random
opponents, this approximation makes an interval about 1 % too wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf, sqrt
from typing import NamedTuple, TypeAlias

from harness.results.statistics.equations import total
from harness.results.statistics.rating import Equations, Strengths, TableDeals, Tables, as_rank, rounded
from harness.results.statistics.student import quantile

LEVEL = 0.975
MOST_INVERTED = 128
DIGITS_OF_ENDS = 6

Influence: TypeAlias = Mapping[int, float]
"""For each bot, the change of a strength if this bot's share of beaten opponents grows by 1. A bot without an
entry has 0."""


class _Spread(NamedTuple):
    """An estimate of how the results of a table vary; `free` has its degrees of freedom.

    If the table has one deal, `free` is 1 minus the leverage of the table.
    """

    places: tuple[int, ...]
    covariance: Sequence[Sequence[float]]
    free: float
    deals: int
    matches: int

    def variance(self, moves: Sequence[float]) -> float:
        """Returns the variance that the results of this table give to a strength; `moves` says how far each
        result moves this strength."""
        total = 0.0
        for move, row in zip(moves, self.covariance, strict=True):
            part = 0.0
            for other, value in zip(moves, row, strict=True):
                part += other * value
            total += move * part
        return max(0.0, total)


class Sandwich:
    """The variances of strengths, and of differences of strengths."""

    def __init__(self, tables: Sequence[TableDeals], equations: Equations, strengths: Strengths) -> None:
        self._strengths = strengths
        self._own: list[list[int]] = [[] for _ in equations.bots]
        for number, places in enumerate(equations.places):
            for bot in places:
                self._own[bot].append(number)
        self._inverted = len(equations.bots) <= MOST_INVERTED
        self.influences: Sequence[Influence] = (
            _inverse(equations)
            if self._inverted
            else [_near(equations, bot, own) for bot, own in enumerate(self._own)]
        )
        self._free = [
            max(0.0, 1 - _leverage(places, weight, self.influences))
            for places, weight in zip(equations.places, equations.weights, strict=True)
        ]
        self._spreads, self._pooled = _pooled(
            [
                _spread(table, places, strengths, free)
                for table, places, free in zip(tables, equations.places, self._free, strict=True)
            ]
        )

    def intervals(self, seats: int) -> list[tuple[float, float]]:
        """Returns the intervals of the ratings, in the order of the bots of the equations."""
        bots = len(self._strengths)
        totals = _totals(self._spreads, bots)
        found = []
        for bot, influence in enumerate(self.influences):
            mine = [self._spreads[number] for number in self._own[bot]]
            variance, free = _sums(influence, self._spreads if self._inverted else mine, self._pooled)
            if not self._inverted:
                variance += _of_opponents(bot, influence, mine, totals)
            error = sqrt(max(variance, _least(bot, influence, mine)))
            found.append(_interval(self._strengths[bot], error * quantile(LEVEL, free), bots, seats))
        return found

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Returns the variance of the difference of the strengths of two bots, and the degrees of freedom of
        this variance."""
        return _sums(self.apart(one, other), self._spreads, self._pooled)

    def free(self, number: int) -> float:
        """Returns 1 minus the leverage of a table."""
        return self._free[number]

    def apart(self, one: int, other: int) -> dict[int, float]:
        """Returns the influence of each bot on the difference of the strengths of two bots."""
        mine, theirs = self.influences[one], self.influences[other]
        return {bot: mine.get(bot, 0.0) - theirs.get(bot, 0.0) for bot in sorted({**mine, **theirs})}


def _interval(strength: float, reach: float, bots: int, seats: int) -> tuple[float, float]:
    """Returns the ends of the interval of a rating. The interval is cut at the ends of the scale of ranks,
    unless the rating itself is beyond the scale."""
    rating = as_rank(strength, bots, seats)
    half = (seats - 1) * bots / (bots - 1) * reach
    low, high = max(rating - half, min(1, rating)), min(rating + half, max(seats, rating))
    return round(low, DIGITS_OF_ENDS), round(high, DIGITS_OF_ENDS)


class Rated(NamedTuple):
    """The rating of a bot with its 95 % confidence interval."""

    rating: float
    low: float
    high: float


def rated(tables: Tables, seats: int) -> dict[str, Rated]:
    """Returns the rating of each bot that has a match, by name. `seats` is the number of seats at each table
    of the model."""
    found = tables.sorted()
    equations = Equations(found)
    strengths = equations.solved()
    intervals = Sandwich(found, equations, strengths).intervals(seats)
    return {
        bot: Rated(rounded(strength, len(strengths), seats), *ends)
        for bot, strength, ends in zip(equations.bots, strengths, intervals, strict=True)
    }


# -- influences ------------------------------------------------------------------------------------


def _inverse(equations: Equations) -> list[Influence]:
    """Returns the inverse of the matrix by Gauss-Jordan elimination, which needs no pivots because the matrix
    is positive definite."""
    size = len(equations.bots)
    rows = [equations.of([float(bot == column) for bot in range(size)]) for column in range(size)]
    for pivot in range(size):
        scale = 1 / rows[pivot][pivot]
        rows[pivot][pivot] = 1.0
        first = rows[pivot] = [value * scale for value in rows[pivot]]
        for number, row in enumerate(rows):
            if number != pivot and (factor := row[pivot]):
                row[pivot] = 0.0
                rows[number] = [value - factor * other for value, other in zip(row, first, strict=True)]
    return [dict(enumerate(row)) for row in rows]


def _near(equations: Equations, bot: int, own: Iterable[int]) -> Influence:
    """Returns how far the results of a bot, and the results of its opponents, move the strength of this bot
    if all other strengths stay the same."""
    links: dict[int, float] = {}
    for number in own:
        for other in equations.places[number]:
            links[other] = links.get(other, 0.0) + equations.weights[number]
    links.pop(bot, None)
    left = equations.diagonal[bot]
    for other, link in links.items():
        left -= link * link / equations.diagonal[other]
    return {bot: 1 / left} | {other: link / equations.diagonal[other] / left for other, link in links.items()}


# -- variances -------------------------------------------------------------------------------------


def _spread(table: TableDeals, places: tuple[int, ...], strengths: Strengths, lone: float) -> _Spread:
    """Returns the spread of a table. If the table has one deal, the spread has `lone` degrees of freedom."""
    seats, deals = len(places), list(table.deals.values())
    matches, *beaten = table.sums()
    parts = 2 * (seats - 1)
    if len(deals) > 1:
        even = [doubled / parts / matches for doubled in beaten]
        scale, free = len(deals) / (len(deals) - 1), len(deals) - 1.0
    else:
        mean = total(strengths[bot] for bot in places) / seats
        even = [0.5 + (strengths[bot] - mean) * seats / (seats - 1) for bot in places]
        scale, free = 1.0, lone
    covariance = [[0.0] * seats for _ in places]
    for count, *doubled in deals:
        off = [each / parts - count * mean for each, mean in zip(doubled, even, strict=True)]
        for row, one in zip(covariance, off, strict=True):
            for column, other in enumerate(off):
                row[column] += scale * one * other
    return _Spread(places, covariance, free, len(deals), int(matches))


def _pooled(spreads: Sequence[_Spread]) -> tuple[list[_Spread], float]:
    """Gives the same variance to all tables that played only one deal. Returns the changed spreads, and the
    degrees of freedom of this variance."""
    alone = [spread for spread in spreads if spread.deals == 1]
    free = total(spread.free for spread in alone)
    squares = 0.0
    for spread in alone:
        trace = total(row[place] for place, row in enumerate(spread.covariance))
        squares += trace / (len(spread.places) - 1) / spread.matches**2
    variance = squares / free if free > 1e-9 else 1.0
    return [
        spread._replace(covariance=_even(len(spread.places), variance * spread.matches**2))
        if spread.deals == 1
        else spread
        for spread in spreads
    ], free


def _even(seats: int, variance: float) -> list[list[float]]:
    """Returns the covariance of shares that have equal variances and add up to a constant."""
    return [[variance * ((place == other) - 1 / seats) for other in range(seats)] for place in range(seats)]


def _leverage(places: tuple[int, ...], weight: float, influences: Sequence[Influence]) -> float:
    """Returns the leverage of a table, from 0 to 1. The leverage says how much the results of this table
    decide the fitted results of the same table."""
    seats = len(places)
    own = total(influences[bot].get(bot, 0.0) for bot in places)
    whole = total(influences[bot].get(other, 0.0) for bot in places for other in places)
    return weight / (seats - 1) * (seats * own - whole)


def _sums(influence: Influence, spreads: Iterable[_Spread], pooled: float) -> tuple[float, float]:
    """Returns the variance of a strength, and its degrees of freedom."""
    variance = weights = alone = squares = 0.0
    for spread in spreads:
        moves = [influence.get(bot, 0.0) for bot in spread.places]
        variance += spread.variance(moves)
        mean = total(moves) / len(moves)
        size = total((move - mean) ** 2 for move in moves) * spread.matches**2 / spread.deals
        weights += size
        if spread.deals == 1:
            alone += size
        else:
            squares += size * size / spread.free
    if alone:
        squares = squares + alone * alone / pooled if pooled > 0 else inf
    return variance, weights * weights / squares if squares else 0.0


def _totals(spreads: Iterable[_Spread], bots: int) -> list[float]:
    """Returns the sum of the variances of the results of each bot."""
    totals = [0.0] * bots
    for spread in spreads:
        for place, bot in enumerate(spread.places):
            totals[bot] += spread.covariance[place][place]
    return totals


def _of_opponents(bot: int, influence: Influence, mine: Iterable[_Spread], totals: Sequence[float]) -> float:
    """Returns the variance that comes from the results of opponents at tables without this bot."""
    left = {other: totals[other] for other in influence if other != bot}
    for spread in mine:
        for place, other in enumerate(spread.places):
            if other != bot:
                left[other] -= spread.covariance[place][place]
    return total(influence[other] ** 2 * max(0.0, variance) for other, variance in left.items())


def _least(bot: int, influence: Influence, mine: Iterable[_Spread]) -> float:
    """Returns the smallest variance that a strength may have. One place more or less in one deal would change
    the strength by some amount, and the smallest variance is half of the square of this amount."""
    moved = deals = 0.0
    for spread in mine:
        others = [influence.get(other, 0.0) for other in spread.places if other != bot]
        gap = influence[bot] - total(others) / len(others)
        moved += gap * spread.matches / len(others)
        deals += spread.deals
    return (moved / deals) ** 2 / 2
