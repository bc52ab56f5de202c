"""Chooses the cyclic order of seats in each block: each bot sits before each other equally often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations

from harness.schedule.blocks import Block, Round

PASSES = 3
FEW_SEATS = 4
"""Up to this number of seats, `best` tries all cyclic orders (at most 6); above it, swaps of two seats."""


def seated(n: int, rounds: Sequence[Round], before: Iterable[Block] = ()) -> tuple[Round, ...]:
    """Orders the seats in each block so that each bot sits directly before each other about equally often.

    The blocks in `before` count too, but keep their order.
    """
    tables = [block for blocks in rounds for block in blocks]
    placed = iter(evened(tables, lambda first, second: first * n + second, before))
    return tuple(tuple(next(placed) for _ in blocks) for blocks in rounds)


def evened(
    blocks: Iterable[Block], kind: Callable[[int, int], int], before: Iterable[Block] = ()
) -> list[Block]:
    """The blocks in cyclic orders in which all kinds of neighbours occur about equally often.

    `kind` returns the kind of two neighbours: a bot and the next bot.
    """
    seats = _Seats(kind)
    for block in before:
        seats.count(block, 1)
    placed = []
    for block in blocks:
        placed.append(seats.best(block))
        seats.count(placed[-1], 1)
    for _ in range(PASSES - 1):
        for number, block in enumerate(placed):
            seats.count(block, -1)
            placed[number] = seats.best(block)
            seats.count(placed[number], 1)
    return placed


class _Seats:
    """Counts how often each kind of neighbours occurs."""

    def __init__(self, kind: Callable[[int, int], int]) -> None:
        self.kind = kind
        self.counts: defaultdict[int, int] = defaultdict(int)

    def count(self, block: Block, change: int) -> None:
        for kind in map(self.kind, block, (*block[1:], block[0])):
            self.counts[kind] += change

    def cost(self, block: Block) -> int:
        """How often the neighbours in this block have occurred so far, added up."""
        counts = self.counts
        return sum([counts[kind] for kind in map(self.kind, block, (*block[1:], block[0]))])

    def best(self, block: Block) -> Block:
        """The order with the rarest neighbours, or with many seats one that no swap of two seats improves."""
        if len(block) <= FEW_SEATS:
            return min(((block[0], *rest) for rest in permutations(block[1:])), key=self.cost)
        least = self.cost(block)
        improved = True
        while improved:
            improved = False
            for one, other in combinations(range(len(block)), 2):
                seats = list(block)
                seats[one], seats[other] = seats[other], seats[one]
                cost = self.cost(tuple(seats))
                if cost < least:
                    block, least, improved = tuple(seats), cost, True
        return block
