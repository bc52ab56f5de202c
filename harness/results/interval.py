"""Computes 95 % confidence intervals of averages over matches, in closed form.

The matches of a deal share their luck, so the unit is the deal. With fresh deals every match is a deal.
Opponents and seats are no luck, because the schedule fixes them: the interval tells what the average would be
if the same encounters were played with other deals. So its width comes from deals that differ only by luck:

- the deals of an encounter, where the same bots play, or of each seat in it if each has at least four deals;
- the deals of several encounters of the same bots, if each of these encounters has a single deal;
- the single deals of bots that met once, by their deviations from a fit of all these deals
  (`results.residuals`).

One match is added of which the bot won half and lost half. So no interval has width 0, and a bot that won its
few matches may still be a bot that sometimes loses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from math import sqrt
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.record.history import MatchResult
from harness.results.equations import total
from harness.results.residuals import residuals
from harness.results.student import quantile

CONFIDENCE = 0.95
BY_SEAT = 4
"""With at least so many deals in each seat, the deals of one seat are compared only with each other."""
SEVERAL = 0
"""Stands for the seat of a bot in a deal that it played in several seats."""


class Interval(NamedTuple):
    """The range that contains a true average with 95 % confidence."""

    low: float
    high: float


Total: TypeAlias = tuple[Number, int, int]
"""A result of a bot: the sum of a value over the matches of a deal, the number of these matches, and how many
deals had this result."""


class Luck:
    """The average of one bot, and what its deals tell about the error of this average.

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

    def count(self, deals: Sequence[Total]) -> None:
        """Counts these deals in the average."""
        self.value += total([value * times for value, _, times in deals])
        self.matches += sum([matches * times for _, matches, times in deals])
        self.deals += _number(deals)

    def compare(self, deals: Sequence[Total]) -> None:
        """Adds the deviations of deals that differ only by luck from their mean."""
        mean = total([value * times for value, _, times in deals])
        mean /= sum([matches * times for _, matches, times in deals])
        off = [(value - matches * mean, times) for value, matches, times in deals]
        self.deviate(total([each * each * times for each, times in off]), _number(deals) - 1)

    def deviate(self, squares: float, free: float) -> None:
        """Adds squared deviations with these degrees of freedom."""
        self.squares += squares
        self.free += free

    def interval(self, least: Number, most: Number) -> Interval:
        """The interval of the average; all values are from `least` to `most`.

        The added match has half the value `least` and half the value `most`. It moves the middle of the
        interval, and adds to the deviations.
        """
        average = self.value / self.matches
        better, worse = average - least, most - average
        added = (better * better + worse * worse) / 2
        error = sqrt((self.squares + added) / (self.free + 1) * self.deals) / self.matches
        reach = quantile((1 + CONFIDENCE) / 2, self.free + 1) * error
        middle = (self.value + (least + most) / 2) / (self.matches + 1)
        return Interval(max(least, middle - reach), min(most, middle + reach))


class Averages:
    """The averages of a value of each bot, collected encounter by encounter, with their intervals.

    The value may be the rank, a win, or a score. Its sum over the bots must be the same in each match.
    """

    def __init__(self) -> None:
        self._luck: dict[str, Luck] = {}
        self._lone: dict[tuple[str, ...], list[Mapping[str, Total]]] = {}
        """The encounters with a single deal, by the bots that played."""

    def add(self, encounter: Sequence[MatchResult], values: Iterable[Sequence[Number]]) -> None:
        """Adds the matches of an encounter that count; `values` has the values of each match by seat."""
        sat: dict[str, dict[str, list[tuple[int, Number]]]] = {bot: {} for bot in encounter[0].bots}
        for match, by_seat in zip(encounter, values, strict=True):
            deal = match.deal
            for seat, (bot, value) in enumerate(zip(match.bots, by_seat, strict=True), start=1):
                sat[bot].setdefault(deal, []).append((seat, value))
        self.take({bot: _by_seat(deals.values()) for bot, deals in sat.items()})

    def take(self, encounter: Mapping[str, Mapping[int, Sequence[Total]]]) -> None:
        """Adds an encounter: for each bot the results of its deals, by the seat in which it played them."""
        lone: dict[str, Total] = {}
        for bot, seats in encounter.items():
            luck = self._luck.setdefault(bot, Luck())
            for deals in _alike(seats):
                luck.count(deals)
                if _number(deals) > 1:
                    luck.compare(deals)
                else:
                    [lone[bot]] = deals
        if lone:
            self._lone.setdefault(tuple(sorted(lone)), []).append(lone)

    def intervals(self, least: Number, most: Number) -> dict[str, Interval]:
        """The interval of the average of each bot with a match; all values are from `least` to `most`."""
        lucks = {bot: copy(luck) for bot, luck in self._luck.items()}
        for bots, met in self._lone.items():
            if len(met) > 1:
                for bot in bots:
                    lucks[bot].compare([deal[bot] for deal in met])
        once = [met[0] for met in self._lone.values() if len(met) == 1]
        means = [{bot: value / matches for bot, (value, matches, _) in deal.items()} for deal in once]
        for deal, left in zip(once, residuals(means), strict=True):
            for bot, (residual, free) in left.items():
                off = residual * deal[bot][1]
                lucks[bot].deviate(off * off, free)
        return {bot: luck.interval(least, most) for bot, luck in lucks.items()}


def _by_seat(deals: Iterable[Sequence[tuple[int, Number]]]) -> dict[int, list[Total]]:
    """The results of deals by seat, from the seats and values of the matches of each deal."""
    found: dict[int, list[Total]] = {}
    for matches in deals:
        seat, value = matches[0]
        for other, more in matches[1:]:
            seat, value = seat if seat == other else SEVERAL, value + more
        found.setdefault(seat, []).append((value, len(matches), 1))
    return found


def _alike(seats: Mapping[int, Sequence[Total]]) -> Collection[Sequence[Total]]:
    """The deals of an encounter in groups that differ only by luck."""
    if len(seats) == 1 or min(map(_number, seats.values())) >= BY_SEAT:
        return seats.values()
    return [[deal for deals in seats.values() for deal in deals]]


def _number(deals: Sequence[Total]) -> int:
    """The number of deals with these results."""
    return sum([times for _, _, times in deals])
