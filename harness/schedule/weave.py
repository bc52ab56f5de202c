"""Orders the blocks of a large design quickly: at any time all bots have played about equally often."""

from __future__ import annotations

from collections.abc import Sequence

from harness.schedule.blocks import Block, Round
from harness.schedule.luck import Stream, mix
from harness.schedule.order import strain

TRIES, WORK = 60, 20_000
"""The most orders that are tried, and the most blocks in all of them together; at least three are tried."""


def woven(n: int, blocks: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """Puts the blocks into rounds that are as full as possible; the best of several orders.

    `order.ordered` finds better orders, but needs a time that grows with the square of the number of blocks.
    """
    best: tuple[Round, ...] = ()
    least = None
    for _ in range(max(3, min(TRIES, WORK // len(blocks)))):
        rounds = _attempt(n, blocks, draw)
        merit = strain(n, rounds, ()), len(rounds)
        if least is None or merit < least:
            best, least = rounds, merit
    return best


def _attempt(n: int, blocks: Sequence[Block], draw: Stream) -> tuple[Round, ...]:
    """In each round the bots that have played least choose first, and choose opponents that played least."""
    plays = [0] * n
    left: list[list[Block]] = [[] for _ in range(n)]
    for block in blocks:
        for bot in block:
            left[bot].append(block)
    rounds: list[Round] = []
    while any(left):
        order = list(range(n))
        mix(order, draw)
        order.sort(key=plays.__getitem__)
        seated: set[int] = set()
        playing: list[Block] = []
        for bot in order:
            if bot in seated:
                continue
            free = [block for block in left[bot] if seated.isdisjoint(block)]
            if free:
                block = min(free, key=lambda block: sum([plays[other] ** 3 for other in block]))
                playing.append(block)
                seated.update(block)
                for other in block:
                    left[other].remove(block)
        for bot in seated:
            plays[bot] += 1
        rounds.append(tuple(playing))
    return tuple(rounds)
