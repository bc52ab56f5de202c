"""Chooses the cyclic order of seats in each block. Over all blocks, each bot then sits directly before each
other bot about equally often."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations

from harness.schedule.designs.blocks import Block, Round
from harness.schedule.designs.geometry import Field, has_field

PASSES = 3
FEW_SEATS = 4
"""Up to this number of seats, `best` tries all cyclic orders (at most 6). With more seats, it tries swaps of
two seats."""


def even_seats(n: int, rounds: Sequence[Round], before: Iterable[Block] = ()) -> tuple[Round, ...]:
    """Orders the seats in each block so that each bot sits directly before each other bot about equally
    often.

    The blocks in `before` count too, but keep their order.
    """
    tables = [block for blocks in rounds for block in blocks]
    seats = iter(even_orders(tables, lambda first, second: first * n + second, before))
    return tuple(tuple(next(seats) for _ in blocks) for blocks in rounds)


def even_orders(
    blocks: Iterable[Block], kind: Callable[[int, int], int], before: Iterable[Block] = ()
) -> list[Block]:
    """Returns the blocks in cyclic orders in which all kinds of neighbours occur about equally often.

    `kind` returns the kind of two neighbours, a bot and the next bot.
    """
    seats = _Seats(kind)
    for block in before:
        seats.count(block, 1)
    orders = []
    for block in blocks:
        orders.append(seats.best(block))
        seats.count(orders[-1], 1)
    for _ in range(PASSES - 1):
        for number, block in enumerate(orders):
            seats.count(block, -1)
            orders[number] = seats.best(block)
            seats.count(orders[number], 1)
    return orders


class _Seats:
    """The number of times that each kind of neighbours occurs in the blocks that were counted."""

    def __init__(self, kind: Callable[[int, int], int]) -> None:
        self.kind = kind
        self.counts: defaultdict[int, int] = defaultdict(int)

    def count(self, block: Block, change: int) -> None:
        for kind in map(self.kind, block, (*block[1:], block[0])):
            self.counts[kind] += change

    def cost(self, block: Block) -> int:
        """For each two neighbours in this block, counts how often their kind has occurred so far. Returns the
        sum of these counts."""
        counts = self.counts
        return sum([counts[kind] for kind in map(self.kind, block, (*block[1:], block[0]))])

    def best(self, block: Block) -> Block:
        """Returns the order whose kinds of neighbours have occurred least often so far. With many seats, it
        returns an order that no swap of two seats improves."""
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


# -- perfect orders --------------------------------------------------------------------------------
#
# In a perfect order each bot sits directly before each other bot equally often.

IMPOSSIBLE = {(4, 4, 3), (6, 6, 5), (6, 3, 10)}
"""The numbers of bots, seats and encounters for which no perfect order exists, although these numbers would
allow equal counts of neighbours. A test shows this by trying all orders."""

CYCLES = {
    8: "01762345 02461537 03254716 04127563 05213674 06573142 07264351",
    10: "0136754892 0291473568 0316274985 0421537869 0597612384 0639452817 0725834196 0879324651 0957182643",
}
"""Cyclic orders of the bots of a table, by the number of its seats. In all orders for one number of seats
together, each bot sits directly before each other bot exactly once."""

REST = {
    6: "01234 02145 03541 04253 05132 15243",
    10: "136754892 093274568 016378495 024657981 082976153 034172869 059423187 062583914 071964352 047385126",
}
"""Blocks, by the number of bots. In each block, all bots except one have a seat. In all blocks for one number
of bots together, each bot sits directly before each other bot exactly once."""

SIXTEEN = (
    *((0, 2, 14, 1), (0, 8, 2, 15), (0, 3, 7, 8), (0, 1, 12, 11), (0, 7, 6, 10), (0, 14, 8, 5)),
    *((0, 13, 9, 7), (0, 10, 13, 14), (0, 5, 15, 12), (0, 6, 11, 9), (5, 11, 6, 13), (5, 13, 10, 15)),
)
"""Base blocks for 16 bots at four seats. Three groups of five bots rotate, and the last bot stays."""


def perfect_orders(k: int) -> list[Block]:
    """Returns k - 1 cyclic orders of k bots. In all these orders together, each bot sits directly before each
    other bot once. Returns [] if no such orders are known.

    If k is odd, one bot is always last, and the other bots zigzag over a circle of k - 1 places. The step on
    the circle from a bot to the next bot in the order is different for each bot.
    """
    if k in CYCLES:
        return [tuple(map(int, order)) for order in CYCLES[k].split()]
    if k % 2 == 0:
        return []
    size = k - 1
    ways = [(step + 1) // 2 if step % 2 else -step // 2 for step in range(size)]
    return [(*((turn + way) % size for way in ways), size) for turn in range(size)]


def turned_blocks(blocks: Sequence[Block], times: int) -> list[list[Block]] | None:
    """Returns `times` copies of the list of blocks. In each copy the bots of a block sit in another cyclic
    order, so that other bots are neighbours. After k - 1 copies, the same orders come again. Returns None if
    `perfect_orders` knows no orders.

    Suppose that two bots are together in only one block. After k - 1 repetitions, or a multiple of this
    number, each of the two has sat directly before the other equally often. After any other number of
    repetitions, the two counts differ by at most 1.
    """
    orders = perfect_orders(len(blocks[0]))
    if not orders:
        return None
    return [
        [tuple(block[place] for place in orders[turn % len(orders)]) for block in blocks]
        for turn in range(times)
    ]


def is_mendelsohn(n: int, k: int) -> bool:
    """Returns whether `mendelsohn` has a design of n bots at k seats."""
    return (n, k) == (16, 4) or (n in REST and k == n - 1) or (k < n and (n - 1) % k == 0 and has_field(n))


def mendelsohn(n: int, k: int) -> list[Block]:
    """Returns blocks. In all these blocks together, each bot sits directly before every other bot exactly
    once, and each pair meets k - 1 times.

    In the field of n elements, the powers of an element of order k are a block in cyclic order. For each
    coset of these powers, a multiple of this block is a base block. The differences of neighbours in all base
    blocks are all elements except zero.
    """
    if n in REST:
        return [tuple(map(int, block)) for block in REST[n].split()]
    if (n, k) == (16, 4):
        return [tuple(_rotated(bot, turn) for bot in base) for base in SIXTEEN for turn in range(5)]
    field = Field(n)
    elements = field.powers()
    step = (n - 1) // k
    bases = [elements[start::step] for start in range(step)]
    return [tuple(field.sum(bot, by) for bot in base) for base in bases for by in range(n)]


def _rotated(bot: int, turn: int) -> int:
    return bot if bot == 15 else bot // 5 * 5 + (bot + turn) % 5
