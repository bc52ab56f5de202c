"""Owns a run's folder on disk: appended, repaired after a crash, read back, its digests; judges nothing.

    logs/NAME/plan.json                          the frozen plan
              tournament.jsonl                   one line for each thing that happened to the tournament
              run-1/000/000001.jsonl             the first encounter of the first run, match by match
              run-1/000/000001.2.3.stderr        what seat 3 of its second seating wrote to stderr

tournament.jsonl is a chain: the key `digest`, the last of each line, covers that line and the line before.
Its `played` lines hold the size and the digest that the encounter's file has after each seating, so one
changed byte anywhere is found, and what a crash left beyond the record is cut off when the run goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from harness.errors import RecordError
from harness.events import InEncounter, InTournament, Played, Record
from harness.job import Done

JOURNAL = "tournament.jsonl"
PLAN = "plan.json"
PER_FOLDER = 1_000
DIGEST = 32
"""Hexadecimal digits kept of a SHA-256."""

_encoder = msgspec.json.Encoder()
_in_tournament = msgspec.json.Decoder(InTournament)
_in_encounter = msgspec.json.Decoder(InEncounter)
_KEY = b',"digest":"'
_SEAL = len(_KEY) + DIGEST + len(b'"}\n')


def digest(data: bytes) -> str:
    """The digest by which a record names bytes."""
    return sha256(data).hexdigest()[:DIGEST]


def encounter_path(folder: Path, run: int, encounter: int) -> Path:
    """Where an encounter's file lies."""
    return folder / f"run-{run}" / f"{(encounter - 1) // PER_FOLDER:03}" / f"{encounter:06}.jsonl"


def stderr_path(folder: Path, run: int, encounter: int, seating: int, seat: int) -> Path:
    """Where lies what a bot wrote to stderr in a seating."""
    return encounter_path(folder, run, encounter).with_suffix(f".{seating}.{seat}.stderr")


# -- reading ---------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of tournament.jsonl: where it stands, what it says, and its digest."""

    number: int
    record: InTournament
    digest: str


def read_journal(folder: Path) -> Iterator[Line]:
    """The lines of tournament.jsonl, in a stream. Raises RecordError at the first that does not hold."""
    path = folder / JOURNAL
    before = ""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            place = f"{path}:{number}"
            body, sealed = line[:-_SEAL] + b"}", line[-DIGEST - 3 : -3].decode(errors="replace")
            if line[-_SEAL:] != _seal(sealed) or sealed != _chained(before, body):
                raise RecordError("this line or the one before is not as it was written", place)
            try:
                yield Line(number, _in_tournament.decode(body), sealed)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise RecordError(f"no line of a tournament: {error}", place) from None
            before = sealed


def whole(folder: Path) -> str:
    """The digest of the whole record: that of the last line of tournament.jsonl, which stands for all lines
    before it, for plan.json, and for every file that they speak of. "" where there is no line.

    Raises RecordError at the first line that does not hold.
    """
    sealed = ""
    for line in read_journal(folder):
        sealed = line.digest
    return sealed


def read_encounter(path: Path, size: int | None = None) -> Iterator[tuple[int, InEncounter]]:
    """The numbered lines of an encounter's file, in a stream, as far as it is on record (`size` bytes; None:
    all). Raises RecordError where one is none."""
    with path.open("rb") as file:
        left = path.stat().st_size if size is None else size
        for number, line in enumerate(file, start=1):
            left -= len(line)
            if left < 0:
                return
            try:
                yield number, _in_encounter.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise RecordError(f"no line of an encounter: {error}", f"{path}:{number}") from None


def _chained(before: str, body: bytes) -> str:
    return digest(before.encode() + body)


def _seal(sealed: str) -> bytes:
    return _KEY + sealed.encode(errors="replace") + b'"}\n'


# -- writing ---------------------------------------------------------------------------------------


class Journal:
    """A run's folder, open for appending. Raises OSError where the disk does not take it."""

    def __init__(self, folder: Path, fold: Callable[[InTournament], object]) -> None:
        """Opens what is there, or begins anew; every record there goes to `fold`.

        A last line that a crash cut short is taken away. Raises RecordError where the record does not hold.
        """
        self.folder = folder
        self._path = folder / JOURNAL
        self._path.touch()
        repair(self._path)
        self._before = ""
        for line in read_journal(folder):
            fold(line.record)
            self._before = line.digest
        self._file = self._path.open("ab", buffering=0)
        self._encounter = _EncounterFile(Path(os.devnull), 0)

    def close(self) -> None:
        os.fsync(self._file.fileno())
        self._file.close()

    def append(self, record: Record) -> None:
        """One line more."""
        body = _encoder.encode(record)
        sealed = _chained(self._before, body)
        self._file.write(body[:-1] + _seal(sealed))
        self._before = sealed

    def append_seating(self, done: Done, size: int) -> Played:
        """Writes a seating into its encounter's file, of which `size` bytes are on record, and records it."""
        job = done.job
        path = encounter_path(self.folder, job.run, job.encounter)
        if (self._encounter.path, self._encounter.size) != (path, size):
            self._encounter = _EncounterFile(path, size)
        file = self._encounter
        file.append(done.log)
        errors = {}
        for seat, written in done.stderr:
            stderr_path(self.folder, job.run, job.encounter, job.seating, seat).write_bytes(written)
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


class _EncounterFile:
    """An encounter's file with a running digest; what lies beyond the record is cut off."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self.size = size
        self._hash = sha256()
        if size:
            with path.open("rb") as file:
                self._hash.update(file.read(size))

    def append(self, data: bytes) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("r+b" if self.path.exists() else "w+b") as file:
            file.truncate(self.size)
            file.seek(self.size)
            file.write(data)
        self.size += len(data)
        self._hash.update(data)

    def digest(self) -> str:
        return self._hash.hexdigest()[:DIGEST]


def repair(path: Path) -> None:
    """Cuts a file off after its last newline: half a line would glue itself to the next."""
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65_536)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                file.truncate(start + newline + 1)
                return
            end = start
        file.truncate(0)
