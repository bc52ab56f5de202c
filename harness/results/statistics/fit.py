"""Compares the strengths of two bots. The strengths come from one fit of the ratings of all bots, so the
matches of the other bots count too.

The difference of two strengths is a sum over deals (see `statistics.rating`): each deal adds the results of
its bots, and the result of each bot is multiplied by the influence of this bot on the difference. The fit
chooses the influences so that the strengths of opponents cancel out. So the sum is above 0 on average exactly
if the first bot would have the better rating after very many deals of the same encounters. This method needs
no model of games. The method needs only deals that are independent and have bounded results.

For a test by bets, each deal of the first bot is paired with a deal of the second bot, against the same
opponents if possible. If both bots are strong, or both are weak, their results against these opponents are
nearly equal. So the differences are small. The deals of other bots tell how strong the opponents were. These
deals of other bots change the difference only a little. So the test needs only two sums over them, and not
each deal.

Name: difference of two least-squares strengths as a sum of influences, with an allowance for lack of fit.
Formula: s_a - s_b = sum over deals of (I_a - I_b) x, where x is the result of a deal (shares minus one half)
and I_a is the row of bot a in the inverse of the normal matrix. The allowance is `WARY` * sqrt(v * K). Here v
is the variance of the lack of fit: v = max(0, S - L) / F. S is the sum of the squared residuals of all bots
at all tables, L is the part of S that the luck of deals explains, and F is the number of degrees of freedom
that the fit leaves to these residuals. K adds up the squares of the effects of the lack of fit, for the
meetings that the two bots do not have in common (`_wrong`).
Source: Hampel, "The influence curve" (1974), for influences; v is a moment estimate of the variance between
groups, as in DerSimonian and Laird (1986). No source has the allowance of two standard deviations for the
bias. This allowance was set by simulation with bots of unequal strength (`python -m studies.uneven`).

Ratings are linear, but games are not, because even a very strong bot cannot win more than all its matches. So
the ratings of two equal bots differ a little if they met different opponents. The results of whole tables
show the size of this error, because these results are farther from the fit than the luck of deals explains.
This lack of fit says how wrong the expected result of each meeting of two bots can be. How much of
this error stays in the difference of two bots depends on the meetings that they do not have in common. Only
the part of the difference that exceeds `WARY` standard deviations of this error counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import fsum, inf, sqrt
from operator import mul
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.results.statistics.betting import Rest
from harness.results.statistics.comparison import Apart, Deals, Gap
from harness.results.statistics.equations import Vector
from harness.results.statistics.rating import DealSums, Equations, TableDeals
from harness.results.statistics.sandwich import Sandwich

MOST_BOTS = 128
MOST_WORK = 1_000_000
"""With more than `MOST_BOTS` bots, comparisons by a fit take too long. The same is true if the number of bots
times the sum of the numbers of their deals is more than `MOST_WORK`."""
WARY = 2.0
_NOTHING = 1e-9

_Result: TypeAlias = tuple[float, ...]
"""For each bot of a table, its share of beaten opponents minus one half, added up over the matches of a
deal."""
_Moved: TypeAlias = tuple[float, float]
"""The change that a deal makes to the difference of two strengths, and the largest change that the deal could
make."""


class _Table(NamedTuple):
    """A table, its different results, and for each deal the index of its result."""

    places: tuple[int, ...]
    results: Sequence[_Result]
    deals: Sequence[int]
    matches: int
    """The largest number of matches of a deal."""
    even: float
    """In a match without ties, some bots beat more than half of their opponents. This is the sum of the
    amounts by which their shares of beaten opponents are above one half."""

    def moved(self, moves: Vector) -> list[_Moved]:
        """For each deal, returns the change that it makes to the difference of two strengths, and the largest
        change that any order of its bots could make."""
        own = [moves[place] for place in self.places]
        last = len(own) - 1
        best = fsum([move * (2 * at - last) for at, move in enumerate(sorted(own))])
        most = self.matches * best / (2 * last)
        by = [(fsum(map(mul, own, result)), most) for result in self.results]
        return [by[deal] for deal in self.deals]

    def most(self, moves: Vector) -> float:
        """Returns an upper bound of the change that a deal could make. This bound assumes that half of the
        bots have the largest influence, and the other half have the smallest influence."""
        own = [moves[place] for place in self.places]
        return (max(own) - min(own)) * self.matches * self.even


class Fit:
    """The fit of all matches; `deals` has the ranks of all bots, by deal."""

    def __init__(self, deals: Mapping[str, Deals]) -> None:
        self._deals = deals

    def apart(self, own: str, other: str) -> Apart:
        """Splits the difference of the strengths of two bots into parts that come from single deals or from
        pairs of deals, and returns the parts. A part is above 0 if it favors the first bot."""
        first, second = self._numbers[own], self._numbers[other]
        moves = list(self._sandwich.apart(first, second).values())
        moved = {
            number: table.moved(moves)
            for number, table in enumerate(self._tables)
            if first in table.places or second in table.places
        }
        found = [each for number in moved if self._both(number, first, second) for each in moved[number]]
        found += _paired(self._alone(moved, first, second), self._alone(moved, second, first))
        largest = max((most for _, most in found), default=0.0) or 1.0
        rest = self._rest(moves, [each for each, _ in chain(*moved.values())], moved.keys(), largest)
        slack = WARY * self._wrong(first, second, moves) / largest / max(1, len(found))
        return Apart(Counter(each / largest for each, _ in found), slack, rest)

    def gap(self, own: str, other: str) -> Gap:
        """Returns the difference of the strengths of two bots, with its standard error."""
        first, second = self._numbers[own], self._numbers[other]
        difference = self._strengths[first] - self._strengths[second]
        variance, free = self._sandwich.difference(first, second)
        wrong = WARY * self._wrong(first, second, list(self._sandwich.apart(first, second).values()))
        error = sqrt(variance + wrong * wrong)
        errors = abs(difference) / error if error > _NOTHING else inf if abs(difference) > _NOTHING else 0.0
        return Gap(free, difference, errors if difference > 0 else -errors)

    def _both(self, number: int, first: int, second: int) -> bool:
        return first in self._tables[number].places and second in self._tables[number].places

    def _alone(
        self, moved: Mapping[int, Sequence[_Moved]], bot: int, other: int
    ) -> dict[tuple[int, ...], Sequence[_Moved]]:
        """Returns the deals of a bot at tables without the other bot, grouped by the bot's opponents."""
        return {
            tuple(place for place in self._tables[number].places if place != bot): deals
            for number, deals in moved.items()
            if bot in self._tables[number].places and other not in self._tables[number].places
        }

    def _rest(self, moves: Vector, own: Sequence[float], known: Iterable[int], largest: float) -> Rest:
        """Returns a summary of what the deals at tables with neither of the two bots add to the difference of
        the two strengths. Its sums are the sums over all deals minus the sums over the deals of the two
        bots."""
        others = set(range(len(self._tables))) - set(known)
        most = max((self._tables[number].most(moves) for number in others), default=0.0)
        if most <= _NOTHING * largest:
            return Rest(0.0, 0.0, 0.0)
        sums, products = self._sums
        whole = fsum(map(mul, moves, sums)) - fsum(own)
        squares = fsum(move * fsum(map(mul, moves, row)) for move, row in zip(moves, products, strict=True))
        squares = max(0.0, squares - fsum(map(mul, own, own)))
        return Rest(whole / largest, squares / largest**2, most / largest)

    # -- the lack of fit ---------------------------------------------------------------------------

    def _wrong(self, first: int, second: int, moves: Vector) -> float:
        """Returns the standard deviation of the error that the lack of fit leaves in the difference of
        two strengths.

        Suppose that the expected result of a meeting of two bots is wrong by 1. Then the difference of the
        two strengths is wrong by the number of meetings of these two bots times the difference of their
        influences. Meetings with the same third bot cancel out.
        """
        whole = fsum(
            move * (move * sums - fsum(map(mul, moves, row)))
            for move, sums, row in zip(moves, *self._squared, strict=True)
        )
        mine, theirs = self._met[first], self._met[second]
        for bot, move in enumerate(moves):
            if bot not in (first, second):
                one = mine[bot] * (moves[first] - move)
                other = theirs[bot] * (moves[second] - move)
                whole += 2 * one * other
        apart = mine[second] * (moves[first] - moves[second])
        return sqrt(max(0.0, self._lack_of_fit * (whole - apart * apart)))

    @cached_property
    def _lack_of_fit(self) -> float:
        """The variance of the error of the fit at a meeting of two bots."""
        squares = luck = free = 0.0
        for number, (places, table) in enumerate(zip(self._equations.places, self._of_tables, strict=True)):
            others = len(places) - 1
            matches, *beaten = table.sums()
            left = self._sandwich.free(number)
            mean = fsum([self._strengths[bot] for bot in places]) / len(places)
            for at, (bot, doubled) in enumerate(zip(places, beaten, strict=True), start=1):
                share = doubled / (2 * others * matches)
                expected = 0.5 + (self._strengths[bot] - mean) * len(places) / others
                squares += others * (share - expected) ** 2
                deals = [(deal[at], deal[0]) for deal in table.deals.values()]
                luck += left * others * _variance(deals, others)
            free += left * others
        return max(0.0, squares - luck) / free if free > _NOTHING else 0.0

    @cached_property
    def _met(self) -> list[Vector]:
        """For each pair of bots, the number of their matches. A match counts as 1 divided by the number of
        opponents."""
        size = len(self._equations.bots)
        met = [[0.0] * size for _ in range(size)]
        for places, weight in zip(self._equations.places, self._equations.weights, strict=True):
            for bot in places:
                for other in places:
                    met[bot][other] += weight * (bot != other)
        return met

    @cached_property
    def _squared(self) -> tuple[Vector, list[Vector]]:
        """The sum of the squares of each bot's numbers in `_met`, and these squares themselves."""
        squares = [[each * each for each in row] for row in self._met]
        return [fsum(row) for row in squares], squares

    # -- shared by all comparisons -----------------------------------------------------------------

    @cached_property
    def _of_tables(self) -> list[TableDeals]:
        tables: dict[tuple[str, ...], dict[str, DealSums]] = {}
        for bot, own in self._deals.items():
            for name, deal in own.items():
                bots = tuple(sorted((bot, *deal.others)))
                seats = len(bots)
                sums = tables.setdefault(bots, {}).setdefault(name, [deal.matches, *[0] * seats])
                sums[1 + bots.index(bot)] = int(2 * (seats * deal.matches - deal.total))
        return [TableDeals(bots, tables[bots]) for bots in sorted(tables)]

    @cached_property
    def _equations(self) -> Equations:
        return Equations(self._of_tables)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {bot: number for number, bot in enumerate(self._equations.bots)}

    @cached_property
    def _strengths(self) -> Vector:
        return self._equations.solved()

    @cached_property
    def _sandwich(self) -> Sandwich:
        return Sandwich(self._of_tables, self._equations, self._strengths)

    @cached_property
    def _tables(self) -> list[_Table]:
        return [
            _table(places, table)
            for places, table in zip(self._equations.places, self._of_tables, strict=True)
        ]

    @cached_property
    def _sums(self) -> tuple[Vector, list[Vector]]:
        """The sum of the results of each bot, and the sum of the products of the results of each pair of
        bots."""
        size = len(self._equations.bots)
        sums, squares = [0.0] * size, [[0.0] * size for _ in range(size)]
        for table in self._tables:
            for deal in table.deals:
                result = table.results[deal]
                for bot, value in zip(table.places, result, strict=True):
                    sums[bot] += value
                    row = squares[bot]
                    for other, more in zip(table.places, result, strict=True):
                        row[other] += value * more
        return sums, squares


def fit_of(deals: Mapping[str, Deals]) -> Fit | None:
    """Returns the fit of these deals, or None if there are no deals, or too many bots or deals."""
    work = len(deals) * sum(map(len, deals.values()))
    return Fit(deals) if 0 < work <= MOST_WORK and len(deals) <= MOST_BOTS else None


def _table(places: tuple[int, ...], table: TableDeals) -> _Table:
    others = len(places) - 1
    numbers: dict[tuple[Number, ...], int] = {}
    deals = [numbers.setdefault(tuple(sums), len(numbers)) for sums in table.deals.values()]
    results = [
        tuple([doubled / (2 * others) - count / 2 for doubled in beaten]) for count, *beaten in numbers
    ]
    even = sum(max(0, 2 * at - others) for at in range(len(places))) / (2 * others)
    return _Table(places, results, deals, max(int(sums[0]) for sums in numbers), even)


def _variance(results: Sequence[tuple[Number, Number]], others: int) -> float:
    """Returns how much of the variance of a bot's mean share at a table comes from the luck of deals."""
    if len(results) < 2:
        return 0.0
    shares = [doubled / (2 * others * matches) for doubled, matches in results]
    mean = fsum(shares) / len(shares)
    return fsum([(share - mean) ** 2 for share in shares]) / (len(shares) - 1) / len(shares)


def _paired(
    mine: Mapping[tuple[int, ...], Sequence[_Moved]], theirs: Mapping[tuple[int, ...], Sequence[_Moved]]
) -> Iterator[_Moved]:
    """Pairs each deal of one bot with a deal of the other bot, against the same opponents if possible. Yields
    the two numbers of `_Moved`: for each pair their sums over its two deals, and for each deal without a
    partner the numbers of this deal."""
    left, left_other = list[_Moved](), list[_Moved]()
    for opponents in sorted({*mine, *theirs}):
        own, other = mine.get(opponents, ()), theirs.get(opponents, ())
        yield from map(_together, own, other)
        left += own[len(other) :]
        left_other += other[len(own) :]
    yield from map(_together, left, left_other)
    yield from left[len(left_other) :] or left_other[len(left) :]


def _together(one: _Moved, other: _Moved) -> _Moved:
    return one[0] + other[0], one[1] + other[1]
