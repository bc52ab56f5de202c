"""Solves the linear equations of fits by conjugate gradients, with equal bits on every machine.

The matrix must be symmetric and positive definite; it is given by a function that multiplies it by a vector,
so a sparse matrix costs little. Only + - * / of 64-bit floats decide the result, and sums are added from left
to right: since Python 3.12 `sum` adds floats in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add, mul
from typing import TypeAlias

STEPS = 2_000
"""The most steps of the solution. 1,000 bots that meet by lot need about 20."""
SMALL = 1e-26
"""The solution ends when the squared residual is below this share of its first value."""

Vector: TypeAlias = list[float]


def total(values: Iterable[float]) -> float:
    """The sum, added from left to right."""
    return reduce(add, values, 0.0)


def solution(times: Callable[[Vector], Vector], right: Sequence[float], diagonal: Sequence[float]) -> Vector:
    """The vector that the matrix turns into `right`. `times` multiplies the matrix by a vector; `diagonal` is
    the diagonal of the matrix, or an estimate of it, and makes the solution need fewer steps."""
    found = [0.0] * len(right)
    residual = list(right)
    scaled = [value / size for value, size in zip(residual, diagonal, strict=True)]
    way = scaled
    error = first = _dot(residual, scaled)
    for _ in range(STEPS):
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
