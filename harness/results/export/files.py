"""Defines the tables of an export, and writes them into a folder as Parquet or CSV files.

Each file has a temporary name until all files are complete. So nobody mistakes an unfinished export for a
finished export.
"""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from harness.errors import InputError, RecordError, naming
from harness.escape import in_csv
from harness.record.frames import SHARDS
from harness.results.export.rows import ExportRow, Placed

LIBRARY = "pyarrow"
"""The name of the library for Parquet on the Python Package Index."""
BATCH = 20_000
"""The number of rows of a table that are collected in memory before they are written to the file."""
_UNFINISHED = ".unfinished"


def can_write_parquet() -> bool:
    """Returns whether the library for Parquet is installed."""
    return importlib.util.find_spec(LIBRARY) is not None


def new_folder(out: Path, logs: Path) -> Path:
    """Makes the folder of an export. The folder may exist already if it is empty. Raises InputError if the
    export cannot use this folder."""
    inside = out.resolve()
    if inside.is_relative_to(logs.resolve()):
        first = inside.relative_to(logs.resolve()).parts[:1]
        if first and first[0].startswith(("run-", SHARDS)):
            raise InputError("this folder belongs to the record; name another one", str(out))
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise InputError("this folder is not empty; name a new one", str(out))
    except (FileExistsError, NotADirectoryError):
        raise InputError("not a folder: a file of this name exists", str(out)) from None
    return out


def export(
    rows: Iterable[Placed],
    out: Path,
    *,
    as_csv: bool,
    only: Collection[str] = (),
    on_progress: Callable[[int], object] = lambda matches: None,
) -> Mapping[Path, int]:
    """Writes all tables, or only the tables in `only`, into an empty folder. Returns each file with the
    number of its rows.

    If the export fails, the folder is empty again. Calls `on_progress` with the number of matches that were
    exported so far.
    """
    kind = "csv" if as_csv else "parquet"
    tables = [table for table in TABLES if table in only or not only]
    paths = {table: out / f"{table}.{kind}" for table in tables}
    unfinished = {table: path.with_name(path.name + _UNFINISHED) for table, path in paths.items()}
    counts = dict.fromkeys(tables, 0)
    matches = 0
    try:
        with ExitStack() as stack:
            make = _csv_file if as_csv else _parquet_file
            adds = {table: stack.enter_context(make(unfinished[table], TABLES[table])) for table in tables}
            for table, row in rows:
                if table in adds:
                    with naming(unfinished[table]):
                        adds[table](row)
                    counts[table] += 1
                if table == "matches":
                    matches += 1
                    on_progress(matches)
    except BaseException:
        for path in unfinished.values():
            path.unlink(missing_ok=True)
        raise
    for table, path in paths.items():
        unfinished[table].replace(path)
    return {paths[table]: counts[table] for table in tables}


Add: TypeAlias = Callable[[ExportRow], object]
"""Adds a row to the file of a table."""


@contextmanager
def _csv_file(path: Path, columns: tuple[ExportColumn, ...]) -> Iterator[Add]:
    """Writes a table as a CSV file. The same rows always give the same bytes."""
    texts = [place for place, column in enumerate(columns) if column.type == "text"]
    flags = [place for place, column in enumerate(columns) if column.type == "bool"]

    def add(row: ExportRow) -> None:
        cells = list(row)
        for place in texts:
            if cells[place] is not None:
                cells[place] = in_csv(str(cells[place]))
        for place in flags:
            cells[place] = "true" if cells[place] else "false"
        write(cells)

    file = path.open("x", encoding="utf-8", newline="")
    write = csv.writer(file, lineterminator="\n").writerow
    write([column.name for column in columns])
    try:
        yield add
    finally:
        with naming(path):
            file.close()


@contextmanager
def _parquet_file(path: Path, columns: tuple[ExportColumn, ...]) -> Iterator[Add]:
    """Writes a table as a Parquet file, in batches of rows."""
    import pyarrow
    from pyarrow import parquet

    types = {
        "text": pyarrow.string(),
        "int": pyarrow.int64(),
        "float": pyarrow.float64(),
        "bool": pyarrow.bool_(),
    }
    schema = pyarrow.schema(
        [
            pyarrow.field(column.name, types[column.type], metadata={"meaning": column.meaning})
            for column in columns
        ]
    )
    rows: list[ExportRow] = []

    def add(row: ExportRow) -> None:
        rows.append(row)
        if len(rows) == BATCH:
            flush()

    def flush() -> None:
        if not rows:
            return
        try:
            arrays = [
                pyarrow.array(column, type=field.type)
                for column, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
        except (OverflowError, pyarrow.ArrowInvalid) as error:
            raise RecordError(f"a value does not fit into its column: {error}") from None
        rows.clear()
        writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))

    writer = parquet.ParquetWriter(path, schema, compression="zstd")
    try:
        yield add
        with naming(path):
            flush()
    finally:
        with naming(path):
            writer.close()


# -- the tables and their columns --------------------------------------------------------------------
#
# This part defines the tables of an export. Each column of a table has a type, a unit and a meaning.


ColumnType: TypeAlias = Literal["text", "int", "float", "bool"]


class ExportColumn(NamedTuple):
    """A column of a table. `meaning` is for the page on exports and for the metadata of Parquet files."""

    name: str
    type: ColumnType
    meaning: str


_MATCH = ExportColumn("match", "text", "id of the match: run.encounter.sitting.number")
_BOT = ExportColumn("bot", "text", "name of the bot in this seat")
_SEAT = ExportColumn("seat", "int", "seat, from 1")
_ASK = ExportColumn("ask", "text", "the question, as the bot received it")
_SAID = ExportColumn("said", "text", "the answer of the bot; empty if no valid line came")

TABLES: Mapping[str, tuple[ExportColumn, ...]] = {
    "tournament": (
        ExportColumn("tournament", "text", "name of the tournament"),
        ExportColumn("game", "text", "name of the game"),
        ExportColumn("game_version", "int", "version of the rules of the game"),
        ExportColumn("options", "text", "options of the game, as one JSON object"),
        ExportColumn("policy", "text", "policy of the plan, which decides which faults disqualify a bot"),
        ExportColumn("clock", "text", "what the times of answers measure: wall or cpu"),
        ExportColumn("move_us", "int", "µs; the limit for one answer"),
        ExportColumn("harness", "text", "version of harness that began the tournament"),
        ExportColumn("ended", "bool", "whether the tournament has ended"),
        ExportColumn("digest", "text", "digest of the whole record, as harness verify prints it"),
    ),
    "bots": (
        ExportColumn("bot", "text", "name of the bot"),
        ExportColumn("language", "text", "language of the bot, if its manifest names one"),
        ExportColumn("house", "bool", "whether the bot is a house bot"),
        ExportColumn(
            "disqualified_in", "int", "run in which the bot was disqualified; empty if it never was"
        ),
    ),
    "matches": (
        _MATCH,
        ExportColumn("tournament", "text", "name of the tournament"),
        ExportColumn("run", "int", "run, from 1; a disqualification starts the next run"),
        ExportColumn("round", "int", "round of the schedule, from 1"),
        ExportColumn("encounter", "int", "encounter of the run, from 1: one set of bots at one table"),
        ExportColumn("sitting", "int", "sitting of the encounter, from 1: one set of processes"),
        ExportColumn("number", "int", "number of the match in its sitting, from 1"),
        ExportColumn("deal", "text", "name of the deal; matches with the same deal had the same luck"),
        ExportColumn("seats", "int", "number of seats"),
        ExportColumn(
            "counts", "bool", "whether the match counts in the standings, by the policy of the plan"
        ),
        ExportColumn("isolation", "text", "how bots were isolated; none if they were not isolated"),
        ExportColumn("account", "text", "who counted the CPU time of bots: group, counter or incomplete"),
        ExportColumn("questions", "int", "number of questions to all seats, without the questions new"),
        ExportColumn("faults", "int", "number of faults"),
        ExportColumn("us", "int", "µs; wall-clock time from the beginning of the match to its last question"),
        ExportColumn("reason", "text", "why the match ended"),
    ),
    "seats": (
        _MATCH,
        ExportColumn("run", "int", "run, as in the table matches"),
        ExportColumn("encounter", "int", "encounter, as in the table matches"),
        ExportColumn("deal", "text", "deal, as in the table matches"),
        ExportColumn("counts", "bool", "whether the match counts, as in the table matches"),
        _SEAT,
        _BOT,
        ExportColumn("rank", "float", "1 is best; tied seats share the average of their places"),
        ExportColumn("score", "float", "points in the game's own scoring"),
        ExportColumn("win", "float", "1 for the best rank; if k seats share the best rank, each gets 1/k"),
        ExportColumn(
            "fault", "text", "name of the first fault of the bot in this match; empty if it had none"
        ),
        ExportColumn("questions", "int", "number of questions to this seat, without the question new"),
        ExportColumn("us", "int", "µs; time of all answers of the bot together, without its answer to new"),
        ExportColumn("excused_us", "int", "µs; the part of the column us that was not the bot's own time"),
        ExportColumn("slowest_us", "int", "µs; time of the slowest of these answers, with its excused part"),
        ExportColumn("start_us", "int", "µs; time until the bot was ready for the match (its answer to new)"),
        ExportColumn("idle_cpu_us", "int", "µs; CPU time that the bot used while it was not asked"),
        ExportColumn("seed", "int", "the seed that the bot received"),
        ExportColumn("wants", "text", "words that the bot asked for in its handshake: legal, state or both"),
    ),
    "turns": (
        _MATCH,
        ExportColumn("turn", "int", "number of the question in its match, from 1"),
        _SEAT,
        _BOT,
        ExportColumn("word", "text", "first word of the question; new starts a match for a seat"),
        _ASK,
        _SAID,
        ExportColumn("at_us", "int", "µs; wall-clock time of the question since the match began"),
        ExportColumn("us", "int", "µs; time until the answer"),
        ExportColumn("excused_us", "int", "µs; the part of the column us that was not the bot's own time"),
        ExportColumn(
            "unseen_us", "int", "µs; the part of excused_us in which harness did not look for the answer"
        ),
        ExportColumn("waited_us", "int", "µs; the part of excused_us in which no CPU was free"),
        ExportColumn("limit_us", "int", "µs; the limit for this answer"),
        ExportColumn("failed", "text", "name of the fault if no valid answer came; otherwise empty"),
        ExportColumn("why", "text", "reason for the fault that the column failed names"),
        ExportColumn("comments", "text", "comments that the bot wrote, one in each line"),
    ),
    "numbers": (
        _MATCH,
        ExportColumn("turn", "int", "number of the question, as in the table turns"),
        _SEAT,
        _BOT,
        ExportColumn("name", "text", "name of the number, as the bot wrote it"),
        ExportColumn("value", "float", "value of the number"),
    ),
    "faults": (
        _MATCH,
        ExportColumn("fault", "int", "number of the fault in its match, from 1"),
        _SEAT,
        _BOT,
        ExportColumn("name", "text", "name of the fault"),
        ExportColumn("reason", "text", "what was wrong"),
        _ASK,
        _SAID,
        ExportColumn("view", "text", "all that the seat could know, one line for each fact"),
        ExportColumn("stderr", "text", "the last text that the bot wrote to standard error"),
        ExportColumn("disqualified", "bool", "whether the bot was disqualified because of this match"),
    ),
}


def as_markdown(table: str) -> str:
    """Returns the columns of a table, as the page on exports shows them."""
    rows = (f"| `{name}` | {kind} | {meaning} |" for name, kind, meaning in TABLES[table])
    return "\n".join(("| column | type | meaning |", "|---|---|---|", *rows))
