"""Computes the average rank of each seat, and whether seats differ by more than chance.

Every bot has every seat equally often, so the strength of bots is in no average of a seat. With fresh deals
the unit is a match: a rank is compared with the average of its bot at the same table. If each deal is played
in every order of seats, the luck of a deal stays with the seat, and the unit is the deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from harness.record.history import MatchResult
from harness.results.equations import total
from harness.results.student import quantile

DOUBT = 0.05


class SeatAverage(NamedTuple):
    """The average rank in a seat, with its 95 % confidence interval."""

    seat: int
    average: float
    low: float
    high: float
    sure: bool
    """Whether it differs from the middle by more than chance, with all seats looked at together."""


class SeatRanks:
    """Adds up ranks by seat, encounter by encounter."""

    def __init__(self, same: bool) -> None:
        self._same = same
        self._count = 0
        self._sums: list[float] = []
        self._squares: list[float] = []
        self._free = 0.0

    def add(self, encounter: Sequence[MatchResult]) -> None:
        """Adds the matches of an encounter that count."""
        units = _deals(encounter) if self._same else _matches(encounter)
        seats = len(encounter[0].bots)
        if not self._sums:
            self._sums, self._squares = [0.0] * seats, [0.0] * seats
        for seat, offs in enumerate(zip(*units, strict=True)):
            self._sums[seat] += total(offs)
            self._squares[seat] += total([off * off for off in offs])
        self._count += len(units)
        # With fresh deals, the averages of the bots of the encounter come from the same matches.
        self._free += len(units) if self._same else max(0.0, len(units) - seats)

    def averages(self) -> tuple[SeatAverage, ...]:
        """The average of each seat; () without enough matches."""
        count, free = self._count, self._free - 1
        if count < 2 or free < 1:
            return ()
        found = []
        middle, seats = (len(self._sums) + 1) / 2, len(self._sums)
        for seat, (offs, squares) in enumerate(zip(self._sums, self._squares, strict=True), start=1):
            mean = offs / count
            # No interval has width 0: the error is at least that of half a rank in one unit.
            error = max(sqrt(max(0.0, squares - count * mean * mean) / free / count), 0.5 / count)
            reach = quantile(1 - DOUBT / 2, free) * error
            sure = abs(mean) > quantile(1 - DOUBT / 2 / seats, free) * error
            low, high = max(1.0, middle + mean - reach), min(float(seats), middle + mean + reach)
            found.append(SeatAverage(seat, round(middle + mean, 6), round(low, 6), round(high, 6), sure))
        return tuple(found)


def _matches(encounter: Sequence[MatchResult]) -> list[list[float]]:
    """For each match, by seat, the rank minus the average rank of its bot in the encounter."""
    ranks = dict.fromkeys(encounter[0].bots, 0.0)
    for match in encounter:
        for bot, rank in zip(match.bots, match.ranks, strict=True):
            ranks[bot] += rank
    # Every match of an encounter has the same bots.
    means = {bot: found / len(encounter) for bot, found in ranks.items()}
    return [
        [rank - means[bot] for bot, rank in zip(match.bots, match.ranks, strict=True)] for match in encounter
    ]


def _deals(encounter: Sequence[MatchResult]) -> list[list[float]]:
    """For each deal that was played in all orders, by seat, the average rank minus the middle."""
    deals: dict[str, list[MatchResult]] = {}
    for match in encounter:
        deals.setdefault(match.deal, []).append(match)
    most = max(map(len, deals.values()))
    middle = (len(encounter[0].bots) + 1) / 2
    return [
        [sum(ranks) / most - middle for ranks in zip(*(match.ranks for match in deal), strict=True)]
        for deal in deals.values()
        if len(deal) == most
    ]
