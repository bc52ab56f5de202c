"""Constructs the exact designs: all k-subsets (the trivial design), the circle method and affine planes."""

from __future__ import annotations

from itertools import combinations
from math import comb

from harness.schedule.blocks import Block, Round
from harness.schedule.fields import Field, has_field

FEW_SETS = 100
"""Up to this number of sets, all of them are played, because nothing is fairer.

This covers all fields up to 8 bots, 9 or 10 bots at small or nearly full tables, and fields with one bot more
than seats. The next larger cases (10 bots at 3 seats: 120 sets) need ten times as many as a covering design.
"""


def few_sets(n: int, k: int) -> bool:
    return comb(n, k) <= FEW_SETS


def every_set(n: int, k: int) -> list[Block]:
    """Each set of k bots once (the trivial block design); each pair meets comb(n - 2, k - 2) times."""
    return list(combinations(range(n), k))


def circle(n: int) -> list[Round]:
    """Each pair once, in n - 1 rounds; if n is odd, in n rounds with one bot resting in each.

    The circle method for round-robin tournaments: one bot (or a dummy) stays, the others rotate by one place.
    """
    moving = n - 1 + n % 2
    rounds: list[Round] = []
    for turn in range(moving):
        opposite = (((turn + way) % moving, (turn - way) % moving) for way in range(1, (moving + 1) // 2))
        blocks = tuple(pair if turn % 2 else pair[::-1] for pair in opposite)
        rounds.append(blocks if n % 2 else ((turn, n - 1), *blocks))
    return rounds


def is_plane(n: int, k: int) -> bool:
    """Whether n bots at k seats are the points and lines of an affine plane that can be made here."""
    return n == k * k and has_field(k)


def affine_plane(k: int) -> list[Round]:
    """Each pair of k * k bots once, in k + 1 full rounds: an affine plane of order k, a resolvable balanced
    incomplete block design. Bots are its points, blocks its lines, rounds its classes of parallel lines."""
    line, field = range(k), Field(k)
    slopes: list[Round] = []
    for slope in line:
        heights = [field.product(slope, x) for x in line]
        slopes.append(tuple(tuple(x * k + field.sum(heights[x], shift) for x in line) for shift in line))
    return [*slopes, tuple(tuple(x * k + y for y in line) for x in line)]
