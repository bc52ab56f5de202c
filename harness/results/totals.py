"""Adds up the results of each bot, match by match."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from harness.model import Number
from harness.record.history import MatchResult


class Totals:
    """The sums of one bot, added up match by match."""

    def __init__(self) -> None:
        self.matches = 0
        self.rank: Number = 0
        self.shared: dict[int, int] = {}
        """The number of wins that it had alone, with one other bot, ...: by the number of bots that won."""
        self.points: Number = 0
        self.faults = 0

    @property
    def wins(self) -> Fraction:
        """The sum of its shares of wins."""
        return sum((Fraction(times, bots) for bots, times in self.shared.items()), Fraction())

    def average(self) -> float | None:
        """The average rank; None without a match."""
        return self.rank / self.matches if self.matches else None

    def share(self) -> Fraction | None:
        """The share of matches that it won; None without a match."""
        return self.wins / self.matches if self.matches else None


def take(match: MatchResult, totals: Mapping[str, Totals]) -> None:
    """Adds a match to the totals of its bots."""
    best = min(match.ranks)
    winners = match.ranks.count(best)
    for bot, rank, score in zip(match.bots, match.ranks, match.scores, strict=True):
        own = totals[bot]
        own.matches += 1
        own.rank += rank
        own.points += score
        if rank == best:  # Counted as whole numbers: to add fractions takes most of the time of standings.
            own.shared[winners] = own.shared.get(winners, 0) + 1
    for seat in {fault.seat for fault in match.faults} if match.faults else ():
        totals[match.bots[seat - 1]].faults += 1


def shares(match: MatchResult) -> list[Fraction | int]:
    """The shares of the win, by seat."""
    best = min(match.ranks)
    share = Fraction(1, match.ranks.count(best))
    return [share if rank == best else 0 for rank in match.ranks]
