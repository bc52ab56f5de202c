"""Gives chunks to several processes, and raises their errors in the order of the journal.

This process judges a small record alone: it starts other processes only if they have enough work.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

from harness import config
from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.job.workers import cores
from harness.judge.rules import Rules, rules_of
from harness.verify.chunk import Chunk, Trouble, judge

IN_PROCESS_BYTES = 10_000_000
"""The number of bytes of encounters' files that this process judges alone before it starts others."""
AHEAD = 8
"""The most chunks per process that wait or are being judged, so that memory does not grow with the record."""


class Judges:
    """A pool of processes that judge the chunks of a record."""

    def __init__(
        self, folder: Path, plan: FrozenPlan, on_progress: Callable[[int], object], workers: int | None = None
    ) -> None:
        """`workers` is the number of processes; None: one for each core, if there is enough to do.

        `on_progress` gets the number of matches judged so far.
        """
        self.matches = 0
        self._folder = folder
        self._plan = config.encoded(plan)
        self._on_progress = on_progress
        self._workers = workers or len(cores()) or 1
        self._in_process = IN_PROCESS_BYTES if workers is None else 0
        self._pool: ProcessPoolExecutor | None = None
        self._under_way: deque[tuple[Chunk, Future[Trouble | None]]] = deque()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def judge(self, chunk: Chunk) -> None:
        """Judges a chunk or gives it to a process. Raises RecordError for this or an earlier chunk."""
        self._in_process -= chunk.size
        if self._pool is None and self._workers > 1 and self._in_process < 0:
            self._pool = _pool(self._workers)
        if self._pool is None:
            self._hear(chunk, _judge(self._folder, self._plan, chunk))
            return
        with _deaf():
            self._under_way.append((chunk, self._pool.submit(_judge, self._folder, self._plan, chunk)))
        if len(self._under_way) > AHEAD * self._workers:
            self._next()

    def finish(self) -> None:
        """Waits for all chunks. Raises RecordError with the first trouble, in the order of the journal."""
        while self._under_way:
            self._next()

    def _next(self) -> None:
        chunk, future = self._under_way.popleft()
        try:
            trouble = future.result()
        except BrokenProcessPool:
            raise OSError("a process that judges matches died: is there too little memory?") from None
        self._hear(chunk, trouble)

    def _hear(self, chunk: Chunk, trouble: Trouble | None) -> None:
        if trouble is not None:
            raise RecordError(trouble.message, trouble.place)
        self.matches += chunk.matches
        self._on_progress(self.matches)


# -- in the other processes ------------------------------------------------------------------------


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, get_context("spawn"), _begin)


@contextmanager
def _deaf() -> Iterator[None]:
    """Blocks Ctrl-C: a process that starts meanwhile never hears it. Only the parent handles it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process when its parent ends, for any reason."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _judge(folder: Path, plan: bytes, chunk: Chunk) -> Trouble | None:
    return judge(folder, _rules(plan), chunk)


@lru_cache(1)
def _rules(plan: bytes) -> Rules:
    return rules_of(config.thaw(plan))
