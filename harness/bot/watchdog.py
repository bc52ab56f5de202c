"""Watches the deadlines of all players of one loop, and the turns of that loop; judges no answer.

One Watchdog stands for three things that would cost too much for each question: a time-out, a note of how
late the loop was, and a fair share of the loop for each match. With a cancel scope for each question a move
took 63 µs, with one scope whose deadline is set again 46, with the watchdog 43 (docs/design.md, section 8).

**Ticks.** A task sleeps TICK_NS and then calls each player's `tick`, and some players' `check_limits`:

    falls asleep                         due        now
      |------------ 10 ms ---------------|-- late --|     tick(now, late) of each player
                           |<------- unseen -------->|    an answer is read just after this turn
                           `_before`: the turn before this one, when the loop last looked at the pipes

A loop that is busy looks like a slow bot. With 30 ms of work in the loop, an instant bot with a limit of
20 ms was judged late in up to 22 % of its turns. Therefore each tick tells the players how late it was, if
that is more than TURN_NS. And `lateness(moment)` says for how long before `moment` nobody had looked: an
answer read at `moment` may have been there since `_before`, not earlier, for that look found the pipe empty.
A player calls `lateness` only if an answer seems late. The call waits for the first tick after `moment`: no
earlier tick can tell whether the loop was late at `moment`.

Checking the limits of one bot takes as long as some moves. So it is one bot a tick: with up to CHECK_TICKS
bots each is checked ten times a second, with more of them less often.

**Turns.** The watchdog is an instrument of trio: `after_io_wait` notes when the loop turned. While a match
plays on without waiting, the loop does not turn: no other match reads its answer, and the delay is charged
to that match's bot. With 16 busy matches in a loop a bot's time was off by 1.5 ms then, with rests by 0.5.
So `ask` calls `rest` when `rest_due` has passed: TURN_NS after the turn while any match waits in
`wait_for_answer`, else QUIET_NS after it. Three matches A, B and C:

    turn           turn           turn           turn
      |--- A A A ---|--- B B B ---|--- C C C ---|--- A A A ---   each letter is a move

Only one match goes on in each turn, and the others queue in `_resting`. If each of them made one move a
turn, all would pay for a turn, and for cold caches, after every other move. `_going` says that a match has
been chosen for this turn. If that match ends or waits, `before_io_wait` wakes the next one.

**Waiting.** `wait_for_answer` gives the core to the bot (`sched_yield`) for LOOKS - 1 reads, and only then
waits in trio. When the bot's time is up, its player's `tick` ends that wait by `notify_closing`.
"""

from __future__ import annotations

from os import sched_yield
from time import monotonic_ns
from typing import Protocol

import trio

from harness.bot.stderr import Listener

TICK_NS = 10_000_000
CHECK_TICKS = 10
"""Ticks between two checks of a bot's limits; with more bots than that, as many as there are bots."""
TURN_NS = 500_000
"""While a match waits for an answer, the loop turns this often, so that no other match's time is charged."""
LOOKS = 3
"""Non-blocking reads to try before waiting in the event loop."""
QUIET_NS = 50_000_000
"""While no match waits for an answer, the loop turns this often for other work, such as ending the run."""


class Guarded(Protocol):
    """A player, as the watchdog sees it."""

    def tick(self, now: int, late: int) -> None:
        """Called every 10 ms; `now` in monotonic nanoseconds, `late` by how many the loop was late."""

    def check_limits(self) -> None:
        """Called ten times a second, or less often if there are more than ten players."""


class Watchdog(trio.abc.Instrument):
    """Keeps the deadlines of all players in one loop, and notes when the loop turns and how late it is.

    While it runs, its `listener` reads what the bots write to stderr.
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
        """When the match that goes on must rest, in monotonic nanoseconds. A turn costs as much as some
        moves: another match goes on, and the processor's caches hold nothing of it."""
        self._waiting = 0  # how many matches wait for an answer
        self._guarded: set[Guarded] = set()
        self._before = 0  # when the loop turned before that
        self._late = (0, 0, 0)  # of the last tick: when it was expected, when it came, the look before it
        self._ticked = trio.Event()
        self._going = False  # whether a match has been chosen to go on in this turn
        self._resting = trio.lowlevel.ParkingLot()
        self._token = trio.lowlevel.current_trio_token()

    async def run(self) -> None:
        """Runs until it is cancelled."""
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
            every = max(CHECK_TICKS, len(self._guarded))
            for place, one in enumerate(self._guarded):
                one.tick(now, late)
                if (ticks + place) % every < passed:
                    one.check_limits()

    async def rest(self) -> None:
        """Lets the loop turn, so that it reads what has arrived; returns when it is this match's turn."""
        if not self._going and not self._resting:
            self._going = True
            await trio.lowlevel.checkpoint()
            return
        if not self._going:
            self._next()
        await self._resting.park()

    async def wait_for_answer(self, descriptor: int, looks: int) -> None:
        """Lets the bot that is asked run, after `looks` reads that found nothing in this pipe.

        At first it only gives the bot the core; from LOOKS reads on it waits until the bot has written
        something. Raises trio.ClosedResourceError if the player's tick ends the wait.
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

    async def lateness(self, moment: int) -> int:
        """How many nanoseconds before `moment` (not in the future) the loop had last looked at the pipes.

        0 if it was on time. Waits for the next tick if the last one was too early to tell.
        """
        due, woke, before = self._late
        if woke < moment - TURN_NS:
            await self._ticked.wait()
            due, woke, before = self._late
        if woke < moment - TURN_NS:
            return 0
        # If the loop came late to the tick, what it then found may have been there since the look before.
        return max(0, moment - (before if woke - due > TURN_NS else due))
