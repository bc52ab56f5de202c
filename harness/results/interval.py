"""Owns how sure an average is: intervals by resampling whole encounters; knows no bot and no match.

The matches of an encounter share their bots and their deals, so they say less together than as many strangers
would: it is encounters that are drawn again, never single matches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import sqrt
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, TypeAlias

from harness.chance import derived
from harness.model import Number

RESAMPLES = 1_000
BLOCKS = 200
"""More encounters than this are drawn in so many blocks of neighbours: bounded work."""
Draw: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]
_TAIL = RESAMPLES * 25 // 1_000


class Sample(NamedTuple):
    """What an average is made of: for each encounter the sum of its matches, and how many they are."""

    totals: Sequence[Number]
    counts: Sequence[int]

    def blocks(self) -> Sample:
        """The same in at most `BLOCKS` parts of nearly one size, each of successive encounters."""
        size = len(self.totals)
        if size <= BLOCKS:
            return self
        edges = [place * size // BLOCKS for place in range(BLOCKS + 1)]
        parts = [slice(*edge) for edge in pairwise(edges)]
        return Sample([sum(self.totals[part]) for part in parts], [sum(self.counts[part]) for part in parts])


def intervals(
    samples: Iterable[Sample], seed: int, least: Number, most: Number
) -> list[tuple[float, float] | None]:
    """The 95 % interval of the average of each sample; None where it has less than two encounters.

    The bootstrap's percentile interval over encounters: of 1,000 averages, each of as many encounters as
    there are, drawn with replacement, the 25th from either end. A sample of more than 200 encounters is drawn
    in 200 blocks of consecutive ones. Few encounters vary less among themselves than they ought to, so both
    ends are stretched away from the average: by the square root of n / (n - 1), and as Student's t is wider
    than the normal distribution. Nothing is stretched past `least` and `most`, between which all values lie.

    Samples of one size are drawn by the same luck; only `seed` and the sizes decide it, on every Python.
    """
    parts = [sample.blocks() for sample in samples]
    found: list[tuple[float, float] | None] = [None] * len(parts)
    sizes = [len(part.totals) for part in parts]
    for size in set(sizes) - {0, 1}:
        draws = _draws(size, seed)
        stretch = _stretch(size)
        for place in (place for place, other in enumerate(sizes) if other == size):
            average, low, high = _percentiles(parts[place], draws)
            found[place] = (
                max(least, average - stretch * (average - low)),
                min(most, average + stretch * (high - average)),
            )
    return found


def _draws(size: int, seed: int) -> list[Draw]:
    """For each resample what takes its encounters out of a list. `size` is at least 2."""
    random = Random(derived(seed, "interval", size)).random
    return [itemgetter(*(int(random() * size) for _ in range(size))) for _ in range(RESAMPLES)]


def _percentiles(part: Sample, draws: Sequence[Draw]) -> tuple[float, float, float]:
    """The average itself, and between which two 95 % of its resamples lie."""
    totals, counts = part
    drawn = sorted(sum(draw(totals)) / sum(draw(counts)) for draw in draws)
    return sum(totals) / sum(counts), drawn[_TAIL - 1], drawn[-_TAIL]


def _stretch(size: int) -> float:
    """How much wider than the plain percentiles the interval of so few encounters has to be.

    The 97.5 % point of Student's t for v degrees of freedom is, within 1 % from v = 2 on, the Cornish-Fisher
    series 1.96 + 2.372/v + 2.823/v^2 + 2.556/v^3 + 1.590/v^4.
    """
    free = size - 1
    student = 1.96 + 2.372 / free + 2.823 / free**2 + 2.556 / free**3 + 1.590 / free**4
    return student / 1.96 * sqrt(size / free)
