"""Plays sittings in a worker process, which is pinned to its core and ends when its controller ends."""

from __future__ import annotations

import contextlib
import gc
import operator
import os
import select
import signal
from collections.abc import Sequence
from multiprocessing.util import Finalize
from typing import NamedTuple

import trio

from harness import streams
from harness.bot.loop import run_loop
from harness.bot.process import become_subreaper
from harness.errors import leaves, reason_of
from harness.job import Done, Job, threads
from harness.play.sitting import play_together
from harness.record.lock import lock_for_worker

PATIENCE_MS = 1_000


class Tether(NamedTuple):
    """The connection of a worker to its controller.

    `private` is a folder of the controller for the scratch folders of bots. `folder` is the folder of the
    tournament, which the worker locks while it plays; "" means no folder.
    """

    private: str
    folder: str

    @property
    def lifeline(self) -> str:
        """Returns the path of a pipe that only the controller has open for writing. If a worker reads
        end-of-file from the pipe, it must end all bots at once."""
        return os.path.join(self.private, "lifeline")

    def tie(self) -> None:
        """Prepares a new worker. The worker will leave no files behind when it ends, even if it never
        played."""
        # If a standard stream is closed, the next file that is opened gets the number of this stream. Then
        # text that a game prints would go into this file.
        streams.keep()
        threads.keep()
        gc.freeze()  # Imported objects are never freed, so the garbage collector may skip them.
        Finalize(None, self.clear_away, exitpriority=0)

    def clear_away(self) -> None:
        """Removes the private folder if the controller has ended and no other worker uses the folder."""
        if self._is_let_go():
            with contextlib.suppress(OSError):
                os.unlink(self.lifeline)
            with contextlib.suppress(OSError):
                os.rmdir(self.private)

    def _is_let_go(self) -> bool:
        try:
            descriptor = os.open(self.lifeline, os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            return True
        try:
            return _is_at_end(descriptor) or (_waited(descriptor) and _is_at_end(descriptor))
        finally:
            os.close(descriptor)


def work(jobs: Sequence[Job], core: int | None, tether: Tether) -> list[Done] | None:
    """Plays sittings. This process and its bots run on this core. Returns None if the controller has closed
    the pipe `lifeline`."""
    # If this process ignored or blocked SIGINT, its bots would do the same. But bots inherit no handler.
    # This handler does nothing. The handler is a function in C, so a flood of signals cannot interrupt it.
    signal.signal(signal.SIGINT, operator.is_)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    become_subreaper()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    try:
        with lock_for_worker(tether.folder):
            done = run_loop(_play_until_cut, jobs, tether)
    except (OSError, BaseExceptionGroup) as error:
        failed = next(leaves(error))
        if not isinstance(failed, OSError):
            raise
        done = [Done(job, void=f"its worker failed: {reason_of(failed)}") for job in jobs]
    if done is None:
        tether.clear_away()
    return done


async def _play_until_cut(jobs: Sequence[Job], tether: Tether) -> list[Done] | None:
    done: list[Done] | None = None
    try:
        descriptor = os.open(tether.lifeline, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:  # The controller ended before this worker began.
        return None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_end_with, descriptor, nursery.cancel_scope)
            done = await play_together(jobs, tether.private)
            nursery.cancel_scope.cancel()
    finally:
        os.close(descriptor)
    return done


async def _end_with(descriptor: int, scope: trio.CancelScope) -> None:
    while True:
        try:
            if not os.read(descriptor, 1):
                scope.cancel()
                return
        except BlockingIOError:
            await trio.lowlevel.wait_readable(descriptor)


def _is_at_end(descriptor: int) -> bool:
    try:
        return not os.read(descriptor, 1)
    except BlockingIOError:
        return False


def _waited(descriptor: int) -> bool:
    """Waits until the pipe ends, but only for a moment. This is necessary because a killed controller closes
    its files one by one."""
    look = select.poll()
    look.register(descriptor, select.POLLIN)
    return bool(look.poll(PATIENCE_MS))
