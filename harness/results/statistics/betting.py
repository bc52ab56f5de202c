"""Tests whether one bot is better than another, by bets. Everybody may look after every deal.

Imagine a gambler who believes that the first bot is better. Before each deal it bets a fixed part of its
money on this bot, a part b from 5 % to 95 %. A deal gives a difference d from -1 to 1, above 0 if the first
bot did better, and the money is multiplied by 1 + b * d. If the two bots are equally good, d is 0 on average,
so the game is fair: nobody can expect to win. By Ville's inequality, a gambler that starts with 1 then *ever*
has 20 or more with a probability of at most 1/20. So if it has 20 after some deal, the first bot is better,
at a confidence of 0.95, no matter how often somebody looked before, and why somebody stopped just now.

Nobody knows which part is best to bet. So 19 gamblers share the first money equally; together they own the
mean of what each of them owns, and this game is fair too. Only +, * and / are needed, so the result is the
same on every machine.

Name: betting test of a bounded mean, a mixture of capital processes with fixed bets.
Formula: W = 1/19 * sum over b in {0.05, ..., 0.95} of prod (1 + b * d); the doubt is 1 / W, at most 1.
Source: Ville (1939) for the inequality; Shafer, "Testing by betting" (2021); Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting" (2024).

The order of the deals does not matter, because a product does not depend on the order. The differences need
not have the same mean. It is enough that they are independent, and that their means add up to 0 or less:
the expected money is the product of the 1 + b * mean, and a product of numbers with a fixed mean is largest
if all are equal (the inequality of the arithmetic and the geometric mean). So deals with strong and with weak
opponents may be mixed if the two bots met the same ones equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import exp, frexp, inf, ldexp, log, prod
from typing import NamedTuple

BETS = tuple(step / 20 for step in range(1, 20))
"""The part of its money that each gambler bets."""
MOST_MORE = 10_000
"""The largest number of further deals that `more` reports: nobody would play that many."""


class Bets(NamedTuple):
    """What the gamblers own after some deals; each started with 1."""

    deals: int
    owned: tuple[float, ...]

    @property
    def doubt(self) -> float:
        """1 divided by what they own on average, at most 1.

        If the first bot is not better, it is ever 0.05 or less with a probability of at most 5 %.
        """
        total = sum(self.owned)
        return len(self.owned) / total if total > len(self.owned) else 1.0

    def more(self, doubt: float) -> int:
        """The number of further deals that would bring the doubt down to this number; at most `MOST_MORE`.

        It assumes that the bots continue to play as they do now; without a deal, that the first bot wins all.
        """
        played, owned = (self.deals, self.owned) if self.deals else (1, bets([1.0]).owned)
        growth = [log(each) / played for each in owned if each > 0]

        def enough(deals: int) -> bool:
            return sum(exp(min(each * deals, _MOST)) for each in growth) * doubt >= len(owned)

        low, high = self.deals, self.deals + MOST_MORE
        if not enough(high):
            return MOST_MORE
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high - self.deals


_MOST = 700.0
"""The exponential function of a larger number is no float."""


class Rest(NamedTuple):
    """Many small differences: their sum, the sum of their squares, and the largest that was possible."""

    sum: float
    squares: float
    most: float

    def logarithm(self, part: float) -> float:
        """What these differences add, at least, to the logarithm of the money that bets this part.

        The logarithm of 1 + x is at least x - c * x * x if x is at least -m; c is 1/2 + m/3 + m*m/4 + ...
        """
        most = part * self.most
        if most >= 1:
            return -inf
        curve = 1 / 2 + most / 3 + most * most / 4 / (1 - most)
        return part * self.sum - curve * part * part * self.squares


NO_REST = Rest(0.0, 0.0, 0.0)


def bets(differences: Iterable[float] | Mapping[float, int], rest: Rest = NO_REST) -> Bets:
    """The bets that the first bot is better; each difference is from -1 to 1, above 0 if it did better.

    A mapping has the number of each difference. `rest` has further differences.

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


_FEW = 8
_RICHEST = 1_000
"""Nobody owns more than 2 to the power of this number: larger numbers would be no floats."""

_SQUARED = 16
_LARGEST = 600.0


def _exponential(value: float) -> tuple[float, int]:
    """A little less than e to the power of x, as `_power` returns it: 1 + x / n to the power of n."""
    result = max(0.0, 1 + min(value, _LARGEST) / 2**_SQUARED)
    for _ in range(_SQUARED):
        result *= result
    return frexp(result)


_SHORT = 200
"""Up to this power, a factor from 0.05 to 1.95 stays a float."""


def _power(base: float, times: int) -> tuple[float, int]:
    """`base` to the power of `times`, as a number and the power of two to multiply it by.

    It multiplies only, and the power of two keeps the numbers from becoming infinite or 0.
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
