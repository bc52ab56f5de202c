"""Compares two bots by their deals. Matches of one deal share their luck, so the unit is the deal.

`lead` tests whether one bot beats another in the deals that both played, by an exact sign-flip permutation
test. `gap` compares the average ranks of two bots against all opponents, by a t statistic with stratified
variance. Both tests allow one look. `met` and `apart` give the differences for tests that may be looked at
again and again (`results.betting`).

A table is a set of bots that play together. If both bots met each of the others about equally often, the
strata are the tables, and the units are deals; what the rest of the difference could do at most is taken off
(`skew`). If not, the choice of opponents is also luck, and the units are whole tables.
"""

from __future__ import annotations

from collections import Counter
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
    """The sum of its ranks."""
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

    free: int
    """The degrees of freedom of the estimated standard error."""
    difference: float
    """The difference in ranks; it is above 0 if the bot is better."""
    errors: float
    """The difference divided by its standard error (the t statistic), after what other opponents could do at
    most is taken off; `inf` if the results do not vary."""


def gap(own: Deals, other: Deals) -> Gap:
    """The gap between the averages of two bots, whether or not they met. Deals that both played are pairs.

    The standard error is that of a stratified sample. If both bots met each of the others about equally
    often, its units are deals, and each table is a stratum. If not, its units are whole tables. Strata with a
    single unit are merged (collapsed strata), so the estimated error is often too large.
    """
    uneven = skew(own, other)
    whole = uneven > MOST_SKEW
    average, matches = _average(own)
    average_other, matches_other = _average(other)
    tables: dict[object, list[float]] = {}
    for name in {**own, **other}:
        mine, theirs = own.get(name, _NONE), other.get(name, _NONE)
        part = (theirs.total - theirs.matches * average_other) / matches_other
        part -= (mine.total - mine.matches * average) / matches
        tables.setdefault((name in own, name in other, mine.others or theirs.others), []).append(part)
    if whole:
        tables = {table: [sum(parts)] for table, parts in tables.items()}
    groups = [parts for parts in tables.values() if len(parts) > 1]
    groups.append([parts[0] for parts in tables.values() if len(parts) == 1])
    free = sum(len(parts) - 1 for parts in groups if parts)
    error = sqrt(sum(map(_variance, groups))) if free else inf
    difference = average_other - average
    sure = max(0.0, abs(difference) - (0 if whole else uneven * _most(own, other)))
    errors = sure / error if error > _NOTHING else inf if sure > _NOTHING else 0.0
    return Gap(free, difference, errors if difference > 0 else -errors)


_NONE = Deal(0, 0, ())
_NOTHING = 1e-12
"""A standard error below this is a rounding error: the results do not vary."""


MOST_SKEW = 0.05
"""With a larger skew than this, two bots did not meet the same opponents."""


def skew(own: Deals, other: Deals) -> float:
    """How far the averages of two equal bots can be apart at most, because they met others unequally often.

    It is a share of the largest possible difference, and 0 if they met each of the others equally often. A
    rank is 1 plus the number of others that are ahead. One meeting more, with a bot that is always or never
    ahead, changes the sum of the ranks by a half, compared with a bot that is ahead half of the time.
    """
    mine, theirs = _others(own, other), _others(other, own)
    uneven = sum(abs(mine[bot] / len(own) - theirs[bot] / len(other)) for bot in mine | theirs)
    return uneven / 2 / _most(own, other)


def _others(own: Deals, other: Deals) -> Counter[str]:
    """How often each of the others was met, in the deals that the other bot did not play."""
    return Counter(bot for name, deal in own.items() if name not in other for bot in deal.others)


def _most(own: Deals, other: Deals) -> int:
    """The largest possible difference of two ranks."""
    return max(len(deal.others) for deals in (own, other) for deal in deals.values())


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


def met(own: Deals, other: Deals) -> list[float]:
    """The differences of the deals that both played, from -1 to 1; above 0 if the first bot did better."""
    return [_difference(deal, other[name]) for name, deal in own.items() if name in other]


def apart(own: Deals, other: Deals) -> Apart:
    """The differences of all deals of two bots, from -1 to 1; above 0 if the first bot did better.

    A deal that only one of them played is compared with one that only the other played, if there is one with
    the same opponents. If they did not meet the others about equally often, whole tables are compared.
    """
    lone, lone_other = _lone(own, other), _lone(other, own)
    uneven = skew(own, other)
    if uneven > MOST_SKEW:
        lone, lone_other, uneven = _whole(lone), _whole(lone_other), 0.0
    differences, left, left_other = met(own, other), list[Deal](), list[Deal]()
    for table in lone | lone_other:
        deals, deals_other = lone.get(table, []), lone_other.get(table, [])
        differences += map(_difference, deals, deals_other)
        left += deals[len(deals_other) :]
        left_other += deals_other[len(deals) :]
    differences += map(_difference, left, left_other)
    return Apart(differences, uneven)


class Apart(NamedTuple):
    """The differences of the deals of two bots, each from -1 to 1."""

    differences: list[float]
    skew: float
    """Their mean can be this far from 0 if the bots are equal."""


def _lone(own: Deals, other: Deals) -> dict[tuple[str, ...], list[Deal]]:
    """The deals that the other bot did not play, by table."""
    found: dict[tuple[str, ...], list[Deal]] = {}
    for name, deal in own.items():
        if name not in other:
            found.setdefault(deal.others, []).append(deal)
    return found


def _whole(tables: Mapping[tuple[str, ...], Sequence[Deal]]) -> dict[tuple[str, ...], list[Deal]]:
    """The same tables, all deals of a table taken as one."""
    return {
        others: [Deal(sum(deal.total for deal in deals), sum(deal.matches for deal in deals), others)]
        for others, deals in tables.items()
    }


def _difference(own: Deal, other: Deal) -> float:
    """How much better the mean rank in the first deal is, as a share of the largest possible difference."""
    most = max(len(own.others), len(other.others))
    return (other.total / other.matches - own.total / own.matches) / most


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
