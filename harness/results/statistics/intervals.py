"""Computes 95 % confidence intervals of averages over matches, in closed form.

The matches of a deal share their luck, so the unit is the deal. If each match has a new deal, every match is
a unit. Opponents and seats are not luck, because the schedule fixes them. The interval says where the average
could be if the same encounters were played with other deals. So the width of the interval comes from
the differences between deals that are alike in all but their luck:

- the deals of an encounter, in which the same bots play, or the deals of each seat of the encounter if each
  seat has at least four deals;
- the deals of several encounters of the same bots, if each of these encounters has a single deal;
- the single deals of bots that met once, by their deviations from a fit of all these deals
  (see `residuals` below).

Name: interval of Student's t for a stratified mean, with one added match, cut at the largest possible width.
Formula: m +- min(t(0.975, f + g) * sqrt(S / (f + 1) * D) / N, z(0.975) * span / 2 / sqrt(D + 1)), where m is
the mean with the added match, and S is the sum of the squared deviations of the deals and of the added match.
The deals have f degrees of freedom, and the added match has g. D is the number of deals. N is the number of
matches; it includes the added match if each match has a deal of its own and can have more than two values.
Source: Cochran, "Sampling Techniques" (1977), chapter 5, for strata; Agresti and Coull (1998) for matches
that are added, here one instead of four; the cut is Popoviciu's bound of a variance. The number g was set by
simulation (`python -m studies.intervals`).

The computation adds one imaginary match in which every rank is equally likely. Because of this match, no
interval has width 0. If a bot won all of its few matches, its interval still allows for losses. And no
interval is wider than the interval of results that vary as much as possible. A few results say little about
how much results vary, but the rules of a game say how much they vary at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from itertools import chain
from math import inf, isfinite, sqrt
from typing import NamedTuple, TypeAlias, TypeVar

from harness.model import Number
from harness.results.statistics import RankedMatch
from harness.results.statistics.equations import solution, total
from harness.results.statistics.student import quantile

CONFIDENCE = 0.95
TAIL = (1 + CONFIDENCE) / 2
BY_SEAT = 4
"""If each seat has at least this number of deals, only deals of the same seat are compared with each
other."""
SEVERAL = 0
"""The number that replaces the seat of a bot in a deal that the bot played in several seats."""


class Interval(NamedTuple):
    """The range that contains a true average with 95 % confidence."""

    low: float
    high: float


Total: TypeAlias = tuple[Number, int, int]
"""A result of a bot: the sum of a value over the matches of a deal, the number of these matches, and the
number of deals with this result."""
BySeat: TypeAlias = dict[str, dict[int, list[Total]]]
"""For each bot of an encounter, the results of its deals by the seat in which the bot played them."""


class Alike(NamedTuple):
    """Deals of a bot that differ only by luck: the totals of all these deals together, and the sum of the
    squared deviations of their values from the mean of all these deals."""

    together: Total
    squares: float


class Luck:
    """The average of one bot, and the sums that give the error of this average.

    The deviations may come from deals that differ only by luck, or from the residuals of any fit.
    """

    def __init__(self) -> None:
        self.value = 0.0
        self.matches = 0
        self.deals = 0
        self.squares = 0.0
        """The sum of the squared deviations of the totals of deals."""
        self.free = 0.0
        """The degrees of freedom of `squares`."""

    def count(self, alike: Alike) -> None:
        """Adds deals to the average. If there are several deals, also adds their deviations from their
        mean."""
        (value, matches, deals), squares = alike
        self.value += value
        self.matches += matches
        self.deals += deals
        if deals > 1:
            self.squares += squares
            self.free += deals - 1

    def compare(self, alike: Alike) -> None:
        """Takes deals that differ only by luck, and adds the deviations of these deals from their mean."""
        self.deviate(alike.squares, alike.together[2] - 1)

    def deviate(self, squares: float, free: float) -> None:
        """Adds squared deviations with these degrees of freedom."""
        self.squares += squares
        self.free += free

    def interval(self, least: Number, most: Number, values: int = 2, *, bounded: bool = True) -> Interval:
        """Returns the interval of the average. A result is one of `values` numbers, which are evenly spaced
        from `least` to `most`.

        If `bounded` is false, `least` and `most` are only the lowest and the highest result so far, and the
        interval may reach beyond these results.

        One match is added in which each value is equally likely. This match moves the middle of the interval.
        Two numbers are added to the squared deviations: the variance of the added match, and the squared
        distance of the mean of this match from the average.
        """
        average = self.value / self.matches
        span, off = most - least, average - (least + most) / 2
        added = span * span * (values + 1) / (12 * max(1, values - 1)) + off * off
        middle = (self.value + (least + most) / 2) / (self.matches + 1)
        widest = span if bounded else inf
        reach = half_width(self.squares + added, self.free, self.deals, self.matches, widest, values)
        if not bounded and isfinite(middle) and isfinite(reach):
            return Interval(middle - reach, middle + reach)
        return Interval(max(least, middle - reach), min(most, middle + reach))


def half_width(squares: float, free: float, deals: int, matches: int, span: Number, values: int = 2) -> float:
    """Returns the distance from the middle of an interval to its ends.

    `squares` and `free` are the values of `Luck`, but `squares` includes the added match. With this match
    there are `deals` + 1 deals. Their average varies most if each deal has the lowest or the highest possible
    value. `span` is the difference of these two values, or infinite if nobody knows them.

    The variance of the added match is known and not estimated. If a match can have many values, the true
    variance of a bot is close to this known variance. So the added match gives more degrees of freedom if a
    match can have more values. If each match has a deal of its own and more than two values, the error is the
    error of an average of `matches` + 1 matches. If a deal has several matches, which depend on each other,
    or if a match has only two values, such an error would be too small. `python -m studies.intervals` shows
    how many intervals contain the true average.
    """
    fresh = deals == matches
    known = max(1.0, values - 1 if fresh else values / 2)
    error = sqrt(squares / (free + 1) * deals) / (matches + 1 if fresh and values > 2 else matches)
    return min(quantile(TAIL, free + known) * error, quantile(TAIL, inf) * span / 2 / sqrt(deals + 1))


# -- encounters with equal results -------------------------------------------------------------------
#
# The sums and deviations of equal results are computed only once. A million matches in short encounters have
# few different results: two bots that play four matches without a draw have 16 possible results. Sums and
# deviations depend on the seats and on the values, not on the names of the bots.


Seated: TypeAlias = tuple[int, ...]
"""The numbers of the bots of an encounter, match by match and seat by seat. The bot in seat n of the first
match has the number n - 1."""
Values: TypeAlias = tuple[tuple[Number, ...], ...]
"""A value for each match and seat."""
Found = TypeVar("Found")

SHORT = 8
"""Results are remembered only for encounters with at most this number of matches. Longer encounters seldom
have equal results."""
MOST = 10_000


def seated(encounter: Sequence[RankedMatch]) -> Seated:
    """Returns the bots of an encounter as numbers instead of names."""
    find = _remembered if len(encounter) <= SHORT else _numbered
    return find(tuple([match.bots for match in encounter]))


def _numbered(seats: tuple[tuple[str, ...], ...]) -> Seated:
    number = {bot: place for place, bot in enumerate(seats[0])}
    return tuple(map(number.__getitem__, chain.from_iterable(seats)))


_remembered = lru_cache(MOST)(_numbered)


def once(compute: Callable[[Seated, Values], Found]) -> Callable[[Seated, Values], Found]:
    """Returns a function that does the same as `compute`, and remembers its most recent results for short
    encounters."""
    remembered = lru_cache(MOST)(compute)

    def found(seats: Seated, values: Values) -> Found:
        return (remembered if len(values) <= SHORT else compute)(seats, values)

    return found


# -- averages ----------------------------------------------------------------------------------------


class Averages:
    """For each bot, the average of a value, with its interval. Encounters are added one after another.

    The value may be the rank, a win, or a score. The sum of the values of all bots must be the same in each
    match.
    """

    def __init__(self) -> None:
        self._luck: dict[str, Luck] = {}
        self._lone: dict[tuple[str, ...], list[Mapping[str, Total]]] = {}
        """The encounters with a single deal, by the bots that played."""

    def add(self, encounter: Sequence[RankedMatch], values: Iterable[Sequence[Number]]) -> None:
        """Adds matches of one encounter to the averages. `values` has the values of each match, seat by
        seat."""
        if len({match.deal for match in encounter}) < len(encounter):
            self.take(_deals(encounter, values))
        else:
            found = _of_matches(seated(encounter), tuple(map(tuple, values)))
            self._add(zip(encounter[0].bots, found, strict=True))

    def take(self, encounter: Mapping[str, Mapping[int, Sequence[Total]]]) -> None:
        """Adds an encounter. For each bot, `encounter` has the results of its deals by the seat in which the
        bot played them."""
        self._add((bot, _alike(seats)) for bot, seats in encounter.items())

    def _add(self, encounter: Iterable[tuple[str, Sequence[Alike]]]) -> None:
        lone: dict[str, Total] = {}
        for bot, groups in encounter:
            luck = self._luck.get(bot) or self._luck.setdefault(bot, Luck())
            for alike in groups:
                luck.count(alike)
                if alike.together[2] == 1:
                    lone[bot] = alike.together
        if lone:
            self._lone.setdefault(tuple(sorted(lone)), []).append(lone)

    def intervals(
        self, least: Number, most: Number, values: int = 2, *, bounded: bool = True
    ) -> dict[str, Interval]:
        """Returns the interval of the average of each bot that has a match. A result is one of `values`
        numbers, which are evenly spaced from `least` to `most`. If the number of values is not known, use 2,
        because two values have the largest variance. If `bounded` is false, other matches may have values
        outside this range."""
        lucks = {bot: copy(luck) for bot, luck in self._luck.items()}
        for bots, met in self._lone.items():
            if len(met) > 1:
                for bot in bots:
                    lucks[bot].compare(_compared([deal[bot] for deal in met]))
        once = [met[0] for met in self._lone.values() if len(met) == 1]
        means = [{bot: value / matches for bot, (value, matches, _) in deal.items()} for deal in once]
        for deal, left in zip(once, residuals(means), strict=True):
            for bot, (residual, free) in left.items():
                off = residual * deal[bot][1]
                lucks[bot].deviate(off * off, free)
        return {bot: luck.interval(least, most, values, bounded=bounded) for bot, luck in lucks.items()}


@once
def _of_matches(seats: Seated, values: Values) -> tuple[Sequence[Alike], ...]:
    """Returns the deals of each bot, in the order of the bots' numbers, for an encounter in which every match
    has a deal of its own."""
    found: list[dict[int, list[Total]]] = [{} for _ in values[0]]
    for (place, bot), value in zip(enumerate(seats), chain.from_iterable(values), strict=True):
        found[bot].setdefault(place % len(found), []).append((value, 1, 1))
    return tuple(map(_alike, found))


def _deals(encounter: Sequence[RankedMatch], values: Iterable[Sequence[Number]]) -> BySeat:
    """Returns the results of each bot by seat, for an encounter in which several matches have the same
    deal."""
    sat: dict[str, dict[str, list[tuple[int, Number]]]] = {bot: {} for bot in encounter[0].bots}
    for match, by_seat in zip(encounter, values, strict=True):
        for seat, (bot, value) in enumerate(zip(match.bots, by_seat, strict=True), start=1):
            sat[bot].setdefault(match.deal, []).append((seat, value))
    found: BySeat = {bot: {} for bot in sat}
    for bot, deals in sat.items():
        for matches in deals.values():
            seats = {seat for seat, _ in matches}
            seat = seats.pop() if len(seats) == 1 else SEVERAL
            found[bot].setdefault(seat, []).append((total([value for _, value in matches]), len(matches), 1))
    return found


def _alike(seats: Mapping[int, Sequence[Total]]) -> Sequence[Alike]:
    """Returns the deals of a bot in an encounter, in groups. The deals of a group differ only by luck."""
    if len(seats) == 1 or min(_together(deals)[2] for deals in seats.values()) >= BY_SEAT:
        return [_compared(deals) for deals in seats.values()]
    return [_compared([deal for deals in seats.values() for deal in deals])]


def _compared(deals: Sequence[Total]) -> Alike:
    """Returns the totals of these deals together, and the sum of the squared deviations of their values from
    their mean."""
    together = _together(deals)
    mean = together[0] / together[1]
    squares = 0.0
    for value, matches, times in deals:
        off = value - matches * mean
        squares += off * off * times
    return Alike(together, squares)


def _together(deals: Sequence[Total]) -> Total:
    """Returns the sum of the values of these deals, the number of their matches, and the number of deals."""
    value, matches, number = 0.0, 0, 0
    for each, played, times in deals:
        value += each * times
        matches += played * times
        number += times
    return value, matches, number


# -- residuals of encounters with one deal ---------------------------------------------------------------
#
# This part makes a ridge regression (Hoerl and Kennard 1970) of results on bots. The expected value of a bot
# at a table is e = m + w - mean(w of the table): m is the mean of the table, w the worth of the bot. The
# worths minimise sum (value - e)^2 + RIDGE * sum w^2, so a bot with few results gets a worth near 0. A
# residual is value - e; its share of the degrees of freedom is 1 minus its leverage (Hoaglin and Welsch
# 1978).


RIDGE = 1.0

_Table: TypeAlias = tuple[int, ...]


class Residual(NamedTuple):
    """The difference between a result and the result that the fit predicts, and the degrees of freedom of
    this difference, from 0 to 1."""

    residual: float
    free: float


def residuals(tables: Sequence[Mapping[str, float]]) -> list[dict[str, Residual]]:
    """Fits the worths of the bots to the values of the bots at these tables (the ridge regression of this
    part). Returns the residuals. Each table has the values of its bots."""
    numbers = {
        bot: number for number, bot in enumerate(dict.fromkeys(bot for table in tables for bot in table))
    }
    met = [tuple(numbers[bot] for bot in table) for table in tables]
    apart = [_apart(list(table.values())) for table in tables]
    right, weights = [0.0] * len(numbers), [RIDGE] * len(numbers)
    for table, values in zip(met, apart, strict=True):
        for bot, value in zip(table, values, strict=True):
            right[bot] += value
            weights[bot] += 1 - 1 / len(table)
    worths = solution(lambda way: _applied(met, way), right, weights)
    found = []
    for names, table, values in zip(tables, met, apart, strict=True):
        expected = _apart([worths[bot] for bot in table])
        left = [value - expect for value, expect in zip(values, expected, strict=True)]
        free = _free([weights[bot] for bot in table])
        found.append(dict(zip(names, map(Residual, left, free), strict=True)))
    return found


def _apart(values: Sequence[float]) -> list[float]:
    """Returns the values minus their mean."""
    mean = total(values) / len(values)
    return [value - mean for value in values]


def _free(weights: Sequence[float]) -> list[float]:
    """Returns the degrees of freedom of each residual: 1 minus its leverage.

    The leverage uses only the weights of the bots at this table (the diagonal of the normal equations). If a
    bot is alone at a table, as in a seat of a half-played encounter, it has no residual.
    """
    size = len(weights)
    if size == 1:
        return [0.0]
    others = total([1 / weight for weight in weights]) / size**2
    own = 1 - 1 / size
    return [max(0.0, 1 - ((own - 1 / size) / weight + others) / own) for weight in weights]


def _applied(tables: Sequence[_Table], worths: Sequence[float]) -> list[float]:
    """Returns the product of the matrix of the normal equations and these worths."""
    image = [RIDGE * worth for worth in worths]
    for table in tables:
        mean = total([worths[bot] for bot in table]) / len(table)
        for bot in table:
            image[bot] += worths[bot] - mean
    return image
