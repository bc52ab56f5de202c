"""Owns what the files of encounters tell beyond the journal, match by match, in a stream; writes nothing.

Each file is read once, as far as it is on record, and never held: what stays is a count for each bot, and the
first faults with all their evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from harness.errors import RecordError
from harness.events import Fault, InEncounter, Match, Seating, Stderr, Turn
from harness.record.history import History
from harness.record.log import UNREADABLE, encounter_path
from harness.report.pace import Paces

MOST_FAULTS = 200
"""Faults that are kept with all their evidence; the list of matches tells of the others."""

Numbered: TypeAlias = tuple[int, InEncounter]
_decoder = msgspec.json.Decoder(InEncounter)


class MatchLines(NamedTuple):
    """A match on record, whole; `file` is below the log folder, `deal` its place in its processes."""

    head: Match
    deal: int
    file: str
    lines: tuple[Numbered, ...]


class LoggedFault(NamedTuple):
    """A fault with all that stands in the log of it; `line` is where."""

    match: str
    bot: str
    fault: Fault
    file: str
    line: int
    stderr: str


class Survey:
    """What has been seen of the files so far."""

    def __init__(self, logs: Path) -> None:
        self.paces = Paces()
        self.first_faults: list[LoggedFault] = []
        self.fault_count = 0
        self._logs = logs
        self._read: dict[tuple[int, int], tuple[int, int]] = {}

    def new(self, history: History) -> Iterator[MatchLines]:
        """The matches that were not seen before, each noted. Raises RecordError where a line is none."""
        for run in history.runs:
            for number, encounter in sorted(run.encounters.items()):
                offset, lines = self._read.get((run.number, number), (0, 0))
                if encounter.size > offset:
                    path = encounter_path(self._logs, run.number, number)
                    reading = _Reading(path, offset, lines)
                    yield from self._matches(path, reading.to(encounter.size))
                    self._read[run.number, number] = reading.offset, reading.lines

    def _matches(self, path: Path, numbered: Iterator[Numbered]) -> Iterator[MatchLines]:
        file = path.relative_to(self._logs).as_posix()
        head: Match | None = None
        lines: list[Numbered] = []
        for number, record in numbered:
            if isinstance(record, Match | Seating):
                if head:
                    yield self._noted(MatchLines(head, _deal(head), file, tuple(lines)))
                head, lines = (record if isinstance(record, Match) else None), []
            lines.append((number, record))
        if head:
            yield self._noted(MatchLines(head, _deal(head), file, tuple(lines)))

    def _noted(self, match: MatchLines) -> MatchLines:
        bots = match.head.bots
        stderr = {record.seat: record.tail for _, record in match.lines if isinstance(record, Stderr)}
        for number, record in match.lines:
            if isinstance(record, Turn) and not record.ask.startswith("new"):
                self.paces.add(bots[record.seat - 1], record)
            elif isinstance(record, Fault):
                self.fault_count += 1
                if len(self.first_faults) < MOST_FAULTS:
                    bot, tail = bots[record.seat - 1], stderr.get(record.seat, "")
                    self.first_faults.append(
                        LoggedFault(match.head.id, bot, record, match.file, number, tail)
                    )
        return match


def _deal(head: Match) -> int:
    return int(head.id.rpartition(".")[2])


class _Reading:
    """An encounter's file, read on from where it was left."""

    def __init__(self, path: Path, offset: int, lines: int) -> None:
        self.offset = offset
        self.lines = lines
        self._path = path

    def to(self, size: int) -> Iterator[Numbered]:
        """The numbered records up to this size, which is on record. Raises RecordError where one is none, or
        where they are not all there."""
        if not self._path.is_file():
            raise RecordError("this file is on record, and it is not there", str(self._path))
        with self._path.open("rb") as file:
            file.seek(self.offset)
            while self.offset < size and (line := file.readline()):
                self.offset += len(line)
                self.lines += 1
                yield self.lines, self._record(line)
        if self.offset != size:
            raise RecordError(f"the file ends before the {size} bytes on record", str(self._path))

    def _record(self, line: bytes) -> InEncounter:
        try:
            record: InEncounter = _decoder.decode(line)
            return record
        except UNREADABLE as error:
            raise RecordError(f"no line of an encounter: {error}", f"{self._path}:{self.lines}") from None
