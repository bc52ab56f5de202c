"""Tells how likely strengths are if a field has two groups of bots, as with three programs of a teacher and
twenty first tries of students.

A normal distribution that is wide enough for both groups hardly says that the bots of a group are about
equal. So in a Swiss tournament, in which the results choose the opponents, it believes in differences that
are luck. With two groups, each strength is near the centre of its group, and the centres may be far from each
other.

Name: mixture of two normal distributions with equal variances, at the most likely allocation of bots to
groups. Formula: s_a ~ N(c_g, t^2) for the bots of group g, and c_g ~ N(0, `CENTRES`^2), where c_g is
integrated. So before any match, the precision of the n strengths of a group is (I - J / (n + t^2 /
CENTRES^2)) / t^2, where all numbers of J are 1. An allocation of k of n bots to a group has the probability
2 / ((n - 1) * (n over k)): all sizes of a group are equally likely, and then all groups of this size. Source:
Symons, "Clustering criteria and multivariate normal mixtures" (1981), for the allocation as an unknown
number; Richardson and Green, "On Bayesian analysis of mixtures with an unknown number of components" (1997),
for the prior of centres and of sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from harness.results.statistics.equations import Matrix, Vector, total
from harness.results.statistics.floats import deviation, log, squared

LEAST_BOTS = 5
"""In a smaller field, two groups say nothing that one distribution does not say."""
CENTRES = 4.0
"""The deviation of the centres of groups before any match. A bot that is better by 4 than another wins 98 %
of their matches."""
NARROW = 0.03
"""The groups are chosen as if strengths had at least this deviation in a group."""


class TwoGroups(NamedTuple):
    """The bots of the two groups, by their places in the field."""

    groups: Sequence[Sequence[int]]

    def share(self, rows: Matrix, strength: float) -> None:
        """Takes a matrix with the precision of strengths around the known centre 0 on its diagonal. Changes
        it to the precision around centres that are not known."""
        for group in self.groups:
            shared = _shared(len(group), strength)
            for one in group:
                row = rows[one]
                for other in group:
                    row[other] -= shared

    def log_shared(self, strengths: Vector, strength: float) -> float:
        """Returns the logarithm of the density of strengths around centres that are not known, with the
        probability of these groups, minus that around the known centre 0."""
        size = len(strengths)
        found = log(2 / (size - 1)) - log(float(comb(size, len(self.groups[0]))))
        for group in self.groups:
            whole = total(strengths[place] for place in group)
            found += squared(whole) * _shared(len(group), strength) / 2
            found -= log(1 + len(group) * squared(CENTRES / strength)) / 2
        return found

    def apart(self, strengths: Vector) -> float:
        """Returns the standard deviation of the mean strength of the own group over all bots."""
        mean = total(strengths) / len(strengths)
        squares = 0.0
        for group in self.groups:
            centre = total(strengths[place] for place in group) / len(group)
            squares += len(group) * squared(centre - mean)
        return deviation(squares / len(strengths))


def _shared(size: int, strength: float) -> float:
    """The precision that each pair of a group loses because the centre of the group is not known."""
    return 1 / (squared(strength) * (size + squared(strength / CENTRES)))


def groups_of(strengths: Vector) -> TwoGroups:
    """Splits a field at the place in the order of strengths that makes two groups the most likely.

    >>> groups_of([0.1, 3.0, 0.0, -0.1, 3.1]).groups
    [[0, 2, 3], [1, 4]]
    """
    size = len(strengths)
    order = sorted(range(size), key=strengths.__getitem__)

    def value(cut: int) -> float:
        parts = order[:cut], order[cut:]
        squares = total(_squares([strengths[place] for place in part]) for part in parts)
        return -size / 2 * log(squares / size + squared(NARROW)) - log(float(comb(size, cut)))

    best = max(range(1, size), key=value)
    return TwoGroups([sorted(order[:best]), sorted(order[best:])])


def _squares(values: Vector) -> float:
    mean = total(values) / len(values)
    return total(squared(value - mean) for value in values)
