"""Rates the bots of several records together. Several records together are a season. From one record to the
next, bots may come, go and change.

Bots of two records are the same bot if they have the same name, files and commands. A bot with the same name
and other files is another version of the bot. The first version has the plain name, for example `planner`.
The next versions are `planner@2`, `planner@3` and so on, in the order of the records. In a league,
`planner@3` is the third hand-in of the team, as in the ladder. Versions are rated like different bots, so the
season shows whether a change helped.

Bots of different records meet different opponents, so the rating decides the places (see
`results.round_robin`). Bots that played in several records link these records. If no bot played in several
records, no rating could compare bots of different records.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from harness.config import FrozenPlan
from harness.config.document import quoted
from harness.config.frozen import BotIdentity, identity
from harness.errors import InputError
from harness.escape import WIDTH, broken, count_of, fitted_name, in_csv, in_markdown, shown
from harness.events import Disqualified
from harness.model import Order
from harness.record.history import History, MatchResult
from harness.results import tables
from harness.results.columns import NAMED, Column
from harness.results.discipline import counted, ruling
from harness.results.ordering import is_adaptive, wish
from harness.results.round_robin import learnt, model_of, rated_by
from harness.results.standings import DECIMALS, NO_INTERVALS, Row
from harness.results.statistics.intervals import CONFIDENCE
from harness.results.statistics.rating import Tables, ratings
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.sandwich import rated
from harness.results.totals import Totals, take


class NumberedHandIn(NamedTuple):
    """A bot that a team handed in: the present name of the team, and the number of the hand-in."""

    team: str
    number: int


class SeasonRecord(NamedTuple):
    """One record of a season. `where` is its folder, for error messages. `hand_ins` has the bots that were
    handed in; its keys are the names of the bots in this record."""

    where: str
    plan: FrozenPlan
    history: History
    hand_ins: Mapping[str, NumberedHandIn] = MappingProxyType({})


class SeasonRow(msgspec.Struct, frozen=True):
    """The results of one version of a bot in all records of a season."""

    place: int
    """The place in the season, from 1. Versions with equal ratings share a place, and the next places stay
    empty (1, 2, 2, 4)."""
    bot: str
    """The name of the bot, with the number of the version if it is not the first version."""
    name: str
    version: int
    last: bool
    """True if this version is in the last record that has a version of this bot."""
    records: tuple[int, ...]
    """The numbers of the records in which this version played, from 1."""
    matches: int
    rating: float
    rating_low: float | None
    """The 95 % confidence interval of the rating goes from `rating_low` to `rating_high`; both are None if no
    interval is known."""
    rating_high: float | None
    average_rank: float
    wins: float
    """The number of matches in which this version had the best rank. If several bots share the best rank,
    each of them gets an equal share of the win."""
    faults: int
    """The number of matches in which this version broke a rule."""
    best: int | None = None
    """The best place that this version could have. `worst` is the worst place. Both are None if they are not
    known."""
    worst: int | None = None


class Season(msgspec.Struct, frozen=True):
    """The ratings of all bots of several records, with one rating for each version of a bot."""

    rows: tuple[SeasonRow, ...]
    records: tuple[str, ...]
    """The names of the tournaments, in the order of the records."""
    played: tuple[int, ...]
    """For each record, the number of matches that count."""
    disqualified: tuple[tuple[int, Disqualified], ...]
    """The disqualifications, each with the number of its record. `bot` is the name of the bot's version."""
    missing: tuple[int, ...]
    """For each record, the number of matches that its policy needs but that are not on record."""
    seats: int
    """The number of seats that the ratings assume: the largest number of seats in any record."""
    adaptive: bool = False
    """True if in some record the results decide who meets whom. Then only a rating that comes from
    `model` has an interval."""
    model: RoundRobinAverages | None = None
    """The model from which the ratings come (see `results.round_robin`), or None if they come from
    `statistics.rating`."""

    @property
    def uncertain(self) -> bool:
        """True if no interval of a rating is known."""
        return self.adaptive and self.model is None

    @property
    def matches(self) -> int:
        """The number of matches that count."""
        return sum(self.played)


class SeasonOut(msgspec.Struct, frozen=True):
    """A disqualification. `record` is the number of its record in the season, from 1."""

    record: int
    bot: str
    fault: str


class PrintedSeason(msgspec.Struct, frozen=True):
    """A season in JSON. `Season` describes its keys."""

    standings: tuple[SeasonRow, ...]
    disqualified: tuple[SeasonOut, ...]
    records: tuple[str, ...]
    played: tuple[int, ...]
    seats: int
    adaptive: bool


def season_of(records: Sequence[SeasonRecord]) -> Season:
    """Returns the season of these records, each judged by the policy of its plan.

    Raises InputError if the records cannot form a season (see `_check_fit` and `_check_links`).
    """
    for number, record in enumerate(records):
        _check_fit(records[:number], record)
    versions = _versions(records)
    results, out, missing, adaptive = _Results(), [], [], False
    for number, (record, labels) in enumerate(zip(records, versions, strict=True), start=1):
        ruled = ruling(record.history, record.plan.policy, record.plan.strikes)
        adaptive |= ruled.run is not None and is_adaptive(ruled.run, wish(record.plan))
        for match in counted(record.history, ruled):
            results.add(number, match, tuple([labels[bot].text for bot in match.bots]))
        missing.append(ruled.missing)
        out += [(number, msgspec.structs.replace(each, bot=labels[each.bot].text)) for each in ruled.out]
    _check_links(records, results)
    seats = max(record.plan.seats for record in records)
    model = model_of(results.matches, seats)
    rows = tuple(_placed(results, versions, _ratings(results, seats, model, adaptive)))
    return Season(
        rows=_with_ranges(rows, model) if model else rows,
        records=tuple(record.plan.name for record in records),
        played=tuple(results.played[number] for number in range(1, len(records) + 1)),
        disqualified=tuple(out),
        missing=tuple(missing),
        seats=seats,
        adaptive=adaptive,
        model=model,
    )


def masked(found: Season, names: Collection[str], name: Callable[[str], str]) -> Season:
    """Returns the season with masked names of bots. `names` has all names in the records, and `name` is a
    function that masks one name."""
    longest_first = sorted(names, key=len, reverse=True)

    def label(text: str) -> str:
        own = next(each for each in longest_first if text.startswith(each))
        return name(own) + text.removeprefix(own)

    replaced = msgspec.structs.replace
    return replaced(
        found,
        rows=tuple(replaced(row, bot=label(row.bot), name=name(row.name)) for row in found.rows),
        disqualified=tuple((number, replaced(out, bot=label(out.bot))) for number, out in found.disqualified),
    )


# -- records that may form one season ----------------------------------------------------------------


def _check_fit(before: Sequence[SeasonRecord], record: SeasonRecord) -> None:
    """Raises InputError if the game, its version or its options are not the same as in the first record,
    or if this record is the same tournament as an earlier record."""
    plan = record.plan
    for other in before:
        if record.history.opened == other.history.opened:
            raise InputError(f"this is the same tournament as {other.where}", record.where)
    if not before:
        return
    first, where = before[0].plan, before[0].where
    if plan.game.name != first.game.name:
        told = f"the game is {plan.game.name}, but in {where} it is {first.game.name}"
    elif plan.game.version != first.game.version:
        told = f"the game has version {plan.game.version}, but in {where} version {first.game.version}"
    elif changed := [
        key for key in {**first.options, **plan.options} if _option(plan, key) != _option(first, key)
    ]:
        mine, theirs = _option(plan, changed[0]), _option(first, changed[0])
        told = f"the option {changed[0]} is {mine}, but in {where} it is {theirs}"
    else:
        return
    raise InputError(f"{told}; a season needs the same rules in all records", record.where)


def _option(plan: FrozenPlan, key: str) -> str:
    return quoted(plan.options[key]) if key in plan.options else "not set"


def _check_links(records: Sequence[SeasonRecord], results: _Results) -> None:
    """Raises InputError if a record has no match that counts, or if no chain of common bots links a
    record with the first record."""
    linked = {1}
    while (
        grown := {record for those in results.records.values() if those & linked for record in those} - linked
    ):
        linked |= grown
    for number, record in enumerate(records, start=1):
        if not results.played[number]:
            raise InputError("no match of this record counts, so it cannot be part of a season", record.where)
        if number not in linked:
            raise InputError(
                f"no bot of this record played with the same files in {records[0].where}, or in a record "
                "that common bots link to it, so nothing compares the bots of this record with the others",
                record.where,
            )


# -- versions ----------------------------------------------------------------------------------------


class Version(NamedTuple):
    """A version of a bot: the bot's name, the number of the version from 1, and both as one text."""

    name: str
    number: int
    text: str


def _versions(records: Sequence[SeasonRecord]) -> list[dict[str, Version]]:
    """Returns one mapping for each record. The mapping has the version of each bot, by the name of the
    bot."""
    names = {bot.name for record in records for bot in record.plan.bots}
    known: dict[str, dict[BotIdentity, Version]] = {name: {} for name in names}
    found = []
    for record in records:
        of: dict[str, Version] = {}
        for bot in record.plan.bots:
            if own := record.hand_ins.get(bot.name):
                of[bot.name] = Version(own.team, own.number, f"{own.team}@{own.number}")
                continue
            versions = known[bot.name]
            number = len(versions) + 1
            text = bot.name if number == 1 else f"{bot.name}@{number}"
            while number > 1 and text in names:
                text = text.replace("@", "@@")
            of[bot.name] = versions.setdefault(identity(bot), Version(bot.name, number, text))
        found.append(of)
    return found


# -- ratings -----------------------------------------------------------------------------------------


class _Results:
    """The matches of all records, added up for each version."""

    def __init__(self) -> None:
        self.matches: list[MatchResult] = []
        """The matches of all records. A bot has the name of its version. The names of a match, its encounter
        and its deal begin with the number of the record."""
        self.totals: dict[str, Totals] = defaultdict(Totals)
        self.records: dict[str, set[int]] = defaultdict(set)
        self.played = Counter[int]()

    def add(self, record: int, match: MatchResult, bots: tuple[str, ...]) -> None:
        """Adds a match of a record. `bots` has the versions of its bots in the order of seats."""
        name, encounter, deal = (f"{record}:{text}" for text in (match.id, match.encounter, match.deal))
        self.matches.append(match._replace(id=name, encounter=encounter, bots=bots, deal=deal))
        take(self.matches[-1], self.totals)
        self.played[record] += 1
        for bot in bots:
            self.records[bot].add(record)


def _ratings(
    results: _Results, seats: int, model: RoundRobinAverages | None, adaptive: bool
) -> Mapping[str, tuple[float, float | None, float | None]]:
    """Returns the rating of each version, with the ends of its interval if an interval is known."""
    if model:
        return {bot: rated_by(model, bot) for bot in model.bots}
    tables = Tables(results.matches)
    if adaptive:
        return {bot: (rating, None, None) for bot, rating in ratings(tables, seats).items()}
    return rated(tables, seats)


def _placed(
    results: _Results,
    versions: Sequence[Mapping[str, Version]],
    ratings: Mapping[str, tuple[float, float | None, float | None]],
) -> Iterator[SeasonRow]:
    """Yields the rows in the order of their places. `ratings` has the ratings with their intervals."""
    all_versions = {version.text: version for of in versions for version in of.values()}
    last = {
        version.name: version
        for of in versions
        for version in sorted(of.values(), key=lambda version: version.number)
    }
    order = sorted(rating for rating, _, _ in ratings.values())
    for bot in sorted(ratings, key=lambda bot: (ratings[bot][0], bot)):
        own, version = results.totals[bot], all_versions[bot]
        rating, low, high = ratings[bot]
        yield SeasonRow(
            place=order.index(rating) + 1,
            bot=bot,
            name=version.name,
            version=version.number,
            last=last[version.name] == version,
            records=tuple(sorted(results.records[bot])),
            matches=own.matches,
            rating=rating,
            rating_low=low,
            rating_high=high,
            average_rank=round(own.rank / own.matches, DECIMALS),
            wins=round(float(own.wins), DECIMALS),
            faults=own.faults,
        )


def _with_ranges(rows: Sequence[SeasonRow], model: RoundRobinAverages) -> tuple[SeasonRow, ...]:
    found = model.ranges(model.bots, CONFIDENCE)
    return tuple(
        msgspec.structs.replace(row, best=found[row.bot][0], worst=found[row.bot][1]) for row in rows
    )


# -- the table of a season ---------------------------------------------------------------------------


NAME = 18
"""The largest number of characters of a name in a table for a terminal."""
ORDER: Order = "rating"
"""The number that decides the places."""
RECORDS = Column("records", "records", "Records", "sum", "the records in which it played")
SHOWN = tuple(
    NAMED[name]
    for name in ("place", "bot", "matches", "rating", "interval", "average_rank", "wins", "faults")
)
"""The columns that a season shares with the standings. On the right of `bot`, the season also has the column
`RECORDS`."""


def columns(season: Season) -> tuple[Column, ...]:
    """Returns the columns of `SHOWN`. Leaves out the column of intervals if the season has no intervals."""
    return tuple(column for column in SHOWN if column.kind != "interval" or not season.uncertain)


def shared(season: Season) -> list[Row]:
    """Returns the rows of the season as rows of standings."""
    return [
        Row(
            place=row.place,
            bot=row.bot,
            matches=row.matches,
            average_rank=row.average_rank,
            low=None,
            high=None,
            wins=row.wins,
            points=0,
            faults=row.faults,
            voids=0,
            rating=row.rating,
            rating_low=row.rating_low,
            rating_high=row.rating_high,
            best=row.best,
            worst=row.worst,
        )
        for row in season.rows
    ]


def _table(season: Season, name: Callable[[str], str]) -> list[tables.Filled]:
    found = tables.filled(shared(season), columns(season), ORDER, name)
    return [*found[:2], tables.Filled(RECORDS, [ranges(row.records) for row in season.rows]), *found[2:]]


def as_text(season: Season) -> str:
    """Returns the season for a terminal, at most `WIDTH` characters wide."""
    table = tables.narrowed(_table(season, lambda bot: fitted_name(bot, NAME)), ORDER)
    said = [line for remark in remarks(season) for line in broken(shown(remark), WIDTH)]
    return "\n".join([tables.in_text(table), "", *said])


def as_markdown(season: Season) -> str:
    """Returns the season in Markdown, for a web page."""
    table = tables.as_pipes(_table(season, in_markdown))
    return "\n\n".join([table, " ".join(map(in_markdown, remarks(season)))])


def as_csv(season: Season) -> str:
    """Returns the season as CSV, for a spreadsheet: a header, then a line for each version of a bot."""
    lines: list[Iterable[object]] = [SeasonRow.__struct_fields__]
    for row in season.rows:
        named = {"bot": in_csv(row.bot), "name": in_csv(row.name), "records": ranges(row.records)}
        lines.append((msgspec.structs.asdict(row) | named).values())
    return tables.csv_text(lines)


def as_json(season: Season) -> str:
    """Returns the season as JSON. The text is ASCII, so no name can control a terminal."""
    told = PrintedSeason(
        standings=season.rows,
        disqualified=tuple(SeasonOut(at, each.bot, each.fault) for at, each in season.disqualified),
        records=season.records,
        played=season.played,
        seats=season.seats,
        adaptive=season.adaptive,
    )
    return json.dumps(msgspec.to_builtins(told), indent=2)


def remarks(season: Season) -> Iterator[str]:
    """Yields sentences that explain the table."""
    records = count_of(len(season.records), "record")
    yield f"By rating in the {count_of(season.matches, 'counted match')} of {records}."
    yield "The rating of a bot is the average rank that it would have if all bots had met the same opponents."
    if season.uncertain:
        yield NO_INTERVALS
    if season.model:
        ranges = {(row.best, row.worst) for row in season.rows}
        yield from learnt(season.model, ranges == {(1, len(season.rows))})
        if any(row.best != row.worst for row in season.rows):
            yield tables.RANGES
    if any(row.version > 1 for row in season.rows):
        yield "NAME@2 is the second version of the bot NAME, with other files or commands than the first."
    for number, name in enumerate(season.records, start=1):
        out = [f"{each.bot} ({each.fault})" for record, each in season.disqualified if record == number]
        gone = f"; disqualified: {', '.join(out)}" if out else ""
        left = season.missing[number - 1]
        are = "is" if left == 1 else "are"
        half = f"; half-played: {count_of(left, 'match')} {are} missing" if left else ""
        yield f"{number}: {name}, {count_of(season.played[number - 1], 'match')}{half}{gone}"


def ranges(numbers: Sequence[int]) -> str:
    """Returns ascending numbers as a text with ranges.

    >>> ranges([1, 2, 3, 5, 7, 8])
    '1-3 5 7-8'
    """
    parts = []
    for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        first, *others = [number for _, number in run]
        parts.append(f"{first}-{others[-1]}" if others else str(first))
    return " ".join(parts)
