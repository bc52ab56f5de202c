"""Solves linear equations, and adds floats in a fixed order.

The matrix must be symmetric and positive definite. A function multiplies the matrix by a vector, so a sparse
matrix costs little time. The method of conjugate gradients solves the equations (Hestenes and Stiefel 1952).

Every number here and in the other files of this folder comes from sums that are added from left to right.
Since Python 3.12 `sum` adds floats in another way, so `sum` would make the last bits of doubts depend on the
version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add, mul
from typing import TypeAlias

Vector: TypeAlias = list[float]

MOST_STEPS = 2_000
"""The largest number of steps of the solution. 1,000 bots with random opponents need about 20 steps."""
SMALL = 1e-26
"""The solution ends when the squared residual is below this share of its first value."""


def total(values: Iterable[float]) -> float:
    """Returns the sum, added from left to right."""
    return reduce(add, values, 0.0)


def solution(times: Callable[[Vector], Vector], right: Sequence[float], diagonal: Sequence[float]) -> Vector:
    """Solves the equations: returns the vector that the matrix turns into `right`. `times` multiplies the
    matrix by a vector. `diagonal` is the diagonal of the matrix or an estimate of it, and makes the solution
    need fewer steps."""
    found = [0.0] * len(right)
    residual = list(right)
    scaled = [value / size for value, size in zip(residual, diagonal, strict=True)]
    way = scaled
    error = first = _dot(residual, scaled)
    for _ in range(MOST_STEPS):
        if error <= SMALL * first:
            break
        image = times(way)
        step = error / _dot(way, image)
        found = [value + step * part for value, part in zip(found, way, strict=True)]
        residual = [value - step * part for value, part in zip(residual, image, strict=True)]
        scaled = [value / size for value, size in zip(residual, diagonal, strict=True)]
        before, error = error, _dot(residual, scaled)
        turn = error / before
        way = [value + turn * part for value, part in zip(scaled, way, strict=True)]
    return found


def _dot(one: Vector, other: Vector) -> float:
    return total(map(mul, one, other))
