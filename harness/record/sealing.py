"""Seals the finished folders of a tournament while it is played: in a thread, one folder after the other.

A folder is finished when every sitting of its 1,000 encounters is on record. Smaller tournaments and the last
encounters of a run stay as they are, one file each.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from harness.events import Ended, InTournament, Played, RunBegan
from harness.record import log, packs

MOST_WAITING = 2
"""While so many folders wait, nothing is recorded: the files would become more and more."""


class Sealing:
    """Finds out which folders are finished, and seals them."""

    def __init__(self, folder: Path, sync: Callable[[], object]) -> None:
        """`sync` waits until the journal is on the disk. Only then may the files that it names be moved."""
        self._folder = folder
        self._sync = sync
        self._seatings: dict[int, int] = {}
        self._played: Counter[tuple[int, int]] = Counter()
        """For each folder that is not finished, by its run and number, how many sittings are on record."""
        self._finished: list[Path] = []
        self._waiting: deque[Future[None]] = deque()
        self._thread: ThreadPoolExecutor | None = None
        self._begun = self._stopped = self._ended = False

    def note(self, record: InTournament) -> None:
        """Looks at a record of the journal. If it finishes a folder, the folder will be sealed."""
        self._ended = isinstance(record, Ended)
        if isinstance(record, RunBegan):
            self._seatings[record.run] = record.seatings
        elif isinstance(record, Played):
            key = record.run, (record.encounter - 1) // log.PER_FOLDER
            self._played[key] += 1
            if self._played[key] == log.PER_FOLDER * self._seatings.get(record.run, 0):
                del self._played[key]
                self._finished.append(log.encounter_path(self._folder, record.run, record.encounter).parent)
                if self._begun:
                    self._seal_finished()

    def begin(self, ended: bool) -> None:
        """Repairs what a killed process has left. Then seals all folders that are finished, now or later; if
        the tournament has `ended`, only those for which there is a pack already."""
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
        """Waits until all is sealed if the tournament has ended. Otherwise it ends early: what is not sealed
        stays as it is, and is sealed when play continues."""
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
        with suppress(OSError):  # The disk is full, perhaps: the files stay as they are.
            self._sync()
            packs.seal(folder, lambda: self._stopped)
