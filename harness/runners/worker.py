"""Owns a worker process: pinned to its core, ended with its controller; knows no schedule and no log."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from typing import NamedTuple

import trio

from harness.job import Done, Job
from harness.lock import held_by_worker
from harness.process import become_subreaper
from harness.seating import play_together


class Tether(NamedTuple):
    """What ties a worker to its controller.

    `lifeline` names a pipe of which only the controller holds the end for writing: the end of file means,
    however it came about, that all bots must end now. `folder` is the run's ("": none), held meanwhile.
    """

    lifeline: str
    folder: str


def work(jobs: Sequence[Job], core: int | None, tether: Tether) -> list[Done] | None:
    """Plays seatings in this process, bots and all, on this core; None when the controller let go."""
    # An ignored signal would be inherited by the bots; a handler is not.
    signal.signal(signal.SIGINT, lambda *_: None)
    become_subreaper()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    with held_by_worker(tether.folder):
        return trio.run(_play_while_held, jobs, tether.lifeline)


async def _play_while_held(jobs: Sequence[Job], lifeline: str) -> list[Done] | None:
    done: list[Done] | None = None
    descriptor = os.open(lifeline, os.O_RDONLY | os.O_NONBLOCK)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_end_with, descriptor, nursery.cancel_scope)
            done = await play_together(jobs)
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
