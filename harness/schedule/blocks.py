"""Defines the terms of a schedule: block, round, and the two kinds of requirement.

In this room a bot is a number from 0 to n - 1, and k is the number of seats. A block (the term of design
theory) is an encounter before it is played: k bots in the cyclic order of their seats, which all its k
rotations share. A balanced incomplete block design is a set of blocks in which each pair meets equally often.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

Block: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[Block, ...]


class Rounds(msgspec.Struct, frozen=True):
    """Exactly this number of rounds, each as full as an even schedule allows."""

    number: int


class Meet(msgspec.Struct, frozen=True):
    """Each pair of bots meets in at least this number of encounters."""

    times: int = 1


Wanted: TypeAlias = Rounds | Meet


def fewest(n: int, k: int, times: int) -> int:
    """A lower bound of the number of blocks in which each pair meets this often (Schönheim's bound)."""
    each = -(-(n - 1) * times // (k - 1))
    return -(-n * each // k)


def mean_meetings(n: int, k: int, blocks: int) -> float:
    """How often a pair meets on average in this number of blocks."""
    return blocks * k * (k - 1) / (n * (n - 1))


def gathered(blocks: Iterable[Block]) -> tuple[Round, ...]:
    """The same blocks in the same order; a block that shares a bot with the round starts the next round."""
    rounds: list[list[Block]] = []
    seated: set[int] = set()
    for block in blocks:
        if not rounds or not seated.isdisjoint(block):
            rounds.append([])
            seated = set()
        rounds[-1].append(block)
        seated.update(block)
    return tuple(map(tuple, rounds))
