"""Lists a few balanced designs by base blocks in a small group, which may leave one bot where it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from harness.schedule.blocks import Block


class Small(NamedTuple):
    """Base blocks; `moduli` are the sizes of the cyclic groups of which the group is the product.

    The number of an element has its parts as digits. The number after the last element is the bot that no
    element moves. If several translates of a base block are equal, they count once.
    """

    moduli: tuple[int, ...]
    bases: tuple[Block, ...]

    def blocks(self) -> list[Block]:
        """All translates."""
        found = {
            frozenset(self._moved(bot, step) for bot in base): None
            for base in self.bases
            for step in product(*map(range, self.moduli))
        }
        return [tuple(sorted(block)) for block in found]

    def _moved(self, bot: int, step: Sequence[int]) -> int:
        moved, weight, rest = 0, 1, bot
        for modulus, way in zip(reversed(self.moduli), reversed(step), strict=True):
            rest, digit = divmod(rest, modulus)
            moved += (digit + way) % modulus * weight
            weight *= modulus
        return bot if rest else moved


TABLE = {
    (6, 3): Small((5,), ((5, 0, 1), (0, 1, 3))),
    (7, 4): Small((7,), ((2, 4, 5, 6),)),
    (8, 4): Small((7,), ((7, 0, 1, 3), (2, 4, 5, 6))),
    (9, 6): Small((3, 3), ((3, 4, 5, 6, 7, 8), (1, 2, 4, 5, 7, 8), (1, 2, 3, 5, 6, 7), (1, 2, 3, 4, 6, 8))),
    (25, 4): Small((5, 5), ((0, 1, 15, 7), (0, 2, 18, 22))),
    (28, 4): Small((3, 3, 3), ((27, 0, 1, 2), (0, 3, 15, 11), (0, 4, 18, 14))),
    (45, 5): Small((3, 3, 5), ((0, 1, 2, 3, 4), (0, 5, 34, 12, 24), (0, 6, 15, 26, 33))),
}
"""Designs by the number of bots and seats."""
