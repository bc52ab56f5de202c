"""Owns the words of a schedule: block, round, and what is wanted of it; makes none.

Here a bot is a number from 0 to n - 1 and k are the seats. A block is an encounter before it is played: k
bots in the cyclic order of their seats, which all k rotations of it share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

Block: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[Block, ...]


class Rounds(msgspec.Struct, frozen=True):
    """Exactly so many rounds, each as full as the certificate bears."""

    number: int


class Meet(msgspec.Struct, frozen=True):
    """Each pair of bots meets in at least so many encounters."""

    times: int = 1


Wanted: TypeAlias = Rounds | Meet


def fewest(n: int, k: int, times: int) -> int:
    """No fewer blocks let each pair meet so many times (Schönheim's bound): a bot meets k - 1 at a time."""
    each = -(-(n - 1) * times // (k - 1))
    return -(-n * each // k)


def mean_meetings(n: int, k: int, blocks: int) -> float:
    """How often a pair meets in so many blocks, on average."""
    return blocks * k * (k - 1) / (n * (n - 1))


def gathered(blocks: Iterable[Block]) -> tuple[Round, ...]:
    """The same blocks in the same order, as many in a round as go on having no bot in common."""
    rounds: list[list[Block]] = []
    seated: set[int] = set()
    for block in blocks:
        if not rounds or not seated.isdisjoint(block):
            rounds.append([])
            seated = set()
        rounds[-1].append(block)
        seated.update(block)
    return tuple(map(tuple, rounds))
