"""Finds encounters with equal results, so that what follows from them is computed once.

A million matches in short encounters have few different results: two bots that play four matches without a
draw have 16. What luck adds to sums depends on the seats and on the values, not on the names of the bots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias, TypeVar

from harness.model import Number
from harness.record.history import MatchResult

Seated: TypeAlias = tuple[int, ...]
"""The bots of an encounter by number, match by match and seat by seat. The bot in seat n of the first match
has the number n - 1."""
Values: TypeAlias = tuple[tuple[Number, ...], ...]
"""A value for each match and seat."""
Found = TypeVar("Found")

SHORT = 8
"""Longer encounters seldom have equal results."""
MOST = 10_000


def seated(encounter: Sequence[MatchResult]) -> Seated:
    """The seats of the bots, without their names."""
    find = _remembered if len(encounter) <= SHORT else _numbered
    return find(tuple([match.bots for match in encounter]))


def _numbered(seats: tuple[tuple[str, ...], ...]) -> Seated:
    number = {bot: place for place, bot in enumerate(seats[0])}
    return tuple(map(number.__getitem__, chain.from_iterable(seats)))


_remembered = lru_cache(MOST)(_numbered)


def once(compute: Callable[[Seated, Values], Found]) -> Callable[[Seated, Values], Found]:
    """Makes a function remember its last results for short encounters."""
    remembered = lru_cache(MOST)(compute)

    def found(seats: Seated, values: Values) -> Found:
        return (remembered if len(values) <= SHORT else compute)(seats, values)

    return found
