"""Solves linear equations, and adds floats in a fixed order.

The matrix must be symmetric and positive definite. `solution` takes a function that multiplies the matrix by
a vector, so a sparse matrix costs little time. `solution` uses the method of conjugate gradients (Hestenes
and Stiefel 1952). `Factor` takes a small matrix as rows of numbers, and uses Cholesky's method. `Factor` also
computes the inverse and the determinant.

Every number here and in the other files of this folder comes from sums that are added from left to right, or
from `math.fsum`, whose result does not depend on the order. Since Python 3.12 `sum` adds floats in another
way, so `sum` would make the last bits of doubts depend on the version of Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from math import sqrt
from operator import add, mul
from typing import TypeAlias

from harness.results.statistics.floats import log

Vector: TypeAlias = list[float]
Matrix: TypeAlias = list[Vector]
"""The rows of a matrix."""

MOST_STEPS = 2_000
"""The largest number of steps of the solution. 1,000 bots with random opponents need about 20 steps."""
SMALL = 1e-26
"""The value of `small` in `solution` if the caller gives none."""


def total(values: Iterable[float]) -> float:
    """Returns the sum, added from left to right."""
    return reduce(add, values, 0.0)


def solution(
    times: Callable[[Vector], Vector],
    right: Sequence[float],
    diagonal: Sequence[float],
    small: float = SMALL,
) -> Vector:
    """Solves the equations: returns the vector that the matrix turns into `right`. `times` multiplies the
    matrix by a vector. `diagonal` is the diagonal of the matrix or an estimate of it. With a better estimate,
    fewer steps are needed. The steps end when the squared residual, divided by its first value, is below
    `small`."""
    found = [0.0] * len(right)
    residual = list(right)
    scaled = [value / size for value, size in zip(residual, diagonal, strict=True)]
    way = scaled
    error = first = _dot(residual, scaled)
    for _ in range(MOST_STEPS):
        if error <= small * first:
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


class Factor:
    """Cholesky's factor of a matrix: the matrix is the product of the factor and its transpose."""

    def __init__(self, matrix: Sequence[Sequence[float]]) -> None:
        """Uses only the numbers on the diagonal and to its left."""
        self._rows: list[Vector] = []
        """The rows of the factor, each up to the diagonal."""
        for number, given in enumerate(matrix):
            row: Vector = []
            for column in range(number):
                above = self._rows[column]
                row.append((given[column] - _dot(row, above)) / above[column])
            row.append(sqrt(given[number] - _dot(row, row)))
            self._rows.append(row)

    def log_determinant(self) -> float:
        """Returns the logarithm of the determinant of the matrix."""
        return 2 * total(log(row[-1]) for row in self._rows)

    def solution(self, right: Sequence[float]) -> Vector:
        """Returns the vector whose product with the matrix is `right`."""
        return self._upper(self._lower(right))

    def inverse(self) -> Matrix:
        """Returns the inverse of the matrix."""
        size = len(self._rows)
        return [self.solution([float(row == column) for row in range(size)]) for column in range(size)]

    def _lower(self, right: Sequence[float]) -> Vector:
        found: Vector = []
        for value, row in zip(right, self._rows, strict=True):
            found.append((value - _dot(found, row)) / row[-1])
        return found

    def _upper(self, right: Vector) -> Vector:
        left = list(right)
        for number in range(len(left) - 1, -1, -1):
            row = self._rows[number]
            value = left[number] / row[-1]
            left[:number] = [each - value * part for each, part in zip(left, row[:-1], strict=False)]
            left[number] = value
        return left


def _dot(one: Vector, other: Vector) -> float:
    return total(map(mul, one, other))
