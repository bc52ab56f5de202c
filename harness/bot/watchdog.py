"""Watches the deadlines of all players of one loop, and shares the loop between matches; judges no answer.

The Watchdog has three tasks that would cost too much if each question did them: it ends the wait for a silent
bot, it knows when the loop looked at the pipes, and it gives each match a fair share of the loop. With a
cancel scope for each question, a move took 63 µs. With one cancel scope that got a new deadline each time, it
took 46 µs. With the watchdog, it took 43 µs (docs/design.md, section 8).

**Ticks.** A task sleeps about TICK_NS and then calls `tick` of each player, and `check_limits` of some:

    wakes            sleeps         ready     wakes            an answer is read
      |----- awake -----|-- asleep --|-- delay --|--- awake ------|
    `_before`        `_slept`                `turned`

If the loop is busy, a fast bot seems slow. In a test, the loop did 30 ms of work at a time. A bot that
answered at once, with a limit of 20 ms, was late in up to 22 % of its turns. So if an answer seems late, its
player asks for these moments with `turns()`: harness/bot/excuse.py computes from them for how long nobody
looked. The kernel knows the delay, that is for how long the loop was ready to wake but had no CPU, and the
stolen time of the core. Each tick reads both, so those of the last turn are at most what was added since the
last tick.

The time between two ticks varies. A tick takes up to half a millisecond of the core. An answer that comes in
this time is read after it, and so the next question comes later too. If all pauses were equal, bots that need
10 ms for an answer would stay in step with the ticks: two of three answers of an engine came in a tick, and a
move took 0.25 ms longer.

A check of one bot's limits takes as long as several moves. So the watchdog checks about one bot in each tick.
If there are up to CHECK_TICKS bots, it checks each of them ten times a second; if there are more, less often.

**Turns.** The watchdog is an instrument of trio: trio calls `after_io_wait` when the loop turns. While one
match plays without a wait, the loop does not turn. Then no other match can read its answer, and the delay is
charged to the bot of that other match. With 16 busy matches in a loop, the measured times were 1.5 ms wrong;
with rests they are 0.5 ms wrong. So `ask` calls `rest` when `rest_due` has passed. That is TURN_NS after the
last turn if a match waits in `wait_for_answer`, else QUIET_NS. If a match waits, `ask` also calls `rest`
after each longer answer (BRISK_US). Matches that only rest are in no hurry, because their bots are not on
the clock. An example with three matches A, B and C:

    turn           turn           turn           turn
      |--- A A A ---|--- B B B ---|--- C C C ---|--- A A A ---   each letter is a move

Only one match plays in each turn, and the others queue in `_resting`. If each of them made one move in each
turn, every other move would cost a turn and begin with cold caches. `_going` is true if a match has been
chosen for this turn. If that match ends or waits, `before_io_wait` wakes the next match.

**Waiting.** `wait_for_answer` gives the core to the bot (`sched_yield`) for LOOKS - 1 reads, and only then
waits in trio. When the bot's time is up, its player's `tick` ends that wait with `notify_closing`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from os import sched_yield
from random import Random
from time import monotonic_ns, thread_time_ns
from typing import NamedTuple, Protocol

import trio

from harness.bot.excuse import Turns
from harness.bot.stderr import Listener
from harness.bot.stolen import NO_CORES, Stolen

TICK_NS = 10_000_000
"""The average time between two ticks."""
SPREAD = 0.2
"""The part of TICK_NS by which the time between two ticks is shorter or longer."""
CHECK_TICKS = 10
"""The number of ticks between two checks of a bot's limits. With more bots, it is the number of bots."""
CHECK_SHARE = 20
"""The checks of a bot may use one part in this number of the time. A bot with many processes takes longer."""
TURN_NS = 500_000
"""The time between two turns of the loop while a match waits for an answer. It is short, so that the bot is
not charged for the moves of other matches."""
LOOKS = 3
"""The number of non-blocking reads before a wait in the event loop."""
QUIET_NS = 50_000_000
"""The time between two turns while no match waits for an answer. The loop turns for other work, for example
to stop the tournament."""


class Delay(NamedTuple):
    """Counters of the thread of a loop and of its core since their start; 0 if they are unknown."""

    ready_ns: int
    """The time for which the thread was ready to run but had no CPU."""
    stolen_us: int
    """The time for which the host had the core."""


NO_DELAY = Delay(0, 0)


def pauses() -> Iterator[float]:
    """Yields the seconds between two ticks, without end; always the same ones."""
    chance = Random(0)
    while True:
        yield chance.uniform(1 - SPREAD, 1 + SPREAD) * TICK_NS / 1e9


class Guarded(Protocol):
    """The methods of a player that the watchdog calls."""

    def tick(self, now: int) -> None:
        """The watchdog calls this about every 10 ms. `now` is in monotonic nanoseconds."""

    def check_limits(self) -> None:
        """The watchdog calls this ten times a second, or less often if there are more than ten players."""


class Watchdog(trio.abc.Instrument):
    """Calls all players of one loop about every 10 ms, and notes when the loop turns.

    While it runs, its `listener` reads the stderr of the bots.
    """

    __slots__ = (
        "_before",
        "_delays",
        "_going",
        "_guarded",
        "_pauses",
        "_resting",
        "_schedstat",
        "_slept",
        "_stolen",
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
        """The moment of the loop's last turn, in monotonic nanoseconds."""
        self.rest_due = 0
        """The moment at which the match that plays must rest, in monotonic nanoseconds. A turn costs as much
        as several moves, because another match continues, and its data are not in the processor's caches."""
        self._waiting = 0  # the number of matches that wait for an answer
        self._guarded: set[Guarded] = set()
        self._pauses: dict[Guarded, int] = {}  # until when a player is not checked
        self._before = 0  # the moment of the turn before `turned`
        self._slept = 0  # the moment between them at which the loop fell asleep
        self._schedstat = -1  # the kernel's counters of this thread
        self._stolen = NO_CORES
        self._ticked = 0  # the turn of the last tick
        self._delays = (NO_DELAY, NO_DELAY)  # the counters then, and at the tick before
        self._going = False  # whether a match has been chosen to play in this turn
        self._resting = trio.lowlevel.ParkingLot()
        self._token = trio.lowlevel.current_trio_token()

    async def run(self) -> None:
        """Runs until it is cancelled."""
        trio.lowlevel.add_instrument(self)
        with contextlib.suppress(OSError):
            self._schedstat = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        self._stolen = Stolen.here()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.listener.run)
                await self._run_ticks()
        finally:
            trio.lowlevel.remove_instrument(self)
            self._stolen.close()
            if self._schedstat >= 0:
                os.close(self._schedstat)
                self._schedstat = -1

    async def _run_ticks(self) -> None:
        ticks = monotonic_ns() // TICK_NS
        for pause in pauses():
            await trio.sleep(pause)
            now = monotonic_ns()
            self._ticked, self._delays = self.turned, (self._delay(now), self._delays[0])
            ticks, passed = now // TICK_NS, now // TICK_NS - ticks
            every = max(CHECK_TICKS, len(self._guarded))
            for place, one in enumerate(self._guarded):
                one.tick(now)
                if (ticks + place) % every < passed and now >= self._pauses.get(one, 0):
                    began = thread_time_ns()
                    one.check_limits()
                    self._pauses[one] = now + CHECK_SHARE * (thread_time_ns() - began)

    async def rest_if_due(self, now: int) -> None:
        """Rests after an answer at `now` if another match waits for its answer, or if `rest_due` has passed.

        Otherwise the turn would serve nobody, and the next match would begin with cold caches. When each
        answer ended in a rest, 16 matches of Python bots took 67 µs a move instead of 28.
        """
        if self._waiting or now > self.rest_due:
            await self.rest()

    async def rest(self) -> None:
        """Lets the loop turn, so that other matches read their answers. Returns when this match may play."""
        if not self._going and not self._resting:
            self._going = True
            await trio.lowlevel.checkpoint()
            return
        if not self._going:
            self._next()
        await self._resting.park()

    async def wait_for_answer(self, descriptor: int, looks: int) -> None:
        """Lets the bot run after `looks` reads from this pipe that found nothing.

        After fewer than LOOKS reads, it only gives the core to the bot. Otherwise it waits until the bot has
        written something. Raises trio.ClosedResourceError if the player's `tick` ends the wait.
        """
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
        self._slept = monotonic_ns()
        if self._resting and not self._going:  # The chosen match has ended, or waits for its bot.
            self._token.run_sync_soon(self._next)

    def after_io_wait(self, timeout: float) -> None:
        self._before, self.turned = self.turned, monotonic_ns()
        self.rest_due = self.turned + (TURN_NS if self._waiting else QUIET_NS)
        self._going = False

    def add(self, one: Guarded) -> None:
        self._guarded.add(one)

    def remove(self, one: Guarded) -> None:
        self._guarded.discard(one)
        self._pauses.pop(one, None)

    def turns(self) -> Turns:
        """Returns when the loop last looked at the pipes. Call it before the loop turns again."""
        # If this turn has a tick, this tick has counted the delay of this turn.
        since = self._delays[self._ticked == self.turned]
        now = self._delay(monotonic_ns())
        ready_ns, stolen_us = now.ready_ns - since.ready_ns, now.stolen_us - since.stolen_us
        return Turns(self._before, self._slept, self.turned, ready_ns, stolen_us)

    def stolen_us(self, now: int) -> int:
        """Returns for how long the host of this virtual machine had the cores of this loop and its bots."""
        return self._stolen.us(now)

    def _delay(self, now: int) -> Delay:
        ready_ns = int(os.pread(self._schedstat, 64, 0).split()[1]) if self._schedstat >= 0 else 0
        return Delay(ready_ns, self._stolen.us(now))
