"""Owns the watch over all players of one loop: whose time is up, how late the loop is; judges nothing."""

from __future__ import annotations

from os import sched_yield
from time import monotonic_ns
from typing import Protocol

import trio

from harness.bot.stderr import Listener

TICK_NS = 10_000_000
CHECK_TICKS = 10
"""Each bot's limits are checked every CHECK_TICKS ticks, at most one bot a tick; more bots take turns."""
TURN_NS = 500_000
"""While a match waits for an answer, the loop turns this often, so that no other match's time is charged."""
LOOKS = 3
"""Non-blocking reads to try before waiting in the event loop."""
QUIET_NS = 50_000_000
"""While no match waits for an answer, the loop turns this often for other work, such as ending the run."""


class Guarded(Protocol):
    """Somebody with a deadline."""

    def tick(self, now: int, late: int) -> None:
        """Called with each tick; `now` in monotonic nanoseconds, `late` by how many the loop was late."""

    def check_limits(self) -> None:
        """Called ten times a second, or less often where there are more than ten of them."""


class Watchdog(trio.abc.Instrument):
    """Keeps the deadlines of all players in one loop, and notes when the loop turns and how late that is.

    While it runs, its `listener` hears what they write to stderr.
    """

    __slots__ = (
        "_before",
        "_going",
        "_guarded",
        "_late",
        "_resting",
        "_ticked",
        "_token",
        "_waiting",
        "listener",
        "rest_due",
        "turned",
    )

    def __init__(self) -> None:
        self.listener = Listener()
        self.turned = 0
        """When the loop last turned, in monotonic nanoseconds."""
        self.rest_due = 0
        """When whoever goes on is to rest. With each turn another match goes on, of which nothing is in the
        processor's caches: that costs as much as some moves."""
        self._waiting = 0  # how many wait for an answer
        self._guarded: set[Guarded] = set()
        self._before = 0  # when it turned the time before that
        self._late = (0, 0, 0)
        self._ticked = trio.Event()
        self._going = False  # whether somebody has been chosen to go on when the loop has turned
        self._resting = trio.lowlevel.ParkingLot()
        self._token = trio.lowlevel.current_trio_token()

    async def run(self) -> None:
        """Until cancelled."""
        trio.lowlevel.add_instrument(self)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.listener.run)
                await self._run_ticks()
        finally:
            trio.lowlevel.remove_instrument(self)

    async def _run_ticks(self) -> None:
        ticks = monotonic_ns() // TICK_NS
        while True:
            due = monotonic_ns() + TICK_NS
            await trio.sleep(TICK_NS / 1e9)
            now = monotonic_ns()
            self._late = (due, now, max(self._before, due - TICK_NS))
            self._ticked.set()
            self._ticked = trio.Event()
            late = now - due if now - due > TURN_NS else 0
            ticks, passed = now // TICK_NS, now // TICK_NS - ticks
            # Checking a bot takes as long as some moves: all at once, or often, would delay the loop.
            every = max(CHECK_TICKS, len(self._guarded))
            for place, one in enumerate(self._guarded):
                one.tick(now, late)
                if (ticks + place) % every < passed:
                    one.check_limits()

    async def rest(self) -> None:
        """Lets the loop turn, so that it sees what has come.

        Of several matches that could go on one does, until the next rest is due, and the others queue: if
        each of them went on for a move in every turn, every other move would cost a turn.
        """
        if not self._going and not self._resting:
            self._going = True
            await trio.lowlevel.checkpoint()
            return
        if not self._going:
            self._next()
        await self._resting.park()

    async def wait_for_answer(self, descriptor: int, looks: int) -> None:
        """Lets a bot that is asked go on, in whose pipe there was nothing at so many `looks`: it is given the
        core, and only then waited for until it has written something. Raises as trio's wait does."""
        if looks < LOOKS:
            sched_yield()
            return
        self._waiting += 1
        self.rest_due = min(self.rest_due, self.turned + TURN_NS)
        try:
            await trio.lowlevel.wait_readable(descriptor)
        finally:
            self._waiting -= 1

    def _next(self) -> None:
        self._going = True
        self._resting.unpark()

    def before_io_wait(self, timeout: float) -> None:
        if self._resting and not self._going:  # Whoever was going on has come to its end, or waits.
            self._token.run_sync_soon(self._next)

    def after_io_wait(self, timeout: float) -> None:
        self._before, self.turned = self.turned, monotonic_ns()
        self.rest_due = self.turned + (TURN_NS if self._waiting else QUIET_NS)
        self._going = False

    def add(self, one: Guarded) -> None:
        self._guarded.add(one)

    def remove(self, one: Guarded) -> None:
        self._guarded.discard(one)

    async def lateness(self, moment: int) -> int:
        """For how many nanoseconds before this moment (now, at most) the loop had not looked."""
        due, woke, before = self._late
        if woke < moment - TURN_NS:
            await self._ticked.wait()
            due, woke, before = self._late
        if woke < moment - TURN_NS:
            return 0
        # A loop that came late to a tick may have been called before it was due, by what it then found.
        return max(0, moment - (before if woke - due > TURN_NS else due))
