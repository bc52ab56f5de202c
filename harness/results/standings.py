"""Computes the standings from the matches that count.

The bot with the lowest average rank is first, as in the document of the game Sevens.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import TypeAlias

import msgspec

from harness.events import Disqualified
from harness.model import Number
from harness.record.history import History, MatchResult, Run
from harness.results.discipline import counted, ruling
from harness.results.interval import Averages, Interval

DECIMALS = 6
"""Averages have this many decimals: further digits depend on the order of additions."""


Order: TypeAlias = tuple[tuple[str, ...], ...]
"""All bots, the best first; bots in one tuple share a place."""


class Row(msgspec.Struct, frozen=True):
    """The results of one bot in the matches that count."""

    place: int
    """From 1; bots with equal averages share a place, and the next places stay empty (1, 2, 2, 4)."""
    bot: str
    matches: int
    average_rank: float | None
    """None without a match."""
    low: float | None
    """The 95 % confidence interval of the average rank goes from `low` to `high` (see `results.interval`);
    None without a match."""
    high: float | None
    wins: Number
    """Matches in which its rank was the best. If k bots share the best rank (a draw, allies), each gets 1/k
    of a win, so the wins of all bots add up to the number of matches."""
    points: Number
    """The sum of the game's own scores."""
    faults: int
    """Matches in which it broke a rule."""
    voids: int
    """Void attempts of this run in which the bot sat: nobody's fault, but if there are many, find out why."""


class Standings(msgspec.Struct, frozen=True):
    """The places of all bots, the disqualifications, and the matches on which they are based."""

    rows: tuple[Row, ...]
    disqualified: tuple[Disqualified, ...]
    policy: str
    strikes: int | None
    run: int
    """The run whose matches count; 0 before the first."""
    runs: int
    """How many runs are on record."""
    alone: bool
    """Whether only these bots played in that run; if not, its matches without a disqualified bot count."""
    matches: int
    """How many matches count."""
    missing: int
    """How many matches of the run are not on record; if not 0, the standings are provisional."""


def standings(history: History, policy: str, strikes: int | None, order: Order = ()) -> Standings:
    """The standings of the history under a policy.

    `order` has the places that the format decides, before the end of the tournament is on record.
    """
    order = history.ended.order if history.ended else order
    ruled = ruling(history, policy, strikes)
    totals = {bot: Totals() for bot in ruled.field}
    ranks = Averages()
    matches = 0
    for _, together in groupby(counted(history, ruled), attrgetter("encounter")):
        encounter = list(together)
        matches += len(encounter)
        for match in encounter:
            take(match, totals)
        ranks.add(encounter, [match.ranks for match in encounter])
    return Standings(
        rows=by_format(_placed(totals, ruled.run, ranks.intervals(1, ruled.run.began.seats)), order)
        if ruled.run
        else (),
        disqualified=ruled.out,
        policy=policy,
        strikes=strikes,
        run=ruled.run.number if ruled.run else 0,
        runs=len(history.runs),
        alone=ruled.alone,
        matches=matches,
        missing=ruled.missing,
    )


def by_format(rows: tuple[Row, ...], order: Order) -> tuple[Row, ...]:
    """The rows in the order that the format decides; as they are if it decides nothing, or about others."""
    places: dict[str, int] = {}
    for tier in order:
        places |= dict.fromkeys(tier, len(places) + 1)
    if places.keys() != {row.bot for row in rows}:
        return rows
    placed = [msgspec.structs.replace(row, place=places[row.bot]) for row in rows]
    return tuple(sorted(placed, key=lambda row: (row.place, row.bot)))


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


def take(match: MatchResult, totals: Mapping[str, Totals]) -> None:
    """Adds a match to the totals of its bots."""
    best = min(match.ranks)
    share = Fraction(1, match.ranks.count(best))
    for bot, rank, score in zip(match.bots, match.ranks, match.scores, strict=True):
        own = totals[bot]
        own.matches += 1
        own.rank += rank
        own.points += score
        if rank == best:
            own.wins += share
    for seat in {fault.seat for fault in match.faults}:
        totals[match.bots[seat - 1]].faults += 1


def _placed(totals: Mapping[str, Totals], run: Run, intervals: Mapping[str, Interval]) -> tuple[Row, ...]:
    averages = {bot: own.average() for bot, own in totals.items()}
    places: dict[float | None, int] = {}
    for place, average in enumerate(sorted(averages.values(), key=_last_if_none), start=1):
        places.setdefault(average, place)
    found = [
        _row(places[averages[bot]], bot, own, intervals.get(bot), run.voids.get(bot, 0))
        for bot, own in totals.items()
    ]
    return tuple(sorted(found, key=lambda row: (row.place, row.bot)))


def _row(place: int, bot: str, own: Totals, interval: Interval | None, voids: int) -> Row:
    low, high = interval or (None, None)
    return Row(
        place,
        bot,
        own.matches,
        _rounded(own.average()),
        _rounded(low),
        _rounded(high),
        _plain(own.wins),
        _plain(own.points),
        own.faults,
        voids,
    )


def _last_if_none(average: float | None) -> float:
    return inf if average is None else average


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), DECIMALS)


def _plain(value: Fraction | Number) -> Number:
    """A whole number as an int, else a rounded float."""
    return int(value) if value == int(value) else round(float(value), DECIMALS)
