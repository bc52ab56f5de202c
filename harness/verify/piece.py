"""Owns the judgement of a piece of an encounter's file, from the bytes on; knows no journal and no process.

A piece is what was played of one encounter without a break. Where it lies in the file, what was due in it and
what the journal says of it are given, so pieces are judged in any order and by anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness.errors import RecordError
from harness.events import Brief, InEncounter, Match, Played
from harness.events import Seating as Head
from harness.log import DIGEST, JOURNAL, UNREADABLE, digest, encounter_path, stderr_path
from harness.rejudge import Lines, Rules, rejudge
from harness.schedule.due import Seating
from harness.verify.evidence import Evidence

_in_encounter = msgspec.json.Decoder(InEncounter)


class Part(NamedTuple):
    """A seating: the number of the journal's line that records it, what was due, what the line says."""

    number: int
    seating: Seating
    played: Played


class Piece(NamedTuple):
    """Seatings of one encounter that stand in its file one after the other, from this byte on."""

    begins: int
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """How many bytes are to be judged."""
        return self.parts[-1].played.size - self.begins

    @property
    def matches(self) -> int:
        """How many matches the journal says there are."""
        return sum(len(part.played.matches) for part in self.parts)


class Trouble(NamedTuple):
    """Why a piece does not hold, and where: a RecordError in a form that travels between processes."""

    message: str
    place: str


def judge(folder: Path, rules: Rules, piece: Piece) -> Trouble | None:
    """Judges all matches of a piece again; the first trouble, if there is any."""
    played = piece.parts[0].played
    file = _File(
        encounter_path(folder, played.run, played.encounter),
        piece.begins,
        Evidence(rules.ponder, bool(rules.limits.wall_ms)),
    )
    for part in piece.parts:
        try:
            _judge(folder, rules, file, part)
        except RecordError as error:
            return Trouble(error.message, error.place or f"{folder / JOURNAL}:{part.number}")
    return None


def _judge(folder: Path, rules: Rules, file: _File, part: Part) -> None:
    record = part.played
    _hold_stderr(folder, record)
    first = file.lines + 1
    lines = Lines(file.more(record.size), str(file.path))
    briefs = tuple(_matches(lines, rules, part.seating, record.isolation))
    if lines.peek() is not None:
        raise RecordError("there is more here than the matches of this seating", lines.place())
    file.hold(record.file, first)
    if briefs != record.matches:
        raise RecordError(f"`matches` are {record.matches!r}, but the log says {briefs!r}")


def _matches(lines: Lines, rules: Rules, seating: Seating, isolation: str) -> Iterator[Brief]:
    head = lines.peek()
    attempt = head.attempt if isinstance(head, Head) else 1
    lines.expect(Head(seating.run, seating.encounter, seating.seating, seating.bots, attempt, isolation))
    for number, (deal, seeds) in enumerate(zip(seating.deals, seating.seeds, strict=True), start=1):
        match_id = f"{seating.run}.{seating.encounter}.{seating.seating}.{number}"
        begin = lines.peek()
        wants = begin.wants if isinstance(begin, Match) and len(begin.wants) == len(seeds) else ("",)
        lines.hold(Match(match_id, seating.bots, seeds, wants))
        _, brief = rejudge(lines, rules, deal, number)
        yield brief


def _hold_stderr(folder: Path, record: Played) -> None:
    for seat, known in record.stderr.items():
        path = stderr_path(folder, record.run, record.encounter, record.seating, int(seat))
        if not path.is_file() or digest(path.read_bytes()) != known:
            raise RecordError("this file is not as it was written", str(path))


class _File:
    """An encounter's file, read as far as the record goes."""

    def __init__(self, path: Path, begins: int, evidence: Evidence) -> None:
        self.path = path
        self._hash = sha256()
        self._size = 0
        self._lines = 0
        self._evidence = evidence
        if begins and path.is_file():
            self._lines = self._read(begins).count(b"\n")

    @property
    def lines(self) -> int:
        """How many lines were read."""
        return self._lines

    def more(self, size: int) -> Iterator[tuple[int, InEncounter]]:
        """The numbered lines up to this size. Raises RecordError at the first that is none."""
        if not self.path.is_file():
            raise RecordError("this file is on record, and it is not there", str(self.path))
        decode, take = _in_encounter.decode, self._evidence.take
        # Hot path: all that verifying does of its own with a line.
        for line in self._read(size).splitlines(keepends=True):
            self._lines += 1
            try:
                record: InEncounter = decode(line)
                take(record)
            except RecordError as error:
                raise RecordError(error.message, f"{self.path}:{self._lines}") from None
            except UNREADABLE as error:
                raise RecordError(f"no line of an encounter: {error}", f"{self.path}:{self._lines}") from None
            yield self._lines, record
        if self._size < size:
            place = f"{self.path}:{self._lines + 1}"
            raise RecordError(f"the file ends before the {size} bytes on record", place)

    def hold(self, known: str, first: int) -> None:
        """Raises RecordError unless all that was read has this digest."""
        if self._hash.hexdigest()[:DIGEST] != known:
            between = f"something in lines {first} to {self._lines} is not as it was written"
            raise RecordError(between, f"{self.path}:{first}")

    def _read(self, size: int) -> bytes:
        with self.path.open("rb") as file:
            file.seek(self._size)
            data = file.read(size - self._size)
        self._size += len(data)
        self._hash.update(data)
        return data
