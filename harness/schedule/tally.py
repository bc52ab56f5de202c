"""Counts the encounters of bots and the meetings of pairs, block by block."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import TypeAlias

from harness.schedule.blocks import Block

Counts: TypeAlias = "array[int] | defaultdict[int, int]"
"""A count for each pair of bots `first` and `second`, at `first * n + second`."""
RARE = 16
"""A dictionary with a place for each pair that meets is smaller than a table of all pairs if only one of so
many pairs meets."""


def no_counts(n: int, pairs: int | None = None) -> Counts:
    """A count of 0 for each pair of n bots; at most this number of pairs will be counted."""
    if pairs is not None and pairs * RARE < n * n:
        return defaultdict(int)
    return array("i", [0]) * (n * n)


class Tally:
    """Encounters of each bot and meetings of each pair so far.

    In a gauntlet only the `listed` bots count, and only their meetings with house bots. `pairs` is the most
    pairs that will meet, if the caller knows it.
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
        """The pairs that have met."""
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
        """Each number of meetings, with the number of pairs that have met so often."""
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
    """How many bots or pairs have each count. They begin at 0, and counts only grow."""

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
        """The lowest and the highest count."""
        # The lowest count only grows, so this search goes on where the last one ended. A search from 0 in
        # each round would make a certificate quadratic in the number of meetings.
        most = len(self.at) - 1
        while self._fewest < most and not self.at[self._fewest]:
            self._fewest += 1
        return self._fewest, most
