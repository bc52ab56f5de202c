"""Adds up the results of each bot, match by match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from harness.model import Number
from harness.record.history import MatchResult

MOST_EQUAL = 10_000
"""So many different results are in memory before they are added."""


class Totals:
    """The sums of one bot, added up match by match."""

    def __init__(self) -> None:
        self.matches = 0
        self.rank: Number = 0
        self.shared: dict[int, int] = {}
        """The number of wins that it had alone, with one other bot, ...: by the number of bots that won."""
        self.points: Number = 0
        self.faults = 0
        self.kinds: Counter[str] = Counter()
        """The matches with each kind of fault, by the name of the fault."""

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


class EqualResults:
    """Counts matches with the same bots and ranks, by seat: a million matches have few different results, and
    numbers that add exactly need not be added match by match."""

    def __init__(self, add: Callable[[tuple[str, ...], tuple[Number, ...], int], object]) -> None:
        """`add` gets each result with the number of its matches, perhaps several times."""
        self._add = add
        self._times: Counter[tuple[tuple[str, ...], tuple[Number, ...]]] = Counter()

    def count(self, bots: Iterable[tuple[str, ...]], ranks: Iterable[tuple[Number, ...]]) -> None:
        """Counts matches by their bots and their ranks."""
        self._times.update(zip(bots, ranks, strict=True))
        if len(self._times) > MOST_EQUAL:
            self.settle()

    def settle(self) -> None:
        """Adds all results that were counted so far."""
        for (bots, ranks), times in self._times.items():
            self._add(bots, ranks, times)
        self._times.clear()


def take(match: MatchResult, totals: Mapping[str, Totals]) -> None:
    """Adds a match to the totals of its bots."""
    take_ranks(match.bots, match.ranks, 1, totals)
    take_scores([match], totals)


def take_ranks(
    bots: Sequence[str], ranks: Sequence[Number], times: int, totals: Mapping[str, Totals]
) -> None:
    """Adds the places in so many matches that had these bots and these ranks, by seat."""
    best = min(ranks)
    winners = ranks.count(best)
    for bot, rank in zip(bots, ranks, strict=True):
        own = totals[bot]
        own.matches += times
        own.rank += rank * times
        if rank == best:  # Counted as whole numbers: to add fractions takes most of the time of standings.
            own.shared[winners] = own.shared.get(winners, 0) + times


def take_scores(matches: Iterable[MatchResult], totals: Mapping[str, Totals]) -> None:
    """Adds the scores and the faults of matches."""
    for match in matches:
        for bot, score in zip(match.bots, match.scores, strict=True):
            totals[bot].points += score
        if match.faults:
            for seat in {fault.seat for fault in match.faults}:
                totals[match.bots[seat - 1]].faults += 1
            for seat, name in {(fault.seat, fault.name) for fault in match.faults}:
                totals[match.bots[seat - 1]].kinds[name] += 1


def shares(match: MatchResult) -> list[Fraction | int]:
    """The shares of the win, by seat."""
    best = min(match.ranks)
    share = Fraction(1, match.ranks.count(best))
    return [share if rank == best else 0 for rank in match.ranks]
