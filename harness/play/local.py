"""Runs one worker process for each core, and gives sittings to the workers. This file decides nothing about
the results.

Bots may run only on the core of their worker. It takes four times as long to wake a process on another core
as to wake a process on the same core.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from multiprocessing import resource_tracker
from pathlib import Path

import trio
import trio_parallel

from harness.bot.process import become_subreaper, end_strays
from harness.errors import naming
from harness.job import Done, Job
from harness.job.workers import cores
from harness.play.runner import Feed
from harness.play.worker import Tether, work
from harness.play.workforce import Workforce
from harness.sandbox import cgroup
from harness.sandbox.removal import temporary_folder

ALONE = 3
"""From the attempt with this number on, a sitting is played alone: this machine plays no other sitting at the
same time (docs/design.md, section 7)."""


class LocalRunner:
    """A runner that plays sittings in workers on this machine. `open_local_runner` makes it."""

    def __init__(
        self,
        contexts: list[trio_parallel.WorkerContext],
        cores: list[int],
        at_once: int,
        tether: Tether,
        say: Callable[[str], object] = lambda line: None,
    ):
        self._contexts = contexts
        self._cores = cores
        self._at_once = at_once
        self._tether = tether
        self._lifeline = os.open(tether.lifeline, os.O_RDWR | os.O_NONBLOCK)
        self._room = trio.Semaphore(len(contexts))
        self._alone = trio.Lock()
        self._workforce = Workforce(len(contexts), say)
        self.capacity = len(contexts) * at_once

    @asynccontextmanager
    async def play(self, feed: Feed) -> AsyncIterator[trio.MemoryReceiveChannel[Done]]:
        """Plays the jobs that `feed` returns, until `feed` returns None (see harness.play.runner.Runner)."""
        send, receive = trio.open_memory_channel[Done](0)
        async with receive, trio.open_nursery() as nursery, send:
            for slot in range(len(self._contexts)):
                nursery.start_soon(self._slot, slot, feed, send.clone())
            send.close()
            try:
                yield receive
            except BaseException:
                # Nobody needs the results any more, and trio cannot cancel a worker. So `cut` makes the
                # workers end their bots.
                self.cut()
                raise

    def cut(self) -> None:
        """Closes the lifeline, so that the workers end all bots at once."""
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1

    async def _slot(self, slot: int, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        async with send:
            next_one: Job | None = None
            while self._lifeline >= 0:
                job = next_one or self._workforce.returned(slot) or feed()
                if not isinstance(job, Job):
                    if held := self._workforce.release(slot):
                        await _send_all(held, send)
                    elif not await self._workforce.rest(job):
                        return
                    continue
                batch, next_one = self._batch(job, feed)
                done = await self._played(slot, batch, next_one)
                if done is None:
                    return
                await _send_all(done, send)

    async def _played(self, slot: int, batch: list[Job], next_one: Job | None) -> list[Done] | None:
        """Plays jobs. Returns the results that can be given back now, or None if the worker is dismissed."""
        with self._workforce.busy():
            if batch[0].attempt >= ALONE:
                done = await self._exclusively(slot, batch)
            else:
                async with self._room:
                    done = await self._worked(slot, batch)
            self._workforce.hear(slot, done)
        verdict = await self._workforce.verdict(slot, done)
        if verdict is None and next_one is not None:
            self._workforce.give_back(next_one)
        return verdict

    def _batch(self, first: Job, feed: Feed) -> tuple[list[Job], Job | None]:
        """Returns two values. The first value has the jobs to play at the same time, with `first` among them.

        The second value is a job that must be played alone, after all these jobs; None if `feed` returned no
        such job.
        """
        batch = [first]
        while first.attempt < ALONE and len(batch) < self._at_once and isinstance(job := feed(), Job):
            if job.attempt >= ALONE:
                return batch, job
            batch.append(job)
        return batch, None

    async def _exclusively(self, slot: int, batch: list[Job]) -> list[Done]:
        async with self._alone:
            for _ in self._contexts:
                await self._room.acquire()
            try:
                return await self._worked(slot, batch)
            finally:
                for _ in self._contexts:
                    self._room.release()

    async def _worked(self, slot: int, batch: list[Job]) -> list[Done]:
        context = self._contexts[slot]
        core = self._cores[slot % len(self._cores)] if self._cores else None
        limiter = trio.CapacityLimiter(1)
        try:
            done = await context.run_sync(work, batch, core, self._tether, limiter=limiter)
        except trio_parallel.BrokenWorkerError:
            end_strays()
            return [Done(job, void="its worker was lost") for job in batch] if self._lifeline >= 0 else []
        return done or []


async def _send_all(done: list[Done], send: trio.MemorySendChannel[Done]) -> None:
    for each in done:
        await send.send(each)


@asynccontextmanager
async def open_local_runner(
    workers: int | None = None,
    at_once: int = 1,
    folder: str = "",
    say: Callable[[str], object] = lambda line: None,
) -> AsyncIterator[LocalRunner]:
    """Makes a runner, which ends with the `with` block.

    `workers` is the number of workers; None means one for each core. Each worker plays `at_once` sittings at
    a time. While workers play, they lock `folder` (see harness.record.lock), unless `folder` is "".
    """
    own = cores()
    count = workers or len(own) or os.cpu_count() or 1
    become_subreaper()
    # The resource tracker is started here. Otherwise the first worker would start it, and this start would
    # unblock signals that the caller has blocked.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    with temporary_folder("harness-run-") as private:
        tether = Tether(str(private), folder)
        with naming(Path(tether.lifeline)):
            os.mkfifo(tether.lifeline, 0o600)
        async with _contexts(count, tether) as contexts:
            runner = LocalRunner(contexts, own, at_once, tether, say)
            try:
                yield runner
            finally:
                runner.cut()
    cgroup.clear_away()


@asynccontextmanager
async def _contexts(count: int, tether: Tether) -> AsyncIterator[list[trio_parallel.WorkerContext]]:
    if count == 0:
        yield []
        return
    async with _context(tether) as context, _contexts(count - 1, tether) as rest:
        yield [context, *rest]


@asynccontextmanager
async def _context(tether: Tether) -> AsyncIterator[trio_parallel.WorkerContext]:
    failure: BaseException | None = None
    try:
        async with trio_parallel.open_worker_context(init=tether.tie, grace_period=5) as context:
            try:
                yield context
            except BaseException as error:
                failure = error
                raise
    except trio_parallel.BrokenWorkerError:
        # This error means: a worker died while it had no jobs, or it had to be killed at the end. No result
        # is lost, because the worker had returned the results of all its jobs before.
        if failure is not None:
            raise failure from None
