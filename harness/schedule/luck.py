"""Owns the stream of numbers that searches draw from and the way they cool; the same on every machine.

Only `Random.random` is promised to give the same numbers in every version of Python, and only the four
operations of arithmetic the same result on every processor: nothing else is used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence
from random import Random
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Stream: TypeAlias = Callable[[], float]

HOT = 0.8
COLD = 0.1


def stream(seed: int) -> Stream:
    return Random(seed).random


def mix(items: MutableSequence[T], draw: Stream) -> None:
    """Shuffle in place."""
    for last in range(len(items) - 1, 0, -1):
        other = int(draw() * (last + 1))
        items[last], items[other] = items[other], items[last]


def cooling(draw: Stream, steps: int, hot: float = HOT) -> Iterator[float]:
    """For each step, up to how much worse a change may make things and still be kept.

    Simulated annealing with a rational law in place of the exponential: mostly next to nothing, seldom three
    times the heat, which falls from `hot` to COLD, in units of one meeting too few or too many.
    """
    for step in range(steps):
        luck = draw()
        luck *= luck
        yield 3 * luck * luck * hot / (1 + (hot / COLD - 1) * step / steps)
