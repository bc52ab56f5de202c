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
from harness.history import History
from harness.log import encounter_path
from harness.report.pace import Paces

MOST_EVIDENCE = 200
"""Faults that are kept with all their evidence; the list of matches tells of the others."""

Numbered: TypeAlias = tuple[int, InEncounter]
_decoder = msgspec.json.Decoder(InEncounter)


class Played(NamedTuple):
    """A match on record, whole; `file` is below the log folder, `deal` its place in its processes."""

    head: Match
    deal: int
    file: str
    lines: tuple[Numbered, ...]


class Evidence(NamedTuple):
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
        self.evidence: list[Evidence] = []
        self.faults = 0
        self._logs = logs
        self._read: dict[tuple[int, int], tuple[int, int]] = {}

    def new(self, history: History) -> Iterator[Played]:
        """The matches that were not seen before, each noted. Raises RecordError where a line is none."""
        for run in history.runs:
            for number, encounter in sorted(run.encounters.items()):
                offset, lines = self._read.get((run.number, number), (0, 0))
                if encounter.size > offset:
                    path = encounter_path(self._logs, run.number, number)
                    data = _part(path, offset, encounter.size)
                    yield from self._matches(path, lines, data)
                    self._read[run.number, number] = encounter.size, lines + data.count(b"\n")

    def _matches(self, path: Path, before: int, data: bytes) -> Iterator[Played]:
        file = path.relative_to(self._logs).as_posix()
        head: Match | None = None
        lines: list[Numbered] = []
        for number, record in _records(path, before, data):
            if isinstance(record, Match | Seating):
                if head:
                    yield self._noted(Played(head, _deal(head), file, tuple(lines)))
                head, lines = (record if isinstance(record, Match) else None), []
            lines.append((number, record))
        if head:
            yield self._noted(Played(head, _deal(head), file, tuple(lines)))

    def _noted(self, played: Played) -> Played:
        bots = played.head.bots
        stderr = {record.seat: record.tail for _, record in played.lines if isinstance(record, Stderr)}
        for number, record in played.lines:
            if isinstance(record, Turn) and not record.ask.startswith("new"):
                self.paces.add(bots[record.seat - 1], record)
            elif isinstance(record, Fault):
                self.faults += 1
                if len(self.evidence) < MOST_EVIDENCE:
                    bot, tail = bots[record.seat - 1], stderr.get(record.seat, "")
                    self.evidence.append(Evidence(played.head.id, bot, record, played.file, number, tail))
        return played


def _deal(head: Match) -> int:
    return int(head.id.rpartition(".")[2])


def _part(path: Path, start: int, end: int) -> bytes:
    """What the record speaks of and was not read yet. Raises RecordError where it is not all there."""
    data = b""
    if path.is_file():
        with path.open("rb") as file:
            file.seek(start)
            data = file.read(end - start)
    if start + len(data) < end:
        raise RecordError(f"{end} bytes of this file are on record, and not all are there", str(path))
    return data


def _records(path: Path, before: int, data: bytes) -> Iterator[Numbered]:
    for number, line in enumerate(data.splitlines(), start=before + 1):
        try:
            yield number, _decoder.decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise RecordError(f"no line of an encounter: {error}", f"{path}:{number}") from None
