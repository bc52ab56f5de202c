"""Makes cyclic designs: a few base blocks move round a circle of n bots (a generalised difference family).

The n bots stand in a circle. A base block moves round the circle n times, by `step` places each time. The n
blocks that a base block makes in this way are its orbit. Each bot plays in k of these blocks, and all pairs
at the same distance meet equally often. So the search only looks for orbits in which all distances occur. To
search for distances is easier than to search for pairs, because there are about n * n / 2 pairs, but only
about n / 2 distances.

The circle, measured in units of `step`, has k equal parts. A base block has one bot in each part. This bot is
in the first half of its part, or one place after this half. So at each time, the numbers of encounters of two
bots differ by at most two. A few consecutive blocks have no bot in common, and these blocks make a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import NamedTuple

from harness.schedule.designs.blocks import Block, Round, Stream
from harness.schedule.designs.search import cooling
from harness.schedule.designs.seats import even_orders

RUNS = 4
"""The number of short searches. Several short searches succeed more often than a single long search."""


class Orbit(NamedTuple):
    """A base block, and the step by which it moves round the circle. `spots` are the places of its bots on
    the circle, measured in steps."""

    spots: tuple[int, ...]
    step: int

    def block(self, n: int, turn: int = 0) -> Block:
        return tuple((spot + turn) * self.step % n for spot in self.spots)

    def rounds(self, n: int) -> list[Round]:
        """Returns all n blocks in rounds. A round has as many consecutive blocks as possible, but no bot is
        in two blocks of a round."""
        spots = sorted(self.spots)
        size = min(after - spot for spot, after in zip(spots, [*spots[1:], spots[0] + n], strict=True))
        blocks = [self.block(n, turn) for turn in range(n)]
        return [tuple(blocks[start : start + size]) for start in range(0, n, size)]


def cyclic_design(n: int, k: int, times: int, draw: Stream) -> list[Orbit]:
    """Searches for orbits in which each pair meets at least `times` times. Returns as few orbits as the
    search can find.

    The numbers of meetings of two pairs differ by at most 1. If the search finds nothing better, they
    differ by 2 or a little more. If possible, these differences are not larger in the middle of the schedule,
    when only the first orbits have been played.
    """
    search = _Search(n, k, draw)
    for each in range(1, times + 1):
        search.reach(each)
    return search.fixed


def cyclic_rounds(n: int, orbits: Iterable[Orbit]) -> tuple[Round, ...]:
    """Returns the rounds of all orbits, one orbit after the other.

    The bots of each block get an order of seats. In all blocks together, each bot sits directly before every
    other bot about equally often. Each block moves round the circle of all bots. So to choose the order, it
    is enough to count the differences between the numbers of the bots in neighbouring seats.
    """
    rounds: list[Round] = []
    orbits = tuple(orbits)
    blocks = even_orders((orbit.block(n) for orbit in orbits), lambda first, second: (second - first) % n)
    for orbit, block in zip(orbits, blocks, strict=True):
        spot_of = dict(zip(orbit.block(n), orbit.spots, strict=True))
        rounds += Orbit(tuple(spot_of[bot] for bot in block), orbit.step).rounds(n)
    return tuple(rounds)


def family_rounds(n: int, bases: Sequence[Block]) -> tuple[Round, ...]:
    """Puts the blocks of a difference family modulo n into rounds, base block by base block, without a
    search.

    Each base block moves by a fixed step. With this step, the bots of the block are spread as evenly as
    possible round the circle. So blocks that follow each other share no bot, and at each time all bots have
    played about equally often.
    """
    units = [unit for unit in range(1, n // 2 + 1) if gcd(unit, n) == 1]
    rounds = [
        tuple(tuple((bot + turn) % n for bot in base) for turn in range(n // len(base)))
        for base in bases
        if _is_subgroup(n, base)
    ]
    for base in bases:
        if _is_subgroup(n, base):
            continue
        step, spots = min(
            ((unit, _spots(n, base, unit)) for unit in units), key=lambda each: _unevenness(n, each[1])
        )
        rounds += Orbit(spots, step).rounds(n)
    return tuple(rounds)


def _is_subgroup(n: int, base: Block) -> bool:
    """Returns whether the base block is a subgroup, which has only n / k different translates."""
    return n % len(base) == 0 and set(base) == set(range(0, n, n // len(base)))


def _spots(n: int, base: Block, step: int) -> tuple[int, ...]:
    """Returns the places of the bots on the circle, measured in steps."""
    inverse = pow(step, -1, n)
    return tuple(sorted(bot * inverse % n for bot in base))


def _unevenness(n: int, spots: tuple[int, ...]) -> int:
    """Returns how unevenly these places are spread: the range of their distances from evenly spaced
    places."""
    off = [spot * len(spots) - place * n for place, spot in enumerate(spots)]
    return max(off) - min(off)


# -- the search ------------------------------------------------------------------------------------


class Change(NamedTuple):
    """The replacement of an orbit, and the distances that it removes and adds."""

    orbit: Orbit
    gone: list[int]
    come: list[int]


class _Search:
    """A search for orbits in which all distances occur equally often, by simulated annealing.

    A change moves a bot within its part of the circle, or gives another step to an orbit.
    """

    def __init__(self, n: int, k: int, draw: Stream) -> None:
        self.n, self.k, self.draw = n, k, draw
        self.places = [[s for s in range(n) if _allowed(n, k, place, s)] for place in range(k)]
        self.steps = [step for step in range(1, n // 2 + 1) if gcd(step, n) == 1]
        self.run = min(400 * n, 40_000 + 80 * n)
        self.inverse = {step: pow(step, -1, n) for step in self.steps}
        self.fixed: list[Orbit] = []
        self.open: list[Orbit] = []
        self.counts = [0] * n

    def reach(self, times: int) -> None:
        """Adds open orbits until each distance occurs at least `times` times, but as few orbits as possible.
        Then makes these orbits fixed, so that no later search changes them."""
        while len(self.fixed + self.open) * self.k * (self.k - 1) < times * (self.n - 1):
            self._add()
        least = len(self.open)
        while not self._level(times, 2 + (len(self.open) - least) // (2 + least // 2)):
            for _ in range(1 + len(self.open) // 40):
                self._add()
        self.fixed += self.open
        self.open = []

    def _add(self) -> None:
        spots = tuple(places[int(self.draw() * len(places))] for places in self.places)
        self.open.append(Orbit(spots, self._some_step()))
        for distance in self._all_distances(self.open[-1]):
            self.counts[distance] += 1

    def _level(self, times: int, width: int) -> bool:
        """Changes the open orbits (those that are not fixed yet) until each distance occurs at least `times`
        times. Returns False if the search fails.

        In a first search, the counts of any two distances must differ by at most 1. If this search fails, the
        counts may differ by at most `width`.
        """
        total, distances = sum(self.counts), self.n - 1
        rare = total // distances
        middle = (2 * total + distances) // (2 * distances)
        if self._settle(max(times, rare), 1):
            return True
        return any(self._settle(max(times, middle - width // 2), width) for _ in range(RUNS))

    def _settle(self, low: int, width: int) -> bool:
        """Changes the open orbits (those that are not fixed yet) until each distance occurs `low` to
        `low + width` times. Returns False if the search fails."""
        top = max(self.counts) + 2 * self.k * len(self.open) + 2
        costs = [max(low - count, count - low - width, 0) ** 2 for count in range(top)]
        excess = sum(costs[count] for count in self.counts[1:])
        rare = [distance for distance in range(1, self.n) if self.counts[distance] < low]
        for limit in cooling(self.draw, self.run if self.open else 0):
            if not excess:
                break
            number = int(self.draw() * len(self.open))
            orbit = self.open[number]
            change = self._change_for_rare(orbit, rare, low) or self._random_change(orbit)
            if change is None:
                continue
            orbit, gone, come = change
            worse = self._count(gone, -1, costs) + self._count(come, 1, costs)
            if worse <= limit:
                self.open[number] = orbit
                excess += worse
                rare += [distance for distance in gone if self.counts[distance] < low]
            else:
                self._count(come, -1, costs)
                self._count(gone, 1, costs)
        return not excess

    def _count(self, distances: Iterable[int], change: int, costs: Sequence[int]) -> int:
        """Adds `change` to the count of each of these distances. Returns the increase of the cost."""
        worse = 0
        counts = self.counts
        for distance in distances:
            count = counts[distance]
            counts[distance] = count + change
            worse += costs[count + change] - costs[count]
        return worse

    # -- one change --------------------------------------------------------------------------------

    def _change_for_rare(self, orbit: Orbit, rare: list[int], low: int) -> Change | None:
        """Returns a change that puts a rare distance into the orbit. A distance is rare if it occurs fewer
        than `low` times. In at least half of the calls, returns None."""
        if not rare or self.draw() < 0.5:
            return None
        number = int(self.draw() * len(rare))
        distance = rare[number]
        if self.counts[distance] >= low:
            rare[number] = rare[-1]
            rare.pop()
            return None
        fixed = orbit.spots[int(self.draw() * self.k)]
        spot = (fixed + distance * self.inverse[orbit.step]) % self.n
        place = spot * self.k // self.n
        if orbit.spots[place] == fixed or not _allowed(self.n, self.k, place, spot):
            return None
        return self._move(orbit, place, spot)

    def _random_change(self, orbit: Orbit) -> Change | None:
        if self.draw() < 0.1:
            new = orbit._replace(step=self._some_step())
            return Change(new, self._all_distances(orbit), self._all_distances(new))
        place = int(self.draw() * self.k)
        spots = self.places[place]
        return self._move(orbit, place, spots[int(self.draw() * len(spots))])

    def _move(self, orbit: Orbit, place: int, spot: int) -> Change | None:
        """Returns the change that moves the bot at this place to this spot, or None if the bot is there
        already."""
        spots, step = orbit
        if spots[place] == spot:
            return None
        others = (*spots[:place], *spots[place + 1 :])
        gone = self._distances(spots[place], others, step)
        come = self._distances(spot, others, step)
        return Change(Orbit((*spots[:place], spot, *spots[place + 1 :]), step), gone, come)

    def _some_step(self) -> int:
        return self.steps[int(self.draw() * len(self.steps))]

    def _all_distances(self, orbit: Orbit) -> list[int]:
        """Returns the distances between any two bots of the base block, in both directions round the
        circle."""
        spots = orbit.spots
        found: list[int] = []
        for place, spot in enumerate(spots):
            found += self._distances(spot, spots[:place], orbit.step)
        return found

    def _distances(self, spot: int, others: Sequence[int], step: int) -> list[int]:
        """Returns the distances between this spot and each other spot, in both directions round the
        circle."""
        n = self.n
        there = [(spot - other) * step % n for other in others]
        return there + [n - distance for distance in there]


def _allowed(n: int, k: int, place: int, spot: int) -> bool:
    """Returns whether the bot at this place of a base block may stand on this spot, measured in steps.

    The circle has k equal parts, one for each bot. The bot must stand in the first half of its part or on the
    next spot. Then, in each window of consecutive blocks, the numbers of encounters of any two bots differ by
    at most 2. Proof: let r be the range of the bots' offsets from an even spacing of n / k. In a window of w
    blocks, a bot plays at least (w + 1 - r) k / n - 1 and at most (w - 1 + r) k / n + 1 times. These two
    numbers differ by less than 3 if r < n / (2 k) + 1.
    """
    off = spot * k - place * n
    return off >= 0 and 2 * off < n + 2 * k and off < n
