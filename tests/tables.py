"""Reads tables in texts by the headers of their columns, so that a new column breaks no test."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

DASHES = re.compile(r"^ *-+(?:  +-+)+ *$")


def rows_in_text(text: str) -> list[dict[str, str]]:
    """The rows of the first table in a text for a terminal. A line of dashes shows where the columns are."""
    lines = text.splitlines()
    line = next(number for number, line in enumerate(lines) if DASHES.match(line))
    starts = [found.start() for found in re.finditer("-+", lines[line])]
    places = [slice(start, end) for start, end in zip(starts, [*starts[1:], None], strict=True)]
    header = [lines[line - 1][place].strip() for place in places]
    rows = lines[line + 1 : next((n for n in range(line, len(lines)) if not lines[n].strip()), None)]
    return [dict(zip(header, (row[place].strip() for place in places), strict=True)) for row in rows]


def rows_in_markdown(text: str) -> list[dict[str, str]]:
    """The rows of the first table in a Markdown text."""
    lines = text[text.index("|") :].split("\n\n")[0].splitlines()
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(header, row, strict=True)) for row in rows]


def cells(rows: Iterable[Mapping[str, str]], *headers: str) -> list[tuple[str, ...]]:
    """The cells of the columns with these headers, row by row."""
    return [tuple(row[header] for header in headers) for row in rows]
