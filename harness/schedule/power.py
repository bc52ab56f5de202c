"""Computes how much better a bot must be so that results probably tell it apart from another one.

It asks the tests themselves: it makes up deals with this mean and this deviation, and looks for the smallest
mean for which the doubt is small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, fsum, lgamma, log

from harness.results.betting import bets

NEIGHBOURS = 2
"""A bot's comparisons with others are corrected together. At last two are open, with its neighbours."""
LEVEL = 0.05
_STEPS = 30


def told_by_bets(deals: int, deviation: float, doubt: float) -> float | None:
    """The mean difference of two bots in a deal, from 0 to 1, that bets probably find in so many deals.

    `deviation` is that of a difference; `doubt` is what remains for one direction. None if even a bot that is
    always as far ahead as possible is not told apart.
    """

    return (
        smallest(lambda mean: _doubt(mean, deviation, deals) <= doubt)
        if _doubt(1, 0, deals) <= doubt
        else None
    )


def _doubt(mean: float, deviation: float, deals: int) -> float:
    """The doubt after deals of two results, from -1 to 1, that have this mean and about this deviation."""
    high = min(1.0, mean + deviation)
    if not deviation or mean >= high:
        return bets({mean: deals}).doubt
    low = max(-1.0, mean - deviation * deviation / (high - mean))
    often = round(deals * (mean - low) / (high - low))
    return bets({high: often, low: deals - often}).doubt


def smallest(found: Callable[[float], bool]) -> float:
    """The smallest number from 0 to 1 for which this is true, if it is true for all larger ones."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def goes_on(share: float, matches: int, longer: int) -> float:
    """The probability that a bot that wins this share of its matches goes on from a table of so many.

    After a tie the two bots play until they have played at most so many times as many; then the lot decides.
    This neglects that bets may decide earlier, because they are rarely wrong.
    """
    won, tie = _ahead(share, matches)
    later, still = _ahead(share, matches * (longer - 1))
    return won + tie * (later + still / 2)


def _ahead(share: float, matches: int) -> tuple[float, float]:
    """The probabilities that this bot wins more than half of so many matches, and exactly half of them."""

    def chance(won: int) -> float:
        ways = lgamma(matches + 1) - lgamma(won + 1) - lgamma(matches - won + 1)
        return exp(ways + won * log(share) + (matches - won) * log(1 - share))

    tie = chance(matches // 2) if matches % 2 == 0 else 0.0
    return fsum(map(chance, range(matches // 2 + 1, matches + 1))), tie
