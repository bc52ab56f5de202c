"""Uses bets to test whether one bot is better than another. Anyone may look at the result after any deal.

Imagine a gambler who believes that the first bot is better. Before each deal, the gambler bets a fixed part b
of the money on this bot, from 5 % to 95 %. A deal gives a difference d from -1 to 1. If the first bot did
better, d is above 0. Then the money is multiplied by 1 + b * d. If the two bots are equally good, d is 0 on
average, so the game is fair: nobody can expect to win. Then, by Ville's inequality, a gambler who starts with
1 has a probability of at most 1/20 to *ever* have 20 or more. So if the gambler has 20 after some deal, the
first bot is better at a confidence of 0.95. This is true no matter how often somebody looked at the results
before, and no matter why the tournament stopped at this deal.

Nobody knows which part b is the best bet. So 19 gamblers bet different parts, and the test uses the mean of
their money. A game that pays this mean is fair too. The computation needs only +, * and /, so the result is
the same on every machine.

Name: betting test of a bounded mean, a mixture of capital processes with fixed bets.
Formula: W = 1/19 * sum over b in {0.05, ..., 0.95} of prod (1 + b * d); the doubt is 1 / W, at most 1.
Source: Ville (1939) for the inequality; Shafer, "Testing by betting" (2021); Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting" (2024).

The order of the deals does not matter, because a product does not depend on the order. The differences do not
have to have the same mean. It is enough that the differences are independent, and that their means add up to
0 or less. The expected money is the product of the factors 1 + b * mean. A product of numbers with a fixed
mean is largest if all numbers are equal (the inequality of the arithmetic and the geometric mean), so the
expected money is at most 1. So the test may use deals with strong and with weak opponents together if the two
bots met the same opponents equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import exp, frexp, inf, ldexp, log, prod
from operator import mul
from typing import NamedTuple

from harness.results.statistics.equations import total

BETS = tuple(step / 20 for step in range(1, 20))
"""The parts of their money that the gamblers bet."""
MOST_MORE = 10_000
"""The largest number of further deals that `more` reports. Nobody would play more deals."""


class Bets(NamedTuple):
    """The money that each gambler owns after some deals; each gambler started with 1."""

    deals: int
    owned: tuple[float, ...]

    @property
    def doubt(self) -> float:
        """1 divided by the mean of the money of all gamblers, but never more than 1.

        If the first bot is not better, the probability that the doubt is ever 0.05 or less is at most 5 %.
        """
        money = total(self.owned)
        return len(self.owned) / money if money > len(self.owned) else 1.0

    def more(self, doubt: float) -> int:
        """Returns the number of further deals after which the doubt would be as small as `doubt`. The result
        is at most `MOST_MORE`.

        The estimate assumes that the bots continue to play as they do now. Before the first deal, it assumes
        that the first bot wins all deals.
        """
        played, owned = (self.deals, self.owned) if self.deals else (1, bets([1.0]).owned)
        growth = [log(each) / played for each in owned if each > 0]

        def enough(deals: int) -> bool:
            return total(exp(min(each * deals, _MOST)) for each in growth) * doubt >= len(owned)

        low, high = self.deals, self.deals + MOST_MORE
        if not enough(high):
            return MOST_MORE
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high - self.deals


_MOST = 700.0
"""The largest argument of `exp` in this file. The value of `exp` for a much larger argument does not fit into
a float."""


class Rest(NamedTuple):
    """A summary of the differences of many deals, if these differences are small: their sum, the sum of their
    squares, and the largest possible difference."""

    sum: float
    squares: float
    most: float

    def logarithm(self, part: float) -> float:
        """Returns a lower bound of an amount: how much these differences add to the logarithm of a gambler's
        money. The gambler bets the part `part`.

        If x is at least -m, the logarithm of 1 + x is at least x - c * x * x, with c = 1/2 + m/3 + m*m/4 and
        so on.
        """
        most = part * self.most
        if most >= 1:
            return -inf
        curve = 1 / 2 + most / 3 + most * most / 4 / (1 - most)
        return part * self.sum - curve * part * part * self.squares


NO_REST = Rest(0.0, 0.0, 0.0)


def bets(differences: Iterable[float] | Mapping[float, int], rest: Rest = NO_REST) -> Bets:
    """Returns the money of the gamblers if they bet on the first bot. Each deal has a difference from -1 to
    1, which is above 0 if the first bot did better in this deal.

    If `differences` is a mapping, the mapping has, for each difference, the number of deals with this
    difference. `rest` has further differences.

    >>> bets([1, 1, 1, 1, 1, 1, 1]).doubt < 0.05
    True
    """
    counts = sorted(Counter(differences).items())
    often = [(difference, times) for difference, times in counts if times > _FEW]
    rare = [difference for difference, times in counts if times <= _FEW for _ in range(times)]
    owned = []
    for part in BETS:
        money, twos = _exponential(rest.logarithm(part)) if rest.most else (1.0, 0)
        factors = [_power(1 + part * difference, times) for difference, times in often]
        for at in range(0, len(rare), _SHORT):
            factors.append(frexp(prod([1 + part * difference for difference in rare[at : at + _SHORT]])))
        for factor, more in factors:
            money, shift = frexp(money * factor)
            twos += more + shift
        owned.append(ldexp(money, min(twos, _RICHEST)))
    return Bets(sum(times for _, times in counts), tuple(owned))


def least_doubt(differences: Iterable[float]) -> float:
    """Takes the deals in their order. After each deal the claim that the first bot is better has a doubt.
    Returns the smallest of these doubts.

    By Ville's inequality, the probability that this number is 0.05 or less is at most 5 % if the first bot is
    not better. So a claim that held after some deal may still be made after more deals. But this function
    assumes more than `bets` does. If the first bot is not better, the mean difference must be at most 0 in
    each single deal, given the deals before it. The function `bets` assumes less: only the mean difference of
    all deals together must be at most 0.

    >>> least_doubt([1] * 7 + [-1] * 7) == bets([1] * 7).doubt
    True
    """
    owned, most = [1.0] * len(BETS), float(len(BETS))
    factors: dict[float, list[float]] = {}
    for difference in differences:
        if difference not in factors:
            factors[difference] = [1 + part * difference for part in BETS]
        owned = list(map(mul, owned, factors[difference]))
        most = max(most, total(owned))
        if most > _ENOUGH:
            break
    return len(BETS) / most


_ENOUGH = 1e300
"""If all gamblers together have more money than this, the doubt is practically 0, and larger numbers might
not fit into a float."""


def split(*games: Mapping[float, int]) -> Bets:
    """Returns the result if the gamblers divide their money evenly among several games. All games use the
    same deals, but each game measures the differences in its own way. Games without differences do not
    count."""
    found = [bets(each) for each in games if each] or [bets({})]
    return Bets(found[0].deals, tuple([owned for each in found for owned in each.owned]))


_FEW = 8
_RICHEST = 1_000
"""No gambler owns more than 2 to the power of this number, because larger numbers might not fit into a
float."""

_SQUARED = 16
_LARGEST = 600.0


def _exponential(value: float) -> tuple[float, int]:
    """Returns a number a little below e to the power of `value`, in two parts as in `_power`. The function
    computes (1 + value / n) to the power of n."""
    result = max(0.0, 1 + min(value, _LARGEST) / 2**_SQUARED)
    for _ in range(_SQUARED):
        result *= result
    return frexp(result)


_SHORT = 200
"""Up to this exponent, no power of a factor from 0.05 to 1.95 becomes infinite or 0."""


def _power(base: float, times: int) -> tuple[float, int]:
    """Returns `base` to the power of `times` in two parts: a number, and the power of two by which this
    number must be multiplied.

    The function only multiplies, and the separate exponent keeps the numbers from becoming infinite or 0.
    """
    if times > _SHORT:
        half, twos = _power(base, times // 2)
        whole, shift = frexp(half * half * (base if times % 2 else 1.0))
        return whole, 2 * twos + shift
    result = 1.0
    while times:
        if times % 2:
            result *= base
        base *= base
        times //= 2
    return frexp(result)
