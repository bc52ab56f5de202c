"""Owns how sure it is that one bot is better than another; knows no points and no file.

Two questions are answered. Who beats whom, where they met: a lead is held against what coins would make of
the same deals. Matches of one deal share their luck, so deals are counted, never matches. Who stands before
whom, by averages against others: by how far the deals of one table differ, if the two met the same others
equally often; else whom they met is luck too, and it is whole tables that differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil, erfc, gcd, inf, log2, sqrt
from statistics import NormalDist
from struct import unpack
from typing import NamedTuple, TypeAlias

from harness.model import Number


class Deal(NamedTuple):
    """What a bot has reached in a deal, over all seatings in which it was played."""

    total: Number
    """The sum of its ranks."""
    matches: int
    others: tuple[str, ...]
    """The other bots at the table: two deals of one table differ by luck alone."""


Deals: TypeAlias = Mapping[str, Deal]
"""A bot's deals by their names."""

MOST_EXACT = 48
"""Deals up to which all outcomes of the coins are counted; more are taken for normal."""
MOST_MORE = 10_000
"""Deals from which on it makes no difference how many: nobody would play them."""
_FIELD = 64


class Lead(NamedTuple):
    """How far one is ahead of another."""

    deals: int
    """In how many deals they met."""
    sure: float
    """How seldom coins would make so great a lead: 0.95 for one time in twenty."""
    deviations: float
    """The lead in standard deviations of the coins' sum; below 0 where it is behind."""


def lead(own: Deals, other: Deals) -> Lead:
    """The lead over another bot in the deals of both.

    Were they equals, each deal might as well have gone to the other side by as much: of all ways in which
    coins could decide the deals, those with a lead smaller than this one make up `sure`.
    """
    met = [name for name in own if name in other]
    differences = [int(2 * (other[name].total - own[name].total)) for name in met]
    spread = sqrt(sum(each * each for each in differences))
    deviations = sum(differences) / spread if spread else 0.0
    sure = _exact(differences) if len(met) <= MOST_EXACT else 1 - erfc(deviations / sqrt(2)) / 2
    return Lead(len(met), sure, deviations)


def _exact(differences: Sequence[int]) -> float:
    """The share of all signs that give less than this sum."""
    steps = [abs(each) for each in differences if each]
    if not steps:
        return 0.0
    unit = gcd(*steps)
    # How often each sum of chosen steps comes about: a polynomial, its coefficients in fields of one number.
    ways = 1
    for step in steps:
        ways += ways << (step // unit * _FIELD)
    least = (sum(differences) + sum(steps)) // 2 // unit
    size = sum(steps) // unit + 1
    fields = unpack(f"<{size}Q", ways.to_bytes(size * _FIELD // 8, "little"))
    at_least = sum(fields[least:])
    return float(1 - at_least / 2 ** len(steps))


class Gap(NamedTuple):
    """How far the average rank of one is better than that of another, and in standard errors."""

    free: int
    """How many of the deals (or tables) say how far these differ: the degrees of freedom."""
    difference: float
    errors: float
    """`inf` where nothing varies."""


def gap(own: Deals, other: Deals) -> Gap:
    """The gap between two averages, whether the two met or not, with what they have in common where they did.

    Its error is that of a stratified sample: of deals by their tables, where both met the same others equally
    often; else of tables. What stands alone in its stratum is taken together: that errs on the side of doubt.
    """
    average, matches = _average(own)
    average_other, matches_other = _average(other)
    tables: dict[object, list[float]] = {}
    for name in own.keys() | other.keys():
        mine, theirs = own.get(name, _NONE), other.get(name, _NONE)
        part = (theirs.total - theirs.matches * average_other) / matches_other
        part -= (mine.total - mine.matches * average) / matches
        tables.setdefault((name in own, name in other, mine.others or theirs.others), []).append(part)
    if _met(own, other) != _met(other, own):
        tables = {table: [sum(parts)] for table, parts in tables.items()}
    groups = [parts for parts in tables.values() if len(parts) > 1]
    groups.append([parts[0] for parts in tables.values() if len(parts) == 1])
    free = sum(len(parts) - 1 for parts in groups if parts)
    error = sqrt(sum(map(_variance, groups))) if free else inf
    difference = average_other - average
    errors = difference / error if error > _NOTHING else inf if difference else 0.0
    return Gap(free, difference, errors)


_NONE = Deal(0, 0, ())
_NOTHING = 1e-12
"""Traces of rounding, where nothing varies."""


def _met(own: Deals, other: Deals) -> Counter[tuple[str, ...]]:
    """How many deals it played with whom, where the other did not sit."""
    return Counter(deal.others for name, deal in own.items() if name not in other)


def _variance(parts: Sequence[float]) -> float:
    """Of the sum of these, by how far they differ."""
    if len(parts) < 2:
        return 0.0
    mean = sum(parts) / len(parts)
    return sum((part - mean) ** 2 for part in parts) * len(parts) / (len(parts) - 1)


def _average(deals: Deals) -> tuple[float, int]:
    """The average rank, and of how many matches it is."""
    matches = sum(deal.matches for deal in deals.values())
    return sum(deal.total for deal in deals.values()) / matches, matches


def wanted(confidence: float, free: int | None = None) -> float:
    """So many standard errors are wanted to be so sure: as Student's t has it where the error was estimated
    with so many degrees of freedom (the Cornish-Fisher series of its quantile)."""
    z = NormalDist().inv_cdf(confidence)
    if free is None:
        return z
    if free < 1:
        return inf
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / free + second / free**2 + third / free**3


def more(confidence: float, errors: float, count: int) -> int:
    """How many more deals than this count would make so sure, if things went on as they did; at most
    `MOST_MORE`."""
    fewest = ceil(log2(1 / (1 - confidence)))  # Fewer coins cannot make so sure, whatever they show.
    if not count or not errors:
        return MOST_MORE if count else fewest
    due = count * (wanted(confidence) / abs(errors)) ** 2
    return min(MOST_MORE, max(1, ceil(due) - count, fewest - count))
