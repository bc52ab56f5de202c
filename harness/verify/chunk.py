"""Judges one chunk of an encounter's file. Also checks the lines of the chunk that do not depend on the rules
of a game.

A chunk is a series of consecutive sittings in one encounter's file. A `Chunk` has the position of these
sittings in the file, the sittings as the schedule expects them, and their lines in the journal. A process
needs nothing else, so any process can judge any chunk.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from harness.errors import RecordError
from harness.events import (
    Brief,
    Event,
    Fault,
    InEncounter,
    Match,
    Played,
    Result,
    SittingBegan,
    Stderr,
    Turn,
    Usage,
)
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules
from harness.record.log import DIGEST, JOURNAL, decode_encounter, digest, encounter_path, stderr_path
from harness.record.packs import open_file, read_file, size_of
from harness.schedule.due import DueSitting


class ChunkSitting(NamedTuple):
    """A sitting of a chunk: the number of its line in the journal, the sitting as the schedule expects it,
    and the content of its line in the journal."""

    number: int
    expected: DueSitting
    played: Played


class Chunk(NamedTuple):
    """Sittings that follow each other in the file of one encounter. The first of them begins at the byte
    `begins`."""

    begins: int
    sittings: tuple[ChunkSitting, ...]

    @property
    def size(self) -> int:
        """The number of bytes to judge."""
        return self.sittings[-1].played.size - self.begins

    @property
    def matches(self) -> int:
        """The number of matches, as the journal says."""
        return sum(len(each.played.matches) for each in self.sittings)


class Trouble(NamedTuple):
    """The first error in a chunk, with its place. The process that judged the chunk sends the error to the
    main process, which raises RecordError."""

    message: str
    place: str


def judge(folder: Path, rules: Rules, chunk: Chunk) -> Trouble | None:
    """Judges all matches of a chunk again. Returns the first error, or None if there is no error."""
    played = chunk.sittings[0].played
    file = _File(
        encounter_path(folder, played.run, played.encounter),
        chunk.begins,
        SideRecords(rules.ponder, bool(rules.limits.wall_ms)),
    )
    for each in chunk.sittings:
        try:
            _judge(folder, rules, file, each)
        except RecordError as error:
            return Trouble(error.message, error.place or f"{folder / JOURNAL}:{each.number}")
    return None


def _judge(folder: Path, rules: Rules, file: _File, each: ChunkSitting) -> None:
    record = each.played
    _check_stderr(folder, record)
    first = file.lines + 1
    lines = LogLines(file.more(record.size), str(file.path))
    briefs = tuple(_matches(lines, rules, each.expected, record))
    if lines.peek() is not None:
        raise RecordError("this line comes after the last match of its sitting", lines.place())
    file.check_digest(record.file, first)
    if briefs != record.matches:
        raise RecordError(f"`matches` are {record.matches!r}, but the log says {briefs!r}")


def _matches(lines: LogLines, rules: Rules, sitting: DueSitting, played: Played) -> Iterator[Brief]:
    head = lines.peek()
    attempt = head.attempt if isinstance(head, SittingBegan) else 1
    place = sitting.run, sitting.encounter, sitting.sitting, sitting.bots, attempt
    lines.expect(SittingBegan(*place, played.isolation, played.account))
    for number, (deal, seeds) in enumerate(zip(sitting.deals, sitting.seeds, strict=True), start=1):
        match_id = f"{sitting.run}.{sitting.encounter}.{sitting.sitting}.{number}"
        begin = lines.peek()
        wants = begin.wants if isinstance(begin, Match) and len(begin.wants) == len(seeds) else ("",)
        lines.require(Match(match_id, sitting.by_seat(number), seeds, wants))
        _, brief = rejudge(lines, rules, deal, number)
        yield brief


def _check_stderr(folder: Path, record: Played) -> None:
    for seat, known in record.stderr.items():
        path = stderr_path(folder, record.run, record.encounter, record.sitting, int(seat))
        if size_of(path) is None or digest(read_file(path)) != known:
            raise RecordError("this file is not as it was written", str(path))


class _File:
    """An encounter's file. If the file is longer than the journal says, the rest of the file is not read."""

    def __init__(self, path: Path, begins: int, side_records: SideRecords) -> None:
        self.path = path
        self._hash = sha256()
        self._size = 0
        self.lines = 0
        """The number of lines read so far."""
        self._side_records = side_records
        if begins and size_of(path) is not None:
            self.lines = self._read(begins).count(b"\n")

    def more(self, size: int) -> Iterator[tuple[int, InEncounter]]:
        """Returns the next records of the file, up to byte `size`, with their line numbers. Raises
        RecordError at the first bad line."""
        if size_of(self.path) is None:
            raise RecordError("the journal names this file, but it does not exist", str(self.path))
        first = self.lines + 1
        records, trouble = self._sound(self._read(size))
        self.lines += len(records)
        if not trouble and self._size < size:
            trouble = f"the file is shorter than the {size} bytes that the journal says"
        return chain(enumerate(records, first), self._end(trouble))

    def _sound(self, data: bytes) -> tuple[list[InEncounter], str]:
        """Returns the records before the first bad record, and the error in the bad record.

        The error is "" if all records are good.
        """
        records, trouble = decode_encounter(data)
        take = self._side_records.take
        for sound, record in enumerate(records):
            if type(record) is not Event:  # Most records are events. Only the rules of the game check events.
                try:
                    take(record)
                except RecordError as error:
                    return records[:sound], error.message
        return records, trouble

    def _end(self, trouble: str) -> Iterator[tuple[int, InEncounter]]:
        """Yields nothing, but raises RecordError if `trouble` is not empty."""
        if trouble:
            raise RecordError(trouble, f"{self.path}:{self.lines + 1}")
        yield from ()

    def check_digest(self, known: str, first: int) -> None:
        """Raises RecordError if the digest of the bytes that were read so far is not `known`. `first` is the
        number of the first line that may be wrong."""
        if self._hash.hexdigest()[:DIGEST] != known:
            message = f"something in lines {first} to {self.lines} is not as it was written"
            raise RecordError(message, f"{self.path}:{first}")

    def _read(self, size: int) -> bytes:
        with open_file(self.path) as file:
            file.seek(self._size)
            data = file.read(size - self._size)
        self._size += len(data)
        self._hash.update(data)
        return data


# -- records that do not follow from the rules of a game ----------------------------------------------
#
# Some data in a record do not follow from the rules of a game: the times of answers, the CPU time that bots
# used while they were not asked, and the last lines of stderr. `SideRecords` checks the records that have
# these data.


class SideRecords:
    """A check of the records that do not follow from the rules of a game. The check takes the records of all
    matches in order."""

    def __init__(self, ponder: bool, cpu: bool = False) -> None:
        """If `ponder` is false, each match must have a record with the CPU time that its bots used while they
        were not asked.

        If `cpu` is true, the times of answers are CPU times. A bot with several threads can use more CPU time
        than the wall-clock time that passes, so two answers may seem to overlap.
        """
        self._ponder = ponder
        self._cpu = cpu
        self._seats = 0
        self._free_us = 0
        """The time of the last answer, in microseconds. The next question must not come before this time."""
        self._audited = False
        self._faulty: set[int] = set()
        """Seats that broke a rule in this match and have no `stderr` record yet."""

    def take(self, record: InEncounter) -> None:
        """Checks the next record. Raises RecordError if the record cannot be right, or if a record that must
        come before it is missing."""
        if type(record) is Turn:
            self._turn(record)
        elif type(record) is Match:
            self._seats, self._free_us, self._audited = len(record.bots), 0, False
            self._faulty.clear()
        elif type(record) is Fault:
            self._faulty.add(record.seat)
        elif type(record) is Stderr:
            if record.seat not in self._faulty:
                raise RecordError(f"`stderr` of seat {record.seat}, which has not just broken a rule")
            self._faulty.discard(record.seat)
        elif type(record) is Usage:
            self._audited = True
            if len(record.cpu_us) != self._seats or min(record.cpu_us) < 0:
                raise RecordError(f"`cpu_us` of `usage` is {record.cpu_us!r}, for {self._seats} seats")
        elif type(record) is Result and not self._audited and not self._ponder:
            raise RecordError("the line is `result`, but `usage` must come before it")

    def _turn(self, turn: Turn) -> None:
        if turn.us < 0 or not 0 <= turn.excused_us <= turn.us:
            raise RecordError(f"`us` of `turn` is {turn.us}, but `excused_us` is {turn.excused_us}")
        parts = turn.unseen_us, turn.waited_us
        if min(parts) < 0 or sum(parts) != turn.excused_us:
            raise RecordError(
                f"`excused_us` of `turn` is {turn.excused_us}, but `unseen_us` and `waited_us` are "
                f"{turn.unseen_us} and {turn.waited_us}"
            )
        if turn.failed:  # The bot may have failed before the match began: `at` is not checked.
            return
        if turn.at < self._free_us and not self._cpu:
            raise RecordError(
                f"`at` of `turn` is {turn.at}, but the answer before it came at {self._free_us} or later"
            )
        self._free_us = turn.at + turn.us
