"""Finds by trial how few blocks suffice; in their order, all bots always have played about equally often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from harness.schedule.blocks import Block, fewest, mean_meetings
from harness.schedule.dealt import dealt, levelling, plays_of
from harness.schedule.luck import Stream
from harness.schedule.search import Guard, Search, around, meet, no_meetings

STEPS = 150_000
PROBE = 10_000
HOPELESS = 0.07
"""If PROBE steps leave more than this share of the pairs outside the window, more steps find nothing."""


def shortest(n: int, k: int, times: int, before: Sequence[Block], draw: Stream) -> list[Block]:
    """The fewest blocks found, in order, after which each pair has met at least `times` times.

    The blocks in `before` are already played, and count too. The meetings of pairs differ by at most 2, or by
    1 if the search can do it; the encounters of bots differ by at most 1.
    """
    trial = _Trial(n, k, times, before, draw)
    count = max(fewest(n, k, trial.times) - len(before), levelling(k, plays_of(n, before)))
    failed, tries = count - 1, 0
    while (found := trial.of(count, 2 + tries // 16)) is None:
        failed, count, tries = count, count + 1 + count // 16, tries + 1
    while count - failed > 1 + count // 32:
        middle = (failed + count) // 2
        fewer = trial.of(middle, 2)
        if fewer is None:
            failed = middle
        else:
            count, found = middle, fewer
    return found


def completing(n: int, k: int, total: int, before: Sequence[Block], draw: Stream) -> list[Block]:
    """The fewest blocks found, in order, that are at least `total` blocks together with `before`.

    Afterwards the meetings of pairs differ by at most 2, and the encounters of bots by at most 1.
    """
    trial = _Trial(n, k, 0, before, draw)
    count = max(total - len(before), levelling(k, plays_of(n, before)), 0)
    tries = 0
    while (found := trial.of(count, 2 + tries // 16)) is None:
        count, tries = count + 1 + count // 16, tries + 1
    return found


class _Trial:
    """Tries whether a number of blocks suffices."""

    def __init__(self, n: int, k: int, times: int, before: Sequence[Block], draw: Stream) -> None:
        self.n, self.k, self.before, self.draw = n, k, before, draw
        self.meetings = no_meetings(n)
        for block in before:
            meet(self.meetings, block)
        # A window of width 2 must contain the pair that has met most, so it may begin above `times`.
        self.times = max(times, max(map(max, self.meetings)) - 2)

    def of(self, count: int, width: int) -> list[Block] | None:
        """This number of blocks, in which each pair meets often enough; None if the search finds none.

        The meetings of pairs differ by at most `width`.
        """
        before, draw = self.before, self.draw
        plays = plays_of(self.n, before)
        guard = plays[:]
        blocks = [block for (block,) in islice(dealt(self.k, 1, plays, draw), count)]
        search = Search([row[:] for row in self.meetings], [blocks], Guard(guard, blocks))
        mean = mean_meetings(self.n, self.k, len(before) + count)
        window = around(mean, width, self.times)
        if search.settle(window, PROBE, draw) > HOPELESS * self.n * (self.n - 1) / 2:
            return None
        if search.settle(window, STEPS, draw):
            return None
        found = search.found()
        return found if search.settle(around(mean, 1, self.times), PROBE, draw) else search.found()
