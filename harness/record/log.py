"""Names the files of a tournament's log, reads them, and computes their digests.

    logs/NAME/plan.json                          the frozen plan
              tournament.jsonl                   one line for each sitting, run, disqualification and so on
              run-1/000/000001.jsonl             the first encounter of the first run, match by match
              run-1/000/000001.2.3.stderr        stderr of the bot at place 3, sitting 2 of this encounter
              run-1/000.zip                      a finished folder of encounters (`record.packs`)

tournament.jsonl is a hash chain: the last key of each line, `digest`, covers this line and the line before.
Each `played` line says that a sitting was played. This line has the size and the digest that the encounter's
file had after the sitting. So a reader detects every changed byte in any file. `record.journal` writes the
log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias

import msgspec

from harness.errors import UNREADABLE, RecordError
from harness.events import InEncounter, InTournament, Match, SittingBegan
from harness.record.packs import open_file, size_of

JOURNAL = "tournament.jsonl"
PLAN = "plan.json"
PER_FOLDER = 1_000
DIGEST = 32
"""The number of hexadecimal digits of a SHA-256 hash that a digest keeps."""

GONE = "this file is missing, but the record names it"
NOT_A_LINE = "no line of an encounter: {}"

_in_tournament = msgspec.json.Decoder(InTournament)
_in_encounter: msgspec.json.Decoder[InEncounter] = msgspec.json.Decoder(InEncounter)
_KEY = b',"digest":"'
_SEAL = len(_KEY) + DIGEST + len(b'"}\n')


def digest(data: bytes) -> str:
    """Computes the digest of these bytes, in the form that is used in records."""
    return sha256(data).hexdigest()[:DIGEST]


def encounter_path(folder: Path, run: int, encounter: int) -> Path:
    """Returns the path of an encounter's file."""
    return folder / f"run-{run}/{(encounter - 1) // PER_FOLDER:03}/{encounter:06}.jsonl"


def stderr_path(folder: Path, run: int, encounter: int, sitting: int, seat: int) -> Path:
    """Returns the path of the file with a bot's stderr in a sitting. `seat` is the bot's place in the
    sitting."""
    return encounter_path(folder, run, encounter).with_suffix(f".{sitting}.{seat}.stderr")


# -- reading ---------------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line of tournament.jsonl: its number, its record, its digest, and the byte at which it ends."""

    number: int
    record: InTournament
    digest: str
    end: int


def read_journal(folder: Path, after: Line | None = None, *, growing: bool = False) -> Iterator[Line]:
    """Yields the lines of tournament.jsonl. If `after` is a line, yields only the lines after it.

    Raises RecordError at the first line that was changed. If `growing` is true, leaves out an unfinished last
    line.
    """
    path = folder / JOURNAL
    last, before, end = (after.number, after.digest, after.end) if after else (0, "", 0)
    with _opened(path) as file:
        if path.stat().st_size < end:
            raise RecordError("lines that were there before are gone", str(path))
        file.seek(end)
        for number, line in enumerate(file, start=last + 1):
            if growing and not line.endswith(b"\n"):
                return
            end += len(line)
            place = f"{path}:{number}"
            body, sealed = line[:-_SEAL] + b"}", line[-DIGEST - 3 : -3].decode(errors="replace")
            if line[-_SEAL:] != seal(sealed) or sealed != chained(before, body):
                raise RecordError("this line or the one before is not as it was written", place)
            try:
                yield Line(number, _in_tournament.decode(body), sealed, end)
            except UNREADABLE as error:
                raise RecordError(f"no line of a tournament: {error}", place) from None
            before = sealed


def whole(folder: Path) -> str:
    """Returns the digest of the whole record, or "" if the record is empty.

    The result is the digest of the last line of tournament.jsonl. So the result covers all earlier lines,
    plan.json and the files of all encounters. Raises RecordError at the first line that was changed.
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
    """Yields the lines of an encounter's file from `begin` up to byte `size`.

    If `size` is None, reads up to the end of the file.
    Raises RecordError if the file does not exist, if it ends before `size`, or if a line is not a record.
    """
    with _opened_encounter(path) as file:
        end = (size_of(path) or 0) if size is None else size
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
    """Returns the records in these lines, up to the first line that is not a record.

    Also returns a message about that line, or "" if all lines are records.
    """
    with suppress(*UNREADABLE):
        records = _in_encounter.decode_lines(data)
        if len(records) == data.count(b"\n"):  # The decoder skips empty lines, which are errors.
            return records, ""
    records = []
    for line in data.splitlines():
        try:
            records.append(_in_encounter.decode(line))
        except UNREADABLE as error:
            return records, NOT_A_LINE.format(error)
    return records, ""


def by_match(lines: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    """Yields the lines of each match: its line `match`, and all lines up to the next `match` or `seating`."""
    found: list[Numbered] = []
    for line in lines:
        if isinstance(line[1], Match | SittingBegan):
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
        raise RecordError(GONE, str(path))
    return path.open("rb")


def _opened_encounter(path: Path) -> BinaryIO:
    """Opens an encounter's file, in its folder or in a pack."""
    try:
        return open_file(path)
    except FileNotFoundError:
        raise RecordError(GONE, str(path)) from None


def chained(before: str, body: bytes) -> str:
    """Computes the digest of a line of tournament.jsonl, from its body and the digest of the line before."""
    return digest(before.encode() + body)


def seal(sealed: str) -> bytes:
    """Returns the end of a line: the key `digest` with this digest."""
    return _KEY + sealed.encode(errors="replace") + b'"}\n'
