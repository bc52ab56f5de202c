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
        self.wins = Fraction()
        self.points: Number = 0
        self.faults = 0

    def average(self) -> float | None:
        """The average rank; None without a match."""
        return self.rank / self.matches if self.matches else None

    def share(self) -> Fraction | None:
        """The share of matches that it won; None without a match."""
        return self.wins / self.matches if self.matches else None


def take(match: MatchResult, totals: Mapping[str, Totals]) -> None:
    """Adds a match to the totals of its bots."""
    rows = zip(match.bots, match.ranks, match.scores, shares(match), strict=True)
    for bot, rank, score, share in rows:
        own = totals[bot]
        own.matches += 1
        own.rank += rank
        own.points += score
        if share:
            own.wins += share
    for seat in {fault.seat for fault in match.faults}:
        totals[match.bots[seat - 1]].faults += 1


def shares(match: MatchResult) -> list[Fraction | int]:
    """The shares of the win, by seat."""
    best = min(match.ranks)
    share = Fraction(1, match.ranks.count(best))
    return [share if rank == best else 0 for rank in match.ranks]
