"""Tells how likely strengths are if a field has two groups of bots, for example three programs of a
teacher and the first programs of twenty students.

Suppose that a model has one normal distribution, which is wide enough for both groups. Then the model does
not know that the bots of a group are about equal. So in a Swiss tournament, in which the results choose the
opponents, this model mistakes luck for differences of strength. With two groups, each strength is near the
centre of its group, and the centres may be far from each other.

Name: mixture of two normal distributions with equal variances, at the most likely allocation of bots to
groups. Formula: s = u + d y, where u has independent numbers from N(0, t^2), d from N(0, 2 * `CENTRES`^2) is
the distance of the centres, and y adds up to 0 and is larger by 1 for the bots of one group. So the precision
of n strengths is (I - y y' / (|y|^2 + t^2 / (2 * CENTRES^2))) / t^2. An allocation of k of n bots to a group
has the probability 2 / ((n - 1) * (n over k)): all sizes of a group are equally likely, and all groups of
the same size are equally likely.
Two groups are tried only if n / 2 * log(W / V) may outweigh this probability, where W is the
sum of the squares of the distances of the strengths from their mean, and V is the sum of the squares of the
distances from the means of their groups. Source: Symons,
"Clustering criteria and multivariate normal mixtures" (1981), for the allocation as an unknown number and for
the logarithm of V; Richardson and Green, "On Bayesian analysis of mixtures with an unknown number of
components" (1997), for the prior of centres and of sizes.
"""

from __future__ import annotations

from math import comb
from operator import mul
from typing import NamedTuple

from harness.results.statistics.equations import Vector, total
from harness.results.statistics.floats import deviation, log, squared

LEAST_BOTS = 5
"""In a field with fewer bots than this, two groups are not tried, because they say no more than one
distribution."""
CENTRES = 4.0
"""The deviation of the centres of groups before any match. A bot whose strength is larger by 4 than the
strength of another bot wins 98 % of the matches between them."""
NARROW = 0.03
"""The groups are chosen as if strengths had at least this deviation in a group."""
MARGIN = 5.0
"""Two groups are not tried if the logarithm of their weight seems to be smaller than the logarithm of the
weight of one normal distribution, by more than this number."""


class TwoGroups(NamedTuple):
    """Two groups of bots."""

    sizes: tuple[int, int]
    contrast: Vector
    """The vector y, with a number for each bot of the field."""

    def shared(self, strength: float) -> float:
        """If the centres of the groups are known, the precision of the strengths is larger by a multiple of
        the matrix y y'. Returns this multiple. `strength` is the deviation of strengths in a group."""
        return 1 / (squared(strength) * (self._length + squared(strength / CENTRES) / 2))

    def log_shared(self, strengths: Vector, strength: float) -> float:
        """Compares two models by the logarithm of the density that each gives to these strengths. Returns the
        logarithm for these two groups (including their probability) minus the logarithm for a single group
        with the centre 0."""
        apart = total(map(mul, self.contrast, strengths))
        found = _log_chance(sum(self.sizes), self.sizes[0]) + squared(apart) * self.shared(strength) / 2
        return found - log(1 + 2 * self._length * squared(CENTRES / strength)) / 2

    def apart(self, strengths: Vector) -> float:
        """Takes, for each bot, the mean strength of its group. Returns the standard deviation of these
        means."""
        distance = total(map(mul, self.contrast, strengths)) / self._length
        return abs(distance) * deviation(self._length / len(strengths))

    @property
    def _length(self) -> float:
        """The squared length of the vector y."""
        return self.sizes[0] * self.sizes[1] / sum(self.sizes)


def groups_of(strengths: Vector) -> TwoGroups | None:
    """Sorts the strengths of a field, and splits the field at the place where two groups are the most likely.
    Returns None if one distribution is much more likely than two groups.

    >>> groups_of([0.1, 3.0, 0.0, -0.1, 3.1]).sizes
    (3, 2)
    """
    size = len(strengths)
    if size < LEAST_BOTS:
        return None
    order = sorted(range(size), key=strengths.__getitem__)
    below = _squares([strengths[place] for place in order])
    above = _squares([strengths[place] for place in reversed(order)])[::-1]

    def gain(cut: int) -> float:
        within = below[cut - 1] + above[cut]
        return size / 2 * log(_floor(below[-1], size) / _floor(within, size)) + _log_chance(size, cut)

    best = max(range(1, size), key=gain)
    if gain(best) < -MARGIN:
        return None
    contrast = [0.0] * size
    for at, place in enumerate(order):
        contrast[place] = (best if at >= best else best - size) / size
    return TwoGroups((best, size - best), contrast)


def _squares(values: Vector) -> Vector:
    """Returns, for each n, the sum of the squares of the first n values around the mean of these n
    values."""
    found, mean, squares = [], 0.0, 0.0
    for number, value in enumerate(values, start=1):
        step = value - mean
        mean += step / number
        squares += step * (value - mean)
        found.append(squares)
    return found


def _floor(squares: float, size: int) -> float:
    return squares / size + squared(NARROW)


def _log_chance(size: int, first: int) -> float:
    """Suppose that `first` of all bots are allocated to one group. Returns the logarithm of the probability
    of this allocation."""
    return log(2 / (size - 1)) - log(float(comb(size, first)))
