"""Tests whether the sittings of encounters differ more than luck explains.

The matches of a sitting are played by the same processes. If a bot plays better in some sittings than in
others, for example because of its first random numbers, the deals of a sitting depend on each other. Then a
whole sitting has to count as one unit. Without such a difference, each deal counts as one unit.

Name: F test of a nested analysis of variance. Formula: F is the mean square between the sittings of an
encounter, divided by the mean square between the deals of a sitting, both for the ranks of each bot. z = ((1
- 2 / (9 g)) * F^(1/3) - 1 + 2 / (9 f)) / sqrt(2 / (9 g) * F^(2/3) + 2 / (9 f)) is about normal, where f and g
are the degrees of freedom of the two mean squares. Source: Fisher (1925); Paulson, "An approximate
normalization of the analysis of variance distribution" (1942).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import sqrt

from harness.results.statistics.equations import total
from harness.results.statistics.meetings import SeatedMatch

CLEAR = 1.6448536269514722
"""Luck alone gives a larger z in 5 % of cases."""


def sitting_of(match: SeatedMatch) -> str:
    """Returns the name of the sitting of a match."""
    return match.id.rpartition(".")[0]


def differ(matches: Iterable[SeatedMatch]) -> bool:
    """Returns whether the sittings differ clearly. In `matches`, the matches of one encounter must come one
    after the other. No deal is played in two sittings."""
    between = within = 0.0
    free = left = 0.0
    seats = 0
    for _, together in groupby(matches, lambda match: match.encounter):
        sittings = [list(each) for _, each in groupby(together, sitting_of)]
        seats = len(sittings[0][0].bots)
        share = 1 - 1 / seats  # The ranks of a match have a fixed sum, so one of them is not free.
        for bot in sittings[0][0].bots:
            deals = [_deals(sitting, bot) for sitting in sittings]
            found, inside = _squares(deals)
            between += found
            within += inside
            free += share * (len(deals) - 1)
            left += share * (sum(map(len, deals)) - len(deals))
    if not free or not left:
        return False
    within += (seats * seats - 1) / 12  # One match is added in which every rank is equally likely.
    left += 1
    ratio = between / free * left / within
    one, other = 2 / (9 * free), 2 / (9 * left)
    root = float(ratio ** (1 / 3))
    return ((1 - other) * root - 1 + one) / sqrt(other * root * root + one) > CLEAR


def _deals(sitting: Sequence[SeatedMatch], bot: str) -> list[tuple[float, int]]:
    """Returns, for each deal of a sitting, the sum of the ranks of a bot, and the number of matches."""
    found: dict[str, tuple[float, int]] = {}
    for match in sitting:
        whole, count = found.get(match.deal, (0.0, 0))
        found[match.deal] = whole + match.ranks[match.bots.index(bot)], count + 1
    return list(found.values())


def _squares(sittings: Sequence[Sequence[tuple[float, int]]]) -> tuple[float, float]:
    """Returns the sum of squares between the sittings of a bot, and the sum of squares between its deals
    within sittings. A deal with n matches counts n times."""
    means = []
    inside = 0.0
    for deals in sittings:
        count = sum(number for _, number in deals)
        mean = total(whole for whole, _ in deals) / count
        inside += total(number * (whole / number - mean) ** 2 for whole, number in deals)
        means.append((mean, count))
    middle = total(mean * count for mean, count in means) / sum(count for _, count in means)
    return total(count * (mean - middle) ** 2 for mean, count in means), inside
