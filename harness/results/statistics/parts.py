"""Eliminates the *parts* from the equations of the strengths (see `statistics.mixed`). A part is the effect
of a table or of a sitting on one of its bots.

For each bot in a sitting, its strength and its parts are added; the vector e has these sums. At the current
strengths and parts, the results of a sitting look like a measurement of e. This measurement has a precision H
and a value b = H e + r, where r has the wins beyond the expected wins. If an unknown number with variance v
is added to the sum of each bot, the measurement has precision K H and value K b with K = (I + v H)^-1. This
is done for the sittings, and then for the tables. The result is a measurement of the strengths alone.

Name: iterated weighted least squares, with nested normal effects eliminated by Schur complements.
Source: Breslow and Clayton, "Approximate inference in generalized linear mixed models" (1993).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import mul
from typing import NamedTuple, Protocol

from harness.results.statistics.equations import Factor, Matrix, Vector, total
from harness.results.statistics.floats import log, log_logistic, squared
from harness.results.statistics.meetings import TableResults
from harness.results.statistics.ties import log_without_ties, share_and_slope


class TablePart(NamedTuple):
    """What is known about the parts of the bots at a table, if the strengths are known."""

    places: tuple[int, ...]
    means: Vector
    """The most likely parts at the most likely strengths."""
    shrink: Matrix
    """The change of the parts if the strengths change by 1, with the opposite sign."""
    covariance: Matrix


class MatrixRow(Protocol):
    """A row of the matrix of the equations."""

    def __getitem__(self, place: int, /) -> float: ...
    def __setitem__(self, place: int, value: float, /) -> None: ...


class Parts(Protocol):
    """How much better each bot of a table does at this table, and in each of its sittings, than its strength
    tells. The arguments `table` and `sitting` are the variances of the parts at a table and in a sitting."""

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Sequence[MatrixRow], right: Vector
    ) -> None:
        """Adds to the equations what the table tells about the strengths."""

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        """Finds the most likely parts at these strengths. Returns the largest move of a part."""

    def shorten(self, share: float) -> None:
        """Shortens the last move of the parts to this share of the move."""

    def log_likelihood(self, strengths: Vector, table: float, sitting: float) -> float:
        """Returns the logarithm of the likelihood with the density of the parts, integrated over the parts by
        Laplace's approximation."""

    def part(self, table: float, sitting: float) -> TablePart:
        """Returns what is known about the parts of the table."""

    def duels(self, strengths: Vector) -> Iterator[tuple[float, float]]:
        """For each pair of bots in a sitting, yields the weight of their matches, and a difference: strength
        and parts of the first bot minus strength and parts of the second bot."""


def parts_of(table: TableResults, spread: float, ties: float = 0.0, quick: bool = False) -> Parts:
    """Returns the parts of a table. `ties` is the weight of ties (`statistics.ties`). With `quick`, the
    factors K of a table of three bots or more are computed as if all its pairs had the same precision. The
    most likely parts stay the same then, but Newton's method needs more steps to find them, and the variances
    are approximate."""
    if len(table.places) == 2:
        return _Two(table, spread, ties) if len(table.sittings) > 1 else _Single(table, spread, ties)
    return _Quick(table, spread, ties) if quick else _Many(table, spread, ties)


class _Single:
    """The parts at a table of two bots that met in one sitting. For each bot, the part at the table and the
    part in the sitting are added. Only the difference of the two sums matters, so one number is fitted."""

    def __init__(self, table: TableResults, spread: float, ties: float = 0.0) -> None:
        self._one, self._other = table.places
        self._ties = ties
        (results,) = table.sittings
        self._matches, self._won = results.matches / spread, results.wins[0] / spread
        self._part = self._before = self._weight = self._value = 0.0
        self._factor = 1.0

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Sequence[MatrixRow], right: Vector
    ) -> None:
        one, other = self._one, self._other
        apart = strengths[one] - strengths[other] + self._part
        expected, slope = share_and_slope(apart, self._ties)
        self._weight = weight = self._matches * slope
        self._value = value = weight * apart + self._won - self._matches * expected
        self._factor = factor = 1 / (1 + 2 * (table + sitting) * weight)
        weight *= factor
        value *= factor
        matrix[one][one] += weight
        matrix[other][other] += weight
        matrix[one][other] -= weight
        matrix[other][one] -= weight
        right[one] += value
        right[other] -= value

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        apart = strengths[self._one] - strengths[self._other]
        self._before = self._part
        self._part = 2 * (table + sitting) * self._factor * (self._value - self._weight * apart)
        return abs(self._part - self._before)

    def shorten(self, share: float) -> None:
        self._part = self._before + share * (self._part - self._before)

    def log_likelihood(self, strengths: Vector, table: float, sitting: float) -> float:
        apart = strengths[self._one] - strengths[self._other] + self._part
        found = _log_of_duel(apart, self._matches, self._won, self._ties)
        if not table + sitting:
            return found
        return found + log(self._factor) / 2 - squared(self._part) / (table + sitting) / 4

    def part(self, table: float, sitting: float) -> TablePart:
        mean = self._part * table / (table + sitting) / 2 if table else 0.0
        half = table * self._factor * self._weight
        own = table * (1 - half)
        return TablePart(
            (self._one, self._other),
            [mean, -mean],
            [[half, -half], [-half, half]],
            [[own, table * half], [table * half, own]],
        )

    def duels(self, strengths: Vector) -> Iterator[tuple[float, float]]:
        yield self._matches, strengths[self._one] - strengths[self._other] + self._part


class _Two:
    """The parts at a table of two bots that met in several sittings. Only the difference between the two bots
    matters, so each matrix becomes a single number."""

    def __init__(self, table: TableResults, spread: float, ties: float = 0.0) -> None:
        self._one, self._other = table.places
        self._ties = ties
        self._results = [(each.matches / spread, each.wins[0] / spread) for each in table.sittings]
        self._table = 0.0
        self._sittings = [0.0] * len(self._results)
        self._known: list[tuple[float, float, float]] = []
        """For each sitting its precision, its value, and the factor K."""
        self._sums = 0.0, 0.0, 1.0
        """The same three numbers for the table."""
        self._before = [self._table, *self._sittings]

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Sequence[MatrixRow], right: Vector
    ) -> None:
        one, other = self._one, self._other
        apart = strengths[one] - strengths[other] + self._table
        self._known = []
        precision = value = 0.0
        for (matches, won), own in zip(self._results, self._sittings, strict=True):
            expected, slope = share_and_slope(apart + own, self._ties)
            weight = matches * slope
            measured = weight * (apart + own) + won - matches * expected
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
        found = log(self._sums[2]) / 2 - (squared(self._table) / table / 4 if table else 0.0)
        for (matches, won), own, (_, _, factor) in zip(
            self._results, self._sittings, self._known, strict=True
        ):
            found += _log_of_duel(apart + own, matches, won, self._ties)
            if sitting:
                found += log(factor) / 2 - own * own / sitting / 4
        return found

    def part(self, table: float, sitting: float) -> TablePart:
        precision, _, factor = self._sums
        half = table * factor * precision
        own = table * (1 - half)
        return TablePart(
            (self._one, self._other),
            [self._table / 2, -self._table / 2],
            [[half, -half], [-half, half]],
            [[own, table * half], [table * half, own]],
        )

    def duels(self, strengths: Vector) -> Iterator[tuple[float, float]]:
        apart = strengths[self._one] - strengths[self._other] + self._table
        for (matches, _), own in zip(self._results, self._sittings, strict=True):
            yield matches, apart + own


class _Measured(NamedTuple):
    """A measurement of one sum for each bot of a table: the strength of the bot plus its parts. `factor` is
    the factor K for a part that is not known."""

    precision: Matrix
    value: Vector
    factor: Matrix
    log_determinant: float
    """The logarithm of the determinant of the inverse of the factor."""

    def without(self) -> tuple[Matrix, Vector]:
        """Returns the precision and the value of the measurement if the part is not known."""
        return _product(self.factor, self.precision), _times(self.factor, self.value)

    def part(self, numbers: Vector, variance: float) -> Vector:
        """Returns the most likely part, if `numbers` has the sums of the bots without this part."""
        left = [value - each for value, each in zip(self.value, _times(self.precision, numbers), strict=True)]
        return [variance * each for each in _times(self.factor, left)]


class _Larger(ABC):
    """The common code of `_Many` and `_Quick`, the two ways to compute a table of three bots or more."""

    def __init__(self, table: TableResults, spread: float, ties: float = 0.0) -> None:
        self._places = table.places
        self._ties = ties
        self._size = len(table.places)
        self._pairs = list(combinations(range(self._size), 2))
        scale = 3 / (self._size + 1) / spread
        self._results = [
            (each.matches * scale, [won * scale for won in each.wins]) for each in table.sittings
        ]
        self._table = [0.0] * self._size
        self._sittings = [list(self._table) for _ in self._results]
        self._before = [self._table, *self._sittings]

    @abstractmethod
    def volumes(self) -> Iterator[float]:
        """Yields half of the logarithm of the determinant of K for the table, then for each sitting."""

    def shorten(self, share: float) -> None:
        now = [self._table, *self._sittings]
        self._table, *self._sittings = (
            partly(old, new, share) for old, new in zip(self._before, now, strict=True)
        )

    def log_likelihood(self, strengths: Vector, table: float, sitting: float) -> float:
        base = _sum([strengths[place] for place in self._places], self._table)
        found, *volumes = self.volumes()
        if table:
            found -= total(map(mul, self._table, self._table)) / table / 2
        for (matches, wins), own, volume in zip(self._results, self._sittings, volumes, strict=True):
            numbers = _sum(base, own)
            for (one, two), won in zip(self._pairs, wins, strict=True):
                found += _log_of_duel(numbers[one] - numbers[two], matches, won, self._ties)
            if sitting:
                found += volume - total(map(mul, own, own)) / sitting / 2
        return found

    def duels(self, strengths: Vector) -> Iterator[tuple[float, float]]:
        base = _sum([strengths[place] for place in self._places], self._table)
        for (matches, _), own in zip(self._results, self._sittings, strict=True):
            numbers = _sum(base, own)
            yield from ((matches, numbers[one] - numbers[two]) for one, two in self._pairs)


class _Many(_Larger):
    """The parts at a table of three bots or more."""

    def __init__(self, table: TableResults, spread: float, ties: float = 0.0) -> None:
        super().__init__(table, spread, ties)
        self._known: list[_Measured] = []
        self._sums = _measured([], [], 0.0)

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Sequence[MatrixRow], right: Vector
    ) -> None:
        size = self._size
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
            line = matrix[place]
            for other, cell in zip(self._places, row, strict=True):
                line[other] += cell

    def _measure(self, matches: float, wins: Vector, numbers: Vector, variance: float) -> _Measured:
        size = len(numbers)
        precision, left = [[0.0] * size for _ in range(size)], [0.0] * size
        for (one, other), won in zip(self._pairs, wins, strict=True):
            expected, slope = share_and_slope(numbers[one] - numbers[other], self._ties)
            weight = matches * slope
            precision[one][one] += weight
            precision[other][other] += weight
            precision[one][other] = precision[other][one] = -weight
            left[one] += won - matches * expected
            left[other] -= won - matches * expected
        return _measured(precision, _sum(_times(precision, numbers), left), variance)

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        numbers = [strengths[place] for place in self._places]
        self._before = [self._table, *self._sittings]
        self._table = self._sums.part(numbers, table)
        numbers = _sum(numbers, self._table)
        self._sittings = [each.part(numbers, sitting) for each in self._known]
        return max(map(moved, self._before, [self._table, *self._sittings]))

    def volumes(self) -> Iterator[float]:
        yield -self._sums.log_determinant / 2
        for known in self._known:
            yield -known.log_determinant / 2

    def part(self, table: float, sitting: float) -> TablePart:
        covariance = [[table * each for each in row] for row in self._sums.factor]
        return TablePart(self._places, self._table, _product(covariance, self._sums.precision), covariance)


class _Quick(_Larger):
    """The parts at a table of three bots or more, with numbers and not matrices as factors K.

    If all pairs of k bots have the same precision h, then K = 1 / (1 + v h k) for every difference of bots.
    Here h is the mean of the precisions of the pairs.
    """

    def __init__(self, table: TableResults, spread: float, ties: float = 0.0) -> None:
        super().__init__(table, spread, ties)
        self._weights: list[Vector] = []
        """For each sitting the precisions of the pairs."""
        self._factors: Vector = []
        self._sums: Vector = []
        """The precisions of the pairs at the table, if the parts of sittings are not known."""
        self._factor = 1.0
        self._from = [0.0] * self._size
        """The strengths at the last step; `settle` computes how far they have moved since then."""
        self._gaps: list[Vector] = []
        """For each sitting, by how much its parts would move if nothing else moved."""
        self._gap = list(self._table)

    def eliminate(
        self, strengths: Vector, table: float, sitting: float, matrix: Sequence[MatrixRow], right: Vector
    ) -> None:
        self._from = [strengths[place] for place in self._places]
        base = _sum(self._from, self._table)
        self._weights, self._factors, self._gaps = [], [], []
        self._sums, slope = [0.0] * len(self._pairs), [0.0] * self._size
        for (matches, wins), own in zip(self._results, self._sittings, strict=True):
            weights, left = self._slopes(matches, wins, _sum(base, own))
            factor = self._factor_of(weights, sitting)
            gap = [factor * (sitting * each - part) for each, part in zip(left, own, strict=True)]
            self._weights.append(weights)
            self._factors.append(factor)
            self._gaps.append(gap)
            self._sums = [old + factor * weight for old, weight in zip(self._sums, weights, strict=True)]
            slope = _sum(slope, _less(left, self._images(weights, gap)))
        self._factor = self._factor_of(self._sums, table)
        self._gap = [
            self._factor * (table * each - part) for each, part in zip(slope, self._table, strict=True)
        ]
        known = [self._factor * weight for weight in self._sums]
        told = _sum(_less(slope, self._images(self._sums, self._gap)), self._images(known, self._from))
        for place, each in zip(self._places, told, strict=True):
            right[place] += each
        for (first, second), weight in zip(self._pairs, known, strict=True):
            one, two = self._places[first], self._places[second]
            matrix[one][one] += weight
            matrix[two][two] += weight
            matrix[one][two] -= weight
            matrix[two][one] -= weight

    def _slopes(self, matches: float, wins: Vector, numbers: Vector) -> tuple[Vector, Vector]:
        """Returns the precisions of the pairs of a sitting, and by how much the wins of each bot exceed the
        expected wins."""
        weights, left = [], [0.0] * self._size
        for (one, two), won in zip(self._pairs, wins, strict=True):
            expected, slope = share_and_slope(numbers[one] - numbers[two], self._ties)
            weights.append(matches * slope)
            more = won - matches * expected
            left[one] += more
            left[two] -= more
        return weights, left

    def _factor_of(self, weights: Vector, variance: float) -> float:
        mean = total(weights) / len(weights)
        return 1 / (1 + variance * mean * self._size)

    def _images(self, weights: Vector, numbers: Vector) -> Vector:
        """Returns the product of the matrix of these precisions with a vector."""
        found = [0.0] * self._size
        for (one, two), weight in zip(self._pairs, weights, strict=True):
            part = weight * (numbers[one] - numbers[two])
            found[one] += part
            found[two] -= part
        return found

    def settle(self, strengths: Vector, table: float, sitting: float) -> float:
        self._before = [self._table, *self._sittings]
        move = [strengths[place] - old for place, old in zip(self._places, self._from, strict=True)]
        scale = self._factor * table
        step = [
            gap - scale * each for gap, each in zip(self._gap, self._images(self._sums, move), strict=True)
        ]
        self._table = _sum(self._table, step)
        if sitting:
            move = _sum(move, step)
            self._sittings = [
                _sum(own, _less(gap, [factor * sitting * each for each in self._images(weights, move)]))
                for own, gap, factor, weights in zip(
                    self._sittings, self._gaps, self._factors, self._weights, strict=True
                )
            ]
        else:
            self._sittings = [[0.0] * self._size for _ in self._results]
        return max(map(moved, self._before, [self._table, *self._sittings]))

    def volumes(self) -> Iterator[float]:
        for factor in (self._factor, *self._factors):
            yield (self._size - 1) * log(factor) / 2

    def part(self, table: float, sitting: float) -> TablePart:
        """Returns the parts of the table, with matrices that are right only for differences between bots."""
        size, factor = range(self._size), self._factor
        shrink = [[((row == column) - 1 / self._size) * (1 - factor) for column in size] for row in size]
        covariance = [[(row == column) * table * factor for column in size] for row in size]
        return TablePart(self._places, self._table, shrink, covariance)


def _log_of_duel(apart: float, matches: float, won: float, ties: float) -> float:
    """Returns the logarithm of the likelihood of these wins, without a constant. A tie is half a win."""
    found = matches * log_logistic(apart) - (matches - won) * apart
    return found + matches * log_without_ties(apart, ties) if ties else found


def _measured(precision: Matrix, value: Vector, variance: float) -> _Measured:
    size = range(len(value))
    if not variance:
        return _Measured(precision, value, [[float(row == column) for column in size] for row in size], 0.0)
    factor = Factor(
        [[variance * precision[row][column] + (row == column) for column in size] for row in size]
    )
    return _Measured(precision, value, factor.inverse(), factor.log_determinant())


def moved(before: Vector, now: Vector) -> float:
    """Returns the largest difference between two numbers at the same place of the two vectors."""
    return max((abs(new - old) for new, old in zip(now, before, strict=True)), default=0.0)


def partly(before: Vector, now: Vector, share: float) -> Vector:
    """Returns the vector that is this share of the way from one vector to the other."""
    return [old + share * (new - old) for new, old in zip(now, before, strict=True)]


def _sum(one: Vector, other: Vector) -> Vector:
    return [first + second for first, second in zip(one, other, strict=True)]


def _less(one: Vector, other: Vector) -> Vector:
    return [first - second for first, second in zip(one, other, strict=True)]


def _times(matrix: Matrix, vector: Vector) -> Vector:
    return [total(map(mul, row, vector)) for row in matrix]


def _product(one: Matrix, other: Matrix) -> Matrix:
    """Returns the product of a matrix and a symmetric matrix."""
    return [_times(other, row) for row in one]
