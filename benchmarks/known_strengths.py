"""Simulates tournaments of bots whose strengths are known, so that the true average ranks are known too.

Each match draws the order of its bots by the model of Plackett and Luce: the next best bot is drawn in
proportion to exp(strength). The luck of a deal adds to or takes from the strength of each seat. All seats
have rotations, as in a tournament, with the same deal or with fresh deals; the schedule is the project's own.

Strengths and luck are whole numbers of steps, so there are few different tables, and the exact distribution
of each is computed once. Many deals of a table are drawn at once, and only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, permutations, product
from math import exp
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from harness.results.statistics.intervals import SEVERAL, Averages, Interval, Total
from harness.schedule.designs.blocks import Block, Rounds
from harness.schedule.designs.choice import made

STEP = 0.5
LUCK = 2
"""The steps that a deal adds to the strength of each seat, or takes from it."""
DEVIATION = 1.28
"""The standard deviation of strengths that are spread. A bot's strength in a match varies as much."""
Z = NormalDist().inv_cdf(0.975)


class Field(NamedTuple):
    """A kind of tournament: its bots, and how much they play."""

    bots: int
    seats: int
    encounters: int
    """Encounters of each bot."""
    deals: int
    fresh: bool
    spread: bool
    """Whether the strengths of the bots are normally distributed, or all equal."""

    def strengths(self) -> list[int]:
        """The strengths of the bots in steps, the weakest first."""
        if not self.spread:
            return [0] * self.bots
        shares = ((place + 0.5) / self.bots for place in range(self.bots))
        return [round(NormalDist(0, DEVIATION).inv_cdf(share) / STEP) for share in shares]


class Drawn(NamedTuple):
    """The simulated results of one bot."""

    strength: int
    truth: float
    """Its expected average rank, over all deals, in this schedule."""
    error: float
    """The standard deviation of its average rank."""
    interval: Interval

    def needed(self, seats: int) -> float:
        """The width of the interval if its error were known."""
        return min(seats, self.truth + Z * self.error) - max(1, self.truth - Z * self.error)


class _Orders(NamedTuple):
    """The possible ranks of a match by seat, with their probabilities, and those added up from the first."""

    ranks: Sequence[tuple[int, ...]]
    shares: Sequence[float]
    below: Sequence[float]

    def drawn(self, number: int, random: Random) -> list[tuple[int, ...]]:
        """The ranks in this number of matches."""
        return random.choices(self.ranks, cum_weights=self.below, k=number)

    def moments(self, seat: int) -> tuple[float, float]:
        """The mean and the variance of the rank in a seat."""
        mean = sum(share * ranks[seat] for ranks, share in zip(self.ranks, self.shares, strict=True))
        square = sum(share * ranks[seat] ** 2 for ranks, share in zip(self.ranks, self.shares, strict=True))
        return mean, square - mean**2


class _Expected(NamedTuple):
    """For each bot at a table, the mean and the variance of the sum of its ranks in a deal, or in a match."""

    means: Sequence[float]
    variances: Sequence[float]


def simulated(field: Field, repetitions: int, random: Random) -> Iterator[Drawn]:
    """The results of all bots in this number of tournaments."""
    for _ in range(repetitions):
        strengths = field.strengths()
        strengths.sort(key=lambda _: random.random())
        yield from _tournament(field, strengths, random)


def _tournament(field: Field, strengths: Sequence[int], random: Random) -> Iterator[Drawn]:
    averages, matches = Averages(), [0] * field.bots
    means, variances = [0.0] * field.bots, [0.0] * field.bots
    play, expect = (_fresh, _expected_fresh) if field.fresh else (_same, _expected_same)
    for block in _blocks(field.bots, field.seats, field.encounters):
        levels = tuple(strengths[bot] for bot in block)
        played = play(levels, field.deals, random)
        averages.take({str(bot): deals for bot, deals in zip(block, played, strict=True)})
        for bot, mean, variance in zip(block, *expect(levels), strict=True):
            matches[bot] += field.deals * field.seats
            means[bot] += mean * field.deals
            variances[bot] += variance * field.deals
    intervals = averages.intervals(1, field.seats, field.seats)
    for bot, number in enumerate(matches):
        error = variances[bot] ** 0.5 / number
        yield Drawn(strengths[bot], means[bot] / number, error, intervals[str(bot)])


def _turned(levels: Sequence[int], turn: int) -> tuple[int, ...]:
    """The bots by seat in this rotation."""
    return (*levels[turn:], *levels[:turn])


def _fresh(levels: tuple[int, ...], deals: int, random: Random) -> list[Mapping[int, Sequence[Total]]]:
    """An encounter in which each match has a deal of its own: for each bot the deals by seat."""
    seats = len(levels)
    found: list[dict[int, Sequence[Total]]] = [{} for _ in levels]
    for turn in range(seats):
        counts = [[0] * seats for _ in levels]
        for ranks, times in Counter(_mixed(_turned(levels, turn)).drawn(deals, random)).items():
            for count, rank in zip(counts, ranks, strict=True):
                count[rank - 1] += times
        for seat, count in enumerate(counts):
            totals = [(rank, 1, times) for rank, times in enumerate(count, start=1) if times]
            found[(seat + turn) % seats][seat + 1] = totals
    return list(found)


def _same(levels: tuple[int, ...], deals: int, random: Random) -> list[Mapping[int, Sequence[Total]]]:
    """An encounter in which each deal is played in all rotations."""
    seats = len(levels)
    found: list[Counter[int]] = [Counter() for _ in levels]
    for luck, times in Counter(random.choices(_lucks(seats), k=deals)).items():
        turns = [_orders(_lucky(_turned(levels, turn), luck)).drawn(times, random) for turn in range(seats)]
        by_seat = [list(zip(*drawn, strict=True)) for drawn in turns]
        for place, sums in enumerate(found):
            own = [ranks[(place - turn) % seats] for turn, ranks in enumerate(by_seat)]
            sums.update(map(sum, zip(*own, strict=True)))
    return [{SEVERAL: [(value, seats, times) for value, times in sums.items()]} for sums in found]


@cache
def _expected_fresh(levels: tuple[int, ...]) -> _Expected:
    seats = len(levels)
    means, variances = [0.0] * seats, [0.0] * seats
    for turn in range(seats):
        orders = _mixed(_turned(levels, turn))
        for seat in range(seats):
            mean, variance = orders.moments(seat)
            means[(seat + turn) % seats] += mean
            variances[(seat + turn) % seats] += variance
    return _Expected(means, variances)


@cache
def _expected_same(levels: tuple[int, ...]) -> _Expected:
    """The variance of a sum is the mean of its variances for each luck, plus the variance of its means."""
    seats, lucks = len(levels), _lucks(len(levels))
    means, squares, within = [0.0] * seats, [0.0] * seats, [0.0] * seats
    for luck in lucks:
        for place in range(seats):
            moments = [
                _orders(_lucky(_turned(levels, turn), luck)).moments((place - turn) % seats)
                for turn in range(seats)
            ]
            mean = sum(each for each, _ in moments)
            means[place] += mean / len(lucks)
            squares[place] += mean**2 / len(lucks)
            within[place] += sum(variance for _, variance in moments) / len(lucks)
    between = [square - mean**2 for square, mean in zip(squares, means, strict=True)]
    return _Expected(means, [sum(parts) for parts in zip(between, within, strict=True)])


@cache
def _blocks(bots: int, seats: int, encounters: int) -> Sequence[Block]:
    return [block for blocks in made(bots, seats, Rounds(encounters)) for block in blocks]


@cache
def _lucks(seats: int) -> Sequence[tuple[int, ...]]:
    return list(product((-LUCK, LUCK), repeat=seats))


def _lucky(levels: Sequence[int], luck: Sequence[int]) -> tuple[int, ...]:
    return tuple(level + steps for level, steps in zip(levels, luck, strict=True))


@cache
def _orders(levels: tuple[int, ...]) -> _Orders:
    """The orders of a match in which the bots in the seats have these strengths, luck included."""
    weights = [exp(STEP * level) for level in levels]
    found, shares = [], []
    for order in permutations(range(len(levels))):
        share, rest = 1.0, sum(weights)
        for seat in order:
            share *= weights[seat] / rest
            rest -= weights[seat]
        found.append(tuple(order.index(seat) + 1 for seat in range(len(levels))))
        shares.append(share)
    return _Orders(found, shares, list(accumulate(shares)))


@cache
def _mixed(levels: tuple[int, ...]) -> _Orders:
    """The orders of a match whose luck is not known."""
    lucks = _lucks(len(levels))
    parts = [_orders(_lucky(levels, luck)) for luck in lucks]
    shares = [sum(each) / len(lucks) for each in zip(*(part.shares for part in parts), strict=True)]
    return _Orders(parts[0].ranks, shares, list(accumulate(shares)))
