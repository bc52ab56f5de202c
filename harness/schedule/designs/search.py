"""Searches for blocks in which all pairs meet almost equally often, by simulated annealing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from harness.schedule.designs.blocks import Block, Round, Stream, fewest, mean_meetings, plays_of, shuffle
from harness.schedule.designs.geometry import is_prime

HOT = 0.8
COLD = 0.1


def cooling(draw: Stream, steps: int, hot: float = HOT) -> Iterator[float]:
    """Yields a limit for each step. The search accepts a change only if it increases the cost by at most this
    limit.

    This is simulated annealing with a rational function instead of the exponential function. In most steps
    the limit is near 0. In a few steps it is near three times the temperature. The temperature falls from
    `hot` to COLD. A pair with one meeting too few or too many has the cost 1.
    """
    for step in range(steps):
        luck = draw()
        luck *= luck
        yield 3 * luck * luck * hot / (1 + (hot / COLD - 1) * step / steps)


def no_meetings(n: int) -> list[list[int]]:
    return [[0] * n for _ in range(n)]


def count_meetings(meetings: list[list[int]], block: Iterable[int]) -> None:
    """Counts one more meeting for each pair in the block."""
    bots = tuple(block)
    for bot in bots:
        row = meetings[bot]
        for other in bots:
            row[other] += 1
        row[bot] -= 1


class Window(NamedTuple):
    """The fewest and the most meetings that a pair may have."""

    low: int
    high: int


def window_around(mean: float, width: int, least: int = 0) -> Window:
    """Returns the window of this width whose middle is nearest to the mean. The window never begins below
    `least`."""
    low = max(least, int(mean + 0.5 * (width % 2 + 1)) - (width + 1) // 2)
    return Window(low, low + width)


class Exchange(NamedTuple):
    """An exchange: the bot `leaving` in block `here` changes places with the bot `coming` in block
    `there`."""

    here: int
    leaving: int
    there: int
    coming: int


class Guard:
    """A guard that forbids an exchange after which some bots would have played much more than other bots at
    some time in the schedule.

    Blocks are played in order. After each block, the numbers of encounters of two bots may differ by at most
    2. If these numbers differ by more before the first exchange, the difference may stay, but it must not
    grow.
    """

    def __init__(self, before: Sequence[int], blocks: Iterable[Block]) -> None:
        """`before` has the number of encounters of each bot before the first block."""
        plays = list(before)
        n = len(plays)
        self.plays_after: list[list[int]] = []
        self.ends: list[tuple[int, int]] = []
        for block in blocks:
            for bot in block:
                plays[bot] += 1
            self.plays_after.append(plays[:])
            low, high = min(plays), max(plays)
            if high - low < 2:
                low = max(0, (2 * sum(plays) + n) // (2 * n) - 1)
                high = low + 2
            self.ends.append((low, high))

    def passes(self, exchange: Exchange) -> bool:
        """Returns whether the exchange is allowed. If the exchange is allowed, the function also updates the
        counts."""
        here, later, there, sooner = exchange
        if here > there:
            here, later, there, sooner = there, sooner, here, later
        between = range(here, there)
        for number in between:
            low, high = self.ends[number]
            plays = self.plays_after[number]
            if plays[later] <= low or plays[sooner] >= high:
                return False
        for number in between:
            plays = self.plays_after[number]
            plays[later] -= 1
            plays[sooner] += 1
        return True


class Search:
    """A search that exchanges bots between blocks until the number of meetings of each pair is in a window.

    Bots change places only within a group of blocks. If all blocks are one group, a bot can move to any
    block. If each round is a group, each bot still plays at most once in a round. `meetings` is a table with
    the number of meetings of each pair of bots. At first the table has only the meetings in blocks that do
    not change. The search adds the meetings in its own blocks to this table, and keeps the table up to date.
    An exchange never changes the number of encounters of a bot. A `guard` also keeps these numbers about
    equal after each block.
    """

    def __init__(
        self, meetings: list[list[int]], groups: Sequence[Sequence[Block]], guard: Guard | None = None
    ) -> None:
        self.guard = guard
        self.blocks = [list(block) for group in groups for block in group]
        self.group_of = [number for number, group in enumerate(groups) for _ in group]
        self.first_of = [self.group_of.index(number) if group else 0 for number, group in enumerate(groups)]
        self.sizes = [len(group) for group in groups]
        self.meetings = meetings
        self.places: list[list[int]] = [[] for _ in meetings]
        for number, block in enumerate(self.blocks):
            count_meetings(meetings, block)
            for bot in block:
                self.places[bot].append(number)

    def settle(self, window: Window, steps: int, draw: Stream, hot: float = HOT) -> int:
        """Searches for at most this number of steps. Returns the excess: the sum of the costs of all pairs.
        The excess is 0 if all pairs are in the window.

        Half of the exchanges are random. The other half take a pair that has met too rarely or too often.
        Such an exchange brings the two bots together if they met too rarely, or separates them if they met
        too often.
        """
        self._set_costs(window)
        for limit in cooling(draw, steps, hot):
            if not self.excess or not self.blocks:
                break
            exchange = self._exchange_for_pair(draw) if draw() < 0.5 else self._random_exchange(draw)
            if exchange is not None:
                worse = self._worse(exchange)
                if worse <= limit and (self.guard is None or self.guard.passes(exchange)):
                    self._make(exchange)
                    self.excess += worse
        return self.excess

    def found(self) -> list[Block]:
        """Returns the blocks as they are now, in order."""
        return [tuple(block) for block in self.blocks]

    def _set_costs(self, window: Window) -> None:
        low, high = window
        self.low = low
        top = max(map(max, self.meetings)) + len(self.blocks) + 2
        self.costs = [max(low - count, count - high, 0) ** 2 for count in range(top)]
        self.up = [more - cost for cost, more in zip(self.costs, self.costs[1:], strict=False)]
        self.down = [0, *(-step for step in self.up)]
        costs = self.costs
        self.astray = [
            (one, other)
            for one, row in enumerate(self.meetings)
            for other, count in enumerate(row[:one])
            if costs[count]
        ]
        self.excess = sum(costs[self.meetings[one][other]] for one, other in self.astray)

    # -- choosing an exchange ----------------------------------------------------------------------

    def _random_exchange(self, draw: Stream) -> Exchange | None:
        here = int(draw() * len(self.blocks))
        block = self.blocks[here]
        return self._exchange_from(here, block[int(draw() * len(block))], draw)

    def _exchange_from(self, here: int, leaving: int, draw: Stream) -> Exchange | None:
        """Returns an exchange of the bot `leaving`, from the block `here`, with a random bot from the same
        group of blocks. Returns None if this exchange is not possible."""
        group = self.group_of[here]
        there = self.first_of[group] + int(draw() * self.sizes[group])
        block = self.blocks[there]
        coming = block[int(draw() * len(block))]
        if leaving in block or coming in self.blocks[here]:
            return None
        return Exchange(here, leaving, there, coming)

    def _exchange_for_pair(self, draw: Stream) -> Exchange | None:
        """Returns an exchange that brings the bots of a pair together if the pair meets too rarely, or
        separates the bots if the pair meets too often."""
        astray = self.astray
        while True:
            number = int(draw() * len(astray))
            one, other = astray[number]
            count = self.meetings[one][other]
            if self.costs[count]:
                break
            astray[number] = astray[-1]
            astray.pop()
        if draw() < 0.5:
            one, other = other, one
        if count >= self.low:
            return self._exchange_apart(one, other, draw)
        return self._exchange_together(one, other, draw)

    def _exchange_apart(self, one: int, other: int, draw: Stream) -> Exchange | None:
        shared = [number for number in self.places[one] if other in self.blocks[number]]
        return self._exchange_from(shared[int(draw() * len(shared))], one, draw) if shared else None

    def _exchange_together(self, one: int, other: int, draw: Stream) -> Exchange | None:
        """Returns an exchange that moves `one` into a block of `other`."""
        if not self.places[other]:
            return None
        there = self.places[other][int(draw() * len(self.places[other]))]
        group, block = self.group_of[there], self.blocks[there]
        froms = [number for number in self.places[one] if self.group_of[number] == group]
        coming = block[int(draw() * len(block))]
        if not froms or coming == other or one in block:
            return None
        here = froms[int(draw() * len(froms))]
        return None if coming in self.blocks[here] else Exchange(here, one, there, coming)

    # -- making an exchange ------------------------------------------------------------------------

    def _worse(self, exchange: Exchange) -> int:
        """Returns the increase of the excess by this exchange. If a third bot is in both blocks, the exchange
        does not change its meetings with the two bots, so this third bot does not count."""
        here, leaving, there, coming = exchange
        block, target = self.blocks[here], self.blocks[there]
        up, down = self.up, self.down
        ours, theirs = self.meetings[leaving], self.meetings[coming]
        worse = 0
        for bot in block:
            if bot != leaving and bot not in target:
                worse += down[ours[bot]] + up[theirs[bot]]
        for bot in target:
            if bot != coming and bot not in block:
                worse += down[theirs[bot]] + up[ours[bot]]
        return worse

    def _make(self, exchange: Exchange) -> None:
        here, leaving, there, coming = exchange
        for number, out, into in ((here, leaving, coming), (there, coming, leaving)):
            block = self.blocks[number]
            place = block.index(out)
            block[place] = into
            self.places[out].remove(number)
            self.places[into].append(number)
            for bot in block:
                if bot != into:
                    self._meet(out, bot, -1)
                    self._meet(into, bot, 1)

    def _meet(self, one: int, other: int, change: int) -> None:
        count = self.meetings[one][other] + change
        self.meetings[one][other] = self.meetings[other][one] = count
        if self.costs[count]:
            self.astray.append((one, other))


# -- the blocks with which a search begins ---------------------------------------------------------


def random_rounds(k: int, tables: int, plays: list[int], draw: Stream) -> Iterator[Round]:
    """Yields rounds with this number of tables, without end. Each round consists of the bots that have
    played least so far.

    Chance chooses between bots that have played equally often, and divides the bots of a round into tables of
    k bots. If at the start the numbers of encounters of any two bots differ by at most one, this is also true
    after every round. The function updates `plays`, the number of encounters of each bot.
    """
    while True:
        playing = _playing(k * tables, plays, draw)
        shuffle(playing, draw)
        yield tuple(tuple(playing[place : place + k]) for place in range(0, k * tables, k))


def rounds_along_lines(k: int, tables: int, plays: list[int], draw: Stream) -> Iterator[Round]:
    """Yields rounds as `random_rounds` does, but if possible, the bots of a table are the bots on one line of
    a finite plane. So few pairs meet twice.

    The bots get random places in k columns of the affine plane over the integers modulo a prime q. Each slope
    gives a round, and the tables of this round are the lines with this slope. In the q rounds of all slopes,
    two bots in different columns share exactly one line, and two bots in the same column share no line. After
    these q rounds all bots get new places. The shortest lines are not used as tables. The bots of these
    shortest lines, and the bots without a place in the plane, get the seats that are still empty at the
    tables.
    """
    n = len(plays)
    q = plane_order(n, k)
    while True:
        places = list(range(n))
        shuffle(places, draw)
        slopes = list(range(q))
        shuffle(slopes, draw)
        for slope in slopes:
            lines: list[list[int]] = [[] for _ in range(q)]
            spare: list[int] = []
            for bot in _playing(k * tables, plays, draw):
                height, column = divmod(places[bot], k)
                (lines[(height - slope * column) % q] if height < q else spare).append(bot)
            lines.sort(key=len)
            spare += [bot for line in lines[:-tables] for bot in line]
            yield tuple((*line, *(spare.pop() for _ in range(k - len(line)))) for line in lines[-tables:])


def plane_order(n: int, k: int) -> int:
    """Returns the smallest prime whose plane is large enough. The plane must have at least k columns. And if
    all n bots play, the number of lines with the same slope must not be smaller than the number of tables."""
    q = max(k, n // k)
    while not is_prime(q):
        q += 1
    return q


def _playing(number: int, plays: list[int], draw: Stream) -> list[int]:
    """Chooses this number of bots, those that have played least, and counts their new encounter in
    `plays`.
    """
    keys = [(played, draw()) for played in plays]
    playing = sorted(range(len(plays)), key=keys.__getitem__)[:number]
    for bot in playing:
        plays[bot] += 1
    return playing


# -- the fewest blocks that a search finds ---------------------------------------------------------

STEPS = 150_000
PROBE = 10_000
HOPELESS = 0.07
"""If the excess after the first PROBE steps of a search is larger than this share of the number of pairs,
further steps will not help."""


def shortest_blocks(n: int, k: int, times: int, before: Sequence[Block], draw: Stream) -> list[Block]:
    """Searches for the fewest blocks after which each pair has met at least `times` times. Returns these
    blocks in order.

    The blocks in `before` have been played, and count too. After all these blocks the numbers of meetings of
    any two pairs differ by at most 2. At the end, a short search tries to reduce this difference to 1. The
    numbers of encounters of any two bots differ by at most 1.
    """
    trial = _Trial(n, k, times, before, draw)
    count = max(fewest(n, k, trial.times) - len(before), blocks_to_level(k, plays_of(n, before)))
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


def further_blocks(n: int, k: int, total: int, before: Sequence[Block], draw: Stream) -> list[Block]:
    """Returns the fewest new blocks that a search finds, in order. The new blocks and the blocks in `before`
    together are at least `total` blocks.

    After these blocks the numbers of meetings of any two pairs differ by at most 2, and the numbers of
    encounters of any two bots differ by at most 1.
    """
    trial = _Trial(n, k, 0, before, draw)
    count = max(total - len(before), blocks_to_level(k, plays_of(n, before)), 0)
    tries = 0
    while (found := trial.of(count, 2 + tries // 16)) is None:
        count, tries = count + 1 + count // 16, tries + 1
    return found


def blocks_to_level(k: int, plays: Iterable[int]) -> int:
    """Returns the fewest blocks after which the encounters of any two bots differ by at most one."""
    level = sorted(plays)
    count = 0
    while level[-1] - level[0] > 1:
        level = sorted([*(number + 1 for number in level[:k]), *level[k:]])
        count += 1
    return count


class _Trial:
    """Searches for a given number of blocks after which each pair has met at least `times` times. Each trial
    shows whether this number of blocks is enough."""

    def __init__(self, n: int, k: int, times: int, before: Sequence[Block], draw: Stream) -> None:
        self.n, self.k, self.before, self.draw = n, k, before, draw
        self.meetings = no_meetings(n)
        for block in before:
            count_meetings(self.meetings, block)
        # A window of width 2 must contain the largest number of meetings that a pair has so far. So the lower
        # end of the window may have to be larger than the wanted `times`.
        self.times = max(times, max(map(max, self.meetings)) - 2)

    def of(self, count: int, width: int) -> list[Block] | None:
        """Returns this number of blocks in which each pair meets often enough, or None if the search finds
        none.

        The numbers of meetings of two pairs differ by at most `width`.
        """
        before, draw = self.before, self.draw
        plays = plays_of(self.n, before)
        guard = plays[:]
        blocks = [block for (block,) in islice(random_rounds(self.k, 1, plays, draw), count)]
        search = Search([row[:] for row in self.meetings], [blocks], Guard(guard, blocks))
        mean = mean_meetings(self.n, self.k, len(before) + count)
        window = window_around(mean, width, self.times)
        if search.settle(window, PROBE, draw) > HOPELESS * self.n * (self.n - 1) / 2:
            return None
        if search.settle(window, STEPS, draw):
            return None
        found = search.found()
        return found if search.settle(window_around(mean, 1, self.times), PROBE, draw) else search.found()
