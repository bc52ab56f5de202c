"""Writes the log in a tournament's folder, packs finished folders, and repairs the log after a crash.

A crash can leave bytes after the recorded size of a file. These bytes are removed when the tournament
continues.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from io import FileIO
from pathlib import Path

import msgspec

from harness.errors import MachineError, naming
from harness.events import Ended, InTournament, Played, RunBegan
from harness.job import Done
from harness.record import log, packs
from harness.record.disk import cut_off, put, repair, write_at
from harness.record.log import (
    DIGEST,
    JOURNAL,
    chained,
    digest,
    encounter_path,
    read_journal,
    seal,
    stderr_path,
)

_encoder = msgspec.json.Encoder()


class Journal:
    """Appends records to the log in a tournament's folder.

    Raises OSError, with the name of the file, if the disk does not write all bytes. Even then the record
    is not damaged, because the incomplete bytes are removed again.
    """

    def __init__(self, folder: Path, fold: Callable[[InTournament], object]) -> None:
        """Opens the journal, or makes an empty journal, and calls `fold` with each record in the journal.

        Removes an unfinished last line, which a crash can leave. Raises RecordError if the journal is
        damaged.
        """
        self.folder = folder
        self._path = folder / JOURNAL
        self._path.touch()
        repair(self._path)
        self._before = ""
        self.sealing = Sealing(folder, lambda: os.fsync(self._file.fileno()))
        for line in read_journal(folder):
            fold(line.record)
            self.sealing.note(line.record)
            self._before = line.digest
        self._file = FileIO(self._path, "r+")
        self._size = self._path.stat().st_size
        self._encounter = _EncounterFile(Path(os.devnull), 0)

    def close(self) -> None:
        self.sealing.close()
        with naming(self._path), self._file:
            os.fsync(self._file.fileno())

    def append(self, record: InTournament) -> None:
        """Writes one more line to the journal. Raises MachineError if the journal is no longer in its
        folder."""
        self._check_place()
        self._write(record)

    def _write(self, record: InTournament) -> None:
        body = _encoder.encode(record)
        sealed = chained(self._before, body)
        line = body[:-1] + seal(sealed)
        with naming(self._path):
            write_at(self._file, self._size, line)
        self._size += len(line)
        self._before = sealed
        self.sealing.note(record)

    def append_sitting(self, done: Done, size: int) -> Played:
        """Writes a sitting into the file of its encounter, directly after the first `size` bytes. Then writes
        a line `played` to the journal."""
        try:
            return self._append_sitting(done, size)
        except OSError:
            self._take_back(done, size)
            raise

    def _append_sitting(self, done: Done, size: int) -> Played:
        job = done.job
        self._check_place()
        path = encounter_path(self.folder, job.run, job.encounter)
        if (self._encounter.path, self._encounter.size) != (path, size):
            self._encounter = _EncounterFile(path, size)
        file = self._encounter
        file.append(done.log)
        errors = {}
        for seat, written in done.stderr:
            put(stderr_path(self.folder, job.run, job.encounter, job.sitting, seat), 0, written)
            errors[str(seat)] = digest(written)
        played = Played(
            run=job.run,
            round=job.round,
            encounter=job.encounter,
            sitting=job.sitting,
            bots=job.names(),
            matches=done.matches,
            size=file.size,
            file=file.digest(),
            stderr=errors,
            isolation=job.isolation,
            account=job.account,
        )
        self._write(played)
        return played

    def _check_place(self) -> None:
        """Raises MachineError if the journal is no longer in its folder.

        The user may have moved the folder. In this case the journal and the files of later encounters would
        be in different folders.
        """
        with suppress(FileNotFoundError, NotADirectoryError):
            if os.path.samestat(os.fstat(self._file.fileno()), self._path.stat()):
                return
        raise MachineError(f"{self.folder} was moved or deleted while the tournament was played")

    def _take_back(self, done: Done, size: int) -> None:
        job = done.job
        with suppress(OSError):
            cut_off(encounter_path(self.folder, job.run, job.encounter), size)
            for seat, _ in done.stderr:
                cut_off(stderr_path(self.folder, job.run, job.encounter, job.sitting, seat), 0)


class _EncounterFile:
    """An encounter's file, and the digest of its first `size` bytes. `append` replaces all later bytes."""

    def __init__(self, path: Path, size: int) -> None:
        self.path = path
        self.size = size
        self._hash = sha256()
        if size:
            with path.open("rb") as file:
                self._hash.update(file.read(size))

    def append(self, data: bytes) -> None:
        try:
            put(self.path, self.size, data)
        except FileNotFoundError:  # This is the first encounter of its folder.
            self.path.parent.mkdir(parents=True)
            put(self.path, self.size, data)
        self.size += len(data)
        self._hash.update(data)

    def digest(self) -> str:
        return self._hash.hexdigest()[:DIGEST]


# -- sealing finished folders ------------------------------------------------------------------------
#
# To seal a folder is to move its files into a pack, which is a zip file (`record.packs`). While a tournament
# is played, a thread seals its finished folders, one after the other.
#
# A folder is finished when every sitting of its 1,000 encounters is on record. A folder with fewer than
# 1,000 encounters is never sealed.


MOST_WAITING = 2
"""The most folders that may wait to be sealed. If more folders wait, no sitting is written to the log."""


class Sealing:
    """Finds out which folders are finished, and seals them."""

    def __init__(self, folder: Path, sync: Callable[[], object]) -> None:
        """`sync` waits until the journal is on the disk. The thread that seals folders calls `sync` before it
        packs a folder."""
        self._folder = folder
        self._sync = sync
        self._sittings: dict[int, int] = {}
        self._played: Counter[tuple[int, int]] = Counter()
        """The number of sittings on record in each unfinished folder, by the folder's run and number."""
        self._finished: list[Path] = []
        self._waiting: deque[Future[None]] = deque()
        self._thread: ThreadPoolExecutor | None = None
        self._begun = self._stopped = self._ended = False

    def note(self, record: InTournament) -> None:
        """Looks at a record of the journal. If a folder is finished with this record, the folder will be
        sealed."""
        self._ended = isinstance(record, Ended)
        if isinstance(record, RunBegan):
            self._sittings[record.run] = record.sittings
        elif isinstance(record, Played):
            key = record.run, (record.encounter - 1) // log.PER_FOLDER
            self._played[key] += 1
            if self._played[key] == log.PER_FOLDER * self._sittings.get(record.run, 0):
                del self._played[key]
                self._finished.append(log.encounter_path(self._folder, record.run, record.encounter).parent)
                if self._begun:
                    self._seal_finished()

    def begin(self, ended: bool) -> None:
        """Removes the unfinished files of a killed process. Then seals all folders that are finished now.
        From now on, each other folder is sealed as soon as it is finished. But if the tournament has ended
        (`ended`), seals only the folders that already have a pack."""
        packs.clear_unfinished(self._folder)
        self._finished = [
            folder
            for folder in self._finished
            if folder.is_dir() and (not ended or packs.pack_of(folder).is_file())
        ]
        self._begun = True
        self._seal_finished()

    def wait(self) -> None:
        """Waits until all finished folders are sealed."""
        while self._waiting:
            self._waiting.popleft().result()

    def close(self) -> None:
        """Ends the thread. If the tournament has ended, first waits until all folders are sealed.

        If the tournament has not ended, some folders may stay unsealed. These folders are sealed when the
        tournament continues.
        """
        try:
            if self._ended:
                self.wait()
        finally:
            self._stopped = True
            if self._thread is not None:
                self._thread.shutdown(cancel_futures=True)
                self._thread = None

    def _seal_finished(self) -> None:
        for folder in self._finished:
            if self._thread is None:
                self._thread = ThreadPoolExecutor(1, "sealing")
            self._waiting.append(self._thread.submit(self._seal, folder))
        self._finished.clear()
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft().result()

    def _seal(self, folder: Path) -> None:
        with suppress(OSError):  # If the disk is full, the files stay in their folder.
            self._sync()
            packs.seal(folder, lambda: self._stopped)
