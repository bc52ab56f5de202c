"""Solves the equations of a large field, in which most pairs of bots never met.

The matrix is a diagonal of positive numbers plus a weighted graph: for each pair of bots that met, a weight w
adds w to the diagonal at both bots and -w at the two places of the pair. All other places are 0 and take no
memory. So a product with a vector needs time for the pairs that met, and not for all pairs.

Name: conjugate gradients for solutions; Bethe's approximation for the determinant, which is exact if the
graph has no circles, and good if circles are long; Rao-Blackwellized Monte Carlo for variances.
Formula: m_ab = w_ab^2 / (p_a + m_ba) and p_a = d_a - sum of m_ba over b, repeated until nothing changes,
where d is the diagonal; then log det = sum of log p_a - sum over pairs of log(1 - w_ab^2 / ((p_a + m_ba) (p_b
+ m_ab))). The variance of a bot is 1 / d_a, plus the mean square over drawn vectors x of (sum over b of w_ab
x_b / d_a - c_a). Here x has the inverse of the matrix as covariance, and c_a is the number from which the
distance of the bot is measured.
Source: Hestenes and Stiefel (1952); Johnson, Malioutov and Willsky, "Walk-sums and belief propagation in
Gaussian graphical models" (2006); Siden, Lindgren, Bolin and Villani, "Efficient covariance approximations
for large sparse precision matrices" (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from math import sqrt
from operator import add, itemgetter, mul
from random import Random

from harness.results.statistics.equations import Vector, solution, total
from harness.results.statistics.floats import log, squared

CLOSE = 1e-7
"""The computation of a solution ends when the squared residual is below this share of its first value.
Newton's method makes several steps, so that the errors of its last solutions are much smaller."""
ROUGH = 1e-6
"""The share that replaces CLOSE for drawn vectors. Drawn vectors need less precision, because their small
number already limits how exact variances are."""
DRAWS = 8
"""The number of drawn vectors. The part of a variance that these vectors estimate is small: with k opponents
of each bot it is about 1 / k of the whole. So the error of a variance is about 0.5 / k of its value."""
ROUNDS = 30
"""The largest number of times that all messages of Bethe's approximation are computed."""
SAME = 1e-3
"""Bethe's approximation ends if no p_a changes by more than this share."""
SMALLEST = 1e-200


class Sparsity:
    """Which places of a matrix are not 0: the diagonal, and the pairs that met."""

    def __init__(self, size: int, tables: Iterable[Sequence[int]]) -> None:
        """`size` is the number of bots. Each table lists the bots that met there. A bot is a number from 0 to
        `size` - 1. Every bot must have met another bot."""
        self._rows: list[dict[int, float]] = [{place: 0.0} for place in range(size)]
        for table in tables:
            for one, two in combinations(table, 2):
                self._rows[one][two] = self._rows[two][one] = 0.0
        self.pairs = [(one, two) for one, row in enumerate(self._rows) for two in row if two > one]
        self.readers = [itemgetter(*row) for row in self._rows]
        """For each row, a function that reads those numbers of a vector that are at the places of the row's
        own numbers."""

    def rows(self, diagonal: Vector) -> list[dict[int, float]]:
        """Returns the rows of a matrix with these numbers on its diagonal, and 0 at the pairs that met."""
        found = list(map(dict.copy, self._rows))
        for place, row in enumerate(found):
            row[place] = diagonal[place]
        return found


class Sparse:
    """A matrix of the kind that the docstring of this file describes. Row a has d_a at place a, and -w_ab at
    the places of the bots b that met a."""

    def __init__(self, sparsity: Sparsity, rows: Sequence[Mapping[int, float]], start: Vector) -> None:
        """`sparsity` has made the rows. `start` is a vector near the solutions."""
        self._start = start
        self._diagonal = [row[place] for place, row in enumerate(rows)]
        self._values = [list(row.values()) for row in rows]
        self._readers = sparsity.readers
        self._pairs = [(one, two, -rows[one][two]) for one, two in sparsity.pairs]

    def times(self, vector: Vector) -> Vector:
        """Returns the product with a vector."""
        return [
            reduce(add, map(mul, values, read(vector)))
            for values, read in zip(self._values, self._readers, strict=True)
        ]

    def solution(self, right: Vector) -> Vector:
        """Returns the vector x for which the product of the matrix and x is `right`."""
        left = [each - image for each, image in zip(right, self.times(self._start), strict=True)]
        if not any(left):
            return list(self._start)
        return list(map(add, self._start, solution(self.times, left, self._diagonal, CLOSE)))

    def exact(self, right: Vector) -> Vector:
        """Returns the same vector as `solution`, with nearly all digits of a float."""
        return solution(self.times, right, self._diagonal)

    def log_determinant(self) -> float:
        """Returns the logarithm of the determinant of the matrix."""
        own, found = self._messages()
        logs, product = total(map(log, own)), 1.0
        for (one, two, weight), (there, back) in zip(self._pairs, found, strict=True):
            product *= 1 - weight * weight / ((own[one] + back) * (own[two] + there))
            if product < SMALLEST:
                logs, product = logs - log(product), 1.0
        return logs - log(product)

    def _messages(self) -> tuple[Vector, Sequence[tuple[float, float]]]:
        """Returns p of each bot, and the messages m_ab and m_ba of each pair."""
        own = list(self._diagonal)
        found = [(0.0, 0.0)] * len(self._pairs)
        for _ in range(ROUNDS):
            before = list(own)
            for at, (one, two, weight) in enumerate(self._pairs):
                there, back = found[at]
                square = weight * weight
                own[two] += there
                there = square / (own[one] + back)
                own[two] -= there
                own[one] += back
                back = square / (own[two] + there)
                own[one] -= back
                found[at] = there, back
            if all(abs(new - old) <= SAME * old for new, old in zip(own, before, strict=True)):
                break
        return own, found

    def variances(self, centres: Callable[[Vector], Vector]) -> Vector:
        """Suppose that each bot has a random number, and that the covariance of these numbers is the inverse
        of the matrix. Returns, for each bot, the variance of the distance of its number from its centre.
        `centres` computes the centres from the numbers of all bots."""
        squares = [0.0] * len(self._diagonal)
        for drawn in self._draws():
            others = self.times(drawn)
            for place, centre in enumerate(centres(drawn)):
                expected = drawn[place] - others[place] / self._diagonal[place]
                squares[place] += squared(expected - centre)
        return [1 / size + square / DRAWS for size, square in zip(self._diagonal, squares, strict=True)]

    def _draws(self) -> Iterator[Vector]:
        """Yields random vectors, whose covariance is the inverse of the matrix."""
        chance = Random("variances of a large field")
        prior = list(self._diagonal)
        for one, two, weight in self._pairs:
            prior[one] -= weight
            prior[two] -= weight
        for _ in range(DRAWS):
            bits = chance.getrandbits(len(prior) + len(self._pairs))
            signs = map(int, f"{bits:0{len(prior) + len(self._pairs)}b}")
            right = [sqrt(max(0.0, each)) * (2 * next(signs) - 1) for each in prior]
            for one, two, weight in self._pairs:
                part = sqrt(max(0.0, weight)) * (2 * next(signs) - 1)
                right[one] += part
                right[two] -= part
            yield solution(self.times, right, self._diagonal, ROUGH)
