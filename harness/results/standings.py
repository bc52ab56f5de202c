"""Owns the standings, from matches that count to a place for each bot; knows no file and no way to show them.

Bots are placed by their average rank, the lowest first, as the Sevens document has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf

import msgspec

from harness.events import Disqualified
from harness.model import Number
from harness.record.history import History, MatchResult, Run
from harness.results.discipline import counted, ruling
from harness.results.interval import Sample, intervals

DECIMALS = 6
"""Averages are rounded to so many: beyond them lie only traces of how a sum was made."""


class Row(msgspec.Struct, frozen=True):
    """What a bot has reached in the matches that count."""

    place: int
    """1 for the best; bots of one average share the best place of theirs, and the next are skipped."""
    bot: str
    matches: int
    average_rank: float | None
    """None without a match."""
    low: float | None
    """The 95 % interval of the average rank, from `low` to `high`, as `results.interval` has it; None
    with fewer than two encounters."""
    high: float | None
    wins: Number
    """Matches in which its rank was the best. A best rank that k share (a draw; allies) is 1/k for each, so
    that the wins of all bots add up to the matches."""
    points: Number
    """The sum of the game's own scores."""
    faults: int
    """Matches in which it broke a rule."""
    voids: int
    """Void attempts that it sat in, in this run: nobody's fault, but whoever has many is worth a look."""


class Standings(msgspec.Struct, frozen=True):
    """Who stands where, who is out, and by how much evidence."""

    rows: tuple[Row, ...]
    disqualified: tuple[Disqualified, ...]
    policy: str
    strikes: int | None
    run: int
    """The run whose matches count; 0 before the first."""
    runs: int
    """How many runs are on record."""
    alone: bool
    """Whether that run was that of these bots alone. If not, its matches without a disqualified bot count."""
    matches: int
    """How many matches count."""
    missing: int
    """How many matches of the run are not on record, though they should be: if any, this is provisional."""

    def settled(self) -> Standings:
        """The same with no void attempts: all that plan, seed and bots decide, and the machine does not."""
        rows = tuple(msgspec.structs.replace(row, voids=0) for row in self.rows)
        return msgspec.structs.replace(self, rows=rows)


def standings(history: History, policy: str, strikes: int | None, seed: int) -> Standings:
    """The standings that a policy makes of the history; `seed` is the plan's, and decides the intervals."""
    ruled = ruling(history, policy, strikes)
    totals = {bot: Totals() for bot in ruled.field}
    matches = 0
    for match in counted(history, ruled):
        matches += 1
        take(match, totals)
    return Standings(
        rows=_placed(totals, ruled.run, seed) if ruled.run else (),
        disqualified=ruled.out,
        policy=policy,
        strikes=strikes,
        run=ruled.run.number if ruled.run else 0,
        runs=len(history.runs),
        alone=ruled.alone,
        matches=matches,
        missing=ruled.missing,
    )


class Totals:
    """What a bot has gathered so far, match by match."""

    def __init__(self) -> None:
        self.ranks: list[Number] = []
        """The sum of its ranks in each of its encounters, and in `counts` the number of its matches there."""
        self.counts: list[int] = []
        self.wins = Fraction()
        self.points: Number = 0
        self.faults = 0
        self._encounter = ""

    def add(self, encounter: str, rank: Number, score: Number) -> None:
        """One more match; those of one encounter follow one another."""
        if encounter != self._encounter:
            self._encounter = encounter
            self.ranks.append(0)
            self.counts.append(0)
        self.ranks[-1] += rank
        self.counts[-1] += 1
        self.points += score

    def average(self) -> float | None:
        """The average rank; None without a match."""
        return sum(self.ranks) / sum(self.counts) if self.counts else None


def take(match: MatchResult, totals: Mapping[str, Totals]) -> None:
    """Adds a match to the totals of those who played it."""
    best = min(match.ranks)
    share = Fraction(1, match.ranks.count(best))
    for bot, rank, score in zip(match.bots, match.ranks, match.scores, strict=True):
        totals[bot].add(match.encounter, rank, score)
        if rank == best:
            totals[bot].wins += share
    for seat in {fault.seat for fault in match.faults}:
        totals[match.bots[seat - 1]].faults += 1


def _placed(totals: Mapping[str, Totals], run: Run, seed: int) -> tuple[Row, ...]:
    averages = {bot: own.average() for bot, own in totals.items()}
    places: dict[float | None, int] = {}
    for place, average in enumerate(sorted(averages.values(), key=_last_if_none), start=1):
        places.setdefault(average, place)
    samples = [Sample(own.ranks, own.counts) for own in totals.values()]
    ranges = intervals(samples, seed, 1, run.began.seats)
    found = [
        _row(places[averages[bot]], bot, own, interval, run.voids.get(bot, 0))
        for (bot, own), interval in zip(totals.items(), ranges, strict=True)
    ]
    return tuple(sorted(found, key=lambda row: (row.place, row.bot)))


def _row(place: int, bot: str, own: Totals, interval: tuple[float, float] | None, voids: int) -> Row:
    low, high = interval or (None, None)
    return Row(
        place,
        bot,
        sum(own.counts),
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
    """A whole number as one."""
    return int(value) if value == int(value) else round(float(value), DECIMALS)
