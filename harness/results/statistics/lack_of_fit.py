"""Measures how far the results of pairs of bots are from the results that their ratings predict.

Ratings are numbers on one scale. But bots may beat each other in a circle, as scissors, stone and paper do.
Then no scale fits: even if a pair meets very often, its result differs from the results of other pairs with
the same difference of ratings.

Pairs with about the same difference of ratings form a group, and the expected result of a pair is the mean of
its group. So the way in which the chance to win grows with the difference does not matter. In each deal, a
pair has a remainder: its result minus the expected result. The luck of one deal does not depend on the luck
of another deal. So luck does not change the mean of the product of two remainders, and this mean is the
square of the lack of fit of the pair. The estimate is the mean of these products over all pairs of deals in
which the same two bots met.

Name: mean square of the lack of fit, estimated by a U-statistic. Formula: max(0, sum of (S^2 - Q)) / sum of
n (n - 1), over the pairs of bots. For a pair, n is the number of deals, S the sum of the remainders, and Q
the sum of their squares. Source: Fisher, "The goodness of fit of regression formulae, and the distribution of
regression coefficients" (1922), for lack of fit apart from the error within repeated results; Hoeffding, "A
class of statistics with asymptotically normal distribution" (1948), for means of products.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from harness.results.statistics.rating import DIGITS

WON = 10**DIGITS
"""The result of a pair in a deal that the first bot won by as many ranks as possible."""
GROUP = 60
"""The number of pairs with about the same difference of ratings that have the same expected result."""


class PairResults(NamedTuple):
    """The results of a pair of bots: their sum, the sum of their squares, and the number of deals. `gap` is
    the difference of the ratings, and the first bot has the better rating."""

    gap: int
    total: int
    squares: int
    deals: int

    def product(self, expected: int) -> int:
        """Returns the product of the remainders of two different deals, summed over all ordered pairs of
        deals."""
        whole = self.total - expected * self.deals
        return whole * whole - (self.squares - 2 * expected * self.total + expected * expected * self.deals)


def lack_of_fit(
    differences: Mapping[tuple[str, str], Counter[float]], strength: Mapping[str, int]
) -> Fraction:
    """Returns the mean square of the lack of fit of a pair, or 0 if the estimate is below 0.

    `differences` has the results of each pair of bots that met, from -1 to 1, with the number of deals of
    each result. `differences` has each pair in both orders. `strength` has the ratings. The better of two
    ratings is the lower one. The lack of fit is 1 if bots with equal ratings always win or always lose
    against each other.
    """
    total = products = 0
    pairs = sorted(_results(differences, strength))
    for group in (pairs[begin : begin + GROUP] for begin in range(0, len(pairs), GROUP)):
        expected = sum(pair.total for pair in group) // sum(pair.deals for pair in group)
        for pair in group:
            total += pair.product(expected)
            products += pair.deals * (pair.deals - 1)
    return Fraction(max(0, total), products * WON**2) if products else Fraction()


def _results(
    differences: Mapping[tuple[str, str], Counter[float]], strength: Mapping[str, int]
) -> Iterator[PairResults]:
    for (one, two), times in differences.items():
        if (strength[one], one) < (strength[two], two):
            results = [(round(WON * each), count) for each, count in times.items()]
            yield PairResults(
                strength[two] - strength[one],
                sum(result * count for result, count in results),
                sum(result * result * count for result, count in results),
                times.total(),
            )
