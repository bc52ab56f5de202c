"""Makes text from bots and teams safe to show: on a terminal, in Markdown, in CSV and in HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_~[]<>|&#"})
WIDTH = 80
"""The largest width of a table, and of a line of text, in columns. Most terminals open with this width."""
NARROWEST = 24
"""The smallest width to which `text_table` narrows its last column, even if the table is then too wide."""
FILLER = 0xF0000
"""The first private character of Unicode that `_StandIns` uses."""
MOST_STDERR = 2_000
"""The largest number of characters of a bot's stderr that are written to the record of a fault, or that a
command prints."""
MOST_LINE = 200
"""The largest number of characters of a line of a bot's stderr, in a record and on a screen. A longer line is
cut."""
# A formula begins with one of these characters. The last four are wide forms of the first four.
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")

_LEFTWARD = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""The letters that are written from right to left, for example those of Arabic and Hebrew."""
_COPIED = r"(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`|(?<!\S)\S*/\S*"
"""Text that a user may copy: quoted text, commands and paths."""
_WORDS = rf"({_LEFTWARD.pattern}+(?:[ '\"_-]{_LEFTWARD.pattern}+)*)"
_COPIED_OR_WORDS = re.compile(f"{_COPIED}|{_WORDS}")
_VERSION = re.compile(r"@+\d+$")


def shown(text: str) -> str:
    r"""Replaces each invisible character in the text by an escape, so that the text cannot control a
    terminal.

    Marks that change the direction of writing, and surrogates without a partner, also count as invisible
    characters. A backslash is not changed.

    >>> shown("red\x1b[31m\n")
    'red\\x1b[31m\\n'
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text
    )


def isolated(text: str) -> str:
    """Puts a text with letters that are written from right to left between two invisible marks.

    Browsers know these marks (U+2068 and U+2069). Without the marks, the text would change the order of the
    numbers and names beside the text.
    """
    return f"\u2068{text}\u2069" if _LEFTWARD.search(text) else text


def in_order(text: str) -> str:
    """Puts the marks of `isolated` around all words of a text that are written from right to left, so that a
    terminal keeps the order of everything else.

    `harness.streams` changes in this way all that a command prints on a terminal, and `harness.cli.terminal`
    changes the text of a pager. So no other code puts marks into text for a terminal, and no file gets marks.
    Text that a user may copy gets no marks, because the marks would be copied too.
    """
    if text.isascii() or not _LEFTWARD.search(text):
        return text
    return _COPIED_OR_WORDS.sub(lambda found: isolated(found[0]) if found[1] else found[0], text)


def grouped(number: float) -> str:
    """Writes a number for a sentence or a page, with its digits in groups of three and with at most two
    decimals: "2,568"."""
    return f"{int(number) if number == int(number) else round(number, 2):,}"


def count_of(number: float, noun: str) -> str:
    """Writes a number with its noun, in the singular or the plural: "1 bot", "3 bots", "4,608 matches"."""
    return f"{grouped(number)} {plural(noun) if number != 1 else noun}"


def count_on_record(number: int, noun: str) -> str:
    """Writes a number with its noun for a file that `harness verify` compares with the same text. So this
    text must not change from version to version, and its digits are in one group."""
    return f"{number} {plural(noun) if number != 1 else noun}"


def plural(noun: str) -> str:
    """Returns the plural of a regular noun."""
    return f"{noun}es" if noun.endswith(("ch", "s", "x")) else f"{noun}s"


def width_of(text: str) -> int:
    """Returns the number of columns that this text takes on a terminal.

    A letter of Chinese and most emoji take two columns, and an accent after its letter takes none. Terminals
    disagree about some emoji of several characters. Then this is the number of columns in Unicode.
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # The import is slow, and few names need it.

    return cell_len(text)


def padded(text: str, width: int) -> str:
    """Adds spaces after the text until it takes `width` columns of a terminal."""
    return text + " " * (width - width_of(text))


class _StandIns:
    """Makes texts that have one character for each column of a terminal, and changes them back.

    tabulate and textwrap count characters. So they get these texts instead of texts with wide letters or with
    accents of their own. One character stands for a letter with its accents, and FILLER stands for each
    further column of the letter. These characters are private in Unicode, and `shown` escapes private
    characters. So no other text has them.
    """

    def __init__(self) -> None:
        self._letters: dict[int, str] = {FILLER: ""}
        self._signs: dict[str, int] = {}

    def put(self, text: str) -> str:
        """Returns the text with stand-ins."""
        if text.isascii():
            return text
        letters: list[str] = []
        for sign in text:
            if letters and not width_of(sign):
                letters[-1] += sign
            else:
                letters.append(sign)
        return "".join(map(self._stand_in, letters))

    def _stand_in(self, letter: str) -> str:
        if len(letter) == (columns := width_of(letter)):
            return letter
        sign = self._signs.setdefault(letter, FILLER + 1 + len(self._signs))
        self._letters[sign] = letter
        return chr(sign) + chr(FILLER) * (columns - 1)

    def back(self, text: str) -> str:
        """Returns the text with the letters in the places of their stand-ins."""
        return text.translate(self._letters)

    def room(self, width: int) -> int:
        """Returns how many characters may stand in a line of `width` columns. A line may end between a letter
        and its FILLER, so one column is left free if there are stand-ins."""
        return width - (len(self._letters) > 1)


def broken(text: str, width: int, **how: Any) -> list[str]:
    """Breaks a text into lines of at most `width` columns. `how` is passed to `textwrap.wrap`."""
    stand_ins = _StandIns()
    put = stand_ins.put(text)
    room = width if len(put) <= width else stand_ins.room(width)
    return [stand_ins.back(line) for line in wrap(put, room, **how)]


def fitted(text: str, width: int) -> str:
    """Escapes the text as `shown` does and cuts it to `width` characters and columns. Three dots mark a
    cut."""
    text = shown(text)
    if max(len(text), width_of(text)) <= width:
        return text
    cut = text[: width - 3]
    while width_of(cut) > width - 3:
        cut = cut[:-1]
    return f"{cut}..."


def last_lines(text: str, most: int = MOST_STDERR) -> str:
    """Returns the last `most` characters of what a bot wrote to stderr. A line that is longer than
    `MOST_LINE` is cut, so that this line does not push out the other lines. A cut line says how long the
    whole line was."""
    return "\n".join(map(_line, text.split("\n")))[-most:]


def _line(line: str) -> str:
    mark = f" ... ({len(line):,} characters)"
    return line if len(line) <= MOST_LINE else line[: MOST_LINE - len(mark)] + mark


def fitted_name(name: str, width: int) -> str:
    """Escapes the name of a bot and cuts it to `width` characters. The number of a version, as in "red@2", is
    never cut, because it distinguishes two versions."""
    end = _VERSION.search(name)
    version = end[0] if end else ""
    return fitted(name.removesuffix(version), width - len(version)) + version


def in_markdown(text: str) -> str:
    """Escapes the text as `shown` does, and also each character that has a meaning in Markdown."""
    return shown(text).translate(_MARKDOWN)


def in_csv(text: str) -> str:
    """Escapes the text as `shown` does. If a spreadsheet could take the text for a formula, also puts an
    apostrophe before the text."""
    text = shown(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def text_table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], right: Collection[str] = (), width: int = WIDTH
) -> str:
    """Makes a table for a terminal: headers, a line of dashes, and rows.

    All cells are escaped, and a cell with None is empty. If `right` has the header of a column, the column is
    aligned to the right. If the table would be wider than `width` characters, the text of the last column is
    broken into several lines.
    """
    from tabulate import tabulate  # The import of `tabulate` is slow, and workers need no tables.

    stand_ins = _StandIns()
    cells = [
        ["" if cell is None else stand_ins.put(shown(str(cell))) for cell in row] for row in (headers, *rows)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    last = min(widths[-1], max(NARROWEST, width - sum(widths[:-1]) - 2 * len(widths[:-1])))
    room = last if last == widths[-1] else stand_ins.room(last)
    # Tabulate would add spaces to headers, and so make the table too wide. So the headers are given to
    # tabulate as an ordinary row.
    cells.insert(1, ["-" * width for width in (*widths[:-1], room)])
    table = tabulate(
        cells,
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right" if header in right else "left" for header in headers],
        maxcolwidths=[*([None] * (len(headers) - 1)), room],
    )
    return stand_ins.back(table)


def html_templates(package: str, folder: str) -> Environment:
    """Loads the HTML templates in a folder of a package.

    The templates escape all values. A template raises an exception if a value that it needs is missing.
    """
    # The import of `jinja2` is slow, and few commands need it.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(package, folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
