"""Reads and writes the log in a tournament's folder, repairs it after a crash, and computes its digests.

    logs/NAME/plan.json                          the frozen plan
              tournament.jsonl                   one line for each seating, run, disqualification and so on
              run-1/000/000001.jsonl             the first encounter of the first run, match by match
              run-1/000/000001.2.3.stderr        the stderr of seat 3 in the second seating of this encounter

tournament.jsonl is a chain: the last key of each line, `digest`, covers this line and the line before. Each
`played` line has the size and the digest of the encounter's file after the seating. So a reader detects every
changed byte in any file. Bytes that a crash left after the recorded size are removed when play continues.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

import msgspec

from harness.errors import UNREADABLE, MachineError, RecordError
from harness.events import InEncounter, InTournament, Match, Played, Record, Seating
from harness.job import Done
from harness.record.disk import cut_off, naming, put, repair, write_at

JOURNAL = "tournament.jsonl"
PLAN = "plan.json"
PER_FOLDER = 1_000
DIGEST = 32
"""The number of hexadecimal digits of a SHA-256 hash that a digest keeps."""

NOT_A_LINE = "no line of an encounter: {}"

_encoder = msgspec.json.Encoder()
_in_tournament = msgspec.json.Decoder(InTournament)
_in_encounter: msgspec.json.Decoder[InEncounter] = msgspec.json.Decoder(InEncounter)
_KEY = b',"digest":"'
_SEAL = len(_KEY) + DIGEST + len(b'"}\n')


def digest(data: bytes) -> str:
    """Computes the digest of these bytes, in the form that records have."""
    return sha256(data).hexdigest()[:DIGEST]


def encounter_path(folder: Path, run: int, encounter: int) -> Path:
    """Returns the path of an encounter's file."""
    return folder / f"run-{run}" / f"{(encounter - 1) // PER_FOLDER:03}" / f"{encounter:06}.jsonl"


def stderr_path(folder: Path, run: int, encounter: int, seating: int, seat: int) -> Path:
    """Returns the path of the file with a bot's stderr in a seating."""
    return encounter_path(folder, run, encounter).with_suffix(f".{seating}.{seat}.stderr")


# -- reading ---------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of tournament.jsonl: its number, its record and its digest."""

    number: int
    record: InTournament
    digest: str


def read_journal(folder: Path) -> Iterator[Line]:
    """Yields the lines of tournament.jsonl. Raises RecordError at the first line that was changed."""
    path = folder / JOURNAL
    before = ""
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            place = f"{path}:{number}"
            body, sealed = line[:-_SEAL] + b"}", line[-DIGEST - 3 : -3].decode(errors="replace")
            if line[-_SEAL:] != _seal(sealed) or sealed != _chained(before, body):
                raise RecordError("this line or the one before is not as it was written", place)
            try:
                yield Line(number, _in_tournament.decode(body), sealed)
            except UNREADABLE as error:
                raise RecordError(f"no line of a tournament: {error}", place) from None
            before = sealed


def whole(folder: Path) -> str:
    """Returns the digest of the whole record; "" for an empty record.

    It is the digest of the last line of tournament.jsonl. It covers all lines before, plan.json and the files
    of all encounters. Raises RecordError at the first line that was changed.
    """
    sealed = ""
    for line in read_journal(folder):
        sealed = line.digest
    return sealed


class Mark(NamedTuple):
    """A position between two lines of a file: the number of bytes and of lines before it."""

    offset: int = 0
    lines: int = 0


START = Mark()
Numbered: TypeAlias = tuple[int, InEncounter]
"""A line of an encounter's file with its number, from 1."""


def read_encounter(path: Path, begin: Mark = START, size: int | None = None) -> Iterator[Numbered]:
    """Yields the lines of an encounter's file from `begin` up to byte `size` (None: up to its end).

    Raises RecordError if the file does not exist, if it ends before `size`, or if a line is not a record.
    """
    with _opened(path) as file:
        end = path.stat().st_size if size is None else size
        offset, number = begin
        file.seek(offset)
        while offset < end and (line := file.readline(end - offset)):
            offset += len(line)
            number += 1
            try:
                yield number, _in_encounter.decode(line)
            except UNREADABLE as error:
                raise RecordError(NOT_A_LINE.format(error), f"{path}:{number}") from None
    if offset < end:
        raise RecordError(f"the file ends before the {end} bytes on record", str(path))


def decode_encounter(data: bytes) -> tuple[list[InEncounter], str]:
    """Returns the records in these lines up to the first line that is not a record.

    Also returns a message about that line; "" if all lines are records.
    """
    with suppress(*UNREADABLE):
        records = _in_encounter.decode_lines(data)
        if len(records) == data.count(b"\n"):  # The decoder skips empty lines.
            return records, ""
    records = []
    for line in data.splitlines():
        try:
            records.append(_in_encounter.decode(line))
        except UNREADABLE as error:
            return records, NOT_A_LINE.format(error)
    return records, ""


def by_match(lines: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    """Yields the lines of each match: a line `match` and all lines before the next `match` or `seating`."""
    found: list[Numbered] = []
    for line in lines:
        if isinstance(line[1], Match | Seating):
            if found:
                yield found
            found = []
        if found or isinstance(line[1], Match):
            found.append(line)
    if found:
        yield found


def _opened(path: Path) -> BinaryIO:
    """Opens a file. Raises RecordError if it is not a regular file, because a pipe may have no end."""
    if not path.is_file():
        raise RecordError("this file is on record, and it is not there", str(path))
    return path.open("rb")


def _chained(before: str, body: bytes) -> str:
    return digest(before.encode() + body)


def _seal(sealed: str) -> bytes:
    return _KEY + sealed.encode(errors="replace") + b'"}\n'


# -- writing ---------------------------------------------------------------------------------------


class Journal:
    """Appends records to the log in a tournament's folder.

    Raises OSError, with the name of the file, if the disk does not write all bytes. Even then the record is
    undamaged, because the bytes that were written are removed.
    """

    def __init__(self, folder: Path, fold: Callable[[InTournament], object]) -> None:
        """Opens the journal, or makes an empty one, and calls `fold` with each record in it.

        Removes an unfinished last line, which a crash can leave. Raises RecordError if the journal is
        damaged.
        """
        self.folder = folder
        self._path = folder / JOURNAL
        self._path.touch()
        repair(self._path)
        self._before = ""
        for line in read_journal(folder):
            fold(line.record)
            self._before = line.digest
        self._file = FileIO(self._path, "r+")
        self._size = self._path.stat().st_size
        self._encounter = _EncounterFile(Path(os.devnull), 0)

    def close(self) -> None:
        with naming(self._path), self._file:
            os.fsync(self._file.fileno())

    def append(self, record: Record) -> None:
        """Writes one more line to the journal. Raises MachineError if it is no longer in its folder."""
        self._check_place()
        body = _encoder.encode(record)
        sealed = _chained(self._before, body)
        line = body[:-1] + _seal(sealed)
        with naming(self._path):
            write_at(self._file, self._size, line)
        self._size += len(line)
        self._before = sealed

    def append_seating(self, done: Done, size: int) -> Played:
        """Writes a seating to its encounter's file after the first `size` bytes, and a `played` line to the
        journal."""
        try:
            return self._append_seating(done, size)
        except OSError:
            self._take_back(done, size)
            raise

    def _append_seating(self, done: Done, size: int) -> Played:
        job = done.job
        self._check_place()
        path = encounter_path(self.folder, job.run, job.encounter)
        if (self._encounter.path, self._encounter.size) != (path, size):
            self._encounter = _EncounterFile(path, size)
        file = self._encounter
        file.append(done.log)
        errors = {}
        for seat, written in done.stderr:
            put(stderr_path(self.folder, job.run, job.encounter, job.seating, seat), 0, written)
            errors[str(seat)] = digest(written)
        played = Played(
            run=job.run,
            round=job.round,
            encounter=job.encounter,
            seating=job.seating,
            bots=job.names(),
            matches=done.matches,
            size=file.size,
            file=file.digest(),
            stderr=errors,
            isolation=job.isolation,
        )
        self.append(played)
        return played

    def _check_place(self) -> None:
        """Raises MachineError if the journal is no longer in its folder: the record would have two halves."""
        if not (self._path.exists() and os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())):
            raise MachineError(f"{self.folder} was moved or deleted while the tournament was played")

    def _take_back(self, done: Done, size: int) -> None:
        job = done.job
        with suppress(OSError):
            cut_off(encounter_path(self.folder, job.run, job.encounter), size)
            for seat, _ in done.stderr:
                cut_off(stderr_path(self.folder, job.run, job.encounter, job.seating, seat), 0)


class _EncounterFile:
    """An encounter's file and its digest so far. `append` replaces all bytes after the first `size`."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self.size = size
        self._hash = sha256()
        if size:
            with path.open("rb") as file:
                self._hash.update(file.read(size))

    def append(self, data: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        put(self.path, self.size, data)
        self.size += len(data)
        self._hash.update(data)

    def digest(self) -> str:
        return self._hash.hexdigest()[:DIGEST]
