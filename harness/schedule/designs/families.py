"""Provides balanced designs. The blocks of such a design are the translates of a few base blocks.

The bots are the elements of a group. In a translate of a base block, the same element is added to all bots of
the block. Base blocks are a difference family if each element except zero is the difference of exactly one
ordered pair of bots inside a base block. In the translates of a difference family, each pair of bots meets
exactly once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from harness.schedule.designs.blocks import Block
from harness.schedule.designs.geometry import Field, is_prime


class BaseBlocks(NamedTuple):
    """The base blocks of a design, in a product of cyclic groups. `moduli` are the sizes of these groups.

    An element has a part in each cyclic group, and these parts are the digits of its number. The number after
    the last element stands for a bot that no translation moves. If some translates of a base block are equal,
    they count as one block.
    """

    moduli: tuple[int, ...]
    bases: tuple[Block, ...]

    def blocks(self) -> list[Block]:
        """Returns all translates of the base blocks."""
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


SMALL_DESIGNS = {
    (6, 3): BaseBlocks((5,), ((5, 0, 1), (0, 1, 3))),
    (8, 4): BaseBlocks((7,), ((7, 0, 1, 3), (2, 4, 5, 6))),
    (9, 6): BaseBlocks(
        (3, 3), ((3, 4, 5, 6, 7, 8), (1, 2, 4, 5, 7, 8), (1, 2, 3, 5, 6, 7), (1, 2, 3, 4, 6, 8))
    ),
    (25, 4): BaseBlocks((5, 5), ((0, 1, 15, 7), (0, 2, 18, 22))),
    (28, 4): BaseBlocks((3, 3, 3), ((27, 0, 1, 2), (0, 3, 15, 11), (0, 4, 18, 14))),
    (45, 5): BaseBlocks((3, 3, 5), ((0, 1, 2, 3, 4), (0, 5, 34, 12, 24), (0, 6, 15, 26, 33))),
}
"""The base blocks of some small designs, by the numbers of bots and seats."""


# -- difference families in a cyclic group ---------------------------------------------------------

MOST_SEATS = 6
"""At tables with more seats than this, the search in a field of prime size takes too long."""

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
"""Base blocks modulo n that a search found for some n and k. If k divides n, the multiples of n / k are a
base block too."""


def family(n: int, k: int) -> BaseBlocks | None:
    """Returns the difference family modulo n for n bots at k seats, or None if no family is known here.

    If k divides n, the last base block of the family is the subgroup of the multiples of n / k, which has n /
    k translates.
    """
    bases: Sequence[Block] | None = TABLE.get((n, k))
    if bases is None and k == 3 and n != 9:
        bases = triples(n)
    if bases is None and 3 < k <= MOST_SEATS and is_prime(n):
        bases = _by_powers(n, k)
    if bases is None:
        return None
    short = [] if n % k else [tuple(range(0, n, n // k))]
    return BaseBlocks((n,), (*bases, *short))


def _by_powers(n: int, k: int) -> list[Block] | None:
    """Returns base blocks in the field of n elements (n is a prime), or None if n is not 1 modulo k (k - 1).

    The powers of a primitive element fall into k (k - 1) / 2 classes, by the remainder of the exponent. If
    the differences of a block are in different classes, its multiples by elements of one class are the base
    blocks.
    """
    classes = k * (k - 1) // 2
    if (n - 1) % (2 * classes):
        return None
    multiples = Field(n).powers()
    class_of = {power: exponent % classes for exponent, power in enumerate(multiples)}
    base = _grow([0, 1], {class_of[1]}, k, n, class_of)
    factors = multiples[: (n - 1) // 2 : classes]
    return [tuple(bot * factor % n for bot in base) for factor in factors] if base else None


def _grow(bots: list[int], used: set[int], k: int, n: int, class_of: dict[int, int]) -> list[int]:
    """Adds bots until there are k bots. All differences between these bots must be in different classes.
    Returns [] if this is not possible."""
    if len(bots) == k:
        return bots
    for bot in range(bots[-1] + 1, n):
        new = {class_of[bot - other] for other in bots}
        if len(new) == len(bots) and used.isdisjoint(new):
            found = _grow([*bots, bot], used | new, k, n, class_of)
            if found:
                return found
    return []


# -- triples ---------------------------------------------------------------------------------------
#
# Here n is the number of bots, and each table has three seats. Then a difference family exists if n is 1 or 3
# modulo 6, except for n = 9. The blocks of this family are a cyclic Steiner triple system. If n is not 1 or 3
# modulo 6, no blocks exist in which each pair meets exactly once.

Pairs: TypeAlias = list[tuple[int, int]]

FEW = 6
"""Up to this number of pairs, trial and error finds the pairs at once. The general formula holds only for
more pairs."""


def triples(n: int) -> list[Block] | None:
    """Returns base blocks modulo n without the block of the multiples of n / 3, or None if n is not 1 or 3
    modulo 6.

    Let n be 6t + 1 or 6t + 3. The numbers from t + 1 to about 3t form t pairs: one pair has the difference 1,
    another pair has the difference 2, and so on. These pairs are a Skolem sequence, or a Rosa sequence, which
    leaves out n / 3. For each pair, a base block has the bots 0, the difference of the pair, and the larger
    number of the pair.
    """
    t, rest = divmod(n, 6)
    if rest not in (1, 3) or n == 9:
        return None
    hole = t + 1 if rest == 3 else 0
    if t <= FEW:
        places = [place for place in range(1, 2 * t + 2) if place != hole][: 2 * t]
        if t % 4 not in ((0, 3) if hole else (0, 1)):
            places[-1] += 1
        pairs = _by_trial(t, places)
    else:
        pairs = _rosa(t) if hole else _skolem(t)
    return [(0, later - sooner, later + t) for sooner, later in pairs]


def _by_trial(distance: int, places: Sequence[int]) -> Pairs:
    """Returns pairs of these places with the distances from `distance` down to 1, or [] if this is not
    possible."""
    for place in places:
        if place + distance in places:
            left = [other for other in places if other not in (place, place + distance)]
            rest = _by_trial(distance - 1, left)
            if len(rest) == distance - 1:
                return [(place, place + distance), *rest]
    return []


def _nested(low: int, high: int, number: int) -> Pairs:
    """Returns this number of pairs, each inside the previous pair. The first pair is `low` and `high`."""
    return [(low + step, high - step) for step in range(number)]


def _skolem(t: int) -> Pairs:
    """Returns pairs of the numbers from 1 to 2t with the differences 1 to t. If t is 2 or 3 modulo 4, the
    number 2t + 1 replaces 2t."""
    s, rest = divmod(t + 1, 4)
    if rest == 0:
        pairs = _nested(4 * s + 1, 8 * s - 3, 2 * s - 2) + _nested(1, 4 * s - 2, s - 2)
        pairs += _nested(s + 2, 3 * s - 1, s - 2)
        return [
            *pairs,
            (s - 1, 3 * s),
            (s, s + 1),
            (2 * s, 4 * s - 1),
            (2 * s + 1, 6 * s - 1),
            (4 * s, 8 * s - 1),
        ]
    if rest == 1:
        pairs = _nested(4 * s, 8 * s, 2 * s) + _nested(1, 4 * s - 2, s - 2) + _nested(s + 2, 3 * s - 1, s - 2)
        return [*pairs, (s - 1, 3 * s), (s, s + 1), (2 * s, 4 * s - 1), (2 * s + 1, 6 * s)]
    if rest == 2:
        pairs = _nested(4 * s + 2, 8 * s + 2, 2 * s) + _nested(1, 4 * s, s) + _nested(s + 3, 3 * s, s - 2)
        return [*pairs, (s + 1, s + 2), (2 * s + 1, 6 * s + 2), (2 * s + 2, 4 * s + 1)]
    pairs = _nested(1, 4 * s + 1, 2 * s) + _nested(4 * s + 4, 8 * s + 3, s - 1)
    pairs += _nested(5 * s + 3, 7 * s + 2, s - 1)
    return [
        *pairs,
        (2 * s + 1, 6 * s + 2),
        (4 * s + 2, 6 * s + 3),
        (4 * s + 3, 8 * s + 5),
        (7 * s + 3, 7 * s + 4),
    ]


def _rosa(t: int) -> Pairs:
    """Returns pairs of the numbers from 1 to 2t + 1 without t + 1, with the differences 1 to t. If t is 1 or
    2 modulo 4, the number 2t + 2 replaces 2t + 1."""
    s, rest = divmod(t + 1, 4)
    if rest == 0:
        pairs = _nested(1, 4 * s - 1, 2 * s - 1) + _nested(4 * s + 2, 8 * s - 1, s - 2)
        pairs += _nested(5 * s + 1, 7 * s - 2, s - 2)
        return [*pairs, (2 * s, 6 * s - 1), (5 * s, 7 * s + 1), (4 * s + 1, 6 * s), (7 * s - 1, 7 * s)]
    if rest == 1:
        pairs = _nested(1, 4 * s, s - 1) + _nested(s, 3 * s - 1, s - 1) + _nested(4 * s + 2, 8 * s, s - 1)
        pairs += _nested(5 * s + 2, 7 * s, s - 1)
        return [
            *pairs,
            (2 * s - 1, 2 * s),
            (3 * s, 5 * s + 1),
            (3 * s + 1, 7 * s + 1),
            (6 * s + 1, 8 * s + 1),
        ]
    if rest == 2:
        pairs = _nested(1, 4 * s + 1, 2 * s) + _nested(5 * s + 1, 7 * s + 2, s)
        pairs += _nested(4 * s + 3, 8 * s + 2, s - 2)
        return [*pairs, (2 * s + 1, 6 * s + 2), (6 * s + 1, 8 * s + 4), (7 * s + 3, 7 * s + 4)]
    pairs = _nested(1, 4 * s + 2, 2 * s) + _nested(4 * s + 5, 8 * s + 3, s - 1)
    pairs += _nested(5 * s + 4, 7 * s + 2, s - 2)
    last = [(2 * s + 1, 6 * s + 3), (2 * s + 2, 6 * s + 2), (4 * s + 4, 6 * s + 4), (7 * s + 3, 7 * s + 4)]
    return [*pairs, *last, (8 * s + 4, 8 * s + 6)]
