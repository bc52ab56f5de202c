"""Makes text that bots and teams wrote safe to show: on a terminal, in Markdown, CSV and HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_~[]<>|&#"})
NARROWEST = 24
"""`text_table` does not break a column below this width: it lets the table be too wide instead."""
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # The last four are wide twins.


def shown(text: str) -> str:
    r"""The text with each invisible character as an escape, so that it cannot control a terminal.

    Marks that change the direction of writing, and half characters, are escaped too. A backslash is not.

    >>> shown("red\x1b[31m\n")
    'red\\x1b[31m\\n'
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )


def count_of(number: int, noun: str) -> str:
    """A number with its noun, in the singular or the plural: "1 bot", "3 bots"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def fitted(text: str, width: int) -> str:
    """The text as shown, cut to `width` characters; three dots say that it was cut."""
    text = shown(text)
    return text if len(text) <= width else text[: width - 3] + "..."


def in_markdown(text: str) -> str:
    """The text as shown, with each character escaped that means something in Markdown."""
    return shown(text).translate(_MARKDOWN)


def in_csv(text: str) -> str:
    """The text as shown, with an apostrophe in front if a spreadsheet would run it as a formula."""
    text = shown(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def text_table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], right: Collection[str], width: int
) -> str:
    """A table for a terminal: headers, a rule, and rows, whose cells are escaped; None is blank.

    Columns whose header is in `right` are aligned to the right. The last column is broken into lines if the
    table would be wider than `width` characters.
    """
    from tabulate import tabulate  # Slow to import, and workers need no tables.

    cells = [list(headers), *(["" if cell is None else shown(str(cell)) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    last = min(widths[-1], max(NARROWEST, width - sum(widths[:-1]) - 2 * len(widths[:-1])))
    # Tabulate pads headers, which would make the table wider than its text; so they are ordinary rows.
    cells.insert(1, ["-" * width for width in (*widths[:-1], last)])
    return tabulate(
        cells,
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right" if header in right else "left" for header in headers],
        maxcolwidths=[*([None] * (len(headers) - 1)), last],
    )


def html_templates(package: str, folder: str) -> Environment:
    """The HTML templates in a folder of a package: they escape all values, and a missing one is an error."""
    # Slow to import, and few commands need it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
