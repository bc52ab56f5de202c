"""Computes the mean of the differences between pairs of values, and its confidence interval.

Name: Student's t interval for paired differences. Formula: mean ± t * s / sqrt(n), with the standard
deviation s of n differences and the quantile t of Student's distribution with n - 1 degrees of freedom.
Source: Student, "The Probable Error of a Mean" (1908).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import NamedTuple

from harness.results.statistics.student import quantile

ERROR = 0.05
"""The probability that an interval does not contain the true mean."""
FEWEST = 6
"""The fewest differences for an answer. If there are fewer differences, luck alone gives all differences the
same sign with a probability of more than 5 %."""


class MeanDifference(NamedTuple):
    """The mean of `number` differences. `low` and `high` are the ends of its 95 % interval. `low` and `high`
    are None if there is only one difference. They are also None if there are few differences and all
    differences are equal, because then nothing shows how much differences vary."""

    mean: float
    low: float | None
    high: float | None
    number: int

    @property
    def answer(self) -> str:
        """Returns "better" or "worse"; returns "open" if the differences do not show which of the two is
        true."""
        if self.low is None or self.high is None or self.number < FEWEST:
            return "open"
        return "better" if self.low > 0 else "worse" if self.high < 0 else "open"


def mean_difference(values: Sequence[float], looks: int = 1) -> MeanDifference:
    """Returns the mean of these differences with its interval. There must be at least one difference.

    `looks` is the number of means that somebody looks at. With more means, each interval is wider, so that
    all intervals are right at the same time with a probability of at least 95 % (Bonferroni).
    """
    count = len(values)
    mean = fsum(values) / count
    if count == 1 or (count < FEWEST and len(set(values)) == 1):
        return MeanDifference(mean, None, None, count)
    error = sqrt(fsum((each - mean) ** 2 for each in values) / (count - 1) / count)
    reach = quantile(1 - ERROR / looks / 2, count - 1) * error
    return MeanDifference(mean, mean - reach, mean + reach, count)
