"""Constructs exact designs: all k-subsets (the trivial design), the circle method and affine planes."""

from __future__ import annotations

from itertools import combinations
from math import comb

from harness.schedule.blocks import Block, Round
from harness.schedule.fields import Field, is_prime

FEW_SETS = 100
"""If there are at most this many sets of k bots, the schedule has each set once: no schedule is more even.

This is the case for up to 8 bots, for 9 or 10 bots if the number of seats is small or close to the number of
bots, and if only one bot has no seat. In the next larger cases (10 bots at 3 seats have 120 sets), all sets
are ten times as many blocks as a covering design needs.
"""


def few_sets(n: int, k: int) -> bool:
    return comb(n, k) <= FEW_SETS


def every_set(n: int, k: int) -> list[Block]:
    """Each set of k bots once (the trivial block design); each pair meets comb(n - 2, k - 2) times."""
    return list(combinations(range(n), k))


def circle(n: int) -> list[Round]:
    """Rounds in which each pair meets once: n - 1 rounds, or n rounds if n is odd and one bot rests."""
    return [circle_round(n, turn) for turn in range(n - 1 + n % 2)]


def circle_round(n: int, turn: int) -> Round:
    """One round of the circle method for round-robin tournaments.

    One bot (a dummy if n is odd) stays in its place, and the others move by one place from round to round.
    """
    moving = n - 1 + n % 2
    opposite = (((turn + way) % moving, (turn - way) % moving) for way in range(1, (moving + 1) // 2))
    blocks = tuple(pair if turn % 2 else pair[::-1] for pair in opposite)
    return blocks if n % 2 else ((turn, n - 1), *blocks)


def is_plane(n: int, k: int) -> bool:
    """Whether schedules of the first edition use an affine plane with n points and k points on each line."""
    return n == k * k and (is_prime(k) or k in (4, 8, 9))


def affine_plane(k: int) -> list[Round]:
    """Rounds in which each pair of k * k bots meets once: k + 1 full rounds.

    They are an affine plane of order k, which is a resolvable balanced incomplete block design. Bots are its
    points, blocks are its lines, and a round is a class of parallel lines.
    """
    line, field = range(k), Field(k)
    slopes: list[Round] = []
    for slope in line:
        heights = [field.product(slope, x) for x in line]
        slopes.append(tuple(tuple(x * k + field.sum(heights[x], shift) for x in line) for shift in line))
    return [*slopes, tuple(tuple(x * k + y for y in line) for x in line)]
