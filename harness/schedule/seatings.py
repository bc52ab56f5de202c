"""Lists the orders in which a set of bots takes its seats, so that luck and roles even out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

T = TypeVar("T")


def seatings(bots: Sequence[T], sides: Sequence[Sequence[int]]) -> tuple[tuple[T, ...], ...]:
    """The seatings of an encounter of these bots.

    Without alliances, they are the rotations of the given cyclic order, so each bot sits in each seat once (a
    Latin square). With alliances (sides with several seats), they are the even permutations. These put any
    two bots into any two seats equally often, so each bot plays each role, with and against each other bot.
    """
    size = len(bots)
    if all(len(side) == 1 for side in sides):
        return tuple(tuple(bots[(seat + turn) % size] for seat in range(size)) for turn in range(size))
    return tuple(tuple(bots[place] for place in order) for order in permutations(range(size)) if _even(order))


def _even(order: Sequence[int]) -> bool:
    swaps = sum(first > second for place, first in enumerate(order) for second in order[place + 1 :])
    return swaps % 2 == 0
