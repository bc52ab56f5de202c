"""Plays the jobs of a session with the workers of this machine. A thread controls the workers, and the rest
of the program runs in asyncio.

The workers are the same as in a tournament on one machine: one process for each core, which stays on this
core and starts bots in sandboxes. So no code of dask runs in the process that measures the time of a match.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import trio

from harness.bot.loop import run_loop
from harness.errors import cause
from harness.job import Done, Job
from harness.job.workers import workers_without_main
from harness.play.local import LocalRunner, open_local_runner

DEAF_TO = (signal.SIGINT, signal.SIGTERM)


class _Batch(NamedTuple):
    """The jobs of one call of `Hands.play`. The results of all these jobs are returned together."""

    jobs: Sequence[Job]
    done: dict[int, Done]
    """The results so far, by the indexes of their jobs in `jobs`."""
    future: asyncio.Future[list[Done] | None]


class Hands:
    """The workers of a session. Call the methods only from the thread of the asyncio loop."""

    def __init__(self, workers: int, at_once: int, say: Callable[[str], object]) -> None:
        self._workers = workers
        self._at_once = at_once
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[Job] = deque()
        self._where: dict[tuple[int, ...], tuple[_Batch, int]] = {}
        """The batch of each unfinished job, and the index of the job in the batch."""
        self._news = trio.Event()
        self._runner: LocalRunner | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        self._cut = False
        self._failure = ""
        self._ready = threading.Event()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="harness-hands", daemon=True)
        self._thread.start()
        self._ready.wait()

    async def play(self, jobs: Sequence[Job]) -> list[Done] | None:
        """Plays these jobs. Returns None if the session ends before all jobs are played.

        Raises RuntimeError if the workers cannot continue.
        """
        batch = _Batch(jobs, {}, self._loop.create_future())
        self._call(self._take, batch)
        return await batch.future

    def cut(self) -> None:
        """Ends the session and all its bots at once."""
        self._call(self._end)

    async def ended(self) -> None:
        """Waits until all bots and workers have ended."""
        await asyncio.shield(self._ended)

    def _call(self, function: Callable[..., None], *args: Any) -> None:
        assert self._token is not None
        try:
            self._token.run_sync_soon(function, *args)
        except trio.RunFinishedError:
            for each in args:
                self._answer(each, None)

    # -- methods that run in the thread

    def _run(self) -> None:
        # A terminal sends Ctrl-C to all processes. So workers start with the signals in DEAF_TO blocked, and
        # decide themselves how to handle these signals.
        signal.pthread_sigmask(signal.SIG_BLOCK, DEAF_TO)
        try:
            with workers_without_main():
                run_loop(self._main)
        except BaseException as error:
            failed = cause(error)
            self._failure = str(failed) or type(failed).__name__
        finally:
            self._ready.set()
            for batch, _ in self._where.values():
                self._tell(batch, None)
            self._loop.call_soon_threadsafe(self._ended.set_result, None)

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._ready.set()
        async with open_local_runner(self._workers, self._at_once, "", self._say) as runner:
            self._runner = runner
            if self._cut:
                return
            async with runner.play(self._feed) as results:
                async for done in results:
                    self._deliver(done)

    def _feed(self) -> Job | trio.Event | None:
        if self._cut:
            return None
        return self._waiting.popleft() if self._waiting else self._news

    def _take(self, batch: _Batch) -> None:
        if self._cut:
            self._tell(batch, None)
            return
        for place, job in enumerate(batch.jobs):
            self._where[_key(job)] = batch, place
            self._waiting.append(job)
        self._wake()

    def _end(self) -> None:
        self._cut = True
        if self._runner is not None:
            self._runner.cut()
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def _deliver(self, done: Done) -> None:
        batch, place = self._where.pop(_key(done.job))
        batch.done[place] = done
        if len(batch.done) == len(batch.jobs):
            self._tell(batch, [batch.done[place] for place in range(len(batch.jobs))])

    def _tell(self, batch: _Batch, done: list[Done] | None) -> None:
        self._loop.call_soon_threadsafe(self._answer, batch, done)

    def _answer(self, batch: _Batch, done: list[Done] | None) -> None:
        if batch.future.done():
            return
        if self._failure:
            batch.future.set_exception(RuntimeError(self._failure))
        else:
            batch.future.set_result(done)


def _key(job: Job) -> tuple[int, ...]:
    return job.run, job.encounter, job.sitting, job.attempt
