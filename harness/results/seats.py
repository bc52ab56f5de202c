"""Computes the average rank of each seat, and tests whether seats differ by more than chance.

Every bot has every seat equally often, so the strength of the bots does not change the average of a seat. If
each match has a new deal, the statistical unit is the match. Each rank is then compared with the average rank
of the same bot in the encounter. If each deal is played in every order of seats, the statistical unit is the
deal: a seat with good cards has them in every match of the deal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import sqrt
from typing import NamedTuple, TypeAlias

from harness.model import Number
from harness.record.history import MatchResult
from harness.results.statistics.equations import total
from harness.results.statistics.intervals import Averages, Interval, Seated, Values, once, seated
from harness.results.statistics.student import quantile

DOUBT = 0.05

Sums: TypeAlias = tuple[float, float]
"""The sum of the deviations of the ranks in a seat, and the sum of the squares of these deviations."""


class SeatAverage(NamedTuple):
    """The average rank in a seat, with its 95 % confidence interval."""

    seat: int
    average: float
    low: float
    high: float
    sure: bool
    """True if the average differs from the middle rank by more than chance. The test is corrected for the
    number of seats."""


class SeatRanks:
    """Sums over the ranks in each seat. The caller adds one encounter after another."""

    def __init__(self, same: bool) -> None:
        self._same = same
        self._count = 0
        self._sums: list[float] = []
        self._squares: list[float] = []
        self._free = 0.0

    def add(self, encounter: Sequence[MatchResult]) -> None:
        """Adds an encounter; `encounter` has only the matches that count."""
        if self._same:
            units, sums = _of_deals(encounter)
            free: float = units
        else:
            units, sums = (
                len(encounter),
                _of_matches(seated(encounter), tuple([match.ranks for match in encounter])),
            )
            # The average of each bot is computed from the same matches. So one degree of freedom is lost for
            # each bot.
            free = max(0.0, units - len(sums))
        if not self._sums:
            self._sums, self._squares = [0.0] * len(sums), [0.0] * len(sums)
        for seat, (together, squares) in enumerate(sums):
            self._sums[seat] += together
            self._squares[seat] += squares
        self._count += units
        self._free += free

    def averages(self) -> tuple[SeatAverage, ...]:
        """Returns the average rank in each seat, or () if there are too few matches."""
        count, free = self._count, self._free - 1
        if count < 2 or free < 1:
            return ()
        found = []
        middle, seats = (len(self._sums) + 1) / 2, len(self._sums)
        for seat, (offs, squares) in enumerate(zip(self._sums, self._squares, strict=True), start=1):
            mean = offs / count
            # The standard error is at least 0.5 / count, so that no interval has width 0.
            error = max(sqrt(max(0.0, squares - count * mean * mean) / free / count), 0.5 / count)
            reach = quantile(1 - DOUBT / 2, free) * error
            sure = abs(mean) > quantile(1 - DOUBT / 2 / seats, free) * error
            low, high = max(1.0, middle + mean - reach), min(float(seats), middle + mean + reach)
            found.append(SeatAverage(seat, round(middle + mean, 6), round(low, 6), round(high, 6), sure))
        return tuple(found)


class InSeat(NamedTuple):
    """The average rank of a bot in one seat, with its interval (see `statistics.intervals`)."""

    matches: int
    average: float
    interval: Interval


def in_seats(matches: Iterable[MatchResult]) -> Mapping[tuple[str, int], InSeat]:
    """Returns a table: the key is a bot and a seat, and the value is the average rank of this bot in this
    seat. If a bot played several matches of the same deal in one seat, these matches together count as one
    deal."""
    ranks: dict[int, dict[str, dict[str, dict[str, list[Number]]]]] = {}
    for match in matches:
        for seat, (bot, rank) in enumerate(zip(match.bots, match.ranks, strict=True), start=1):
            encounter = ranks.setdefault(seat, {}).setdefault(match.encounter, {})
            encounter.setdefault(bot, defaultdict(list))[match.deal].append(rank)
    found = {}
    for seat, encounters in ranks.items():
        averages, all_ranks = Averages(), defaultdict[str, list[Number]](list)
        for bots in encounters.values():
            averages.take(
                {
                    bot: {seat: [(total(of), len(of), 1) for of in deals.values()]}
                    for bot, deals in bots.items()
                }
            )
            for bot, deals in bots.items():
                all_ranks[bot] += chain.from_iterable(deals.values())
        for bot, interval in averages.intervals(1, len(ranks), len(ranks)).items():
            of = all_ranks[bot]
            found[bot, seat] = InSeat(len(of), total(of) / len(of), interval)
    return found


@once
def _of_matches(seats: Seated, ranks: Values) -> Sequence[Sums]:
    """Returns the sums for each seat. A deviation is a rank minus the average rank of its bot in the
    encounter.

    Every match has the same bots.
    """
    means = [0.0] * len(ranks[0])
    for bot, rank in zip(seats, chain.from_iterable(ranks), strict=True):
        means[bot] += rank
    means = [together / len(ranks) for together in means]
    offs = [rank - means[bot] for bot, rank in zip(seats, chain.from_iterable(ranks), strict=True)]
    return _sums([offs[seat :: len(means)] for seat in range(len(means))])


def _of_deals(encounter: Sequence[MatchResult]) -> tuple[int, Sequence[Sums]]:
    """Returns the number of deals that were played in all orders of seats, and the sums for each seat.

    A deviation is the average rank of the seat in a deal minus the middle rank.
    """
    deals: dict[str, list[MatchResult]] = {}
    for match in encounter:
        deals.setdefault(match.deal, []).append(match)
    most = max(map(len, deals.values()))
    middle = (len(encounter[0].bots) + 1) / 2
    offs = [
        [total(ranks) / most - middle for ranks in zip(*(match.ranks for match in deal), strict=True)]
        for deal in deals.values()
        if len(deal) == most
    ]
    return len(offs), _sums(zip(*offs, strict=True))


def _sums(by_seat: Iterable[Sequence[float]]) -> Sequence[Sums]:
    return [(total(offs), total([off * off for off in offs])) for offs in by_seat]
