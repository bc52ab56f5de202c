"""Owns how sure it is that one bot is better than another; knows no points and no file.

Two questions are answered. Who beats whom, where they met: a lead is held against what coins would make of
the same deals. The matches of a deal share their luck, so it is deals that are counted. Who stands before
whom, by averages against different opponents: by the spread among encounters, as the standings' intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, erfc, gcd, inf, log2, sqrt
from statistics import NormalDist
from struct import unpack
from typing import NamedTuple, TypeAlias

from harness.model import Number

Ranks: TypeAlias = Mapping[str, tuple[Number, int]]
"""For each deal, or each encounter, of a bot the sum of its ranks there, and the number of its matches."""

MOST_EXACT = 48
"""Deals up to which all outcomes of the coins are counted; more are taken for normal."""
MOST_MORE = 10_000
"""Deals or encounters from which on it makes no difference how many: nobody would play them."""
_FIELD = 64


class Lead(NamedTuple):
    """How far one is ahead of another."""

    deals: int
    """In how many deals they met."""
    sure: float
    """How seldom coins would make so great a lead: 0.95 for one time in twenty."""
    deviations: float
    """The lead in standard deviations of the coins' sum; below 0 where it is behind."""


def lead(own: Ranks, other: Ranks) -> Lead:
    """The lead over another bot in the deals of both.

    Were they equals, each deal might as well have gone to the other side by as much: of all ways in which
    coins could decide the deals, those with a lead smaller than this one make up `sure`.
    """
    met = [name for name in own if name in other]
    differences = [int(2 * (other[name][0] - own[name][0])) for name in met]
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

    encounters: int
    """Of the one that has fewer."""
    difference: float
    errors: float
    """`inf` where nothing varies."""


def gap(own: Ranks, other: Ranks) -> Gap:
    """The gap between two averages, whether the two met or not.

    The error is that of a ratio of sums over encounters, those in which both sat counted once, with what they
    have in common.
    """
    average, matches = _average(own)
    average_other, matches_other = _average(other)
    squares, count = 0.0, 0
    for name in own.keys() | other.keys():
        total, played = own.get(name, (0, 0))
        total_other, played_other = other.get(name, (0, 0))
        part = (total_other - played_other * average_other) / matches_other
        squares += (part - (total - played * average) / matches) ** 2
        count += 1
    difference = average_other - average
    error = sqrt(squares * count / (count - 1)) if count > 1 else inf
    errors = difference / error if error else inf if difference else 0.0
    return Gap(min(len(own), len(other)), difference, errors)


def _average(ranks: Ranks) -> tuple[float, int]:
    """The average rank, and of how many matches it is."""
    totals, counts = zip(*ranks.values(), strict=True)
    return sum(totals) / sum(counts), sum(counts)


def wanted(confidence: float, encounters: int | None = None) -> float:
    """So many standard errors are wanted to be so sure: as Student's t has it where the spread was estimated
    from few encounters (the Cornish-Fisher series of its quantile)."""
    z = NormalDist().inv_cdf(confidence)
    if encounters is None:
        return z
    if encounters < 2:
        return inf
    free = encounters - 1
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / free + second / free**2 + third / free**3


def more(confidence: float, errors: float, count: int) -> int:
    """How many more deals (or encounters) than this count would make so sure, if things went on as they did;
    at most `MOST_MORE`."""
    fewest = ceil(log2(1 / (1 - confidence)))  # Fewer coins cannot make so sure, whatever they show.
    if not count or not errors:
        return MOST_MORE if count else fewest
    due = count * (wanted(confidence) / abs(errors)) ** 2
    return min(MOST_MORE, max(1, ceil(due) - count, fewest - count))
