"""Orders given blocks so that all bots have played about equally often after each round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.schedule.designs.blocks import Block, Round, Stream, in_rounds, shuffle
from harness.schedule.designs.tally import Tally

BOT_GAP = 2
PAIR_GAP = 3
TRIES = 12
SWAPS = 600


def best_order(n: int, blocks: Sequence[Block], before: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """Puts the blocks into rounds. Makes TRIES attempts, and takes the best order.

    After each round the numbers of encounters of any two bots should differ by at most BOT_GAP. The numbers
    of meetings of any two pairs should differ by at most PAIR_GAP. The best order is the order that exceeds
    these limits least. Among orders that exceed the limits equally, the order with the fewest rounds is the
    best. If the best order still exceeds a limit, random swaps improve it.
    """
    best: tuple[Round, ...] = ()
    least = None
    for _ in range(TRIES):
        rounds = _attempt(n, blocks, before, draw)
        now = merit(n, rounds, before)
        if least is None or now < least:
            best, least = rounds, now
    return best if least is None or not least[0] else _improve(n, best, before, draw)


def merit(n: int, rounds: Sequence[Round], before: Iterable[Block] = ()) -> tuple[int, int]:
    """Returns the strain of an order, and the number of its rounds. The order with the lower pair of numbers
    is better."""
    return strain(n, rounds, before), len(rounds)


def strain(n: int, rounds: Iterable[Round], before: Iterable[Block]) -> int:
    """Returns the cost of an order. After each round, two differences count: the largest difference between
    the numbers of encounters of two bots, and the largest difference between the numbers of meetings of two
    pairs. A difference above its limit costs the cube of the excess."""
    tally = Tally(n)
    tally.add_all(before)
    excess = 0
    for blocks in rounds:
        tally.add_all(blocks)
        excess += max(0, tally.bot_spread - BOT_GAP) ** 3 + max(0, tally.pair_spread - PAIR_GAP) ** 3
    return excess


def _attempt(n: int, blocks: Sequence[Block], before: Iterable[Block], draw: Stream) -> tuple[Round, ...]:
    """Makes an order block by block: the next block is always the block whose bots have played least and have
    met each other least."""
    tally = Tally(n)
    tally.add_all(before)
    left = list(blocks)
    shuffle(left, draw)
    rounds: list[Round] = []
    while left:
        busy: set[int] = set()
        playing: list[Block] = []
        while free := [block for block in left if busy.isdisjoint(block)]:
            block = min(free, key=lambda block: _weight(tally, block))
            left.remove(block)
            playing.append(block)
            busy.update(block)
            tally.add(block)
        rounds.append(tuple(playing))
    return tuple(rounds)


def _weight(tally: Tally, block: Block) -> int:
    plays, meetings, n = tally.plays, tally.meetings, tally.n
    weight = sum([plays[bot] ** 3 for bot in block]) * 64
    bots = sorted(block)
    for place, first in enumerate(bots):
        row = first * n
        weight += sum([meetings[row + second] ** 2 for second in bots[place + 1 :]])
    return weight


def _improve(n: int, rounds: Iterable[Round], before: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """Swaps random pairs of blocks, and keeps each swap that does not increase the strain."""
    blocks = [block for playing in rounds for block in playing]
    least = strain(n, in_rounds(blocks), before)
    for _ in range(SWAPS):
        if not least:
            break
        one, other = int(draw() * len(blocks)), int(draw() * len(blocks))
        blocks[one], blocks[other] = blocks[other], blocks[one]
        now = strain(n, in_rounds(blocks), before)
        if now > least:
            blocks[one], blocks[other] = blocks[other], blocks[one]
        else:
            least = now
    return in_rounds(blocks)


# -- a quick order for many blocks -----------------------------------------------------------------

QUICK_TRIES, WORK = 60, 20_000
"""At most QUICK_TRIES orders are tried, and these orders together have at most WORK blocks. But at least
three orders are tried."""


def quick_order(n: int, blocks: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """Puts the blocks into rounds that are as full as possible, in the best of several orders.

    `best_order` finds better orders than this function, but its time grows with the square of the number of
    blocks.
    """
    best: tuple[Round, ...] = ()
    least = None
    for _ in range(max(3, min(QUICK_TRIES, WORK // len(blocks)))):
        rounds = _quick_attempt(n, blocks, draw)
        now = merit(n, rounds)
        if least is None or now < least:
            best, least = rounds, now
    return best


def _quick_attempt(n: int, blocks: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """Makes one order. In each round the bots that have played least choose their blocks first. Each bot
    chooses a block whose other bots have played least."""
    plays = [0] * n
    left: list[list[Block]] = [[] for _ in range(n)]
    for block in blocks:
        for bot in block:
            left[bot].append(block)
    rounds: list[Round] = []
    while any(left):
        order = list(range(n))
        shuffle(order, draw)
        order.sort(key=plays.__getitem__)
        busy: set[int] = set()
        playing: list[Block] = []
        for bot in order:
            if bot in busy:
                continue
            free = [block for block in left[bot] if busy.isdisjoint(block)]
            if free:
                block = min(free, key=lambda block: sum([plays[other] ** 3 for other in block]))
                playing.append(block)
                busy.update(block)
                for other in block:
                    left[other].remove(block)
        for bot in busy:
            plays[bot] += 1
        rounds.append(tuple(playing))
    return tuple(rounds)
