"""Computes figures from the matches that count: about pairs, places and seats, and averages over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from math import ceil, floor
from typing import NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.model import Number
from harness.record.history import History, MatchResult
from harness.results.discipline import counted, ruling
from harness.results.ranges import standings_of
from harness.results.round_robin import model_of, rated_by
from harness.results.standings import Standings
from harness.results.statistics.rating import Tables
from harness.results.statistics.sandwich import rated
from harness.schedule.formats import find

CHECKPOINTS = 60
"""The approximate number of points of a line over time. A line has at most twice as many points."""
MOST_RATED = 128
"""The most bots for which ratings over time are computed. With more bots, the computation takes too long."""

Pair: TypeAlias = tuple[str, str]


class Met(NamedTuple):
    """The results of a bot against another bot in the matches that both played. A tie is half a win."""

    matches: int
    wins: float

    @property
    def share(self) -> float:
        """The share of the matches in which the bot ranked better, where a tie counts as half a match."""
        return self.wins / self.matches


class Point(NamedTuple):
    """A bot's average rank after the first `matches` matches of the tournament."""

    matches: int
    bot: str
    value: float


class RatedPoint(NamedTuple):
    """A bot's rating after the first `matches` matches of the tournament, with its 95 % interval."""

    matches: int
    bot: str
    value: float
    low: float
    high: float


class Results(NamedTuple):
    """The figures of a report. Bots are in the order of the standings."""

    standings: Standings
    seats: int
    pairs: Mapping[Pair, Met]
    places: Mapping[str, tuple[float, ...]]
    """For each bot, the number of matches at each place, best place first. Tied bots share their places."""
    sat: Mapping[str, tuple[int, ...]]
    """For each bot, the number of matches in each seat."""
    by_seat: tuple[float | None, ...]
    """The average rank of each seat, over all bots."""
    progress: tuple[Point, ...]
    ratings: tuple[RatedPoint, ...] = ()
    """The ratings over time, if ratings decide the places and have intervals."""
    house: tuple[str, ...] = ()
    """The house bots of a gauntlet, best first. The other bots meet only house bots."""

    @property
    def across(self) -> tuple[str, ...]:
        """The bots that have a column in a table of opponents. In a gauntlet these are only the house bots,
        because the columns of the other bots would be empty."""
        return self.house or self.bots

    @property
    def bots(self) -> tuple[str, ...]:
        """All bots, best first."""
        return tuple(row.bot for row in self.standings.rows)


def results(history: History, plan: FrozenPlan) -> Results:
    """Computes the results that a report shows, from the matches that count by the policy of the plan."""
    table = standings_of(plan, history)
    ruled = ruling(history, plan.policy, plan.strikes)
    seats = ruled.run.began.seats if ruled.run else plan.seats
    count = _Count([row.bot for row in table.rows], seats, max(1, table.matches // CHECKPOINTS))
    for match in counted(history, ruled):
        count.add(match)
    found = count.results(table)
    # Only a gauntlet needs house bots. In a ladder with house bots, the other bots meet each other too.
    if "house" in find(plan.format).needs:
        found = found._replace(house=tuple(bot for bot in found.bots if bot in plan.house))
    if table.order == "rating" and not table.uncertain and len(table.rows) <= MOST_RATED:
        times = min(20, max(4, (240 if table.by_model else 600) // max(1, len(table.rows))))
        every = ceil(table.matches / times) or 1
        of = _by_model if table.by_model else _rated
        return found._replace(ratings=tuple(of(counted(history, ruled), table.matches, every, seats)))
    return found


def _by_model(matches: Iterable[MatchResult], count: int, every: int, seats: int) -> Iterator[RatedPoint]:
    """Computes the ratings of the model several times: each time after `every` more matches, and after the
    last match. Each time, the function fits the model to all matches so far."""
    so_far = []
    for number, match in enumerate(matches, start=1):
        so_far.append(match)
        if (number % every == 0 or number == count) and (model := model_of(so_far, seats)):
            for bot in model.bots:
                yield RatedPoint(number, bot, *rated_by(model, bot))


def _rated(matches: Iterable[MatchResult], count: int, every: int, seats: int) -> Iterator[RatedPoint]:
    """Computes ratings after the same matches as `_by_model`, but with `statistics.rating`."""
    tables = Tables()
    for number, match in enumerate(matches, start=1):
        tables.add(match.bots, match.ranks, match.deal)
        if number % every == 0 or number == count:
            for bot, found in rated(tables, seats).items():
                yield RatedPoint(number, bot, *found)


class _Count:
    """The figures of a report, counted match by match."""

    def __init__(self, bots: Sequence[str], seats: int, every: int) -> None:
        self._seats = seats
        self._every = every
        self._matches = 0
        self._pairs: dict[Pair, list[float]] = {}
        self._places = {bot: [0.0] * seats for bot in bots}
        self._sat = {bot: [0] * seats for bot in bots}
        self._ranks: dict[str, Number] = dict.fromkeys(bots, 0)
        self._of_seat: list[Number] = [0] * seats
        self._points: list[Point] = []

    def add(self, match: MatchResult) -> None:
        self._matches += 1
        ranked = list(zip(match.bots, match.ranks, strict=True))
        for seat, (bot, rank) in enumerate(ranked):
            self._sat[bot][seat] += 1
            self._ranks[bot] += rank
            self._of_seat[seat] += rank
            for place, share in _shared(rank, match.ranks.count(rank)):
                self._places[bot][place - 1] += share
        for (bot, rank), (other, behind) in permutations(ranked, 2):
            met = self._pairs.setdefault((bot, other), [0, 0])
            met[0] += 1
            met[1] += 1 if rank < behind else 0.5 if rank == behind else 0
        if self._matches % self._every == 0:
            self._mark()

    def _mark(self) -> None:
        for bot, total in self._ranks.items():
            if played := sum(self._sat[bot]):
                self._points.append(Point(self._matches, bot, total / played))

    def results(self, table: Standings) -> Results:
        played = self._matches
        return Results(
            table,
            self._seats,
            {pair: Met(int(matches), wins) for pair, (matches, wins) in self._pairs.items()},
            {bot: tuple(places) for bot, places in self._places.items()},
            {bot: tuple(sat) for bot, sat in self._sat.items()},
            tuple(total / played if played else None for total in self._of_seat),
            tuple(self._points),
        )


def _shared(rank: Number, tied: int) -> Iterable[tuple[int, float]]:
    """Returns the places that a bot with this rank shares, and its share of each of these places. Bots with
    equal results share several places, and their rank is the average of these places."""
    first = ceil(rank - (tied - 1) / 2) if tied > 1 else floor(rank)
    return ((place, 1 / tied) for place in range(first, first + tied))
