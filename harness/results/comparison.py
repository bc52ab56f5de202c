"""Compares two bots by their deals. Matches of one deal share their luck, so the unit is the deal.

`lead` tests whether one bot beats another in the deals that both played, by an exact sign-flip permutation
test. `gap` compares the average ranks of two bots against all opponents, by a t statistic with stratified
variance. Both tests allow one look; `results.betting` has a test that may be looked at again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, erfc, gcd, inf, log2, sqrt
from statistics import NormalDist
from struct import unpack
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.results.betting import MOST_MORE


class Deal(NamedTuple):
    """The result of a bot in one deal, over all seatings of that deal."""

    total: Number
    """The sum of its ranks, or of other numbers of which a low one is good."""
    matches: int
    others: tuple[str, ...]
    """The other bots at the table. Two deals of the same table differ only by luck."""


Deals: TypeAlias = Mapping[str, Deal]
"""The deals of a bot; the keys are the names of the deals."""

MOST_EXACT = 48
"""Up to this many deals the permutation test is exact; for more, the normal distribution approximates it."""
_FIELD = 64


class Lead(NamedTuple):
    """How far one bot is ahead of another."""

    deals: int
    """The number of deals that both played."""
    sure: float
    """1 minus the one-sided p-value of the test: at 0.95, two equal bots show such a lead in 5 % of cases."""
    deviations: float
    """The lead in standard deviations of its permutation distribution; below 0 if the bot is behind."""


def lead(own: Deals, other: Deals) -> Lead:
    """The lead over another bot in the deals that both played: a sign-flip permutation test, one-sided.

    If the two bots are equal, the difference in each deal is equally likely with the opposite sign. `sure` is
    the share of all 2^n sign patterns that give a smaller lead than the observed lead.
    """
    met = [name for name in own if name in other]
    differences = [int(2 * (other[name].total - own[name].total)) for name in met]
    spread = sqrt(sum(each * each for each in differences))
    deviations = sum(differences) / spread if spread else 0.0
    sure = _exact(differences) if len(met) <= MOST_EXACT else 1 - erfc(deviations / sqrt(2)) / 2
    return Lead(len(met), sure, deviations)


def _exact(differences: Sequence[int]) -> float:
    """The share of all sign patterns that give a smaller sum than these differences."""
    steps = [abs(each) for each in differences if each]
    if not steps:
        return 0.0
    unit = gcd(*steps)
    # A generating polynomial: its coefficients, packed into one number, count the sign patterns for each sum.
    ways = 1
    for step in steps:
        ways += ways << (step // unit * _FIELD)
    least = (sum(differences) + sum(steps)) // 2 // unit
    size = sum(steps) // unit + 1
    fields = unpack(f"<{size}Q", ways.to_bytes(size * _FIELD // 8, "little"))
    at_least = sum(fields[least:])
    return float(1 - at_least / 2 ** len(steps))


class Gap(NamedTuple):
    """How much better the average rank of one bot is than that of another."""

    free: float
    """The degrees of freedom of the estimated standard error."""
    difference: float
    """The difference in ranks; it is above 0 if the bot is better."""
    errors: float
    """The difference divided by its standard error (the t statistic), after what other opponents could do at
    most is taken off; `inf` if the results do not vary."""


def gap(own: Deals, other: Deals, slack: float | None = 0.0) -> Gap:
    """The gap between the averages of two bots, whether or not they met. Deals that both played are pairs.

    `slack` is how far the averages of equal bots can be apart at most because of their opponents; None if
    they did not meet the same ones. The standard error is that of a stratified sample. Its units are deals,
    and each table is a stratum; with None, its units are whole tables. Strata with a single unit are merged
    (collapsed strata), so the estimated error is often too large.
    """
    average, matches = _average(own)
    average_other, matches_other = _average(other)
    tables: dict[object, list[float]] = {}
    for name in {**own, **other}:
        mine, theirs = own.get(name, _NONE), other.get(name, _NONE)
        part = (theirs.total - theirs.matches * average_other) / matches_other
        part -= (mine.total - mine.matches * average) / matches
        tables.setdefault((name in own, name in other, mine.others or theirs.others), []).append(part)
    if slack is None:
        tables = {table: [sum(parts)] for table, parts in tables.items()}
    groups = [parts for parts in tables.values() if len(parts) > 1]
    groups.append([parts[0] for parts in tables.values() if len(parts) == 1])
    free = sum(len(parts) - 1 for parts in groups if parts)
    error = sqrt(sum(map(_variance, groups))) if free else inf
    difference = average_other - average
    sure = max(0.0, abs(difference) - (slack or 0.0))
    errors = sure / error if error > _NOTHING else inf if sure > _NOTHING else 0.0
    return Gap(free, difference, errors if difference > 0 else -errors)


_NONE = Deal(0, 0, ())
_NOTHING = 1e-12
"""A standard error below this is a rounding error: the results do not vary."""


def _variance(parts: Sequence[float]) -> float:
    """The estimated variance of the sum of these parts."""
    if len(parts) < 2:
        return 0.0
    mean = sum(parts) / len(parts)
    return sum((part - mean) ** 2 for part in parts) * len(parts) / (len(parts) - 1)


def _average(deals: Deals) -> tuple[float, int]:
    """The average rank, and the number of matches."""
    matches = sum(deal.matches for deal in deals.values())
    return sum(deal.total for deal in deals.values()) / matches, matches


def more(confidence: float, errors: float, count: int) -> int:
    """The number of further deals that would reach the confidence (one-sided); at most `MOST_MORE`.

    `count` deals are played already. The result assumes that the bots continue to play as they do now.
    """
    fewest = ceil(
        log2(1 / (1 - confidence))
    )  # With fewer deals no result of the test reaches the confidence.
    if not count or not errors:
        return MOST_MORE if count else fewest
    needed = count * (NormalDist().inv_cdf(confidence) / abs(errors)) ** 2
    return min(MOST_MORE, max(1, ceil(needed) - count, fewest - count))
