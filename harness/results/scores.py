"""Computes mean scores with their intervals, and takes the luck of deals off if the deals are the same.

If each deal is played in every order of seats, all bots of a table have the same luck in it, and the size of
the scores belongs to the deal. So the mean of the deal, over all its matches and seats, is taken off each of
its scores. With fresh deals a bot has each deal only once, and the score is the plain mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from harness.model import Number
from harness.record.history import MatchResult
from harness.results.interval import Averages, Interval


class Scores:
    """Adds up scores encounter by encounter. `same` says whether each deal is played in every order."""

    def __init__(self, same: bool, wanted: bool) -> None:
        self._same = same
        self._averages = Averages() if wanted else None
        self._off: dict[str, dict[int, Number | Fraction]] = {}
        """For each bot, the sum of what is taken off its scores, by denominator, as fractions add slowly."""
        self._least: Number | None = None
        self._most: Number | None = None

    def add(self, encounter: Sequence[MatchResult]) -> None:
        """Adds the matches of an encounter that count."""
        sums = _sums(encounter) if self._same else {}
        for match in encounter if sums else ():
            total, count = sums[match.deal]
            for bot in match.bots:
                own = self._off.setdefault(bot, {})
                own[count] = own.get(count, 0) + total
        if self._averages is None:
            return
        off = {deal: Fraction(total) / count for deal, (total, count) in sums.items()}
        values = [[float(score - off.get(match.deal, 0)) for score in match.scores] for match in encounter]
        every = [value for match in values for value in match]
        self._least = min(every) if self._least is None else min(self._least, *every)
        self._most = max(every) if self._most is None else max(self._most, *every)
        self._averages.add(encounter, values)

    def mean(self, bot: str, points: Number, matches: int) -> float | None:
        """The mean score of a bot with this sum of scores in so many matches; None without a match."""
        if not matches:
            return None
        if not self._same:
            return points / matches
        off = sum(Fraction(total) / count for count, total in self._off.get(bot, {}).items())
        return float((Fraction(points) - off) / matches)

    def intervals(self) -> dict[str, Interval]:
        """The intervals of the means, if they are wanted; {} if all scores are equal.

        A game need not say how high its scores may be. So the lowest and the highest score on record say how
        much scores vary, but no interval is cut there.
        """
        if self._averages is None or self._least is None or self._most is None or self._least == self._most:
            return {}
        return self._averages.intervals(self._least, self._most, bounded=False)


def _sums(encounter: Sequence[MatchResult]) -> dict[str, tuple[Number | Fraction, int]]:
    """For each deal, the exact sum of all scores, and their number."""
    sums: dict[str, tuple[Number | Fraction, int]] = {}
    for match in encounter:
        total, count = sums.get(match.deal, (0, 0))
        sums[match.deal] = total + sum(map(_exact, match.scores)), count + len(match.scores)
    return sums


def _exact(score: Number) -> int | Fraction:
    return score if isinstance(score, int) else Fraction(score)
