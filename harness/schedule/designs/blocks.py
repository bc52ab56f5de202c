"""Defines blocks, rounds, random numbers and the requirements that a schedule may have to fulfil. All files
of this package use these definitions.

In this package, n is the number of bots, and k is the number of seats. A bot is a number from 0 to n - 1. A
block (a term of design theory) is an encounter of the schedule: k bots in the cyclic order of their seats.
The k rotations of a block count as the same cyclic order. A balanced incomplete block design is a set of
blocks in which all pairs of bots meet equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence
from random import Random
from typing import TypeAlias, TypeVar

import msgspec

Block: TypeAlias = tuple[int, ...]
Round: TypeAlias = tuple[Block, ...]


class Rounds(msgspec.Struct, frozen=True):
    """The requirement that the schedule has exactly this number of rounds. Each round has as many encounters
    as an even schedule allows."""

    number: int


class Meet(msgspec.Struct, frozen=True):
    """The requirement that each pair of bots meets in at least this number of encounters."""

    times: int = 1


class EverySet(msgspec.Struct, frozen=True):
    """The requirement that all sets of k bots play equally often, until each pair has met at least this
    number of times."""

    times: int = 1


class Each(msgspec.Struct, frozen=True):
    """The requirement that each bot plays at least this number of encounters, and at most one more."""

    number: int


Wanted: TypeAlias = Rounds | Meet | EverySet | Each


def fewest(n: int, k: int, times: int) -> int:
    """Returns a lower bound for the number of blocks if each pair must meet `times` times (Schönheim's
    bound)."""
    each = -(-(n - 1) * times // (k - 1))
    return -(-n * each // k)


def mean_meetings(n: int, k: int, blocks: int) -> float:
    """Returns the average number of meetings of a pair in this number of blocks."""
    return blocks * k * (k - 1) / (n * (n - 1))


def plays_of(n: int, blocks: Iterable[Block]) -> list[int]:
    """Returns the number of blocks in which each bot plays."""
    plays = [0] * n
    for block in blocks:
        for bot in block:
            plays[bot] += 1
    return plays


def in_rounds(blocks: Iterable[Block]) -> tuple[Round, ...]:
    """Puts the blocks into rounds without changing their order.

    A block that shares a bot with the current round starts the next round.
    """
    rounds: list[list[Block]] = []
    playing: set[int] = set()
    for block in blocks:
        if not rounds or not playing.isdisjoint(block):
            rounds.append([])
            playing = set()
        rounds[-1].append(block)
        playing.update(block)
    return tuple(map(tuple, rounds))


# -- random numbers --------------------------------------------------------------------------------

T = TypeVar("T")
Stream: TypeAlias = Callable[[], float]


def stream(seed: int) -> Stream:
    """Returns a function that draws random numbers from 0 to 1, the same numbers on every machine.

    Only `Random.random` gives the same numbers in every version of Python, and only the four arithmetic
    operations give the same results on every processor. So this package draws random numbers only with this
    function.
    """
    return Random(seed).random


def shuffle(items: MutableSequence[T], draw: Stream) -> None:
    """Shuffles the items in place (Fisher-Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = int(draw() * (last + 1))
        items[last], items[other] = items[other], items[last]
