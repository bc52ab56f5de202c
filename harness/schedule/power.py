"""Computes how much better a bot must be so that results probably tell it apart from another one.

It asks the tests themselves: it makes up deals with this mean and this deviation, and looks for the smallest
mean for which the doubt is small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

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


def goes_on(share: float, matches: int, again: int) -> float:
    """The probability that a bot that wins this share of its matches wins an encounter of so many.

    After a tie it is played again, at most so often; then the lot decides.
    """
    ways = [comb(matches, won) * share**won * (1 - share) ** (matches - won) for won in range(matches + 1)]
    tie = ways[matches // 2] if matches % 2 == 0 else 0.0
    found = 0.5
    for _ in range(again + 1):
        found = sum(ways[matches // 2 + 1 :]) + tie * found
    return found
