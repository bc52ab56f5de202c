"""Implements the finite fields from which designs are made."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

MODULI = {
    4: (2, (1, 1, 1)),
    8: (2, (1, 1, 0, 1)),
    9: (3, (1, 0, 1)),
    16: (2, (1, 1, 0, 0, 1)),
    25: (5, (2, 0, 1)),
    27: (3, (1, 2, 0, 1)),
    32: (2, (1, 0, 1, 0, 0, 1)),
    49: (7, (1, 0, 1)),
}
"""The prime and an irreducible polynomial for each field whose size is a prime power but not a prime.

The lowest coefficient comes first: the polynomial for 4 is x^2 + x + 1, and for 25 it is x^2 + 2.
"""


def is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, isqrt(number) + 1))


class Field:
    """The finite field with elements 0 to size - 1. Raises ValueError for a size that is not known here.

    If the size is a prime, elements are integers modulo the size. Otherwise an element is a polynomial whose
    coefficients are the digits of the number in base p, modulo the polynomial in `MODULI`.
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
        """Long multiplication: each digit adds a multiple of `shifted`, which is then shifted."""
        if self.size == self.prime:
            return one * other % self.size
        total, shifted = 0, self._digits(other)
        for digit in self._digits(one):
            total = self.sum(total, self._number([digit * each for each in shifted]))
            shifted = self._shifted(shifted)
        return total

    def _shifted(self, digits: Sequence[int]) -> list[int]:
        """The element times x, reduced modulo the polynomial."""
        overflow = digits[-1]
        return [
            digit - overflow * low for digit, low in zip([0, *digits[:-1]], self.modulus[:-1], strict=True)
        ]

    def _digits(self, element: int) -> list[int]:
        return [element // self.prime**place % self.prime for place in range(len(self.modulus) - 1)]

    def _number(self, digits: Sequence[int]) -> int:
        return sum(digit % self.prime * self.prime**place for place, digit in enumerate(digits))


def powers(field: Field) -> list[int]:
    """The powers of a primitive element: each element but zero once, 1 first."""
    for root in range(2, field.size):
        found = [1]
        while (power := field.product(found[-1], root)) != 1:
            found.append(power)
        if len(found) == field.size - 1:
            return found
    return [1]


def has_field(size: int) -> bool:
    return is_prime(size) or size in MODULI
