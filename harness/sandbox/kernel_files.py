"""Reads the small files in which the kernel tells numbers: /proc and the control groups.

Many of them are read after each slow answer of a bot, before the next question. `open` of Python needs nine
system calls for such a file; `read` needs three, and a `Kept` file one.
"""

from __future__ import annotations

import os

SIZE = 4096
PART = 2048
"""The kernel hands out a long file in parts. A part ends where the next record does not fit into a page, and
no record of these files is longer than half a page. So a shorter part is the last one."""


def read(path: str) -> bytes:
    """Returns the whole file. Raises OSError if it cannot be read."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        found = part = os.read(file, SIZE)
        while len(part) >= PART:
            part = os.read(file, SIZE)
            found += part
        return found
    finally:
        os.close(file)


class Kept:
    """A short file that is read many times and stays open."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file = -1

    def read(self) -> bytes:
        """Returns what it says now, at most SIZE bytes. Raises OSError if it cannot be read."""
        if self._file < 0:
            self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        return os.pread(self._file, SIZE, 0)

    def close(self) -> None:
        """Closes it. The next `read` opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
