"""Defines the terms of a schedule: block, round, and the kinds of requirement.

In this room n is the number of bots, and k is the number of seats; a bot is a number from 0 to n - 1. A block
(a term of design theory) is an encounter of the schedule: k bots in the cyclic order of their seats. The k
rotations of a block have the same cyclic order. A balanced incomplete block design is a set of blocks in
which all pairs of bots meet equally often.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

Block: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[Block, ...]


class Rounds(msgspec.Struct, frozen=True):
    """Requires exactly this number of rounds, each as full as an even schedule allows."""

    number: int


class Meet(msgspec.Struct, frozen=True):
    """Requires that each pair of bots meets in at least this number of encounters."""

    times: int = 1


class EverySet(msgspec.Struct, frozen=True):
    """Requires all sets of k bots equally often, until each pair has met at least this number of times."""

    times: int = 1


class Each(msgspec.Struct, frozen=True):
    """Requires that each bot plays at least this number of encounters, and at most one more."""

    number: int


Wanted: TypeAlias = Rounds | Meet | EverySet | Each


def fewest(n: int, k: int, times: int) -> int:
    """A lower bound for the number of blocks if each pair must meet `times` times (Schönheim's bound)."""
    each = -(-(n - 1) * times // (k - 1))
    return -(-n * each // k)


def mean_meetings(n: int, k: int, blocks: int) -> float:
    """The average number of meetings of a pair in this number of blocks."""
    return blocks * k * (k - 1) / (n * (n - 1))


def gathered(blocks: Iterable[Block]) -> tuple[Round, ...]:
    """Puts the blocks into rounds without changing their order.

    A block that shares a bot with the current round starts the next round.
    """
    rounds: list[list[Block]] = []
    seated: set[int] = set()
    for block in blocks:
        if not rounds or not seated.isdisjoint(block):
            rounds.append([])
            seated = set()
        rounds[-1].append(block)
        seated.update(block)
    return tuple(map(tuple, rounds))
