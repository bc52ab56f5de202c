"""Eliminates the parts of tables and sittings from the equations of the strengths (see `statistics.mixed`).

At the current strengths and parts, the results of a sitting look like a measurement of the sums e of its
bots, with a precision H and a value b = H e + r, where r has the wins beyond those expected. If a number with
variance v is added to each bot, and is not known, the measurement has precision K H and value K b with K = (I
+ v H)^-1. This is done for the sittings, then for the tables, and what is left measures the strengths.

Name: iterated weighted least squares, with nested normal effects eliminated by Schur complements.
Source: Breslow and Clayton, "Approximate inference in generalized linear mixed models" (1993).
"""

from __future__ import annotations

from itertools import combinations
from operator import mul
from typing import NamedTuple, Protocol

from harness.results.statistics.equations import Factor, Matrix, Vector, total
from harness.results.statistics.floats import log, log_logistic, logistic
from harness.results.statistics.meetings import TableResults


class TablePart(NamedTuple):
    """What is known about the parts of the bots at a table, if the strengths are known."""

    places: tuple[int, ...]
    means: Vector
    """The most likely parts at the most likely strengths."""
    shrink: Matrix
    """The change of the parts if the strengths change by 1, with the opposite sign."""
    covariance: Matrix


class Parts(Protocol):
    """The parts of the bots of a table, and of its sittings. `table` and `sitting` are the variances of a
    part."""

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Matrix, right: Vector
    ) -> None:
        """Adds what the table tells about the strengths to the equations."""

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        """Finds the most likely parts at these strengths. Returns the largest move of a part."""

    def shorten(self, share: float) -> None:
        """Makes only this share of the last move of the parts."""

    def log_likelihood(self, strengths: Vector, table: float, sitting: float) -> float:
        """Returns the logarithm of the likelihood with the density of the parts, integrated over the parts by
        Laplace's approximation."""

    def part(self, strengths: Vector, table: float) -> TablePart:
        """Returns what is known about the parts of the table."""


def parts_of(table: TableResults, spread: float) -> Parts:
    """Returns the parts of a table."""
    return _Two(table, spread) if len(table.places) == 2 else _Many(table, spread)


class _Two:
    """The parts at a table of two bots. Only their difference matters, so all matrices are numbers."""

    def __init__(self, table: TableResults, spread: float) -> None:
        self._one, self._other = table.places
        self._results = [(each.matches / spread, each.wins[0] / spread) for each in table.sittings]
        self._table = 0.0
        self._sittings = [0.0] * len(self._results)
        self._known: list[tuple[float, float, float]] = []
        """For each sitting its precision, its value, and the factor K."""
        self._sums = 0.0, 0.0, 1.0
        """The same three numbers for the table."""
        self._before = [self._table, *self._sittings]

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Matrix, right: Vector
    ) -> None:
        one, other = self._one, self._other
        apart = strengths[one] - strengths[other] + self._table
        self._known = []
        precision = value = 0.0
        for (matches, won), own in zip(self._results, self._sittings, strict=True):
            sure = logistic(apart + own)
            weight = matches * sure * (1 - sure)
            measured = weight * (apart + own) + won - matches * sure
            factor = 1 / (1 + 2 * sitting * weight)
            self._known.append((weight, measured, factor))
            precision += factor * weight
            value += factor * measured
        factor = 1 / (1 + 2 * table * precision)
        self._sums = precision, value, factor
        precision, value = factor * precision, factor * value
        matrix[one][one] += precision
        matrix[other][other] += precision
        matrix[one][other] -= precision
        matrix[other][one] -= precision
        right[one] += value
        right[other] -= value

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        precision, value, factor = self._sums
        apart = strengths[self._one] - strengths[self._other]
        self._before = [self._table, *self._sittings]
        self._table = 2 * table * factor * (value - precision * apart)
        apart += self._table
        self._sittings = [2 * sitting * k * (each - weight * apart) for weight, each, k in self._known]
        return moved(self._before, [self._table, *self._sittings])

    def shorten(self, share: float) -> None:
        self._table, *self._sittings = partly(self._before, [self._table, *self._sittings], share)

    def log_likelihood(self, strengths: Vector, table: float, sitting: float) -> float:
        apart = strengths[self._one] - strengths[self._other] + self._table
        found = log(self._sums[2]) / 2 - (self._table**2 / table / 4 if table else 0.0)
        for (matches, won), own, (_, _, factor) in zip(
            self._results, self._sittings, self._known, strict=True
        ):
            found += won * log_logistic(apart + own) + (matches - won) * log_logistic(-apart - own)
            if sitting:
                found += log(factor) / 2 - own * own / sitting / 4
        return found

    def part(self, strengths: Vector, table: float) -> TablePart:
        precision, _, factor = self._sums
        half = table * factor * precision
        own = table * (1 - half)
        return TablePart(
            (self._one, self._other),
            [self._table / 2, -self._table / 2],
            [[half, -half], [-half, half]],
            [[own, table * half], [table * half, own]],
        )


class _Measured(NamedTuple):
    """A measurement of the numbers of the bots of a table, and the effect of a part that is not known."""

    precision: Matrix
    value: Vector
    factor: Matrix
    log_determinant: float
    """The logarithm of the determinant of the inverse of the factor."""

    def without(self) -> tuple[Matrix, Vector]:
        """Returns the precision and the value if the part is not known."""
        return _product(self.factor, self.precision), _times(self.factor, self.value)

    def part(self, numbers: Vector, variance: float) -> Vector:
        """Returns the most likely part if the bots have these numbers without it."""
        left = [value - each for value, each in zip(self.value, _times(self.precision, numbers), strict=True)]
        return [variance * each for each in _times(self.factor, left)]


class _Many:
    """The parts at a table of three bots or more."""

    def __init__(self, table: TableResults, spread: float) -> None:
        self._places = table.places
        self._pairs = list(combinations(range(len(table.places)), 2))
        scale = 3 / (len(table.places) + 1) / spread
        self._results = [
            (each.matches * scale, [won * scale for won in each.wins]) for each in table.sittings
        ]
        self._table = [0.0] * len(table.places)
        self._sittings = [list(self._table) for _ in self._results]
        self._known: list[_Measured] = []
        self._sums = _measured([], [], 0.0)
        self._before = [self._table, *self._sittings]

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Matrix, right: Vector
    ) -> None:
        size = len(self._places)
        precision, value = [[0.0] * size for _ in range(size)], [0.0] * size
        base = _sum([strengths[place] for place in self._places], self._table)
        self._known = []
        for (matches, wins), own in zip(self._results, self._sittings, strict=True):
            measured = self._measure(matches, wins, _sum(base, own), sitting)
            self._known.append(measured)
            known, told = measured.without() if sitting else (measured.precision, measured.value)
            precision = [_sum(row, more) for row, more in zip(precision, known, strict=True)]
            value = _sum(value, told)
        self._sums = _measured(precision, value, table)
        known, told = self._sums.without()
        for place, row, each in zip(self._places, known, told, strict=True):
            right[place] += each
            own = matrix[place]
            for other, cell in zip(self._places, row, strict=True):
                own[other] += cell

    def _measure(self, matches: float, wins: Vector, numbers: Vector, variance: float) -> _Measured:
        size = len(numbers)
        precision, left = [[0.0] * size for _ in range(size)], [0.0] * size
        for (one, other), won in zip(self._pairs, wins, strict=True):
            sure = logistic(numbers[one] - numbers[other])
            weight = matches * sure * (1 - sure)
            precision[one][one] += weight
            precision[other][other] += weight
            precision[one][other] = precision[other][one] = -weight
            left[one] += won - matches * sure
            left[other] -= won - matches * sure
        return _measured(precision, _sum(_times(precision, numbers), left), variance)

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        numbers = [strengths[place] for place in self._places]
        self._before = [self._table, *self._sittings]
        self._table = self._sums.part(numbers, table)
        numbers = _sum(numbers, self._table)
        self._sittings = [each.part(numbers, sitting) for each in self._known]
        return max(map(moved, self._before, [self._table, *self._sittings]))

    def shorten(self, share: float) -> None:
        now = [self._table, *self._sittings]
        self._table, *self._sittings = (
            partly(old, new, share) for old, new in zip(self._before, now, strict=True)
        )

    def log_likelihood(self, strengths: Vector, table: float, sitting: float) -> float:
        base = _sum([strengths[place] for place in self._places], self._table)
        found = -self._sums.log_determinant / 2
        if table:
            found -= total(map(mul, self._table, self._table)) / table / 2
        for (matches, wins), own, known in zip(self._results, self._sittings, self._known, strict=True):
            numbers = _sum(base, own)
            for (one, other), won in zip(self._pairs, wins, strict=True):
                apart = numbers[one] - numbers[other]
                found += won * log_logistic(apart) + (matches - won) * log_logistic(-apart)
            if sitting:
                found -= known.log_determinant / 2 + total(map(mul, own, own)) / sitting / 2
        return found

    def part(self, strengths: Vector, table: float) -> TablePart:
        covariance = [[table * each for each in row] for row in self._sums.factor]
        return TablePart(self._places, self._table, _product(covariance, self._sums.precision), covariance)


def _measured(precision: Matrix, value: Vector, variance: float) -> _Measured:
    size = range(len(value))
    if not variance:
        return _Measured(precision, value, [[float(row == column) for column in size] for row in size], 0.0)
    factor = Factor(
        [[variance * precision[row][column] + (row == column) for column in size] for row in size]
    )
    return _Measured(precision, value, factor.inverse(), factor.log_determinant())


def moved(before: Vector, now: Vector) -> float:
    """Returns the largest difference between two vectors."""
    return max((abs(new - old) for new, old in zip(now, before, strict=True)), default=0.0)


def partly(before: Vector, now: Vector, share: float) -> Vector:
    """Returns the vector that is this share of the way from one vector to the other."""
    return [old + share * (new - old) for new, old in zip(now, before, strict=True)]


def _sum(one: Vector, other: Vector) -> Vector:
    return [first + second for first, second in zip(one, other, strict=True)]


def _times(matrix: Matrix, vector: Vector) -> Vector:
    return [total(map(mul, row, vector)) for row in matrix]


def _product(one: Matrix, other: Matrix) -> Matrix:
    """Returns the product of a matrix and a symmetric matrix."""
    return [_times(other, row) for row in one]
