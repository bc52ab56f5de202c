"""Subtracts the luck of each match from its results.

`harness.judge.luck` measures the luck of each seat, in the unit of the game's guesses. A factor turns this
luck into ranks or scores: the factor is the slope of the results on the luck, fitted to the matches. The
corrected result is the result minus the factor times the luck. The luck of every bot is 0 on average, so the
subtraction makes no bot better or worse on average. With a good factor, the corrected average varies less
from tournament to tournament than the plain average.

If a match is used to fit a factor, and is then corrected by the same factor, the average of the corrected
results becomes wrong. So the deals are divided into parts, and the factor of a part comes from the other
parts (cross-fitting). If the other parts do not show clearly that luck explains results, the factor is 0. So
if the game's guesses of the worth of positions are bad, the results stay as they are.

Name: control variate with a cross-fitted coefficient. Formula: corrected = result - b * luck, with
b = S(result, luck) / S(luck, luck), the sums of products of deviations from the means of each bot. Source:
Lavenberg and Welch, "A perspective on the use of control variables to increase the efficiency of Monte Carlo
simulations" (1981); Chernozhukov et al., "Double/debiased machine learning" (2018) for the parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import frexp
from zlib import crc32

from harness.model import Number
from harness.record.history import MatchResult
from harness.results.statistics.equations import total

PARTS = 4
CLEARLY = 9.0
"""The square of the t statistic of a factor must be larger than this number. Otherwise the factor is 0."""
RANK_STEP = 1 / 64
"""Corrected ranks are multiples of this number. So their sums are exact, and many deals have equal results.
The rounding is much smaller than the luck that corrected ranks still contain."""
SCORE_STEPS = 4096
"""Corrected scores are multiples of a step too, so that their sums are exact and many deals have equal
results. The range of all scores has at least this number of steps, and less than twice this number."""


class LuckOff:
    """The factors that turn the luck of a tournament's matches into ranks and scores."""

    def __init__(self, matches: Iterable[MatchResult]) -> None:
        ranks, scores = ([_Products() for _ in range(PARTS)] for _ in range(2))
        least, most = 0.0, 0.0
        self.known = False
        """True if the luck of any match is on record. A game without chance has none."""
        for match in matches:
            if match.luck:
                self.known = True
                part = _part(match)
                ranks[part].add(match.bots, match.ranks, _apart(match.luck))
                scores[part].add(match.bots, match.scores, match.luck)
                least, most = min(least, *match.scores), max(most, *match.scores)
        self._of_ranks, self._of_scores = _factors(ranks), _factors(scores)
        self._score_step = 2.0 ** (frexp((most - least) / SCORE_STEPS)[1] - 1) if most > least else 1.0

    def corrected(self, match: MatchResult) -> MatchResult:
        """Returns the match with corrected ranks and scores. The sum of the ranks stays the same."""
        if not match.luck:
            return match
        part = _part(match)
        ranks = _corrected(match.ranks, _apart(match.luck), self._of_ranks[part], RANK_STEP)
        ranks[-1] = total(map(float, match.ranks)) - total(ranks[:-1])
        scores = _corrected(match.scores, match.luck, self._of_scores[part], self._score_step)
        return match._replace(ranks=tuple(ranks), scores=tuple(scores))


def _part(match: MatchResult) -> int:
    """Returns the number of the part to which a match belongs, from 0: the deals of all matches are divided
    into `PARTS` parts. All matches of one deal are in the same part, because they had the same luck."""
    return crc32(match.deal.encode()) % PARTS


def _apart(luck: Sequence[float]) -> list[float]:
    """Returns the luck of each seat minus the mean luck of the table. So if all seats have the same luck, no
    rank changes.
    """
    mean = total(luck) / len(luck)
    return [each - mean for each in luck]


def _corrected(values: Sequence[Number], luck: Sequence[float], factor: float, step: float) -> list[float]:
    return [
        round((value - factor * own) / step) * step if factor else float(value)
        for value, own in zip(values, luck, strict=True)
    ]


class _Products:
    """Six sums for each bot over its matches: the number of matches, the results, the luck, and the products
    of result and luck, of luck and luck, and of result and result."""

    def __init__(self) -> None:
        self.sums: dict[str, list[float]] = {}

    def add(self, bots: Sequence[str], values: Sequence[Number], luck: Sequence[float]) -> None:
        for bot, value, own in zip(bots, values, luck, strict=True):
            sums = self.sums.setdefault(bot, [0.0] * 6)
            for place, product in enumerate((1, value, own, value * own, own * own, value * value)):
                sums[place] += product


def _factors(parts: Sequence[_Products]) -> list[float]:
    """Returns the factor for each part of the deals, fitted to the matches of the other parts."""
    return [_factor([other for other in parts if other is not part]) for part in parts]


def _factor(parts: Sequence[_Products]) -> float:
    together: dict[str, list[float]] = {}
    for part in parts:
        for bot, sums in part.sums.items():
            known = together.get(bot) or [0.0] * len(sums)
            together[bot] = [one + other for one, other in zip(known, sums, strict=True)]
    both = lucks = results = free = 0.0
    for count, value, luck, product, luck_squares, value_squares in together.values():
        both += product - value * luck / count
        lucks += luck_squares - luck * luck / count
        results += value_squares - value * value / count
        free += count - 1
    if lucks <= 0 or free < 2:
        return 0.0
    left = results - both * both / lucks
    clear = both * both / lucks * (free - 1) > CLEARLY * max(left, 0.0)
    return both / lucks if clear else 0.0
