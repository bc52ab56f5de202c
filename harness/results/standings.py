"""Computes the standings from the matches that count.

One number of each bot decides the places. `results.ordering` chooses the number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

import msgspec

from harness.events import Disqualified
from harness.model import Number
from harness.record.history import History, MatchResult, Run
from harness.results.discipline import Ruling, counted, ruling
from harness.results.luck_off import LuckOff
from harness.results.ordering import BY_FORMAT, BY_RANK, HIGHEST_FIRST, Decider, Ordering, Wish, ordering
from harness.results.seats import SeatAverage, SeatRanks
from harness.results.statistics.intervals import Averages, Interval
from harness.results.statistics.rating import Tables, ratings
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.sandwich import rated
from harness.results.statistics.sittings import differ, sitting_of
from harness.results.totals import (
    EqualResults,
    FaultKind,
    Scores,
    Totals,
    WithoutLuck,
    fault_kinds,
    shares,
    take_ranks,
    take_scores,
)

DECIMALS = 6
"""The number of decimals of averages. Further digits would depend on the order of additions."""


Tiers: TypeAlias = tuple[tuple[str, ...], ...]
"""All bots, the best bots first. Bots in one tuple share a place."""


STOPPED = (
    "No intervals: the results decide when the tournament ends, and no intervals are known that are right "
    "after such an end."
)
NO_INTERVALS = (
    "No intervals and no ranges of places: the results decide who meets whom. In this case, only ratings "
    "have intervals, and only if a chain of meetings connects any two bots, if there are at most 1,000 bots, "
    "and if luck is not taken off."
)


class Row(msgspec.Struct, frozen=True):
    """The results of one bot in the matches that count."""

    place: int
    """The place in the standings, from 1. Equal bots share a place, and the next places stay empty (1, 2, 2,
    4)."""
    bot: str
    matches: int
    average_rank: float | None
    """The mean of the bot's ranks, or None without a match."""
    low: float | None
    """The 95 % confidence interval of the average rank goes from `low` to `high` (see
    `statistics.intervals`). Both are None without a match."""
    high: float | None
    wins: Number
    """The number of matches in which the bot had the best rank. If k bots share the best rank (in a draw, or
    as allies), each gets 1/k of a win. So the wins of all bots add up to the number of matches."""
    points: Number
    """The sum of the game's own scores."""
    faults: int
    """The number of matches in which the bot broke a rule."""
    voids: int
    """The number of the run's void attempts in which the bot had a seat. No bot causes a void attempt. If
    there are many void attempts, find out why."""
    rating: float | None = None
    """The average rank that the bot would have if all bots had met the same opponents, or None without a
    match."""
    rating_low: float | None = None
    """The lower end of the 95 % confidence interval of the rating, or None if ratings order bots as average
    ranks do."""
    rating_high: float | None = None
    score: float | None = None
    """The mean of the game's own scores. If each deal is played in every order of seats, the mean of the deal
    is subtracted from each score."""
    score_low: float | None = None
    """The lower end of the 95 % confidence interval of `score`. None if another number decides the places."""
    score_high: float | None = None
    win_share: float | None = None
    """The share of its matches that the bot won."""
    win_share_low: float | None = None
    """The lower end of the 95 % confidence interval of `win_share`. None if another number decides the
    places."""
    win_share_high: float | None = None
    elo: int | None = None
    """The Elo rating (see `statistics.elo`), or None if nobody asked for it."""
    elo_low: int | None = None
    """The 95 % confidence interval of the Elo rating goes from `elo_low` to `elo_high`."""
    elo_high: int | None = None
    best: int | None = None
    """The best place that the bot could have after more matches (see `results.ranges`). `worst` is the worst
    place. Both are None if they are not known."""
    worst: int | None = None
    rank_luck_off: float | None = None
    """The average rank with the luck taken off (see `results.luck_off`), or None if the plan keeps luck."""
    rank_luck_off_low: float | None = None
    rank_luck_off_high: float | None = None
    score_luck_off: float | None = None
    """The mean score with the luck taken off. None if another number decides the places."""
    score_luck_off_low: float | None = None
    score_luck_off_high: float | None = None
    former: bool = False
    """True if the bot was in a ladder but plays no more, for example because its team has a newer version.
    Former bots are below all bots that play, and their places continue the places of these bots."""

    @property
    def bad_luck(self) -> float | None:
        """The number of ranks by which luck made the average rank worse. The number is below 0 for a lucky
        bot.
        """
        if self.average_rank is None or self.rank_luck_off is None:
            return None
        return self.average_rank - self.rank_luck_off


class Standings(msgspec.Struct, frozen=True):
    """The places of all bots, the disqualifications, and which matches count."""

    rows: tuple[Row, ...]
    disqualified: tuple[Disqualified, ...]
    policy: str
    strikes: int | None
    run: int
    """The number of the run with the matches that count, or 0 before the first run."""
    runs: int
    """The number of runs on record."""
    alone: bool
    """True if only the bots in `rows` played in the run. Otherwise only those matches of the run count in
    which no other bots played."""
    matches: int
    """The number of matches that count."""
    missing: int
    """The number of matches of the run that are not on record. If this number is not 0, the standings are
    provisional."""
    encounters: tuple[int, int] = (0, 0)
    """The number of encounters of the run that are complete, and the number of all encounters that the run
    plays."""
    order: Decider = "rank"
    """The number that decides the places."""
    why: str = ""
    """The reason why this number decides the places. Empty if the caller chose the number."""
    differ: bool = False
    """True if some pairs of bots meet more often than others, so that bots have different opponents."""
    adaptive: bool = False
    """True if results decide who meets whom. In this case only ratings that come from `model` have
    intervals, and only places by these ratings have ranges, because no other intervals are valid then."""
    same: bool = False
    """True if each deal is played in every order of seats."""
    seats: tuple[SeatAverage, ...] = ()
    """The average rank in each seat, or () if there are too few matches."""
    faults: tuple[FaultKind, ...] = ()
    """The kinds of faults in the matches that count, the most frequent first."""
    off: LuckOff | None = None
    """The factors that take the luck off each match, or None if luck counts."""
    model: RoundRobinAverages | None = None
    """The model from which the ratings come (see `results.round_robin`), or None if they come from
    `statistics.rating`."""

    by_sitting: bool = False
    """True if sittings differ more than luck explains. In this case a sitting counts as one deal for
    intervals and ranges of places."""
    stops: bool = False
    """True if the results decide when the tournament ends. In this case only a rating that comes from
    `model` has an interval. Ranges of places come from tests that stay valid no matter how often somebody
    looks at the results, so the standings keep the ranges."""
    where: str = ""
    """The condition by which somebody chose the results (see `results.where`), or "" if all results count.
    After such a choice nothing has an interval or a range."""

    @property
    def has_intervals(self) -> bool:
        """True if the number that decides the places has intervals."""
        return not self.where and (self.by_model or not (self.adaptive or self.stops))

    @property
    def by_model(self) -> bool:
        """True if the number that decides the places comes from `model`."""
        return self.model is not None and self.order == "rating"

    @property
    def uncertain(self) -> bool:
        """True if no interval of the number that decides the places is known."""
        return not self.where and self.adaptive and not self.by_model

    @property
    def luck_off(self) -> bool:
        """True if the results are corrected for the luck of each match."""
        return self.off is not None

    @property
    def playing(self) -> tuple[Row, ...]:
        """The rows without the former bots of a ladder."""
        return tuple(row for row in self.rows if not row.former)

    @property
    def former(self) -> tuple[Row, ...]:
        """The rows of the former bots of a ladder."""
        return tuple(row for row in self.rows if row.former)


def renamed(found: Standings, present: Callable[[str], str]) -> Standings:
    """Returns the standings with the names that `present` gives to the bots."""
    replaced = msgspec.structs.replace
    return replaced(
        found,
        rows=tuple(replaced(row, bot=present(row.bot)) for row in found.rows),
        disqualified=tuple(replaced(out, bot=present(out.bot)) for out in found.disqualified),
        faults=tuple(replaced(kind, bots=tuple(map(present, kind.bots))) for kind in found.faults),
    )


def standings(
    history: History,
    policy: str,
    strikes: int | None,
    wished: Wish = BY_RANK,
    *,
    tiers: Tiers = (),
    whole: bool = True,
) -> Standings:
    """Returns the standings of the history under a policy. `wished` is the order that the plan asks for.

    `tiers` has the places that the format decides. When the end of the tournament is on record, the places on
    record replace `tiers`. If `whole` is false, each row has only two averages: the average rank, and the
    number that decides the places. Only the deciding number has an interval. With this setting the
    computation takes half the time.
    """
    tiers = history.ended.order if history.ended else tiers
    ruled = ruling(history, policy, strikes)
    by, off = _ordered(history, wished, ruled)
    by_sitting = whole and not by.differ and _sittings_differ(history, ruled)
    found = _Gathered(ruled, by, whole, off, by_sitting)
    for _, together in groupby(counted(history, ruled), attrgetter("encounter")):
        found.add(list(together))
    rows = found.rows() if ruled.run else ()
    placed = by_format(rows, tiers) if tiers else None
    rows = rows if placed is None else placed
    return Standings(
        rows=rows,
        disqualified=ruled.out,
        policy=policy,
        strikes=strikes,
        run=ruled.run.number if ruled.run else 0,
        runs=len(history.runs),
        alone=ruled.alone,
        matches=found.matches,
        missing=ruled.missing,
        encounters=_encounters(ruled.run) if ruled.run else (0, 0),
        order=by.order,
        why=by.why if placed is None else BY_FORMAT,
        differ=by.differ,
        adaptive=by.adaptive,
        same=found.same,
        seats=found.seats.averages(),
        faults=fault_kinds(found.totals),
        off=off,
        stops=by.stops,
        by_sitting=by_sitting,
    )


def _sittings_differ(history: History, ruled: Ruling) -> bool:
    """Returns whether sittings differ more than luck explains. If each deal is played in every order of
    seats, sittings share deals. Then nobody can measure how much sittings differ, and the result is False."""
    began = ruled.run.began if ruled.run else None
    return began is not None and began.sittings > 1 and bool(began.orders) and differ(counted(history, ruled))


def units(matches: Iterable[MatchResult], by_sitting: bool) -> list[MatchResult]:
    """Returns the matches. If `by_sitting` is true, the deal of each match is replaced by the name of its
    sitting."""
    return [match._replace(deal=sitting_of(match)) if by_sitting else match for match in matches]


def _ordered(history: History, wished: Wish, ruled: Ruling) -> tuple[Ordering, LuckOff | None]:
    """Returns the order of the standings, and the factors with which luck is removed from the results. The
    factors are None if luck counts, or if no luck is on record, as in a game without chance."""
    complete = ruled.run is None or _is_complete(ruled.run)
    by = ordering(wished, ruled.run, ruled.alone, complete)
    off = LuckOff(counted(history, ruled)) if by.luck_off else None
    if off is None or off.known:
        return by, off
    return ordering(wished._replace(luck_off=False), ruled.run, ruled.alone, complete), None


def _is_complete(run: Run) -> bool:
    """If the schedule was known at the start, returns whether all its matches are on record. If rounds depend
    on results, there is no such schedule, and the result is True."""
    return bool(run.began.stages) or run.matches >= run.planned


def _encounters(run: Run) -> tuple[int, int]:
    return sum(map(run.complete, run.encounters)), run.expected


def by_format(rows: tuple[Row, ...], tiers: Tiers) -> tuple[Row, ...] | None:
    """Returns the rows in the order that the format decides, or None if `tiers` and the rows have different
    bots."""
    places: dict[str, int] = {}
    for tier in tiers:
        places |= dict.fromkeys(tier, len(places) + 1)
    if places.keys() != {row.bot for row in rows}:
        return None
    placed = [msgspec.structs.replace(row, place=places[row.bot]) for row in rows]
    return tuple(sorted(placed, key=lambda row: (row.place, row.bot)))


class _Gathered:
    """The sums of the bots' results in the matches that count, collected encounter by encounter."""

    def __init__(
        self, ruled: Ruling, by: Ordering, whole: bool, off: LuckOff | None, by_sitting: bool
    ) -> None:
        self._run = ruled.run
        self._by = by
        self._whole = whole
        self._by_sitting = by_sitting
        self.matches = 0
        self.same = ruled.run is not None and not ruled.run.began.orders
        self.totals = {bot: Totals() for bot in ruled.field}
        self._equal = EqualResults(self._add_equal)
        self._ranks = Averages()
        self._wins = Averages() if by.order == "wins" else None
        self._scores = Scores(self.same, by.order == "score")
        self._tables = Tables()
        self._by_deal = not by.adaptive and (by.differ or by.order == "rating")
        """True if the ratings get intervals. Intervals need the results of each deal. Without intervals, the
        sums over all deals are enough."""
        self._off = off and WithoutLuck(off, self.same, by.order == "score-luck-off")
        self.seats = SeatRanks(self.same)

    def add(self, encounter: list[MatchResult]) -> None:
        encounter = units(encounter, self._by_sitting)
        self.matches += len(encounter)
        ranks = [match.ranks for match in encounter]
        self._equal.count([match.bots for match in encounter], ranks)
        take_scores(encounter, self.totals)
        corrected = self._off.add(encounter) if self._off else encounter
        if (self._by_deal or self._off) and self._wanted("rating"):
            for match in corrected:
                self._tables.add(match.bots, match.ranks, match.deal if self._by_deal else "")
        if self._wanted("rank"):
            self._ranks.add(encounter, ranks)
        if self._wanted("score"):
            self._scores.add(encounter)
        if self._whole:
            self.seats.add(encounter)
        if self._wins is not None:
            self._wins.add(encounter, [list(map(float, shares(match))) for match in encounter])

    def _add_equal(self, bots: tuple[str, ...], ranks: tuple[Number, ...], times: int) -> None:
        take_ranks(bots, ranks, times, self.totals)
        if self._wanted("rating") and not self._by_deal and not self._off:
            self._tables.add(bots, ranks, "", times)

    def _wanted(self, order: Decider) -> bool:
        return self._whole or self._by.order == order

    def rows(self) -> tuple[Row, ...]:
        """Returns the rows in the order of their places."""
        assert self._run is not None
        self._equal.settle()
        seats, voids = self._run.began.seats, self._run.voids
        rating, of_rating = self._ratings(seats)
        ranges: dict[str, Mapping[str, Interval]] = (
            {}
            if self._by.adaptive or self._by.stops
            else {
                "{}": self._ranks.intervals(1, seats, seats),
                "rating_{}": of_rating,
                "score_{}": self._scores.intervals(),
                "win_share_{}": self._wins.intervals(0, 1) if self._wins else {},
                **(self._off.intervals(seats) if self._off else {}),
            }
        )
        keys, rows = {}, []
        for bot, own in self.totals.items():
            score = self._scores.mean(bot, own.points, own.matches) if self._wanted("score") else None
            values: dict[Decider, float | Fraction | None] = {
                "rank": own.average(),
                "rating": rating.get(bot),
                "score": score,
                "wins": own.share(),
                **(self._off.means(bot, own.matches) if self._off else {}),
            }
            keys[bot] = values[self._by.order]
            row = msgspec.structs.replace(
                row_of(bot, own),
                voids=voids.get(bot, 0),
                rating=rating.get(bot),
                score=rounded(score),
                rank_luck_off=rounded(values.get("rank-luck-off")),
                score_luck_off=rounded(values.get("score-luck-off")),
                **_ends(bot, ranges),
            )
            rows.append(row)
        return placed_by(rows, keys, self._by.order in HIGHEST_FIRST)

    def _ratings(self, seats: int) -> tuple[dict[str, float], dict[str, Interval]]:
        """Returns the ratings, and their intervals if ratings and average ranks may order the bots
        differently."""
        if not self._wanted("rating"):
            return {}, {}
        if not self._by_deal:
            return ratings(self._tables, seats), {}
        found = rated(self._tables, seats)
        intervals = {bot: Interval(each.low, each.high) for bot, each in found.items()}
        return {bot: each.rating for bot, each in found.items()}, intervals


def _ends(bot: str, ranges: Mapping[str, Mapping[str, Interval]]) -> dict[str, float | None]:
    """Returns the ends of the intervals of a bot as fields of its row."""
    found: dict[str, float | None] = {}
    for name, intervals in ranges.items():
        low, high = intervals.get(bot) or (None, None)
        found |= {name.format("low"): rounded(low), name.format("high"): rounded(high)}
    return found


def placed_by(
    rows: Iterable[Row], keys: Mapping[str, float | Fraction | None], highest_first: bool
) -> tuple[Row, ...]:
    """Returns the rows in the order of their keys, with their places. Bots without a key are last."""
    known = sorted({key for key in keys.values() if key is not None}, reverse=highest_first)
    counts = Counter(keys.values())
    places: dict[float | Fraction | None, int] = {}
    place = 1
    for key in (*known, None):
        places[key] = place
        place += counts[key]
    found = [msgspec.structs.replace(row, place=places[keys[row.bot]]) for row in rows]
    return tuple(sorted(found, key=lambda row: (row.place, row.bot)))


def row_of(bot: str, own: Totals) -> Row:
    """Returns the row of a bot from only the sums of its results: without a place, without void attempts, and
    without intervals."""
    return Row(
        place=0,
        bot=bot,
        matches=own.matches,
        average_rank=rounded(own.average()),
        low=None,
        high=None,
        wins=plain_number(own.wins),
        points=plain_number(own.points),
        faults=own.faults,
        voids=0,
        score=rounded(own.points / own.matches if own.matches else None),
        win_share=rounded(own.share()),
    )


def rounded(value: float | Fraction | None) -> float | None:
    """Returns a mean with DECIMALS decimals, or None."""
    return None if value is None else round(float(value), DECIMALS)


def plain_number(value: Fraction | Number) -> Number:
    """Returns a whole number as an int, and any other number as a rounded float."""
    return int(value) if value == int(value) else round(float(value), DECIMALS)
