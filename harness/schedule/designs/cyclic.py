"""Makes cyclic designs: a few base blocks, each developed modulo n (a generalised difference family).

The n bots stand in a circle. A roll is a base block that moves round the circle n times by `step`, which
gives n blocks. Each bot plays in k of these blocks, and all pairs at the same distance meet equally often. So
the search only has to make all distances occur: about n / 2 distances instead of n * n / 2 pairs.

Measured in units of `step`, the circle has k equal parts. A roll has one bot in each part, in the first half
of the part or one place further. So no bot is ever more than two encounters ahead of another, and a few
consecutive blocks have no bot in common: these blocks make a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import NamedTuple

from harness.schedule.designs.blocks import Block, Round, Stream, cooling
from harness.schedule.designs.seats import evened

RUNS = 4
"""Several short searches find more than one long search."""


class Roll(NamedTuple):
    """A base block, and the step by which it moves round the circle."""

    spots: tuple[int, ...]
    step: int

    def block(self, n: int, turn: int = 0) -> Block:
        return tuple((spot + turn) * self.step % n for spot in self.spots)

    def rounds(self, n: int) -> list[Round]:
        """All n blocks in rounds. A round has as many consecutive blocks as never share a bot."""
        spots = sorted(self.spots)
        size = min(after - spot for spot, after in zip(spots, [*spots[1:], spots[0] + n], strict=True))
        blocks = [self.block(n, turn) for turn in range(n)]
        return [tuple(blocks[start : start + size]) for start in range(0, n, size)]


def rolls(n: int, k: int, times: int, draw: Stream) -> list[Roll]:
    """The fewest rolls found in which each pair meets at least `times` times.

    The meetings of pairs differ by at most 1, or by 2 if the search finds nothing better. Where possible,
    this is also true for the rolls up to each smaller number of times.
    """
    search = _Search(n, k, draw)
    for each in range(1, times + 1):
        search.reach(each)
    return search.fixed


def unrolled(n: int, rolled: Iterable[Roll]) -> tuple[Round, ...]:
    """The rounds of all rolls, one roll after the other.

    The order of seats lets each bot sit directly before each other bot about equally often. For this, only
    the distances from one seat to the next matter.
    """
    rounds: list[Round] = []
    rolled = tuple(rolled)
    blocks = evened((roll.block(n) for roll in rolled), lambda first, second: (second - first) % n)
    for roll, block in zip(rolled, blocks, strict=True):
        spot_of = dict(zip(roll.block(n), roll.spots, strict=True))
        rounds += Roll(tuple(spot_of[bot] for bot in block), roll.step).rounds(n)
    return tuple(rounds)


class Change(NamedTuple):
    """The replacement of a roll, and the distances that it removes and adds."""

    roll: Roll
    gone: list[int]
    come: list[int]


class _Search:
    """Searches for rolls in which all distances occur equally often, by simulated annealing.

    A change moves a bot within its part of the circle, or gives a roll another step.
    """

    def __init__(self, n: int, k: int, draw: Stream) -> None:
        self.n, self.k, self.draw = n, k, draw
        self.places = [[s for s in range(n) if _allowed(n, k, place, s)] for place in range(k)]
        self.steps = [step for step in range(1, n // 2 + 1) if gcd(step, n) == 1]
        self.run = min(400 * n, 40_000 + 80 * n)
        self.inverse = {step: pow(step, -1, n) for step in self.steps}
        self.fixed: list[Roll] = []
        self.open: list[Roll] = []
        self.counts = [0] * n

    def reach(self, times: int) -> None:
        """Adds rolls, as few as the search can, until each distance occurs this often; then fixes them."""
        while len(self.fixed + self.open) * self.k * (self.k - 1) < times * (self.n - 1):
            self._add()
        least = len(self.open)
        while not self._evened(times, 2 + (len(self.open) - least) // (2 + least // 2)):
            for _ in range(1 + len(self.open) // 40):
                self._add()
        self.fixed += self.open
        self.open = []

    def _add(self) -> None:
        spots = tuple(places[int(self.draw() * len(places))] for places in self.places)
        self.open.append(Roll(spots, self._some_step()))
        for distance in self._all_distances(self.open[-1]):
            self.counts[distance] += 1

    def _evened(self, times: int, width: int) -> bool:
        """Changes the open rolls until each distance occurs at least `times` times; False if it fails.

        These numbers must differ by at most 1. If that fails, they may differ by at most `width`.
        """
        total, distances = sum(self.counts), self.n - 1
        rare = total // distances
        middle = (2 * total + distances) // (2 * distances)
        if self._settled(max(times, rare), 1):
            return True
        return any(self._settled(max(times, middle - width // 2), width) for _ in range(RUNS))

    def _settled(self, low: int, width: int) -> bool:
        top = max(self.counts) + 2 * self.k * len(self.open) + 2
        costs = [max(low - count, count - low - width, 0) ** 2 for count in range(top)]
        excess = sum(costs[count] for count in self.counts[1:])
        rare = [distance for distance in range(1, self.n) if self.counts[distance] < low]
        for limit in cooling(self.draw, self.run if self.open else 0):
            if not excess:
                break
            number = int(self.draw() * len(self.open))
            change = self._aimed(self.open[number], rare, low) or self._at_large(self.open[number])
            if change is None:
                continue
            roll, gone, come = change
            worse = self._count(gone, -1, costs) + self._count(come, 1, costs)
            if worse <= limit:
                self.open[number] = roll
                excess += worse
                rare += [distance for distance in gone if self.counts[distance] < low]
            else:
                self._count(come, -1, costs)
                self._count(gone, 1, costs)
        return not excess

    def _count(self, distances: Iterable[int], change: int, costs: Sequence[int]) -> int:
        """Adds `change` to the count of each of these distances; returns the increase of the cost."""
        worse = 0
        counts = self.counts
        for distance in distances:
            count = counts[distance]
            counts[distance] = count + change
            worse += costs[count + change] - costs[count]
        return worse

    # -- one change --------------------------------------------------------------------------------

    def _aimed(self, roll: Roll, rare: list[int], low: int) -> Change | None:
        """A change that puts a rare distance into the roll; None in at least half of the calls."""
        if not rare or self.draw() < 0.5:
            return None
        number = int(self.draw() * len(rare))
        distance = rare[number]
        if self.counts[distance] >= low:
            rare[number] = rare[-1]
            rare.pop()
            return None
        fixed = roll.spots[int(self.draw() * self.k)]
        spot = (fixed + distance * self.inverse[roll.step]) % self.n
        place = spot * self.k // self.n
        if roll.spots[place] == fixed or not _allowed(self.n, self.k, place, spot):
            return None
        return self._moved(roll, place, spot)

    def _at_large(self, roll: Roll) -> Change | None:
        if self.draw() < 0.1:
            new = roll._replace(step=self._some_step())
            return Change(new, self._all_distances(roll), self._all_distances(new))
        place = int(self.draw() * self.k)
        spots = self.places[place]
        return self._moved(roll, place, spots[int(self.draw() * len(spots))])

    def _moved(self, roll: Roll, place: int, spot: int) -> Change | None:
        spots, step = roll
        if spots[place] == spot:
            return None
        others = (*spots[:place], *spots[place + 1 :])
        gone = self._distances(spots[place], others, step)
        come = self._distances(spot, others, step)
        return Change(Roll((*spots[:place], spot, *spots[place + 1 :]), step), gone, come)

    def _some_step(self) -> int:
        return self.steps[int(self.draw() * len(self.steps))]

    def _all_distances(self, roll: Roll) -> list[int]:
        """The distances between any two bots of the roll, in both directions round the circle."""
        spots = roll.spots
        found: list[int] = []
        for place, spot in enumerate(spots):
            found += self._distances(spot, spots[:place], roll.step)
        return found

    def _distances(self, spot: int, others: Sequence[int], step: int) -> list[int]:
        """The distances between this spot and each other spot, in both directions round the circle."""
        n = self.n
        there = [(spot - other) * step % n for other in others]
        return there + [n - distance for distance in there]


def _allowed(n: int, k: int, place: int, spot: int) -> bool:
    """Whether the bot at this place of the roll may stand on this spot, measured in steps.

    The circle has k equal parts, one for each bot. The bot must stand in the first half of its part, or one
    spot further. Then, in each window of consecutive blocks, the encounters of two bots differ by at most 2.
    Proof: let r be the range of the bots' offsets from an even spacing of n / k. In a window of w blocks, a
    bot plays at least (w + 1 - r) k / n - 1 and at most (w - 1 + r) k / n + 1 times. These two numbers differ
    by less than 3 if r < n / 2k + 1.
    """
    off = spot * k - place * n
    return off >= 0 and 2 * off < n + 2 * k and off < n
