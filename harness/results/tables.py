"""Writes standings as text, Markdown, CSV and JSON.

It escapes text from bots and teams for each of these formats.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from tabulate import tabulate

from harness.escape import fitted, in_csv, in_markdown, text_table
from harness.events import Disqualified
from harness.model import Number
from harness.results.standings import Row, Standings

WIDTH = 100
"""The largest width of text, in columns."""
NAME = 20
"""The largest number of characters of a name in text."""

_HEADERS = ("place", "bot", "matches", "average", "95 % interval", "wins", "points", "faults", "voids")
_OUT = ("bot", "run", "round", "match", "fault", "reason", "ask", "said")
_REST = ("policy", "strikes", "run", "runs", "alone", "matches", "missing")


def as_text(standings: Standings) -> str:
    """The standings for a terminal, at most `WIDTH` wide. Void attempts get a column if there are any."""
    headers, *cells = _table(standings, lambda bot: fitted(bot, NAME))
    parts = [text_table(headers, cells, set(headers) - {"bot"}, WIDTH)] if cells else []
    if standings.disqualified:
        lines = [line for out in standings.disqualified for line in _expelled(out)]
        last = f", with strike {standings.strikes} of {standings.strikes}" if standings.strikes else ""
        parts.append("\n".join([f"disqualified{last}:", *(fitted(line, WIDTH) for line in lines)]))
    return "\n\n".join([*parts, "\n".join(_remarks(standings))])


def as_markdown(standings: Standings) -> str:
    """The standings for a web page; the disqualified bots are in a second table."""
    headers, *cells = _table(standings, in_markdown)
    sides = ["left" if header == "bot" else "right" for header in headers]
    parts = [tabulate(cells, headers, "pipe", colalign=sides, disable_numparse=True)] if cells else []
    if standings.disqualified:
        columns = ("disqualified", "run", "round", "match", "fault", "reason")
        outs = [
            (in_markdown(out.bot), out.run, out.round, out.match, out.fault, in_markdown(out.reason))
            for out in standings.disqualified
        ]
        parts.append(tabulate(outs, columns, "pipe", disable_numparse=True))
    return "\n\n".join([*parts, " ".join(_remarks(standings))])


def as_csv(standings: Standings) -> str:
    """The standings for a spreadsheet: a header, then a line for each bot, the disqualified bots last."""
    lines: list[Sequence[object]] = [(*Row.__struct_fields__, "disqualified_for", "disqualified_in")]
    lines += ((*_csv_cells(row), "", "") for row in standings.rows)
    empty = ("",) * (len(Row.__struct_fields__) - 2)
    lines += (("", in_csv(out.bot), *empty, out.fault, out.match) for out in standings.disqualified)
    return "\n".join(_csv_lines(lines))


def as_json(standings: Standings) -> str:
    """The standings for a program: the same history gives the same text on every machine.

    The text is ASCII, so no name can control a terminal. `standings` and `disqualified` are lists of objects,
    each with a `bot`; the other keys say which matches count.
    """
    rest = {name: getattr(standings, name) for name in _REST}
    rows = [msgspec.structs.asdict(row) for row in standings.rows]
    out = [{name: getattr(each, name) for name in _OUT} for each in standings.disqualified]
    return json.dumps({"standings": rows, "disqualified": out, **rest}, indent=2)


def _table(standings: Standings, name: Callable[[str], str]) -> list[Sequence[str]]:
    """The rows of the table; the first row has the headers."""
    columns = _HEADERS if any(row.voids for row in standings.rows) else _HEADERS[:-1]
    return [columns, *(_cells(row, name)[: len(columns)] for row in standings.rows)]


def _cells(row: Row, name: Callable[[str], str]) -> tuple[str, ...]:
    average = "-" if row.average_rank is None else f"{row.average_rank:.3f}"
    interval = "-" if row.low is None or row.high is None else f"{row.low:.2f} - {row.high:.2f}"
    wins, points = _short(row.wins), _short(row.points)
    counts = (str(row.faults), str(row.voids))
    return (str(row.place), name(row.bot), str(row.matches), average, interval, wins, points, *counts)


def _short(number: Number) -> str:
    """A number in at most 12 characters."""
    text = f"{number:.2f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)
    return text if len(text) <= 12 else f"{number:.5g}"


def _expelled(out: Disqualified) -> Iterator[str]:
    """The lines that explain a disqualification."""
    where = f"match {out.match} (round {out.round} of run {out.run})"
    yield f"  {fitted(out.bot, NAME)}, {out.fault} in {where}:"
    yield f"    {out.reason}"
    if out.ask:
        yield f"    asked: {out.ask}"
    if out.said is not None:
        yield f"    said:  {out.said}"


def _remarks(standings: Standings) -> Iterator[str]:
    """Sentences that say which matches count."""
    if not standings.run:
        yield "No run has started."
        return
    policy = standings.policy if standings.strikes is None else f"{standings.policy} = {standings.strikes}"
    runs = "run 1" if standings.runs == 1 else f"run {standings.run} of {standings.runs}"
    yield f"By average rank in the {standings.matches} matches of {runs} that count (policy: {policy})."
    if not standings.alone:
        yield "These bots had no run of their own: only matches without a disqualified bot count."
    if standings.missing:
        yield f"Provisional: {standings.missing} matches of run {standings.run} are not on record."


def _csv_cells(row: Row) -> Sequence[object]:
    cells = msgspec.structs.asdict(row) | {"bot": in_csv(row.bot)}
    return ["" if value is None else value for value in cells.values()]


def _csv_lines(lines: Iterable[Sequence[object]]) -> Iterator[str]:
    writer = csv.writer(_Echo(), lineterminator="")
    return (writer.writerow(line) for line in lines)


class _Echo:
    """A file for `csv` that returns each text written to it."""

    def write(self, text: str) -> str:
        return text
