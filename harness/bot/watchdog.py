"""Watches the deadlines of all players in one event loop, and lets the loop's matches play one after another.

The Watchdog ends the wait for a silent bot, knows when the loop looked at the pipes, and gives each match a
fair share of the loop. The Watchdog judges no answer. `ask` could do these three tasks itself for each
question, but this would take too much time. With a cancel scope for each question, a move took 63 µs. With
one cancel scope that got a new deadline for each question, a move took 46 µs. With the watchdog, a move took
43 µs (docs/design.md, section 8).

**Ticks.** A task sleeps about TICK_NS and then calls `tick` of each player, and `check_limits` of some
players:

    wakes            sleeps         ready     wakes            an answer is read
      |----- awake -----|-- asleep --|-- delay --|--- awake ------|
    `_before`        `_slept`                `turned`

If the loop is busy, a fast bot seems slow. In a test, the loop did 30 ms of work at a time. A bot that
answered at once, with a limit of 20 ms, was late in up to 22 % of its turns. So if an answer seems late, the
player calls `turns()`, which returns the moments in this drawing. From these moments, harness/bot/excuse.py
computes for how long nobody looked at the pipe. The kernel counts the delay, which is the time for which the
loop was ready to wake but had no CPU. The kernel also counts the stolen time of the core
(harness/bot/stolen.py). Each tick reads both counters. `turns()` computes by how much they have grown since
the last tick before the loop woke. So the results are upper bounds of the last delay, and of the time that
was stolen during this delay.

The time between two ticks is random, for two reasons. The first reason is that a tick delays answers, because
the tick uses the core for up to half a millisecond. An answer that comes during a tick is read only after the
tick, so the next question comes later too. If all pauses were equal, and a bot needed 10 ms for each answer,
all its answers could come during ticks. In a test with equal pauses, two thirds of the answers of a chess
engine came during a tick, and a move took 0.25 ms longer than with random pauses.

The second reason is that a bot must not know when the next tick looks at its processes
(harness/bot/excuse.py). The pauses have an exponential distribution, cut at LONGEST ticks. So the time until
the next tick does not depend on the time since the last tick: a bot that notices a tick learns nothing about
the next tick.

A check of one bot's limits takes as long as several moves. So the watchdog checks about one bot in each tick.
If there are up to CHECK_TICKS bots, the watchdog checks each bot ten times a second. If there are more bots,
it checks each bot less often.

**Turns.** Here a turn is a turn of the loop, not of a player: trio looks at all pipes, and then runs the
tasks that are ready. The watchdog is an instrument of trio, so trio calls `after_io_wait` at each turn. While
one match plays without a wait, the loop does not turn. Then the other matches cannot read the answers of
their bots, and these bots are charged for the delay. So `ask` calls `rest` when the moment `rest_due` has
passed. In a test with 16 busy matches in a loop, the measured times were wrong by 1.5 ms without these rests,
and by 0.5 ms with these rests. If a match waits in `wait_for_answer`, `rest_due` is the last turn plus
TURN_NS. Otherwise `rest_due` is the last turn plus QUIET_NS. If a match waits, `ask` also calls `rest` after
each answer that took longer than BRISK_US. Matches that only rest are less urgent, because the time of their
bots is not measured while they rest. An example with three matches A, B and C:

    turn           turn           turn           turn
      |--- A A A ---|--- B B B ---|--- C C C ---|--- A A A ---   each letter is a move

Only one match plays in each turn, and the others queue in `_resting`. If each match made one move in each
turn, there would be more turns, and the moves would begin with cold caches. `_going` is true if a match has
already been chosen for this turn. If this match ends or waits for its bot, `before_io_wait` wakes the next
match.

**Waiting.** `wait_for_answer` gives the core to the bot (`sched_yield`) after each of the first LOOKS - 1
reads. After the next read, `wait_for_answer` waits in trio. When the time of the bot is over, `tick` of its
player ends this wait with `notify_closing`.

**Waiting directly.** A wait in trio costs as much time as all other work for a move, because trio changes its
list of pipes, lets the loop turn and switches tasks. If the loop plays only one match (`alone`), no other
match needs this turn of the loop. So `wait_for_answer` first calls `poll` itself, with the pipe of the bot
and the stderr of all bots. No task of the loop can run during this call. So the call ends at the next tick at
the latest, and then the wait goes on in trio:

    question   answer      question            tick               answer     question
       |--------|             |-----------------|-------------------|           |----
         direct                     direct        tasks run,  trio                direct

So all other tasks get their turn at each tick. These tasks end bots that are late, check limits and notice
that the controller has ended. A call of `poll` is a look at the pipe, as a turn of the loop is. The call sets
the same three moments as a turn, so excused time is computed in the same way. Text on stderr is read at once.
But if a read of stderr fills its buffer, the wait continues in trio, because only the task of the `listener`
can slow down a bot that floods its stderr.
"""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Iterator
from os import sched_yield
from random import Random
from time import monotonic_ns, thread_time_ns
from typing import NamedTuple, Protocol

import trio

from harness.bot.excuse import Turns
from harness.bot.process import reap_strays
from harness.bot.stderr import Listener
from harness.bot.stolen import NO_CORES, Stolen

TICK_NS = 10_000_000
"""The average time between two ticks."""
LONGEST = 2.0
"""The longest time between two ticks, as a multiple of TICK_NS."""
USUAL = 1.255
"""The mean of the pauses before they are cut, as a multiple of TICK_NS. With this value, the mean of the cut
pauses is TICK_NS: if an exponential distribution with mean m is cut at c, its mean becomes m (1 - exp(-c /
m))."""
CHECK_TICKS = 10
"""The number of ticks between two checks of a bot's limits. If there are more bots than this, the number of
ticks between two checks is the number of bots."""
CHECK_SHARE = 20
"""The pause after a check of a bot, as a multiple of the CPU time of this check. The check of a bot with many
processes takes longer."""
TURN_NS = 500_000
"""The time between two turns of the loop while a match waits for an answer. This time is short, so that the
bot is not charged for the moves of other matches."""
LOOKS = 3
"""The number of non-blocking reads before a wait in the event loop."""
QUIET_NS = 50_000_000
"""The time between two turns while no match waits for an answer. These turns are for other work, for example
to stop the tournament."""


class Delay(NamedTuple):
    """What the kernel has counted so far for the thread of a loop and for its core. A number is 0 if it is
    unknown."""

    ready_ns: int
    """The time for which the thread was ready to run but had no CPU."""
    stolen_us: int
    """The time for which the host of this virtual machine used the core for other machines."""


NO_DELAY = Delay(0, 0)


def pauses(chance: Random) -> Iterator[float]:
    """Yields pauses without end. Each pause is the time between two ticks, in seconds."""
    while True:
        yield min(chance.expovariate(1 / USUAL), LONGEST) * TICK_NS / 1e9


class Guarded(Protocol):
    """The methods of a player that the watchdog calls."""

    def tick(self, now: int) -> None:
        """The watchdog calls this method about every 10 ms. `now` is in monotonic nanoseconds."""

    def check_limits(self) -> None:
        """The watchdog calls this method ten times a second, or less often if there are more than ten
        players."""


class Watchdog(trio.abc.Instrument):
    """An instrument of trio that calls all players of one loop about every 10 ms and notes when the loop
    turns.

    While the watchdog runs, its `listener` reads the stderr of the bots.
    """

    __slots__ = (
        "_alone",
        "_before",
        "_delays",
        "_going",
        "_guarded",
        "_pauses",
        "_poll",
        "_resting",
        "_schedstat",
        "_slept",
        "_stolen",
        "_tick_due",
        "_ticked",
        "_token",
        "_waiting",
        "listener",
        "rest_due",
        "turned",
    )

    def __init__(self, alone: bool = False) -> None:
        """`alone` is true if only one match of this loop asks bots, and if all other tasks of the loop can
        wait for the next tick."""
        self.listener = Listener()
        self.turned = 0
        """The moment of the loop's last turn, or of a later look at a pipe, in monotonic nanoseconds."""
        self.rest_due = 0
        """The moment at which the match that plays must rest, in monotonic nanoseconds. Until this moment the
        match plays on, because a turn costs as much as several moves: another match continues, and the data
        of that match are not in the processor's caches."""
        self._alone = alone
        self._poll = select.poll()  # the stderr of all bots, and during a direct wait also a bot's output
        self._poll.register(self.listener.fileno(), select.POLLIN)
        self._waiting = 0  # the number of matches that wait for an answer in trio
        self._guarded: set[Guarded] = set()
        self._pauses: dict[Guarded, int] = {}  # the moments until which players are not checked
        self._before = 0  # the moment of the turn or look before `turned`
        self._slept = 0  # the moment between `_before` and `turned` at which the loop fell asleep
        self._schedstat = -1  # the descriptor of the file with the kernel's counters of this thread
        self._stolen = NO_CORES
        self._tick_due = 0  # the moment of the next tick; 0 if there are no ticks
        self._ticked = 0  # the turn of the last tick
        self._delays = (NO_DELAY, NO_DELAY)  # the counters at the last tick, and at the tick before it
        self._going = False  # true if a match has been chosen to play in this turn
        self._resting = trio.lowlevel.ParkingLot()
        self._token = trio.lowlevel.current_trio_token()

    async def run(self) -> None:
        """Runs the watchdog until it is cancelled."""
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
            self._tick_due = 0
            self._stolen.close()
            if self._schedstat >= 0:
                os.close(self._schedstat)
                self._schedstat = -1

    async def _run_ticks(self) -> None:
        ticks = monotonic_ns() // TICK_NS
        for pause in pauses(Random()):
            self._tick_due = monotonic_ns() + int(pause * 1e9)
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
            if self.listener.unwatched:
                self.listener.read_unwatched()
            # Strays (processes that lost their parent) are reaped only after the calls of `tick`, so that
            # `tick` still finds them among the processes of bots.
            reap_strays()

    async def rest_if_due(self, now: int) -> None:
        """A player calls this method after an answer, at the moment `now`. Lets other matches play if one of
        them waits for an answer, or if `now` is later than `rest_due`.

        Otherwise a turn of the loop would help no match, and the next match would begin with cold caches.
        With a rest after each answer, a move in 16 matches of Python bots took 67 µs instead of 28 µs.
        """
        if self._waiting or now > self.rest_due:
            await self.rest()

    async def rest(self) -> None:
        """Lets the loop turn, so that other matches can read their answers. Returns when this match may
        play."""
        if not self._going and not self._resting:
            self._going = True
            await trio.lowlevel.checkpoint()
            return
        if not self._going:
            self._next()
        await self._resting.park()

    async def wait_for_answer(self, descriptor: int, looks: int) -> None:
        """Lets the bot run. The caller has already read `looks` times from this pipe and found nothing.

        After fewer than LOOKS reads, gives the core to the bot and returns. After LOOKS reads, waits until
        the bot has written something. Raises trio.ClosedResourceError if the player's `tick` ends the wait.
        """
        if looks < LOOKS:
            sched_yield()
            return
        if self._alone and self._wait_directly(descriptor):
            return
        self._waiting += 1
        self.rest_due = min(self.rest_due, self.turned + TURN_NS)
        try:
            await trio.lowlevel.wait_readable(descriptor)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self.rest_due = self.turned + QUIET_NS

    def _wait_directly(self, descriptor: int) -> bool:
        """Waits for this pipe without a turn of the loop, until the next tick at most. Meanwhile reads the
        stderr of all bots. Returns whether the bot has written something."""
        poll = self._poll
        # A descriptor that stayed registered could later belong to another pipe.
        poll.register(descriptor, select.POLLIN)
        try:
            while (left_ns := self._tick_due - (now := monotonic_ns())) > 0:
                self._slept = now
                found = poll.poll(left_ns / 1e6)
                self._before, self.turned = self.turned, monotonic_ns()
                for number, _ in found:
                    if number == descriptor:
                        return True
                if found and self.listener.read():
                    return False
        finally:
            poll.unregister(descriptor)
        return False

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
        """Returns the moments of the loop's last looks at the pipes. Call this method before the
        loop turns again."""
        # If this turn had a tick, the counters of this tick already contain the delay of this turn. Then the
        # counters of the previous tick are used.
        since = self._delays[self._ticked == self.turned]
        now = self._delay(monotonic_ns())
        ready_ns, stolen_us = now.ready_ns - since.ready_ns, now.stolen_us - since.stolen_us
        return Turns(self._before, self._slept, self.turned, ready_ns, stolen_us)

    def stolen_us(self, now: int) -> int:
        """Returns the stolen time in microseconds: how long the host of this virtual machine used the cores
        of this loop and its bots for other machines."""
        return self._stolen.us(now)

    def _delay(self, now: int) -> Delay:
        ready_ns = int(os.pread(self._schedstat, 64, 0).split()[1]) if self._schedstat >= 0 else 0
        return Delay(ready_ns, self._stolen.us(now))
