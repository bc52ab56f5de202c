"""Finds the line of each key and value in a TOML text.

`tomllib` has already read the text, so the text is valid. This file only finds the lines of tables, of
arrays of tables, of dotted and quoted keys, and of values inside arrays and inline tables.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from typing import TypeAlias

Key: TypeAlias = tuple[str | int, ...]
"""The path of a value: names of keys, and indexes in arrays."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_PART = re.compile(r"""[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|[^\s."'=\]]+)[ \t]*""")
# A multi-line string may have one or two quotes at the end of its content. Directly after them follow the
# three quotes that close the string.
_SCALAR = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}'
    r"|'''.*?''''{0,2}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'"
    r"|[^,\]}#\n]+",
    re.DOTALL,
)


def lines_of(text: str) -> dict[Key, int]:
    """Returns the line number (from 1) of every key, table and element of an array in a valid TOML text."""
    return _Search(text).document()


class _Search:
    """A search that goes through a text once, from its start to its end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Key, int] = {}
        self.ends = [match.start() for match in re.finditer("\n", text)]
        self.counts: dict[Key, int] = {}

    def document(self) -> dict[Key, int]:
        table: Key = ()
        while self.next():
            if self.text.startswith("[[", self.at):
                table = self.header(2)
            elif self.text.startswith("[", self.at):
                table = self.header(1)
            else:
                self.pair(table)
        return self.lines

    def next(self) -> str:
        """Skips blanks and comments, and returns the next character; "" at the end of the text."""
        self.at = self.past(_BLANK)
        return self.text[self.at : self.at + 1]

    def past(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        assert match is not None, "tomllib has read this text"
        return match.end()

    def mark(self, key: Key) -> None:
        self.lines.setdefault(key, bisect_left(self.ends, self.at) + 1)

    def header(self, brackets: int) -> Key:
        """Reads a header: `[table]`, or `[[table]]`. The second form begins a new element of an array of
        tables."""
        start = self.at
        self.at += brackets
        parts = self.parts()
        end, self.at = self.at + brackets, start
        key: Key = ()
        for part in parts[:-1]:
            key = (*key, part)
            self.mark(key)
            if key in self.counts:
                key = (*key, self.counts[key] - 1)
        key = (*key, parts[-1])
        self.mark(key)
        if brackets == 2:
            place = self.counts.get(key, 0)
            self.counts[key] = place + 1
            key = (*key, place)
            self.mark(key)
        self.at = end
        return key

    def parts(self) -> list[str]:
        """Reads the names in a dotted key. Afterwards `at` is the position right after the key."""
        names = []
        while True:
            start, self.at = self.at, self.past(_PART)
            part = self.text[start : self.at].strip(" \t")
            names.append(next(iter(tomllib.loads(f"{part} = 0"))) if part[0] in "\"'" else part)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def pair(self, table: Key) -> None:
        """Reads `key = value`."""
        start = self.at
        parts = self.parts()
        end, self.at = self.at, start
        for length in range(1, len(parts) + 1):
            self.mark((*table, *parts[:length]))
        self.at = end + 1
        self.next()
        self.value((*table, *parts))

    def value(self, key: Key) -> None:
        if self.text.startswith("[", self.at):
            self.array(key)
        elif self.text.startswith("{", self.at):
            self.inline(key)
        else:
            self.at = self.past(_SCALAR)

    def array(self, key: Key) -> None:
        self.at += 1
        place = 0
        while self.next() != "]":
            self.mark((*key, place))
            self.value((*key, place))
            place += 1
            if self.next() == ",":
                self.at += 1
        self.at += 1

    def inline(self, key: Key) -> None:
        self.at += 1
        while self.next() != "}":
            self.pair(key)
            if self.next() == ",":
                self.at += 1
        self.at += 1
