"""Provides difference families: base blocks whose translates let each pair of bots meet exactly once.

The bots are the elements of a group, and a translate adds the same element to all bots of a base block. Each
element but zero is the difference of exactly one ordered pair of bots in one of the base blocks. If a base
block is a subgroup, several translates are equal, and count once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.schedule.blocks import Block
from harness.schedule.fields import Field, is_prime, powers
from harness.schedule.triples import triples

MOST_SEATS = 6
"""The search in a field of a prime number of elements takes too long at tables with more seats."""


class DifferenceFamily(NamedTuple):
    """Base blocks of bots, which are numbers modulo n."""

    n: int
    bases: tuple[Block, ...]

    def short(self) -> Block | None:
        """The base block that is a subgroup, if there is one; it has only n / k translates."""
        return next((base for base in self.bases if self._is_short(base)), None)

    def whole(self) -> list[Block]:
        """The base blocks with n translates."""
        return [base for base in self.bases if not self._is_short(base)]

    def blocks(self) -> list[Block]:
        """All translates."""
        found = {
            frozenset((bot + turn) % self.n for bot in base): None
            for base in self.bases
            for turn in range(self.n)
        }
        return [tuple(sorted(block)) for block in found]

    def _is_short(self, base: Block) -> bool:
        return self.n % len(base) == 0 and set(base) == set(range(0, self.n, self.n // len(base)))


TABLE: dict[tuple[int, int], tuple[Block, ...]] = {
    (49, 4): ((0, 1, 45, 17), (0, 2, 11, 36), (0, 3, 10, 30), (0, 6, 41, 18)),
    (52, 4): ((0, 1, 47, 3), (0, 4, 29, 20), (0, 7, 19, 37), (0, 10, 21, 38)),
    (76, 4): ((0, 1, 53, 49), (0, 2, 60, 43), (0, 3, 32, 69), (0, 5, 20, 31), (0, 6, 14, 36), (0, 9, 34, 21)),
    (85, 4): (
        *((0, 1, 80, 11), (0, 2, 32, 14), (0, 3, 27, 31), (0, 7, 47, 70), (0, 8, 41, 50), (0, 13, 64, 39)),
        (0, 17, 37, 66),
    ),
    (88, 4): (
        *((0, 1, 37, 28), (0, 2, 23, 57), (0, 3, 32, 72), (0, 4, 53, 42), (0, 5, 12, 25), (0, 6, 14, 24)),
        (0, 15, 62, 45),
    ),
    (100, 4): (
        *((0, 1, 34, 77), (0, 2, 8, 86), (0, 3, 35, 55), (0, 4, 41, 62), (0, 5, 93, 44), (0, 9, 36, 83)),
        *((0, 10, 70, 81), (0, 13, 28, 82)),
    ),
    (65, 5): ((0, 1, 63, 35, 21), (0, 4, 50, 59, 12), (0, 5, 16, 41, 48)),
    (81, 5): ((0, 1, 16, 37, 69), (0, 2, 11, 50, 73), (0, 3, 54, 7, 59), (0, 6, 20, 46, 63)),
}
"""Base blocks modulo n, found by search. If k divides n, the multiples of n / k are a base block too."""


def family(n: int, k: int) -> DifferenceFamily | None:
    """The difference family of n bots at k seats; None if none is known here."""
    bases: Sequence[Block] | None = TABLE.get((n, k))
    if bases is None and k == 3 and n != 9:
        bases = triples(n)
    if bases is None and 3 < k <= MOST_SEATS and is_prime(n):
        bases = _by_powers(n, k)
    if bases is None:
        return None
    short = [] if n % k else [tuple(range(0, n, n // k))]
    return DifferenceFamily(n, (*bases, *short))


def _by_powers(n: int, k: int) -> list[Block] | None:
    """Base blocks in the field of a prime number of elements; None if n is not 1 modulo k (k - 1).

    The powers of a primitive element fall into k (k - 1) / 2 classes, by the remainder of the exponent. If
    the differences of one block are in different classes, its multiples by one class are the base blocks.
    """
    classes = k * (k - 1) // 2
    if (n - 1) % (2 * classes):
        return None
    multiples = powers(Field(n))
    class_of = {power: exponent % classes for exponent, power in enumerate(multiples)}
    base = _spread([0, 1], {class_of[1]}, k, n, class_of)
    factors = multiples[: (n - 1) // 2 : classes]
    return [tuple(bot * factor % n for bot in base) for factor in factors] if base else None


def _spread(bots: list[int], used: set[int], k: int, n: int, class_of: dict[int, int]) -> list[int]:
    """Adds bots until there are k, so that all differences are in different classes; [] if it cannot."""
    if len(bots) == k:
        return bots
    for bot in range(bots[-1] + 1, n):
        new = {class_of[bot - other] for other in bots}
        if len(new) == len(bots) and used.isdisjoint(new):
            found = _spread([*bots, bot], used | new, k, n, class_of)
            if found:
                return found
    return []
