"""Computes the 95 % confidence intervals that standings had in the first edition: a percentile bootstrap.

Only the digest of the standings in old records still needs them. They resample whole encounters, so they take
for luck whom a bot had to meet; `results.interval` has the intervals of today.
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
from harness.record.history import History
from harness.results.discipline import counted, ruling

RESAMPLES = 1_000
BLOCKS = 200
"""More encounters than this are resampled in this number of blocks of neighbours, to limit the work."""
Draw: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]
_TAIL = RESAMPLES * 25 // 1_000


def first_intervals(
    history: History, policy: str, strikes: int | None, seed: int
) -> dict[str, dict[str, float | None]]:
    """The bounds of each bot, `low` and `high`, as the first edition wrote them."""
    ruled = ruling(history, policy, strikes)
    sums: dict[str, dict[str, list[Number]]] = {bot: {} for bot in ruled.field}
    for match in counted(history, ruled):
        for bot, rank in zip(match.bots, match.ranks, strict=True):
            known = sums[bot].setdefault(match.encounter, [0, 0])
            known[0] += rank
            known[1] += 1
    samples = [
        Sample([total for total, _ in own.values()], [int(count) for _, count in own.values()])
        for own in sums.values()
    ]
    seats = ruled.run.began.seats if ruled.run else 1
    found = (each or (None, None) for each in intervals(samples, seed, 1, seats))
    return {
        bot: {"low": _rounded(low), "high": _rounded(high)}
        for bot, (low, high) in zip(sums, found, strict=True)
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 6)


class Sample(NamedTuple):
    """The data of an average: for each encounter, the sum over its matches and the number of its matches."""

    totals: Sequence[Number]
    counts: Sequence[int]

    def blocks(self) -> Sample:
        """The same data in at most `BLOCKS` parts of nearly equal size, each of successive encounters."""
        size = len(self.totals)
        if size <= BLOCKS:
            return self
        edges = [place * size // BLOCKS for place in range(BLOCKS + 1)]
        parts = [slice(*edge) for edge in pairwise(edges)]
        return Sample([sum(self.totals[part]) for part in parts], [sum(self.counts[part]) for part in parts])


def intervals(
    samples: Iterable[Sample], seed: int, least: Number, most: Number
) -> list[tuple[float, float] | None]:
    """The 95 % interval of the average of each sample; None if it has fewer than two encounters.

    This is a percentile bootstrap over encounters. It draws n of the n encounters with replacement, 1,000
    times; the interval goes from the 25th lowest to the 25th highest average. A sample of more than 200
    encounters is resampled in 200 blocks of consecutive encounters.

    With few encounters this interval is too narrow. So the distance of both ends from the average is
    multiplied by sqrt(n / (n - 1)), and by the ratio of the 97.5 % quantiles of Student's t (n - 1 degrees of
    freedom) and the normal distribution. No end passes `least` or `most`, the bounds of all values.

    Samples of the same size use the same draws. These depend only on `seed` and the size, in every version of
    Python.
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
    """For each resample, a function that picks its encounters from a list. `size` is at least 2."""
    random = Random(derived(seed, "interval", size)).random
    return [itemgetter(*(int(random() * size) for _ in range(size))) for _ in range(RESAMPLES)]


def _percentiles(part: Sample, draws: Sequence[Draw]) -> tuple[float, float, float]:
    """The average, and the two bounds that contain 95 % of the averages of its resamples."""
    totals, counts = part
    drawn = sorted(sum(draw(totals)) / sum(draw(counts)) for draw in draws)
    return sum(totals) / sum(counts), drawn[_TAIL - 1], drawn[-_TAIL]


def _stretch(size: int) -> float:
    """The t correction: the factor that makes the percentile interval wide enough for this sample size.

    The Cornish-Fisher expansion 1.96 + 2.372/v + 2.823/v^2 + 2.556/v^3 + 1.590/v^4 gives the 97.5 % quantile
    of Student's t for v degrees of freedom. From v = 2 on, its error is at most 1 %.
    """
    free = size - 1
    student = 1.96 + 2.372 / free + 2.823 / free**2 + 2.556 / free**3 + 1.590 / free**4
    return student / 1.96 * sqrt(size / free)
