"""The worker process: it is pinned to its core and ends with its controller; no schedule and no log."""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
from collections.abc import Sequence
from multiprocessing.util import Finalize
from typing import NamedTuple

import trio

from harness.bot.process import become_subreaper
from harness.errors import leaves
from harness.job import Done, Job
from harness.play.seating import play_together
from harness.record.lock import lock_for_worker

PATIENCE_MS = 1_000


class Tether(NamedTuple):
    """What ties a worker to its controller.

    `private` is the controller's directory for what the bots need while they play. `folder` is the folder
    of the run ("": none), which the worker locks while it plays.
    """

    private: str
    folder: str

    @property
    def lifeline(self) -> str:
        """A pipe that only the controller has open for writing: its end of file means that all bots must end
        now, whatever the reason."""
        return os.path.join(self.private, "lifeline")

    def tie(self) -> None:
        """In a new worker: prepares it to leave nothing behind when it ends, even if it never played."""
        gc.freeze()  # All that was imported stays: the garbage collector may skip it.
        Finalize(None, self.clear_away, exitpriority=0)

    def clear_away(self) -> None:
        """Removes the private directory if the controller has ended and this is the last worker in it."""
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
    """Plays seatings in this process, with its bots, on this core; None if the controller let go."""
    # An ignored signal would be inherited by the bots; a handler is not.
    signal.signal(signal.SIGINT, lambda *_: None)
    become_subreaper()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    try:
        with lock_for_worker(tether.folder):
            done = trio.run(_play_until_cut, jobs, tether)
    except (OSError, BaseExceptionGroup) as error:
        failed = next(leaves(error))
        if not isinstance(failed, OSError):
            raise
        done = [Done(job, void=f"its worker failed: {failed.strerror}") for job in jobs]
    if done is None:
        tether.clear_away()
    return done


async def _play_until_cut(jobs: Sequence[Job], tether: Tether) -> list[Done] | None:
    done: list[Done] | None = None
    try:
        descriptor = os.open(tether.lifeline, os.O_RDONLY | os.O_NONBLOCK)
    except FileNotFoundError:  # The controller let go before this worker began.
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
    """Waits a little for the end of the pipe: a controller that is killed closes its files one by one."""
    look = select.poll()
    look.register(descriptor, select.POLLIN)
    return bool(look.poll(PATIENCE_MS))
