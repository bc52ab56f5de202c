"""The confidence interval of a share.

Name: Wilson's score interval. Formula: (p + z²/2n ± z * sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n), with the
share p of n trials and the quantile z of the normal distribution. Source: Wilson, "Probable Inference, the
Law of Succession, and Statistical Inference" (1927). A tie counts as half a success, which makes the interval
a little too wide.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def share_interval(successes: float, trials: int) -> tuple[float, float]:
    """Returns the ends of the 95 % interval of a share. There must be at least one trial."""
    share, z2 = successes / trials, Z * Z
    middle = share + z2 / (2 * trials)
    reach = Z * sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    scale = 1 + z2 / trials
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)
