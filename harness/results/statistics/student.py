"""Computes quantiles and tail probabilities of Student's t distribution, for intervals and tests.

The quantiles for 1 and 2 degrees of freedom have closed forms. For other degrees of freedom, Newton's method
inverts the tail probability. This probability is an incomplete beta function, which is computed as a
continued fraction (Lentz's algorithm).
"""

from __future__ import annotations

from functools import cache
from math import exp, inf, log1p, pi, sqrt, tan
from statistics import NormalDist

MANY = 10_000
"""With this many degrees of freedom or more, an expansion around the normal distribution is exact to
1e-11."""
_SERIES = 100
_NORMAL = 1e10
"""With this many degrees of freedom or more, the tail of the normal distribution is used."""
_TINY = 1e-300


@cache
def quantile(p: float, free: float) -> float:
    """Returns the value x: a variable of Student's t distribution is below x with probability `p`.

    `free` is the degrees of freedom; it may be a fraction or `inf`. With 0 degrees of freedom, the result is
    `inf`.

    >>> round(quantile(0.975, 4), 3)
    2.776
    """
    if not 0 < p < 1:
        raise ValueError(f"a probability is above 0 and below 1, not {p}")
    if p < 0.5:
        return -quantile(1 - p, free)
    if p == 0.5:
        return 0.0
    if free <= 0:
        return inf
    if free == 1:
        return tan(pi * (p - 0.5)) if p < 0.75 else 1 / tan(pi * (1 - p))
    if free == 2:
        return (2 * p - 1) / sqrt(2 * p * (1 - p))
    normal = NormalDist().inv_cdf(p)
    return _expanded(normal, free) if free >= MANY else _inverted(p, free, normal)


def tail(value: float, free: float) -> float:
    """Returns the probability that a variable of Student's t distribution is above this value.

    >>> round(tail(2.776, 4), 3)
    0.025
    """
    if value < 0:
        return 1 - tail(-value, free)
    if free <= 0:
        return 0.5
    if value == inf or free >= _NORMAL:
        return NormalDist().cdf(-value)
    density = _gamma_ratio(free / 2) / sqrt(pi * free) * exp(-(free + 1) / 2 * log1p(value * value / free))
    return _tail(value, free, density)


def _expanded(z: float, free: float) -> float:
    """Returns the Cornish-Fisher expansion around the normal quantile."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / free + second / free**2 + third / free**3


def _inverted(p: float, free: float, start: float) -> float:
    """Finds the quantile by Newton's method, from a start below the quantile. The curve of the tail is
    convex, so a step never jumps over the quantile, except because of rounding."""
    scale = _gamma_ratio(free / 2) / sqrt(pi * free)
    value = start
    while density := scale * exp(-(free + 1) / 2 * log1p(value * value / free)):
        step = (_tail(value, free, density) - (1 - p)) / density
        value += step
        if step <= 1e-13 * value:
            return value
    return inf


def _tail(value: float, free: float, density: float) -> float:
    """Returns the probability that a variable of Student's t distribution is above this value. The value must
    not be negative."""
    within = value * value / (free + value * value)
    if within * (free + 4) < 3:
        return 0.5 - density * value * _fraction(within, 0.5, free / 2)
    return density * value / free * _fraction(1 - within, free / 2, 0.5)


def _fraction(x: float, a: float, b: float) -> float:
    """Returns the continued fraction of the incomplete beta function I(x; a, b), without the factor before
    the fraction."""
    above, below = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    result = below
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            below = 1 / _away(1 + term * below)
            above = _away(1 + term / above)
            result *= above * below
        if abs(above * below - 1) < 1e-16:
            break
    return result


def _away(number: float) -> float:
    """Returns the number, or a tiny number instead of 0."""
    return number if abs(number) > _TINY else _TINY


def _gamma_ratio(a: float) -> float:
    """Returns Gamma(a + 1/2) / Gamma(a). A recurrence gives the result for `a` from the result for `a + 1`.
    So the function increases `a` until it is large, and then uses an asymptotic series."""
    ratio = 1.0
    while a < _SERIES:
        ratio *= a / (a + 0.5)
        a += 1
    part = 1 / (8 * a)
    return ratio * sqrt(a) * (1 - part + part**2 / 2 + 5 * part**3 / 2 - 21 * part**4 / 8 - 399 * part**5 / 8)
