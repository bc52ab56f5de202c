"""Writes docs/formats.md from the descriptions in the formats. `make docs` runs it; a test compares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from harness.schedule.formats import Format, all_formats

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
BEGIN, END = "<!-- The files of the formats say this: change it there, then `make docs`. -->", "<!-- End. -->"
PART = re.compile(rf"(?<={re.escape(BEGIN)}\n\n).*?(?=\n\n{re.escape(END)})", re.DOTALL)


def page() -> str:
    """The text of docs/formats.md: a table of the formats, and a section for each format."""
    parts = iter(("\n".join(table()), "\n\n".join(map(section, all_formats()))))
    return PART.sub(lambda _: next(parts), PAGE.read_text())


def table() -> Iterator[str]:
    """A row for each format."""
    yield "| format | who meets whom | use it | where | its keys |\n|---|---|---|---|---|"
    for found in all_formats():
        anchor = re.sub(r"[^\w -]", "", found.title.lower()).replace(" ", "-")
        keys = ", ".join(f"`{key}`" for key in found.keys) or "none"
        cells = (f'[`"{found.name}"`](#{anchor})', found.meeting, found.use, where(found), keys)
        yield f"| {' | '.join(cells)} |"


def where(found: Format) -> str:
    """Says in which plans the format is allowed."""
    if found.open_field:
        return "in a league"
    return " or ".join(["alone"] * found.is_whole + ["as a stage"] * found.is_stage)


def section(found: Format) -> str:
    return f"## {found.title}\n\n{found.page}"


if __name__ == "__main__":
    PAGE.write_text(page())
