"""Owns the passing of time in one loop: whose time is up, how late the loop itself is; judges nothing."""

from __future__ import annotations

from time import monotonic_ns
from typing import Protocol

import trio

TICK_NS = 10_000_000
TURN_NS = 500_000
"""After so long without a turn of the loop a task yields, lest its match's time is charged to others."""


class Watched(Protocol):
    """Somebody with a deadline."""

    def watched(self, now: int, late: int) -> None:
        """Called with each tick; `now` in monotonic nanoseconds, `late` by how many the loop was late."""


class Watchdog:
    """Keeps the deadlines of all players in one loop, and notes how late it is woken itself."""

    def __init__(self) -> None:
        self.turned = 0
        self._watched: set[Watched] = set()
        self._late = (0, 0)
        self._ticked = trio.Event()

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            due = monotonic_ns() + TICK_NS
            await trio.sleep(TICK_NS / 1e9)
            now = self.turned = monotonic_ns()
            self._late = (due, now)
            self._ticked.set()
            self._ticked = trio.Event()
            late = now - due if now - due > TURN_NS else 0
            for one in self._watched:
                one.watched(now, late)

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
