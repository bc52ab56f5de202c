"""Makes the page of pairs of programs that look alike: side by side, with the common lines marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from harness.report.page import PAGES

MOST_LINES = 2_000
"""The page shows at most this number of lines of a program."""


class CodeLine(NamedTuple):
    """A line of a program, and whether the other program has this line too."""

    number: int
    text: str
    common: bool


class CodeFile(NamedTuple):
    """A file of a program."""

    name: str
    lines: Sequence[CodeLine]


class LookHere(NamedTuple):
    """A pair of programs that somebody should look at. `why` has sentences with the evidence."""

    one: str
    two: str
    why: Sequence[str]
    files: tuple[Sequence[CodeFile], Sequence[CodeFile]]


def similar_page(title: str, pairs: Sequence[LookHere], remarks: Sequence[str]) -> str:
    """Makes the page. The page is a single file. `remarks` has sentences about what was compared."""
    return PAGES.get_template("similar.html").render(
        title=title,
        pairs=[pair._replace(files=(_cut(pair.files[0]), _cut(pair.files[1]))) for pair in pairs],
        remarks=remarks,
    )


def _cut(files: Sequence[CodeFile]) -> list[CodeFile]:
    """Keeps only the first MOST_LINES lines, counted over all files together."""
    found, room = [], MOST_LINES
    for each in files:
        found.append(each._replace(lines=each.lines[:room]))
        room -= len(each.lines)
        if room <= 0:
            break
    return found
