"""Measures how often the 95 % intervals of the standings contain the true average rank, and how wide they
are.

    python -m studies.intervals                       # the whole grid: nine minutes of a free core
    python -m studies.intervals --deal same           # with the same deals in every seat
    python -m studies.intervals --bots 8 --deals 10   # only some cells of the grid

The study simulates tournaments of bots with known strengths, so it also knows their true average ranks. In
some cells all bots are equal; in the others their strengths differ. The result of each match is drawn by the
model of Plackett and Luce: each next place goes to one of the other bots, with a probability in proportion to
exp(strength). The luck of a deal changes the strength of each seat. As in a real tournament, each table plays
in all rotations of the seats, with the same deal or with fresh deals. The code of harness makes the schedule.
Strengths and luck are whole numbers of steps. So there are few different tables, and the study computes the
exact distribution of the results of each table only once. It draws many deals of a table together, and only
counts their results.

For each cell of the grid, the table shows the share of intervals that contain the true average. It also shows
how many times wider the intervals are than intervals of somebody who knows the error of the average. The bar
for each cell: 93 to 97 % of the intervals contain the true average, the intervals are at most 1.3 times
wider, and no interval has width 0. A cell that misses the bar has a mark: `>` if too many intervals contain
the true average, `<` if too few do, `w` if the intervals are too wide, `0` if an interval has width 0.

Every cell has at least 2,000 intervals, and a seed of its own. If all bots share one table, their intervals
depend on each other, so such a cell has 2,000 tournaments. A cell gets `<` only if its share is more than two
standard errors below 93 %, because a simulation has luck. The exit code is 1 if a cell has `<` or `0`.

Some cells cannot keep the bar, because the average of a few matches has only a few possible values. For two
equal bots at two seats, the share of intervals that contain the true average can only be 50 or 100 % after 2
matches, and 87.5 or 100 % after 4. In such cells harness makes the intervals too wide, not too narrow. In the
whole grid 41 cells have `>`, all with at most four deals of a bot in each seat; none has `w`, `<` or `0`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, permutations, product
from math import exp, sqrt
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from tabulate import tabulate

from harness.results.statistics.intervals import SEVERAL, Averages, Interval, Total
from harness.schedule.designs import Block, Rounds, rounds_for

BOTS = (2, 4, 8, 16, 64)
SEATS = (2, 4)
ENCOUNTERS = (1, 2, 4, 8, 32)
DEALS = (1, 2, 10, 100)
INTERVALS = 2_000
RIGHT = (0.93, 0.97)
WIDEST = 1.3
MARKS = {
    "<": "too few intervals contain the truth",
    ">": "too many intervals contain the truth",
    "w": "the intervals are too wide",
    "0": "an interval has width 0",
}
HEADERS = ("bots", "seats", "enc.", "deals") + 2 * ("right %", "width", "needed", "times", "")
STEP = 0.5
LUCK = 2
"""A deal adds this number of steps to the strength of each seat, or subtracts it."""
DEVIATION = 1.28
"""The standard deviation of the strengths, if they differ. The random part of a bot's result in a match has
the same standard deviation."""
Z = NormalDist().inv_cdf(0.975)


# -- simulated tournaments -------------------------------------------------------------------------


class Field(NamedTuple):
    """A kind of tournament: the number of bots and seats, how much the bots play, and how their strengths
    differ."""

    bots: int
    seats: int
    encounters: int
    """Encounters of each bot."""
    deals: int
    fresh: bool
    spread: bool
    """True if the strengths of the bots are normally distributed. False if all bots are equal."""

    def strengths(self) -> list[int]:
        """The strengths of the bots in steps, the weakest first."""
        if not self.spread:
            return [0] * self.bots
        shares = ((place + 0.5) / self.bots for place in range(self.bots))
        return [round(NormalDist(0, DEVIATION).inv_cdf(share) / STEP) for share in shares]


class Drawn(NamedTuple):
    """What the simulation of a tournament gives for one bot."""

    strength: int
    truth: float
    """The true average rank: the mean over all deals, for the opponents in this schedule."""
    error: float
    """The true standard deviation of the bot's average rank."""
    interval: Interval

    def needed(self, seats: int) -> float:
        """The width of an interval that is computed with the true standard deviation."""
        return min(seats, self.truth + Z * self.error) - max(1, self.truth - Z * self.error)


class _Orders(NamedTuple):
    """The possible results of a match. Each has the ranks by seat, its probability, and the sum of the
    probabilities up to it."""

    ranks: Sequence[tuple[int, ...]]
    shares: Sequence[float]
    below: Sequence[float]

    def drawn(self, number: int, random: Random) -> list[tuple[int, ...]]:
        """Draws the results of this number of matches."""
        return random.choices(self.ranks, cum_weights=self.below, k=number)

    def moments(self, seat: int) -> tuple[float, float]:
        """The mean and the variance of the rank in a seat."""
        mean = sum(share * ranks[seat] for ranks, share in zip(self.ranks, self.shares, strict=True))
        square = sum(share * ranks[seat] ** 2 for ranks, share in zip(self.ranks, self.shares, strict=True))
        return mean, square - mean**2


class _Expected(NamedTuple):
    """For each bot at a table, the expected sum of its ranks in a deal that is played in all rotations, and
    the variance of this sum."""

    means: Sequence[float]
    variances: Sequence[float]


def simulated(field: Field, repetitions: int, random: Random) -> Iterator[Drawn]:
    """Simulates this number of tournaments, and yields the results of each bot."""
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
    """The strengths by seat after this rotation of the bots."""
    return (*levels[turn:], *levels[:turn])


def _fresh(levels: tuple[int, ...], deals: int, random: Random) -> list[Mapping[int, Sequence[Total]]]:
    """Simulates an encounter in which each match has a deal of its own. Returns for each bot the counts of
    its ranks by seat."""
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
    """Simulates an encounter in which each deal is played in all rotations. Returns for each bot the counts
    of its sums of ranks."""
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
    """The variance of a bot's sum has two parts. For each possible luck of a deal, the sum has a mean and a
    variance. The mean of these variances and the variance of these means are added."""
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
    return [block for blocks in rounds_for(bots, seats, Rounds(encounters)) for block in blocks]


@cache
def _lucks(seats: int) -> Sequence[tuple[int, ...]]:
    return list(product((-LUCK, LUCK), repeat=seats))


def _lucky(levels: Sequence[int], luck: Sequence[int]) -> tuple[int, ...]:
    return tuple(level + steps for level, steps in zip(levels, luck, strict=True))


@cache
def _orders(levels: tuple[int, ...]) -> _Orders:
    """The possible results of a match in which the seats have these strengths. The luck of the deal is
    already added."""
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
    """The possible results of a match whose deal is random: the luck of each seat is not known."""
    lucks = _lucks(len(levels))
    parts = [_orders(_lucky(levels, luck)) for luck in lucks]
    shares = [sum(each) / len(lucks) for each in zip(*(part.shares for part in parts), strict=True)]
    return _Orders(parts[0].ranks, shares, list(accumulate(shares)))


# -- the table -------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """How good the intervals are in one kind of tournament."""

    field: Field
    intervals: int
    right: float
    """The share of the intervals that contain the true average."""
    width: float
    needed: float
    empty: int
    """The number of intervals of width 0."""

    @property
    def times(self) -> float:
        """How many times wider the intervals are than intervals with the true standard deviation."""
        return self.width / self.needed

    @property
    def luck(self) -> float:
        """The standard error of `right`."""
        return sqrt(0.95 * 0.05 / (self.intervals / self.field.bots))

    @property
    def marks(self) -> str:
        """The marks of the cell: one mark for each part of the bar that the cell misses."""
        few, many = RIGHT
        missed = {
            "<": self.right < few - 2 * self.luck,
            ">": self.right > many,
            "w": self.times > WIDEST,
            "0": self.empty > 0,
        }
        return "".join(mark for mark, true in missed.items() if true)

    @property
    def told(self) -> Sequence[str]:
        """The texts of this cell in its row of the table."""
        return (
            f"{100 * self.right:.1f}",
            f"{self.width:.3f}",
            f"{self.needed:.3f}",
            f"{self.times:.2f}",
            self.marks,
        )


def measured(field: Field, intervals: int = INTERVALS, seed: int = 1) -> Cell:
    """Simulates tournaments of this kind until there are this many intervals."""
    random = Random(f"{seed} {field}")
    one_table = field.bots == field.seats
    drawn = list(simulated(field, intervals if one_table else -(-intervals // field.bots), random))
    right = sum(each.interval.low <= each.truth <= each.interval.high for each in drawn)
    widths = [each.interval.high - each.interval.low for each in drawn]
    needed = sum(each.needed(field.seats) for each in drawn) / len(drawn)
    empty = sum(width <= 0 for width in widths)
    return Cell(field, len(drawn), right / len(drawn), sum(widths) / len(drawn), needed, empty)


def counted(cells: Sequence[Cell]) -> Iterator[str]:
    """Yields sentences that count the cells that keep the bar, and the cells with each mark."""
    yield f"{sum(not cell.marks for cell in cells)} of {len(cells)} cells keep the bar."
    for mark, said in MARKS.items():
        missed = [cell for cell in cells if mark in cell.marks]
        most = max((cell.field.encounters * cell.field.deals for cell in missed), default=0)
        if missed:
            yield f"{mark} {said}: {len(missed)} cells, with at most {most} deals of a bot in each seat."


def main() -> int:
    """Prints the table. Each row has the cell of equal bots, and beside it the cell of bots with different
    strengths."""
    parser = ArgumentParser(prog="python -m studies.intervals")
    for name, values in (("bots", BOTS), ("seats", SEATS), ("encounters", ENCOUNTERS), ("deals", DEALS)):
        parser.add_argument(f"--{name}", type=int, nargs="+", default=values)
    parser.add_argument("--deal", choices=("fresh", "same"), default="fresh")
    parser.add_argument("--intervals", type=int, default=INTERVALS)
    told = parser.parse_args()
    cells: list[Cell] = []
    rows = []
    for bots, seats, encounters, deals in product(told.bots, told.seats, told.encounters, told.deals):
        if seats > bots:
            continue
        both = [
            Field(bots, seats, encounters, deals, told.deal == "fresh", spread) for spread in (False, True)
        ]
        found = [measured(field, told.intervals) for field in both]
        cells += found
        rows.append([bots, seats, encounters, deals, *found[0].told, *found[1].told])
        print(end=".", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        tabulate(
            rows, HEADERS, disable_numparse=True, colalign=["right"] * 8 + ["left"] + ["right"] * 4 + ["left"]
        )
    )
    print("\n".join(counted(cells)))
    return int(any(set(cell.marks) & set("<0") for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
