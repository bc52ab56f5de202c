"""Owns the passing of time in one loop: whose time is up, how late the loop itself is; judges nothing."""

from __future__ import annotations

from itertools import count
from time import monotonic_ns
from typing import Protocol

import trio

TICK_NS = 10_000_000
WEIGHING = 10
"""Every so many ticks."""
TURN_NS = 500_000
"""After so long without a turn of the loop a task yields, lest its match's time is charged to others."""


class Watched(Protocol):
    """Somebody with a deadline."""

    def watched(self, now: int, late: int) -> None:
        """Called with each tick; `now` in monotonic nanoseconds, `late` by how many the loop was late."""

    def weighed(self) -> None:
        """Called ten times a second."""


class Watchdog(trio.abc.Instrument):
    """Keeps the deadlines of all players in one loop, and notes when the loop turns and how late that is."""

    __slots__ = ("_late", "_ticked", "_watched", "turned", "waiting")

    def __init__(self) -> None:
        self.turned = 0
        """When the loop last turned, in monotonic nanoseconds."""
        self.waiting = 0
        """How many wait in the loop for a bot's answer."""
        self._watched: set[Watched] = set()
        self._late = (0, 0)
        self._ticked = trio.Event()

    async def run(self) -> None:
        """Until cancelled."""
        trio.lowlevel.add_instrument(self)
        try:
            await self._tick()
        finally:
            trio.lowlevel.remove_instrument(self)

    async def _tick(self) -> None:
        for tick in count(1):
            due = monotonic_ns() + TICK_NS
            await trio.sleep(TICK_NS / 1e9)
            now = monotonic_ns()
            self._late = (due, now)
            self._ticked.set()
            self._ticked = trio.Event()
            late = now - due if now - due > TURN_NS else 0
            for one in self._watched:
                one.watched(now, late)
                if tick % WEIGHING == 0:
                    one.weighed()

    def after_io_wait(self, timeout: float) -> None:
        """The loop turns: it has seen what has come, and goes round all tasks that can go on.

        Were the turn noted by each task that yields, every one of them would take its half millisecond.
        """
        self.turned = monotonic_ns()

    async def wait_readable(self, descriptor: int) -> None:
        """Waits in the loop for a bot's answer."""
        self.waiting += 1
        try:
            await trio.lowlevel.wait_readable(descriptor)
        finally:
            self.waiting -= 1

    def add(self, one: Watched) -> None:
        self._watched.add(one)

    def remove(self, one: Watched) -> None:
        self._watched.discard(one)

    async def lateness(self, moment: int) -> int:
        """For how many nanoseconds before this moment (now, at most) the loop had not looked."""
        due, woke = self._late
        if woke < moment - TURN_NS:
            await self._ticked.wait()
            due, woke = self._late
        return max(0, moment - due) if woke >= moment - TURN_NS else 0
