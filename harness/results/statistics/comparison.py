"""Compares two bots by their results, deal by deal, because matches of one deal share their luck.

`lead` tests whether one bot beats another in the deals that both played. `gap` compares the average ranks of
two bots against all opponents. Both tests are valid only if somebody looks at the results once, at the end.
`statistics.betting` has a test that allows any number of looks, and `apart` makes the differences for this
test.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, erfc, gcd, inf, log2, sqrt
from statistics import NormalDist
from struct import unpack
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.results.statistics.betting import MOST_MORE, NO_REST, Rest
from harness.results.statistics.equations import total


class Deal(NamedTuple):
    """The result of a bot in one deal, over all orders of seats in that deal."""

    total: Number
    """The sum of the bot's ranks, or of other numbers; low numbers are good."""
    matches: int
    others: tuple[str, ...]
    """The other bots at the table. Two deals of the same table differ only by luck."""


Deals: TypeAlias = Mapping[str, Deal]
"""The deals of a bot; the keys are the names of the deals."""

MOST_EXACT = 48
"""Up to this many deals the permutation test is exact; for more deals, the normal distribution approximates
it."""
MOST_SUM = 200_000
"""The largest sum of differences for an exact test, if the differences are not whole or half numbers. The
time of the test grows with this sum."""
_FIELD = 64


class Lead(NamedTuple):
    """The lead of one bot over another bot."""

    deals: int
    """The number of deals that both bots played."""
    sure: float
    """1 minus the one-sided p-value of the test. If this number is 0.95, two equal bots show such a lead in 5
    % of cases."""
    deviations: float
    """The lead, measured in standard deviations of its permutation distribution. The number is below 0 if the
    bot is behind."""


def lead(own: Deals, other: Deals) -> Lead:
    """Returns the lead of a bot over another bot in the deals that both played, by a one-sided sign-flip
    permutation test.

    If the two bots are equal, the difference in each deal is equally likely with the opposite sign. `sure` is
    the share of all 2^n sign patterns that give a smaller lead than the observed lead.

    Name: sign-flip (randomization) test of paired differences. Formula: 1 - p with
    p = #{s in {-1, 1}^n : sum s * |d| >= sum d} / 2^n; above `MOST_EXACT` deals, a normal distribution gives
    p = P(Z >= sum d / sqrt(sum d^2)). Source: Fisher, "The Design of Experiments" (1935), section 21.
    """
    met = [name for name in own if name in other]
    differences, halves = _whole_numbers([other[name].total - own[name].total for name in met])
    spread = sqrt(sum(each * each for each in differences))
    deviations = sum(differences) / spread if spread else 0.0
    few = len(met) <= MOST_EXACT and (halves or sum(map(abs, differences)) <= MOST_SUM)
    sure = _exact(differences) if few else 1 - erfc(deviations / sqrt(2)) / 2
    return Lead(len(met), sure, deviations)


def _whole_numbers(differences: Sequence[Number]) -> tuple[list[int], bool]:
    """Multiplies all differences by the smallest number that makes them whole, and returns the products. Also
    returns whether this number is 1 or 2, as it always is for ranks."""
    times = max((each.as_integer_ratio()[1] for each in differences), default=1)
    return [int(each * times) for each in differences], times <= 2


def _exact(differences: Sequence[int]) -> float:
    """Returns the share of all sign patterns that give a smaller sum than these differences."""
    steps = [abs(each) for each in differences if each]
    if not steps:
        return 0.0
    unit = gcd(*steps)
    # `ways` is a generating polynomial, packed into one number. There is one coefficient for each sum: the
    # number of sign patterns that give this sum.
    ways = 1
    for step in steps:
        ways += ways << (step // unit * _FIELD)
    least = (sum(differences) + sum(steps)) // 2 // unit
    size = sum(steps) // unit + 1
    fields = unpack(f"<{size}Q", ways.to_bytes(size * _FIELD // 8, "little"))
    at_least = sum(fields[least:])
    return float(1 - at_least / 2 ** len(steps))


class Gap(NamedTuple):
    """The difference of the average ranks of two bots, with its t statistic."""

    free: float
    """The degrees of freedom of the estimated standard error."""
    difference: float
    """The difference of the average ranks; it is above 0 if the first bot is better."""
    errors: float
    """The t statistic: the difference divided by its standard error, after the largest possible effect of
    different opponents is subtracted. The t statistic is `inf` if the results do not vary."""


def gap(own: Deals, other: Deals, slack: float | None = 0.0) -> Gap:
    """Returns the gap between the average ranks of two bots, whether or not they met. In a deal that both
    bots played, their two results form a pair.

    `slack` is the largest difference that opponents can cause between the averages of two equal bots. `slack`
    is None if the two bots did not meet the same opponents. The standard error is the error of a stratified
    sample. The units of this sample are deals, and each table is a stratum. If `slack` is None, the units are
    whole tables. Strata with a single unit are merged (collapsed strata), so the estimated error is often too
    large.

    Name: t statistic of a difference of two stratified means. Formula: t = max(0, |a - b| - slack) / sqrt(sum
    over strata of n / (n - 1) * sum (part - mean part)^2), where a and b are the averages, and the part of a
    deal is its share of a - b; the degrees of freedom are the sum of n - 1. Source: Cochran, "Sampling
    Techniques" (1977), sections 5.4 and 5A.12 (collapsed strata).
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
        tables = {table: [total(parts)] for table, parts in tables.items()}
    groups = [parts for parts in tables.values() if len(parts) > 1]
    groups.append([parts[0] for parts in tables.values() if len(parts) == 1])
    free = sum(len(parts) - 1 for parts in groups if parts)
    error = sqrt(total(map(_variance, groups))) if free else inf
    difference = average_other - average
    sure = max(0.0, abs(difference) - (slack or 0.0))
    errors = sure / error if error > _NOTHING else inf if sure > _NOTHING else 0.0
    return Gap(free, difference, errors if difference > 0 else -errors)


_NONE = Deal(0, 0, ())
_NOTHING = 1e-12
"""A standard error below this number is only a rounding error of results that do not vary."""


def _variance(parts: Sequence[float]) -> float:
    """Returns the estimated variance of the sum of these parts."""
    if len(parts) < 2:
        return 0.0
    mean = total(parts) / len(parts)
    return total((part - mean) ** 2 for part in parts) * len(parts) / (len(parts) - 1)


def _average(deals: Deals) -> tuple[float, int]:
    """Returns the average rank of a bot in these deals, and the number of matches."""
    matches = sum(deal.matches for deal in deals.values())
    return total(deal.total for deal in deals.values()) / matches, matches


def more(confidence: float, errors: float, count: int) -> int:
    """Returns the number of further deals that the test would need to reach the confidence (one-sided). The
    result is at most `MOST_MORE`.

    `count` deals are played already. The result is right only if the bots continue to play as they did in
    these deals.
    """
    fewest = ceil(
        log2(1 / (1 - confidence))
    )  # With fewer than `fewest` deals, no result of the test can reach the confidence.
    if not count or not errors:
        return MOST_MORE if count else fewest
    needed = count * (NormalDist().inv_cdf(confidence) / abs(errors)) ** 2
    return min(MOST_MORE, max(1, ceil(needed) - count, fewest - count))


# -- deal by deal, for bets --------------------------------------------------------------------------
#
# This part compares two bots deal by deal, for tests that bet on deals (`statistics.betting`).
#
# A table is a set of bots that play together. Bots that met at a table are compared in their common deals.
# All other deals of the two bots are compared one by one. If possible, two such deals have the same
# opponents. This comparison is fair if both bots met each opponent equally often. If these numbers of
# meetings differ only a little, the `skew` bounds the error. If these numbers differ more, luck also decided
# which opponents a bot met. Then whole tables are compared.


MOST_SKEW = 0.05
"""If the `skew` of two bots is larger than this number, the two bots count as bots with different
opponents."""
Table: TypeAlias = tuple[str, ...]
"""The other bots at a table."""


class Ranks:
    """The mean ranks of a bot in its deals, by table. Instead of ranks, a bot may have other numbers, if
    low numbers are good.

    `span` is the largest possible difference of two of these numbers. `span` is None for ranks, because the
    largest difference of ranks follows from the size of the table.
    """

    def __init__(self, bot: str, deals: Deals, span: float | None = None) -> None:
        self.bot = bot
        self.deals = deals
        self.span = span
        self.tables: dict[Table, array[float]] = {}
        """The ranks at each table, in arrays: an array needs 8 bytes for a rank, and a list needs 32."""
        for deal in deals.values():
            table = self.tables.get(deal.others)
            if table is None:
                table = self.tables[deal.others] = array("d")
            table.append(deal.total / deal.matches)

    def without(self, other: Ranks) -> Mapping[Table, Sequence[float]]:
        """Returns the bot's tables at which the other bot does not play, with the ranks."""
        return {table: ranks for table, ranks in self.tables.items() if other.bot not in table}


class Apart(NamedTuple):
    """How much better one bot was than another in each deal that both played. A difference of 1 means that
    the first bot beat all opponents and the second bot beat none of them; -1 means the opposite.
    `differences` says for each difference in how many deals it occurred."""

    differences: Mapping[float, int]
    skew: float
    """The largest distance of the mean difference from 0 if the bots are equal."""
    rest: Rest = NO_REST
    """Further differences, from the deals of other bots."""


def met(own: Ranks, other: Ranks) -> Counter[float]:
    """Compares the ranks of two bots in each deal that both played. Returns, for each difference of ranks,
    the number of deals with this difference. The difference is above 0 if the first bot did better."""
    found: Counter[float] = Counter()
    for table, ranks in own.tables.items():
        if other.bot in table:
            theirs = other.tables[tuple(sorted({*table, own.bot} - {other.bot}))]
            _add(found, ranks, theirs, own.span or len(table))
    return found


def in_turn(own: Ranks, other: Ranks) -> list[float]:
    """Returns the differences of `met`, in the order of the deals."""
    return [
        (other.deals[name].total / other.deals[name].matches - deal.total / deal.matches)
        / (own.span or len(deal.others))
        for name, deal in own.deals.items()
        if name in other.deals
    ]


def apart(own: Ranks, other: Ranks) -> Apart:
    """Returns the differences of all deals of two bots. A difference is above 0 if the first bot did
    better."""
    lone, lone_other = own.without(other), other.without(own)
    uneven = skew(own, other)
    if uneven > MOST_SKEW:
        lone, lone_other, uneven = _whole(lone), _whole(lone_other), 0.0
    found, left, left_other = met(own, other), list[float](), list[float]()
    for table in {**lone, **lone_other}:
        ranks, theirs = lone.get(table, []), lone_other.get(table, [])
        _add(found, ranks, theirs, own.span or len(table))
        left += ranks[len(theirs) :]
        left_other += theirs[len(ranks) :]
    _add(found, left, left_other, most(own, other))
    return Apart(found, uneven)


def skew(own: Ranks, other: Ranks) -> float:
    """Two equal bots can have different averages if they met other bots unequally often. Returns the largest
    difference that this can cause.

    The result is a share of the largest possible difference. The result is 0 if both bots met each of the
    other bots equally often. A rank is 1 plus the number of bots that are ahead. One more meeting with a bot
    that is always ahead adds a half to the sum of the ranks, compared with a bot that is ahead half of the
    time. A bot that is never ahead takes a half away.
    """
    mine, theirs = _others(own.without(other)), _others(other.without(own))
    number, number_other = len(own.deals), len(other.deals)
    uneven = total(abs(mine[bot] / number - theirs[bot] / number_other) for bot in {**mine, **theirs})
    return uneven / 2 / max(map(len, own.tables | other.tables))


def most(own: Ranks, other: Ranks) -> float:
    """Returns the largest possible difference of the ranks of two bots."""
    return own.span or max(map(len, own.tables | other.tables))


def _others(tables: Mapping[Table, Sequence[float]]) -> Counter[str]:
    """Returns the number of deals with each of the other bots."""
    found: Counter[str] = Counter()
    for table, ranks in tables.items():
        for bot in table:
            found[bot] += len(ranks)
    return found


def _whole(tables: Mapping[Table, Sequence[float]]) -> dict[Table, list[float]]:
    """Returns the tables with only one number for each table: the mean over all its deals."""
    return {table: [total(ranks) / len(ranks)] for table, ranks in tables.items()}


def _add(found: Counter[float], own: Sequence[float], other: Sequence[float], most: float) -> None:
    """Adds the differences of these ranks, each as a share of the largest possible difference."""
    for (rank, theirs), times in Counter(zip(own, other, strict=False)).items():
        found[(theirs - rank) / most] += times
