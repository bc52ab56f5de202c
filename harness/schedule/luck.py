"""Provides random numbers and the cooling schedule of simulated annealing, the same on every machine.

Only `Random.random` gives the same numbers in every version of Python, and only the four arithmetic
operations give the same results on every processor. So this file uses nothing else.
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
    """Shuffles the items in place (Fisher-Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = int(draw() * (last + 1))
        items[last], items[other] = items[other], items[last]


def cooling(draw: Stream, steps: int, hot: float = HOT) -> Iterator[float]:
    """For each step, the largest increase of the cost at which the search still accepts a change.

    This is simulated annealing with a rational function instead of the exponential function. The limit is
    mostly near 0 and seldom near three times the temperature, which falls from `hot` to COLD. One meeting too
    few or too many costs 1.
    """
    for step in range(steps):
        luck = draw()
        luck *= luck
        yield 3 * luck * luck * hot / (1 + (hot / COLD - 1) * step / steps)
