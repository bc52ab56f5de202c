"""Constructs finite fields, and the lines of the affine and projective spaces over them.

For any two points of a space, exactly one line contains both. So if the points are bots, the lines are blocks
in which each pair meets once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import isqrt

from harness.schedule.designs.blocks import Block, Round

# -- finite fields ---------------------------------------------------------------------------------

MODULI = {
    4: (2, (1, 1, 1)),
    8: (2, (1, 1, 0, 1)),
    9: (3, (1, 0, 1)),
    16: (2, (1, 1, 0, 0, 1)),
    25: (5, (2, 0, 1)),
    27: (3, (1, 2, 0, 1)),
    49: (7, (1, 0, 1)),
}
"""The prime and an irreducible polynomial for each field with a size that is a prime power but not a prime.

The lowest coefficient comes first. So the polynomial for the size 4 is x^2 + x + 1, and for the size 25 it is
x^2 + 2.
"""


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


def has_field(size: int) -> bool:
    """Returns whether a field of this size is known here."""
    return is_prime(size) or size in MODULI


class Field:
    """The finite field with elements 0 to size - 1. Raises ValueError for a size that is not known here.

    If the size is a prime, elements are integers modulo the size. If the size is a higher power of a prime p,
    an element is a polynomial, and its coefficients are the digits of the element's number in base p.
    Products are taken modulo the polynomial in `MODULI`.
    """

    def __init__(self, size: int) -> None:
        if not has_field(size):
            raise ValueError(f"no field of {size} elements is known here")
        self.size = size
        self.prime, self.modulus = MODULI.get(size, (size, (0, 1)))

    def sum(self, one: int, other: int) -> int:
        if self.size == self.prime:
            return (one + other) % self.size
        return self._number([a + b for a, b in zip(self._digits(one), self._digits(other), strict=True)])

    def product(self, one: int, other: int) -> int:
        """Returns the product of two elements. If the size is no prime, uses long multiplication: for each
        digit of `one`, adds `shifted` times this digit to the total, and then multiplies `shifted` by x."""
        if self.size == self.prime:
            return one * other % self.size
        total, shifted = 0, self._digits(other)
        for digit in self._digits(one):
            total = self.sum(total, self._number([digit * each for each in shifted]))
            shifted = self._times_x(shifted)
        return total

    def powers(self) -> list[int]:
        """Returns the powers of a primitive element, 1 first. Each element except zero is among these
        powers once."""
        for root in range(2, self.size):
            found = [1]
            while (power := self.product(found[-1], root)) != 1:
                found.append(power)
            if len(found) == self.size - 1:
                return found
        return [1]

    def _times_x(self, digits: Sequence[int]) -> list[int]:
        """Returns the element times x, reduced modulo the polynomial."""
        overflow = digits[-1]
        return [
            digit - overflow * low for digit, low in zip([0, *digits[:-1]], self.modulus[:-1], strict=True)
        ]

    def _digits(self, element: int) -> list[int]:
        return [element // self.prime**place % self.prime for place in range(len(self.modulus) - 1)]

    def _number(self, digits: Sequence[int]) -> int:
        return sum(digit % self.prime * self.prime**place for place, digit in enumerate(digits))


# -- affine spaces ---------------------------------------------------------------------------------


def affine_dimension(n: int, k: int) -> int:
    """Returns the dimension of the affine space with n points and k points on each line, or 0 if no such
    space is known here."""
    dimension = next(power for power in range(1, n + 1) if k**power >= n)
    return dimension if k**dimension == n and dimension > 1 and has_field(k) else 0


def affine_rounds(k: int, dimension: int) -> tuple[Round, ...]:
    """Returns the lines of an affine space with k points on each line, in one round for each direction.

    The first directions are points (1, x, x^2, ...) of a curve. Let d be the dimension. Any d of these
    directions are independent, so the first d rounds connect all bots.
    """
    field = Field(k)
    curve = {(*[0] * (dimension - 1), 1)}
    for element in range(k):
        point = [1]
        while len(point) < dimension:
            point.append(field.product(point[-1], element))
        curve.add(tuple(point))
    directions = _directions(k, dimension)
    lines = zip(directions, _affine_lines(k, dimension), strict=True)
    return tuple(parallel for _, parallel in sorted(lines, key=lambda each: each[0] not in curve))


def _affine_lines(k: int, dimension: int) -> list[Round]:
    """Returns the lines of an affine space, direction by direction. The lines of a direction contain each
    point once.

    A point is a vector over the field of k elements, and its coordinates are the digits of its number.
    """
    field = Field(k)
    scaled = [[field.product(one, other) for other in range(k)] for one in range(k)]
    added = [[field.sum(one, other) for other in range(k)] for one in range(k)]
    classes = []
    for direction in _directions(k, dimension):
        first = direction.index(1)
        lines = []
        for point in product(range(k), repeat=dimension):
            if point[first] == 0:
                steps = (zip(point, direction, strict=True) for _ in range(k))
                lines.append(
                    tuple(
                        _number(k, [added[digit][scaled[way][step]] for digit, way in line])
                        for step, line in enumerate(steps)
                    )
                )
        classes.append(tuple(lines))
    return classes


def _directions(k: int, dimension: int) -> list[tuple[int, ...]]:
    """Returns one vector for each direction, in the order of the points of the projective space at
    infinity."""
    if dimension == 0:
        return []
    first = [(1, *rest) for rest in product(range(k), repeat=dimension - 1)]
    return first + [(0, *rest) for rest in _directions(k, dimension - 1)]


def _number(k: int, digits: list[int]) -> int:
    number = 0
    for digit in digits:
        number = number * k + digit
    return number


# -- projective spaces -----------------------------------------------------------------------------


def projective_dimension(n: int, k: int) -> int:
    """Returns the dimension of the projective space with n points and k points on each line, or 0 if no such
    space is known here."""
    points, dimension = 1, 0
    while points < n:
        dimension += 1
        points += (k - 1) ** dimension
    return dimension if points == n and dimension > 1 and has_field(k - 1) else 0


def projective_lines(k: int, dimension: int) -> list[Block]:
    """Returns the lines of a projective space with k points on each line.

    A projective space is an affine space with a point at infinity for each direction. This point is on all
    lines of the direction. The points at infinity are a projective space too, with one dimension less.
    """
    if dimension == 1:
        return [tuple(range(k))]
    order = k - 1
    points = order**dimension
    lines = [
        (*line, points + number)
        for number, parallel in enumerate(_affine_lines(order, dimension))
        for line in parallel
    ]
    at_infinity = projective_lines(k, dimension - 1)
    return lines + [tuple(points + point for point in line) for line in at_infinity]
