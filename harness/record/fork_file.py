"""Keeps forks (other ways in which matches on record go on) in a file beside the record, one fork in each
line. Judges these forks again."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from harness.config import FrozenPlan
from harness.errors import InputError, RecordError
from harness.events import Brief
from harness.record.forks import Fork, ForkPoint, check_fork, fork_point
from harness.record.one_match import RecordedMatch

FILE = "forks.jsonl"
"""The file in the folder of a record."""
_BEGIN = b'{"is":"fork",'
"""The beginning of each line."""


class ForkFile:
    """A file with one fork in each line. If a process was killed while it wrote the last line, this line is
    left out, and the next fork replaces it. Several processes may add forks at the same time."""

    def __init__(self, path: Path) -> None:
        """Reads the file, if it exists. If a line is no fork, raises RecordError with the number of this
        line."""
        self._path = path
        self._forks: dict[tuple[object, ...], tuple[Fork, str]] = {}
        self._count = 0
        self._size = 0
        if path.exists():
            with path.open("rb") as file:
                self._read_on(file)

    def all(self) -> Iterator[tuple[Fork, str]]:
        """Yields the forks in their order, each with its place in the file."""
        yield from self._forks.values()

    def find(self, key: tuple[object, ...]) -> tuple[Fork, str] | None:
        """Returns the fork with this key and its place in the file, or None if the file does not have this
        fork.
        """
        return self._forks.get(key)

    def add(self, fork: Fork) -> None:
        """Writes a fork at the end of the file, unless another process has written this fork meanwhile.
        Raises OSError if the fork cannot be written."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            # Without the lock, two processes could cut off each other's lines.
            fcntl.flock(file, fcntl.LOCK_EX)
            self._read_on(file)
            if fork.key in self._forks:
                return
            if file.seek(0, os.SEEK_END) > self._size:
                file.truncate(self._size)
            file.write(msgspec.json.encode(fork) + b"\n")
            file.flush()
            os.fsync(file.fileno())
            self._read_on(file)

    def _read_on(self, file: IO[bytes]) -> None:
        """Reads the forks that were written since the file was last read."""
        file.seek(self._size)
        for line in _lines(file):
            self._count += 1
            where = f"{self._path}:{self._count}"
            try:
                fork = msgspec.json.decode(line, type=Fork)
            except (msgspec.MsgspecError, ValueError) as error:
                raise RecordError(f"this line is no fork: {error}", where) from None
            self._forks[fork.key] = fork, where
            self._size += len(line)


class CheckedFork(NamedTuple):
    """A fork that was judged again, with its result. `point` is the question at which the fork leaves
    the match, and `where` is the place of the fork in the file."""

    fork: Fork
    point: ForkPoint
    brief: Brief
    where: str


def checked_forks(logs: Path, plan: FrozenPlan) -> Iterator[CheckedFork]:
    """Judges all forks beside a record again, and yields them in their order. Raises RecordError if a fork
    does not follow from the record and from the rules."""
    points: dict[tuple[str, int], ForkPoint] = {}
    for fork, where in ForkFile(logs / FILE).all():
        place = fork.match, fork.question
        try:
            point = points[place] = points.get(place) or fork_point(
                plan, RecordedMatch(logs, fork.match), fork.question
            )
        except (InputError, ValueError):
            raise RecordError(
                "this is a fork of a match or of a question that is not on record", where
            ) from None
        yield CheckedFork(fork, point, check_fork(point, fork, where)[0], where)


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yields the lines of a file, but leaves out an incomplete last line that is the beginning of a fork.
    Yields any other incomplete last line, because the next fork must not replace this line."""
    for line in file:
        if line.endswith(b"\n") or line[: len(_BEGIN)] != _BEGIN[: len(line)]:
            yield line
