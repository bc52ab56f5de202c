"""Returns the standings and the log of a record as rows of plain values, for notebooks and tables.

The package `harness` offers the two functions of this file as `harness.standings` and `harness.read_log`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from harness.config.policies import POLICIES
from harness.errors import InputError
from harness.events import InEncounter, InTournament, Match, Record, Result, SittingBegan
from harness.record import run_folder
from harness.record.log import encounter_path, read_encounter, read_journal
from harness.results import standings as ranking
from harness.results.columns import COLUMNS
from harness.results.ordering import wish
from harness.results.ranges import with_ranges
from harness.results.round_robin import with_elo

_Row = dict[str, Any]


def standings(
    folder: str | Path, policy: str | None = None, strikes: int | None = None, *, rating: str | None = None
) -> list[dict[str, Any]]:
    """Returns the standings of the tournament in `folder`, one dict for each bot. The tournament may still be
    running.

    The best bot comes first. In a ladder, former bots come last, and their `former` is True.
    Disqualified bots are left out. Each dict has these keys:

    KEYS

    `best` and `worst` are the best and the worst place that more matches could give the bot. `low` and `high`
    are the ends of the 95 % confidence interval of `average_rank`. `rating_low` and `rating_high` are the
    ends of the interval of `rating`, and so on. A value that does not exist is None, for example the average
    rank of a bot without a match. The interval of the rating is None if all bots met the same opponents,
    because ratings and average ranks then give the same order. If results decide who meets whom, as in a
    Swiss tournament, only ratings have intervals: `low` and `high` are None. `best` and `worst` are None if
    the standings show no ranges of places. `score` has an interval only if the plan orders bots by scores,
    and `win_share` only if it orders bots by wins. `elo`, `elo_low` and `elo_high` are None unless `rating`
    is "elo".

    `policy` is the name of a policy. With a `policy`, the function judges the matches on record as if the
    plan had this policy. If the policy needs a number, `strikes` is this number.

    Raises InputError if `folder` is not the folder of a tournament, if there is no such policy or rating, or
    if there are too many results for Elo ratings. Raises RecordError if the record is damaged.
    """
    folder = Path(folder)
    plan = run_folder.plan_of(folder)
    if policy is None:
        policy, strikes = plan.policy, plan.strikes
    elif policy not in POLICIES:
        raise InputError(f"{', '.join(POLICIES)} are the policies, not {policy!r}", "policy")
    elif POLICIES[policy].numbered != (strikes is not None and strikes > 0):
        needs = "needs a number of strikes, from 1" if POLICIES[policy].numbered else "takes no number"
        raise InputError(f"the policy {policy!r} {needs}", "strikes")
    if rating not in (None, "elo"):
        raise InputError(f"'elo' is the only rating, not {rating!r}", "rating")
    history = run_folder.history_of(folder)
    found = with_ranges(ranking.standings(history, policy, strikes, wish(plan)), history)
    found = with_elo(found, history) if rating else found
    return [msgspec.structs.asdict(row) for row in found.rows]


def _keys() -> str:
    """Returns the keys of a row of the standings, each with its meaning."""
    keys = [column for column in COLUMNS if column.kind != "interval"]
    return "\n    ".join(f"{column.name:<13} {column.meaning}" for column in keys)


standings.__doc__ = str(standings.__doc__).replace("KEYS", _keys())


def read_log(folder: str | Path, *kinds: str) -> Iterator[dict[str, Any]]:
    """Returns the log of the tournament in `folder`, line by line: one dict for each record of these
    `kinds`. If no kind is given, returns the records of all kinds.

    First come the lines of tournament.jsonl: "opened", "run", "played", "void", "disqualified", "ended". Then
    come the lines of the matches, by run and encounter: "seating", "match", "chance", "event", "turn",
    "usage", "fault", "stderr", "result". The key `is` has the kind of the row. `harness.events` describes the
    other keys of each kind. Every row of a kind has all keys of this kind. A row of a match also has these
    keys:

    run, round, encounter                   the place of the match in the schedule
    seating, deal                           the number of its sitting, and its own number in the sitting
    match                                   its id "run.encounter.sitting.number", for example "1.3.2.1"
    bot                                     the bot in `seat`, if the row has a `seat`
    bots                                    the bots by seat, in rows of "match" and "result"

    Seats count from 1. Times (`us`, `at` and keys that end in `_us`) are microseconds. Values are
    plain: numbers, text, lists, dicts, None. Rows of one kind make a table of pandas or polars:
    `pandas.DataFrame(harness.read_log("logs/demo", "turn"))`.

    Raises InputError if `folder` is not the folder of a tournament, or if there is no such kind. Raises
    RecordError at the first damaged line.
    """
    known = {_kind(each) for each in (*get_args(InTournament), *get_args(InEncounter))}
    if strange := sorted(set(kinds) - known):
        raise InputError(f"no record is of the kind {strange[0]!r}; there are {', '.join(sorted(known))}")
    folder = Path(folder)
    run_folder.plan_of(folder)
    wanted = frozenset(kinds or known)
    return _rows(folder, wanted)


def _rows(folder: Path, kinds: frozenset[str]) -> Iterator[_Row]:
    for line in read_journal(folder):
        if _kind(type(line.record)) in kinds:
            yield _row(line.record)
    if kinds.isdisjoint(_kind(each) for each in get_args(InEncounter)):
        return
    history = run_folder.history_of(folder)
    run_folder.check_files(folder, history)
    for run in history.runs:
        for number, encounter in sorted(run.encounters.items()):
            path = encounter_path(folder, run.number, number)
            records = (record for _, record in read_encounter(path, size=encounter.size))
            where = {"run": run.number, "round": encounter.round, "encounter": number}
            yield from (row for row in _of_encounter(records, where) if row["is"] in kinds)


def _of_encounter(records: Iterator[InEncounter], where: _Row) -> Iterator[_Row]:
    """Yields the rows of an encounter. Each row also has the numbers of its sitting and its match, because
    most records do not have these numbers."""
    bots: tuple[str, ...] = ()
    for record in records:
        row = _row(record)
        if isinstance(record, SittingBegan):
            where = {**where, "seating": record.sitting, "deal": None, "match": None}
        elif isinstance(record, Match):
            bots = record.bots
            where = {**where, "deal": int(row.pop("id").rpartition(".")[2]), "match": record.id}
        elif isinstance(record, Result):
            row["bots"] = list(bots)
        if "seat" in row:
            row["bot"] = bots[row["seat"] - 1]
        yield {"is": row.pop("is"), **where, **row}


def _row(record: Record) -> _Row:
    plain: _Row = msgspec.json.decode(msgspec.json.encode(msgspec.structs.asdict(record)))
    return {"is": _kind(type(record)), **plain}


def _kind(record: type[Record]) -> str:
    return str(record.__struct_config__.tag)
