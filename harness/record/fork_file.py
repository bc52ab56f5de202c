"""Keeps forks in a file, with one fork in each line. A fork is a match that continues from the middle of
another match."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from harness.errors import RecordError
from harness.record.forks import Fork

_BEGIN = b'{"is":"fork",'
"""The beginning of each line."""


class ForkFile:
    """A file with one fork a line. If the last line is incomplete, because its writer was killed, the line is
    left out, and the next fork replaces it."""

    def __init__(self, path: Path) -> None:
        """Reads the file, if it exists. If a line is no fork, raises RecordError with the number of this
        line."""
        self._path = path
        self._forks: dict[tuple[object, ...], tuple[Fork, str]] = {}
        self._size = 0
        for number, line in enumerate(_lines(path), start=1):
            where = f"{path}:{number}"
            try:
                fork = msgspec.json.decode(line, type=Fork)
            except (msgspec.MsgspecError, ValueError) as error:
                raise RecordError(f"this line is no fork: {error}", where) from None
            self._forks[fork.key] = fork, where
            self._size += len(line)

    def find(self, key: tuple[object, ...]) -> tuple[Fork, str] | None:
        """Returns the fork with this key and its place in the file, or None if the file does not have this
        fork.
        """
        return self._forks.get(key)

    def add(self, fork: Fork) -> None:
        """Writes a fork at the end of the file. Raises OSError if it cannot be written."""
        line = msgspec.json.encode(fork) + b"\n"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.truncate(self._size)
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        self._size += len(line)
        self._forks[fork.key] = fork, str(self._path)


def _lines(path: Path) -> Iterator[bytes]:
    """Yields the lines of a file, but leaves out an incomplete last line that is the beginning of a fork. If
    an incomplete last line begins in another way, it never was a fork, so it must not be replaced."""
    if path.exists():
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n") or line[: len(_BEGIN)] != _BEGIN[: len(line)]:
                    yield line
