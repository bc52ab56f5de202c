"""Gives chunks of a record to several processes, and raises their errors in the order of the journal.

A chunk is a series of sittings in one encounter's file. A small record is judged in the main process alone.
Other processes start only if there is enough work for them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from harness import config
from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.job.workers import Crew, cores
from harness.judge.rules import rules_of
from harness.verify.chunk import Chunk, Trouble, judge

IN_PROCESS_BYTES = 10_000_000
"""The number of bytes that the main process judges alone before it starts other processes. Only the files of
encounters count."""
AHEAD = 8
"""For each process, at most this number of chunks are judged or wait to be judged at the same time. Because
of this limit, a large record does not need much memory."""


class Judges:
    """The processes that judge the chunks of a record."""

    def __init__(
        self, folder: Path, plan: FrozenPlan, on_progress: Callable[[int], object], workers: int | None = None
    ) -> None:
        """`workers` is the number of processes. None means one process for each core, if there is enough
        work.

        `on_progress` is called with the number of matches judged so far.
        """
        self.matches = 0
        self._judge = partial(judge, folder, rules_of(plan))
        self._on_progress = on_progress
        self._workers = workers or len(cores()) or 1
        self._in_process = IN_PROCESS_BYTES if workers is None else 0
        self._crew = Crew(self._workers, AHEAD, "judges matches", _begin, folder, config.encoded(plan))

    def close(self) -> None:
        """Ends the processes."""
        self._crew.close()

    def judge(self, chunk: Chunk) -> None:
        """Judges a chunk, or lets another process judge it. Raises RecordError if an error is already known
        in this chunk or in an earlier one."""
        self._in_process -= chunk.size
        if self._workers == 1 or self._in_process >= 0:
            self._hear(chunk, self._judge(chunk))
            return
        self._crew.give(chunk)
        if self._crew.full:
            self._hear(*self._crew.take())

    def finish(self) -> None:
        """Waits for all chunks. Raises RecordError with the first error, in the order of the journal."""
        while self._crew:
            self._hear(*self._crew.take())

    def _hear(self, chunk: Chunk, trouble: Trouble | None) -> None:
        if trouble is not None:
            raise RecordError(trouble.message, trouble.place)
        self.matches += chunk.matches
        self._on_progress(self.matches)


def _begin(folder: Path, plan: bytes) -> Callable[[Chunk], Trouble | None]:
    """Returns the function with which a process judges each of its chunks."""
    return partial(judge, folder, rules_of(config.thaw(plan)))
