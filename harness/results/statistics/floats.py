"""Computes exp, log and the tail of the normal distribution. The results have the same bits on every machine.

The functions of `math` call a library of the operating system, and two libraries may differ in the last bit.
The functions here use only + - * /, the square root, and exact changes of the exponent (`frexp` and `ldexp`).
For these operations on 64-bit floats, the standard IEEE 754 defines every bit of the result.
"""

from __future__ import annotations

from math import frexp, ldexp, sqrt

LN2 = 0.6931471805599453
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
"""Two parts of log 2. The first part has few bits, so that its product with a small whole number is exact."""
_MOST = 700.0
"""exp of a larger number is treated as exp of this number, so that no result is infinite."""
_SQRT_HALF = 0.7071067811865476
_ROOT = 2.5066282746310002
"""The square root of 2 pi."""
_FAR = 3.0
"""Above this value, the tail of the normal distribution is computed as a continued fraction."""


def exp(value: float) -> float:
    """Returns e to the power of the value, with an error below 1e-15 of the result.

    The value is cut at -700 and 700.
    """
    if not -_MOST < value < _MOST:
        value = max(-_MOST, min(_MOST, value))
    twos = int(value / LN2 + (0.5 if value > 0 else -0.5))
    rest = (value - twos * _LN2_HIGH) - twos * _LN2_LOW
    # Horner's scheme for the series of exp, up to rest ** 13 / 13!, without a loop, which would be slower.
    found = 1.0 + (1.0 + (1.0 + rest / 13) * rest / 12) * rest / 11
    found = 1.0 + (1.0 + (1.0 + found * rest / 10) * rest / 9) * rest / 8
    found = 1.0 + (1.0 + (1.0 + found * rest / 7) * rest / 6) * rest / 5
    found = 1.0 + (1.0 + (1.0 + found * rest / 4) * rest / 3) * rest / 2
    return ldexp(1.0 + found * rest, twos)


def log(value: float) -> float:
    """Returns the natural logarithm of a number above 0. The error is less than 1e-15, or less than 1e-15 of
    the result if the result is larger than 1."""
    part, twos = frexp(value)
    if part < _SQRT_HALF:
        part, twos = 2 * part, twos - 1
    step = (part - 1) / (part + 1)
    square = step * step
    # The series of log((1 + s) / (1 - s)) = 2 * (s + s^3 / 3 + s^5 / 5 + ...), by Horner's scheme.
    found = (((1.0 / 21) * square + 1.0 / 19) * square + 1.0 / 17) * square + 1.0 / 15
    found = ((found * square + 1.0 / 13) * square + 1.0 / 11) * square + 1.0 / 9
    found = (((found * square + 1.0 / 7) * square + 1.0 / 5) * square + 1.0 / 3) * square + 1.0
    return twos * _LN2_HIGH + (twos * _LN2_LOW + 2 * step * found)


def normal_tail(value: float) -> float:
    """Returns the probability that a variable of the normal distribution with deviation 1 is above the value.

    If the value is near 0, the sum of a series gives the result. Otherwise a continued fraction gives it
    (Abramowitz and Stegun 26.2.11 and 26.2.14).

    >>> round(normal_tail(1.959964), 6)
    0.025
    """
    if value < 0:
        return 1 - normal_tail(-value)
    density = exp(-value * value / 2) / _ROOT
    if value > _FAR:
        below = value
        for step in range(60, 0, -1):
            below = value + step / below
        return density / below
    term = found = value
    for odd in range(3, 81, 2):
        term *= value * value / odd
        found += term
    return 0.5 - density * found


def logistic(value: float) -> float:
    """Returns the probability 1 / (1 + exp(-value))."""
    part = exp(-abs(value))
    return 1 / (1 + part) if value >= 0 else part / (1 + part)


def log_logistic(value: float) -> float:
    """Returns the logarithm of `logistic(value)`, also for a value far below 0."""
    return min(value, 0.0) - log(1 + exp(-abs(value)))


def squared(value: float) -> float:
    """Returns the square. `value ** 2` calls the library of the operating system, and the last bit of its
    result may differ between machines."""
    return value * value


def deviation(variance: float) -> float:
    """Returns the square root of a variance. A variance below 0, from rounding, counts as 0."""
    return sqrt(max(0.0, variance))
