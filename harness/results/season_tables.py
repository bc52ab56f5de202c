"""Writes the ratings of a season as text, Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from textwrap import fill

import msgspec
from tabulate import tabulate

from harness.escape import count_of, fitted, in_csv, in_markdown, shown, text_table
from harness.results.season import Season, SeasonRow

WIDTH = 80
NAME = 24
"""The largest number of characters of a name in text."""
HEADERS = ("place", "bot", "records", "matches", "rating", "95 % interval", "average", "wins", "faults")
FIRST_TO_GO = ("wins", "average")
"""The columns that are left out of a table that would be too wide, one after the other."""


def as_text(season: Season) -> str:
    """The season for a terminal, at most `WIDTH` wide."""
    columns = [*zip(HEADERS, *cells(season, lambda bot: fitted(bot, NAME)), strict=True)]
    for least in FIRST_TO_GO:
        if sum(max(map(len, column)) + len("  ") for column in columns) - len("  ") > WIDTH:
            columns = [column for column in columns if column[0] != least]
    headers, *rows = zip(*columns, strict=True)
    table = text_table(headers, rows, {*headers} - {"bot"}, WIDTH)
    return "\n".join([table, "", *(fill(shown(line), WIDTH) for line in remarks(season))])


def as_markdown(season: Season) -> str:
    """The season for a web page."""
    sides = ["left" if header == "bot" else "right" for header in HEADERS]
    table = tabulate(cells(season, in_markdown), HEADERS, "pipe", colalign=sides, disable_numparse=True)
    return "\n\n".join([table, " ".join(map(in_markdown, remarks(season)))])


def as_csv(season: Season) -> str:
    """The season for a spreadsheet: a header, then a line for each version of a bot."""
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="")
    writer.writerow(SeasonRow.__struct_fields__)
    for row in season.rows:
        plain = msgspec.structs.asdict(row)
        named = {"bot": in_csv(row.bot), "name": in_csv(row.name), "records": ranges(row.records)}
        writer.writerow((plain | named).values())
    return "\n".join(lines)


def as_json(season: Season) -> str:
    """The season for a program. The text is ASCII, so no name can control a terminal."""
    out = [{"record": record, "bot": each.bot, "fault": each.fault} for record, each in season.disqualified]
    told = {
        "standings": [msgspec.structs.asdict(row) for row in season.rows],
        "disqualified": out,
        "records": season.records,
        "played": season.played,
        "seats": season.seats,
    }
    return json.dumps(told, indent=2)


def cells(season: Season, name: Callable[[str], str]) -> list[tuple[str, ...]]:
    """The rows of the table."""
    return [
        (
            str(row.place),
            name(row.bot),
            ranges(row.records),
            str(row.matches),
            f"{row.rating:.3f}",
            f"{row.rating_low:.2f} - {row.rating_high:.2f}",
            f"{row.average_rank:.3f}",
            f"{row.wins:.2f}".rstrip("0").rstrip("."),
            str(row.faults),
        )
        for row in season.rows
    ]


def remarks(season: Season) -> Iterator[str]:
    """Sentences that say what the table has."""
    records = count_of(len(season.records), "record")
    yield f"By rating in the {season.matches} matches of {records} that count."
    yield "The rating of a bot is its average rank if all bots had met the same opponents."
    if any(row.version > 1 for row in season.rows):
        yield "NAME@2 is the second version of the bot NAME, with other files or commands than the first."
    for number, name in enumerate(season.records, start=1):
        out = [f"{each.bot} ({each.fault})" for record, each in season.disqualified if record == number]
        gone = f"; disqualified: {', '.join(out)}" if out else ""
        yield f"{number}: {name}, {season.played[number - 1]} matches{gone}"


def ranges(numbers: Sequence[int]) -> str:
    """Numbers in ascending order, with ranges.

    >>> ranges([1, 2, 3, 5, 7, 8])
    '1-3 5 7-8'
    """
    parts = []
    for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        first, *others = [number for _, number in run]
        parts.append(f"{first}-{others[-1]}" if others else str(first))
    return " ".join(parts)


class _Lines(list[str]):
    """A file for `csv` that collects the lines."""

    def write(self, text: str) -> None:
        self.append(text)
