"""Computes the part of an answer's time that the bot did not cause, and adds up this part for each bot. This
file is pure: it reads no clock and no process.

The part that the bot did not cause is the excused time. If an answer is late only because of its excused
time, this answer counts as in time (harness/judge/lateness.py). Two causes excuse time:

- The harness did not look (`unseen_us`). The answer may have been in the pipe while the event loop did other
  work or had no CPU. An earlier look found the pipe empty, so only the time since the last look counts.
- No CPU was free (`waited_us`). The bot was ready to run, but none of its processes had a CPU. On a virtual
  machine, the host may also take the core from the bot, and let other machines use the core. The kernel adds
  this lost time neither to the CPU time nor to the waits of the bot, so the harness adds the lost time to
  `waited_us`. The kernel counts the stolen time of the core (harness/bot/stolen.py). The bot may have lost
  less than this stolen time, because it slept or because other processes had the core. So of these two times,
  the lost time and the stolen time, only the smaller one counts.

    asked      tick       tick       tick      last look    answer read
      |----------|----------|----------|------------|-----------|
                                                    | unseen_us |
      |------- waited_us: parts of all this time ---------------|

The loop and its bots share a core, so the loop may have had no CPU because the bot ran. So the CPU time of
the bot is never excused.

**How much a bot can gain.** Even an answer that comes later than its limit plus the waits of its bot can
count as in time, but only if it came after the last look at the pipe. So a bot can gain two spans of time to
which it has no right: the time since the last look, and a wait before the question. The readings at the first
tick may contain waits that happened before the question, up to a tenth of a second before it. However long
these waits are, they count for at most the time between the question and the first tick.

A counter of the kernel shows how much time the bot lost, but the counter costs a tenth of the time of a fast
move. So if a bot has no bank, its counter begins only at a tick that comes before the answer. Before this
tick, harness does not know exactly how much time a bot lost. If the bot was awake at some moment since the
last reading, it also gains all time that was stolen since this reading. But the bot gains no more than the
time between the question and the first tick. On a machine without such a counter, a bot can gain stolen time
between any two readings. tests/bot/test_excuse.py computes excused times for invented schedules, in which the
true waits are known, and prints the most that a bot gained.

**Unknown CPU time.** While a child of the bot computes, another process of the bot may wait for the core. If
nobody counts the CPU time of this child, the wait seems to be the fault of other programs. So if the CPU time
is not counted completely, and a process of the bot began or ended during an answer (`changes`), no wait
counts for this answer. The same rule holds if a process began or ended shortly before the question, but after
the last reading.

Each tick of the watchdog looks at the processes, but a child can begin after one tick and end before the next
tick. The ticks come at random moments, so a bot cannot know when the next tick comes
(harness/bot/watchdog.py). Suppose that such children together compute for t ms. Then the probability that no
tick finds any of them is about exp(-t / 12.5). So children can often hide about 10 ms of CPU time, but they
can hide 100 ms in only one of 3,000 answers.

**The end of the wait for a silent bot.** A bot is late if its answer has not come when its limit and its
waits are over. The waits count for at most `most_waited_us`, so the harness never waits forever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

NEVER = 1 << 62
"""A moment that never comes, in monotonic nanoseconds."""
LEAST_WAIT_US = 10_000_000
TIMES_THE_LIMIT = 9
SLEPT_NS = 100_000
"""A look at the pipes takes less than this time if the loop does not sleep."""
STOLEN_STEP_US = 10_000
"""The kernel counts stolen time in whole steps of this length."""


class Waits(NamedTuple):
    """Counters for one bot: four times in microseconds, and the number of changes of its processes."""

    waited_us: int
    """The time for which the bot was ready to run, but none of its processes had a CPU."""
    ran_us: int
    """The CPU time of all processes of the bot. The bot cannot have waited during this time. If `waited_us`
    is exact, `ran_us` is always 0."""
    lost_us: int = 0
    """The longest possible time for which the bot had a core, but the host ran another machine there
    (harness/bot/stolen.py). The counter `lost_us` can fall a little."""
    stolen_us: int = 0
    """The time for which the host used the core for other machines, in whole steps of STOLEN_STEP_US."""
    changes: int = 0
    """How often processes of the bot began or ended, if nobody counts the CPU time of all its processes. If
    the kernel counts this CPU time, `changes` is always 0."""


class Noted(NamedTuple):
    """What the watchdog wrote down at its first tick after a question."""

    asked: int
    """The moment at which the question was asked, in monotonic nanoseconds. This moment identifies the
    question."""
    first: Waits
    """The counters at this tick."""
    early_us: int
    """The wait of the bot for a CPU between the question and this tick."""
    changes: int = 0
    """The value of the counter `changes` at the last reading before the question."""

    def hides(self, now: Waits) -> bool:
        """Returns True if, since the question, the bot may have used CPU time that no counter has counted."""
        return now.changes != self.changes


NOTHING = Noted(NEVER, Waits(0, 0), 0)
"""The note before the first question."""


class Turns(NamedTuple):
    """What the event loop did in its last two turns. The moments are in monotonic nanoseconds. The loop looks
    at all pipes when it wakes."""

    before: int
    """The moment at which the loop woke for the turn before its last turn. In that turn the loop found the
    pipe empty."""
    slept: int
    """The moment at which the loop began to sleep, or looked without sleeping."""
    woke: int
    """The moment at which the loop woke for its last turn."""
    delayed_ns: int
    """An upper bound of the time for which the loop was ready to wake but other processes had its CPU."""
    stolen_us: int = 0
    """An upper bound of the time for which the loop was ready to wake but the host used the core for other
    machines, in whole steps of STOLEN_STEP_US."""


class Excused(NamedTuple):
    """The two parts of the excused time, in microseconds."""

    unseen_us: int
    waited_us: int


NO_EXCUSE = Excused(0, 0)


def note(asked: int, now: int, before: Waits, first: Waits) -> Noted:
    """Makes the note at the first tick after a question. `now` is the time of this tick, and `first` has the
    counters that were read at this tick.

    `before` has the counters of the last reading before the question.
    """
    early_us = first.waited_us - before.waited_us + _lost_us(before, first)
    return Noted(asked, first, max(0, min((now - asked) // 1000, early_us)), before.changes)


def waited_us(passed_us: int, noted: Noted, now: Waits) -> int:
    """Computes for how long the bot has waited for a CPU since its question, which was `passed_us` ago."""
    if noted.hides(now):
        return 0
    since_us = noted.early_us + now.waited_us - noted.first.waited_us + _lost_us(noted.first, now)
    return max(0, min(since_us, passed_us - (now.ran_us - noted.first.ran_us)))


def _lost_us(before: Waits, now: Waits) -> int:
    """Computes for how long the bot had no CPU between two readings because the host of the virtual machine
    used the core for other machines."""
    return max(0, min(_most_us(now.stolen_us - before.stolen_us), now.lost_us - before.lost_us))


def _most_us(stolen_us: int) -> int:
    """Computes the longest time that the core can have lost. The kernel rounds stolen time down to whole
    steps, so the true time may be one step longer."""
    return stolen_us + STOLEN_STEP_US if stolen_us else 0


def most_waited_us(limit_us: int) -> int:
    """Returns the longest wait for a CPU that is excused in an answer with this limit."""
    return max(LEAST_WAIT_US, TIMES_THE_LIMIT * limit_us)


def unseen_us(asked: int, read: int, turns: Turns) -> int:
    """Computes how long an answer may have been in the pipe before the harness read it, at the time `read`.

    If the loop sleeps when an answer comes, the answer wakes the loop. So an answer is unseen only while the
    loop is awake, or while the loop is ready to wake but has no CPU. Other processes or the host may have the
    CPU then.
    """
    delayed_ns = turns.delayed_ns + 1000 * _most_us(turns.stolen_us)
    if turns.woke <= asked:  # The bot was asked in this turn, and nobody has looked at its pipe after that.
        return (read - asked) // 1000
    if turns.woke - turns.slept > delayed_ns + SLEPT_NS:  # The loop slept, so the pipe was empty.
        return (read - turns.woke + delayed_ns) // 1000
    return (read - max(turns.before, asked)) // 1000


def excused(passed_us: int, ran_us: int, waited_us: int, unseen_us: int) -> Excused:
    """Returns the two parts of the excused time, cut so that their sum is not too large.

    All processes of the bot are on one core, and they ran for `ran_us`. While one of them ran, the bot did
    not wait. So the two parts together are at most `passed_us` minus `ran_us`.
    """
    idle_us = max(0, passed_us - ran_us)
    waited_us = min(waited_us, idle_us)
    return Excused(min(unseen_us, idle_us - waited_us), waited_us)


# -- the account of one bot --------------------------------------------------------------------------
#
# This part adds up, for one bot's answers, how long the bot waited for a CPU, and how long the harness did
# not look.
#
# The watchdog calls `tick` about every 10 ms while the bot is asked, and `rest` a few times a second while
# the bot is not asked. So an answer that comes before the first tick needs no read of /proc (docs/design.md,
# section 8). This file is pure: the process and the watchdog read the counters.


SHARE = 50
"""The pause after a reading, as a multiple of the CPU time of this reading. A reading takes longer if the bot
has many processes, and the loop cannot look at the pipes during the reading."""


class Waiting(Protocol):
    """The methods of a bot's process that this file calls to count excused time."""

    def waits(self) -> Waits:
        """Returns the counters of the bot now."""

    def is_ready(self) -> bool:
        """Returns whether the bot may be waiting for a CPU now. The result of `waits` does not contain this
        wait yet."""

    def look(self) -> None:
        """Notes which processes the bot has. This look is between two readings of the counters. Without it,
        more processes could begin and end without being noticed."""

    def count_on_core(self, wanted: bool) -> None:
        """Begins or ends the counter that makes `lost_us` exact. The counter costs time at each answer."""


class Looking(Protocol):
    """The methods of the watchdog that an account calls."""

    def turns(self) -> Turns:
        """Returns the moments of the last two turns of the event loop."""

    def stolen_us(self, now: int) -> int:
        """Returns for how long the host of this virtual machine has used the cores of the loop and its bots
        for other machines."""


class Account:
    """The readings of one bot's waits, and the note about its present answer."""

    def __init__(
        self, process: Waiting, watchdog: Looking, cpu_clock: Callable[[], int], banked: bool = False
    ) -> None:
        """Keeps `cpu_clock`, which returns the CPU time of this thread in nanoseconds. `banked` is true if
        the bot has a bank. With a bank, excused time is computed for short answers too."""
        self._process = process
        self._banked = banked
        self._silent = False  # true if, since the last `rest`, a tick came while the bot had not answered yet
        self._watchdog = watchdog
        self._cpu_clock = cpu_clock
        self._noted = NOTHING
        self._waits = Waits(0, 0)
        self._read_at = 0
        self._ran_after = 0  # if a wait is not in the counters yet, it began after this moment
        self._next = 0

    def rest(self, now: int) -> None:
        """Reads the counters while the bot is not asked, unless the last reading was too recent. So the bot's
        waits up to the last reading do not count for its next answer.

        If the bot has no bank, only answers that are still missing at a tick need the counter of the bot's
        time on a core. If there was no such answer since the last reading of this method, this method ends
        the counter. Each call also looks at the bot's processes, because a bot may compute in hidden
        processes between two answers.
        """
        self._process.look()
        if now >= self._next:
            self._read(now)
            if not (self._silent or self._banked):
                self._process.count_on_core(False)
            self._silent = False

    def tick(self, asked: int, now: int) -> bool:
        """Reads the counters unless the last reading was too recent. Returns whether this call has read the
        counters. The moment `now` is later than the moment `asked`."""
        self._process.look()
        if now < self._next:
            return False
        self._note(asked, now)
        self._silent = True
        self._process.count_on_core(True)
        return True

    def has_time(self, asked: int, now: int, limit_us: int) -> bool:
        """Returns whether a bot that has not answered at `now` may still have time, according to the last
        reading.
        """
        passed_us, waited_us = (now - asked) // 1000, self.waited_us(asked, now, limit_us)
        overdue = passed_us - waited_us > limit_us
        if overdue and not self._noted.hides(self._waits) and self._process.is_ready():
            # The bot may be waiting for a core.
            waited_us += max(0, now - max(asked, self._ran_after)) // 1000
        return passed_us - min(waited_us, most_waited_us(limit_us)) <= limit_us

    def waited_us(self, asked: int, now: int, limit_us: int) -> int:
        """Returns for how long the bot had waited for a CPU between the question and the last reading; 0 if
        there was no reading since the question."""
        if self._noted.asked != asked:
            return 0
        passed_us = (now - asked) // 1000
        return min(waited_us(passed_us, self._noted, self._waits), most_waited_us(limit_us))

    def excused(self, asked: int, now: int, limit_us: int, ran_us: int) -> Excused:
        """Returns the excused time of an answer that was just read, at `now`.

        `ran_us` is the CPU time of the bot since the question, or 0 if this time is unknown.
        """
        turns = self._watchdog.turns()
        self._note(asked, now)
        waited_us = self.waited_us(asked, now, limit_us)
        passed_us = (now - asked) // 1000
        return excused(passed_us, ran_us, waited_us, unseen_us(asked, now, turns))

    def _note(self, asked: int, now: int) -> None:
        before, waits = self._waits, self._read(now)
        if self._noted.asked != asked:
            self._noted = note(asked, now, before, waits)

    def _read(self, now: int) -> Waits:
        began = self._cpu_clock()
        waited_us, ran_us, lost_us, _, changes = self._process.waits()
        # A call of `_replace` would be shorter, but each call leaves a tuple in the memory of Python, up to
        # 144 kB in all.
        waits = Waits(waited_us, ran_us, lost_us, self._watchdog.stolen_us(now), changes)
        if waits.ran_us > self._waits.ran_us:
            self._ran_after = self._read_at + 1000 * (waits.ran_us - self._waits.ran_us)
        self._waits, self._read_at = waits, now
        self._next = now + SHARE * (self._cpu_clock() - began)
        return waits
