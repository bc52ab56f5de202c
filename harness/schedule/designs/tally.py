"""Counts the encounters of bots and the meetings of pairs, block by block."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from harness.schedule.designs.blocks import Block

Counts: TypeAlias = "array[int] | defaultdict[int, int]"
"""A count for each pair of bots `first` and `second`, at the place `first * n + second`."""
RARE = 16
"""If less than 1/RARE of all pairs meet, a dictionary of the pairs that meet is smaller than a table of all
pairs."""


def no_counts(n: int, pairs: int | None = None) -> Counts:
    """Returns a count of 0 for each pair of n bots. At most `pairs` of these counts will ever be above 0."""
    if pairs is not None and pairs * RARE < n * n:
        return defaultdict(int)
    return array("i", [0]) * (n * n)


class Tally:
    """The encounters of each bot and the meetings of each pair so far.

    In a gauntlet only the `listed` bots count, and only their meetings with house bots. `pairs` is the
    largest number of pairs that will meet, if the caller knows this number.
    """

    def __init__(self, n: int, listed: Collection[int] | None = None, pairs: int | None = None) -> None:
        self.n = n
        self.plays = [0] * n
        self.meetings = no_counts(n, pairs)
        self.ours = [listed is None or bot in listed for bot in range(n)]
        self.all = listed is None
        ours = sum(self.ours)
        self._bots_at = _Levels(ours)
        self._pairs_at = _Levels(n * (n - 1) // 2 if self.all else ours * (n - ours))

    def add(self, block: Block) -> None:
        """Counts a block that was played."""
        bots = sorted(block)
        for bot in bots:
            if self.ours[bot]:
                self._bots_at.move(self.plays[bot])
            self.plays[bot] += 1
        meetings, move = self.meetings, self._pairs_at.move
        for place, first in enumerate(bots):
            row = first * self.n
            for second in bots[place + 1 :]:
                if self.all or self.ours[first] != self.ours[second]:
                    move(meetings[row + second])
                meetings[row + second] += 1

    def add_all(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self.add(block)

    def met(self) -> Iterator[tuple[int, int]]:
        """Returns the pairs that have met."""
        counts = self.meetings
        at = enumerate(counts) if isinstance(counts, array) else counts.items()
        return (divmod(place, self.n) for place, count in at if count)

    @property
    def per_bot(self) -> tuple[int, int]:
        """The fewest and the most encounters of a bot."""
        return self._bots_at.ends()

    @property
    def per_pair(self) -> tuple[int, int]:
        """The fewest and the most meetings of a pair."""
        return self._pairs_at.ends()

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Pairs of two numbers: a number of meetings, and the number of pairs of bots that have met exactly
        this often."""
        return tuple((count, number) for count, number in enumerate(self._pairs_at.at) if number)

    @property
    def bot_spread(self) -> int:
        fewest, most = self.per_bot
        return most - fewest

    @property
    def pair_spread(self) -> int:
        fewest, most = self.per_pair
        return most - fewest


class _Levels:
    """For each count, the number of bots (or of pairs) that have this count. All counts begin at 0 and only
    grow."""

    def __init__(self, number: int) -> None:
        self.at = [number]
        self._fewest = 0

    def move(self, count: int) -> None:
        """Moves one bot or pair from this count to the next."""
        at = self.at
        at[count] -= 1
        if count + 1 == len(at):
            at.append(0)
        at[count + 1] += 1

    def ends(self) -> tuple[int, int]:
        """Returns the lowest and the highest count."""
        # The lowest count never becomes smaller, so this search begins where the last search ended. If each
        # search began at 0, the time to make a certificate would grow with the square of the number of
        # meetings.
        most = len(self.at) - 1
        while self._fewest < most and not self.at[self._fewest]:
            self._fewest += 1
        return self._fewest, most


# -- links -----------------------------------------------------------------------------------------
#
# Links say how closely encounters connect the bots of a schedule. Links matter because bots that never meet
# are compared by their common opponents, for example.

MOST_PAIRS = 2_000_000
"""If more pairs than this meet, `Links.diameter` is not computed, because the computation would take
seconds."""
MOST_BOTS = 1_000
"""With more bots than this, common opponents are not counted."""


class Links(NamedTuple):
    """The links between bots. `connected` says whether encounters connect all bots.

    A step leads from a bot to a bot that it meets. `diameter` is the largest number of steps that two bots
    are apart. `common` is the smallest number of opponents that two bots have in common. A value is None if
    it was not counted.
    """

    connected: bool
    diameter: int | None = None
    common: int | None = None


def links(n: int, pairs: Collection[tuple[int, int]], compared: Iterable[int]) -> Links:
    """Returns the links between n bots if these pairs meet. Common opponents are counted for the bots in
    `compared`."""
    met = [0] * n
    for one, other in pairs:
        met[one] |= 1 << other
        met[other] |= 1 << one
    compared = tuple(compared)
    common = None
    if len(compared) <= MOST_BOTS:
        common = min(
            ((met[one] & met[other]).bit_count() for one, other in combinations(compared, 2)), default=None
        )
    if not _connected(met):
        return Links(False, None, common)
    return Links(True, _diameter(met) if len(pairs) <= MOST_PAIRS else None, common)


def _connected(met: Sequence[int]) -> bool:
    """Returns whether steps lead from the first bot to all other bots. `met` has one number for each bot. In
    the binary form of this number, the bits that are 1 stand for the bots that this bot meets."""
    reached = fresh = 1
    while fresh:
        found = 0
        for bot in _bits(fresh):
            found |= met[bot]
        fresh = found & ~reached
        reached |= found
    return reached == (1 << len(met)) - 1


def _diameter(met: Sequence[int]) -> int:
    """Returns the largest number of steps that two bots are apart, if all bots are connected."""
    everybody = (1 << len(met)) - 1
    near = [others | 1 << bot for bot, others in enumerate(met)]
    steps = 1
    while any(reached != everybody for reached in near):
        steps += 1
        near = [_stepped(reached, others, near, everybody) for reached, others in zip(near, met, strict=True)]
    return steps


def _stepped(reached: int, others: int, near: Sequence[int], everybody: int) -> int:
    """Returns the bots that one bot reaches with one step more. `reached` has the bots that this bot reaches
    so far, and `others` has its opponents. For every bot, `near` has the bots that it reaches so far."""
    if reached == everybody:
        return reached
    for other in _bits(others):
        reached |= near[other]
    return reached


def _bits(number: int) -> Iterable[int]:
    """Yields the places of those bits of a number that are 1. The lowest bit has the place 0."""
    text = bin(number)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield place
        place = text.find("1", place + 1)
