"""Turns a text of another program, such as a drawn board, into lines that the protocol allows."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 200
"""A longer line of the text becomes several lines."""
SPACES = re.compile(r"(?<= ) |^ | $")
LARGE = re.compile(r"[+-]?[0-9]{10,}")


def observed(word: str, text: str) -> tuple[str, ...]:
    """The text as lines that begin with `word`.

    In a drawn board spaces can be empty squares. So each space after a space, and at an end of a line,
    becomes `_`. A character outside ASCII becomes its escape. A number that does not fit into 32 bits gets a
    quotation mark. Empty lines are left out.
    """
    return tuple(f"{word} {part}" for line in text.splitlines() for part in _parts(plain(line)))


def plain(line: str) -> str:
    """One line of the text as words of ASCII with one space between them; "" if there is nothing in it."""
    if not line.strip():
        return ""
    line = line.replace("\t", " ").encode("ascii", "backslashreplace").decode()
    line = "".join(sign if " " <= sign <= "~" else f"\\x{ord(sign):02x}" for sign in line)
    line = SPACES.sub("_", line)
    return " ".join(f"'{part}" if LARGE.fullmatch(part) else part for part in line.split(" "))


def _parts(line: str) -> Iterator[str]:
    while line:
        cut = len(line) if len(line) <= WIDTH else line.rfind(" ", 0, WIDTH + 1)
        cut = cut if cut > 0 else WIDTH
        yield line[:cut]
        line = line[cut:].lstrip(" ")
