"""Keeps the account of one bot's answers: for how long it waited for a CPU, and for how long nobody looked.

The watchdog calls `tick` about every 10 ms while the bot is asked, and `rest` some times a second while it is
not asked. So an answer that comes before the first tick costs no read of /proc (docs/design.md, section 8).
This file is pure: the process and the watchdog read the counters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from harness.bot import excuse
from harness.bot.excuse import Excused, Turns, Waits

SHARE = 50
"""Readings may use one part in this number of the time. The more processes a bot has, the more a reading
costs, and while the loop reads, it does not look at the pipes."""


class Waiting(Protocol):
    """The process of a bot."""

    def waits(self) -> Waits:
        """Returns the counters of the bot now."""

    def is_ready(self) -> bool:
        """Whether the bot may be waiting now, and this wait is not counted yet."""


class Looking(Protocol):
    """The watchdog of the loop that reads the answers."""

    def turns(self) -> Turns:
        """Returns when the loop last looked at the pipes."""

    def stolen_us(self, now: int) -> int:
        """Returns for how long the host of this virtual machine had the cores of the loop and its bots."""


class Account:
    """The readings of one bot's waits, and the note about its present answer."""

    def __init__(self, process: Waiting, watchdog: Looking, cpu_clock: Callable[[], int]) -> None:
        """`cpu_clock` tells the CPU time of this thread in nanoseconds."""
        self._process = process
        self._watchdog = watchdog
        self._cpu_clock = cpu_clock
        self._noted = excuse.NOTHING
        self._waits = Waits(0, 0)
        self._read_at = 0
        self._ran_after = 0  # not before this moment did the wait begin that is not counted yet
        self._next = 0

    def rest(self, now: int) -> None:
        """Reads the counters while the bot is not asked: its waits until now belong to no answer."""
        if now >= self._next:
            self._read(now)

    def tick(self, asked: int, now: int) -> bool:
        """Reads the counters if they are due; returns whether they were. `now` is after `asked`."""
        if now < self._next:
            return False
        self._note(asked, now)
        return True

    def has_time(self, asked: int, now: int, limit_us: int) -> bool:
        """Whether a bot that has not answered at `now` may still have time, by the last reading."""
        passed_us, waited_us = (now - asked) // 1000, self.waited_us(asked, now, limit_us)
        if passed_us - waited_us > limit_us and self._process.is_ready():  # It may wait since it last ran.
            waited_us += max(0, now - max(asked, self._ran_after)) // 1000
        return passed_us - min(waited_us, excuse.most_waited_us(limit_us)) <= limit_us

    def waited_us(self, asked: int, now: int, limit_us: int) -> int:
        """Returns for how long the bot had waited for a CPU at its last reading."""
        if self._noted.asked != asked:
            return 0
        passed_us = (now - asked) // 1000
        return min(excuse.waited_us(passed_us, self._noted, self._waits), excuse.most_waited_us(limit_us))

    def excused(self, asked: int, now: int, limit_us: int, ran_us: int) -> Excused:
        """Returns the excused time of an answer that was just read, at `now`.

        `ran_us` is the CPU time of the bot since the question; 0 if it is unknown.
        """
        turns = self._watchdog.turns()
        self._note(asked, now)
        waited_us = self.waited_us(asked, now, limit_us)
        passed_us = (now - asked) // 1000
        return excuse.excused(passed_us, ran_us, waited_us, excuse.unseen_us(asked, now, turns))

    def _note(self, asked: int, now: int) -> None:
        before, waits = self._waits, self._read(now)
        if self._noted.asked != asked:
            self._noted = excuse.note(asked, now, before, waits)

    def _read(self, now: int) -> Waits:
        began = self._cpu_clock()
        waits = self._process.waits()._replace(stolen_us=self._watchdog.stolen_us(now))
        if waits.ran_us > self._waits.ran_us:
            self._ran_after = self._read_at + 1000 * (waits.ran_us - self._waits.ran_us)
        self._waits, self._read_at = waits, now
        self._next = now + SHARE * (self._cpu_clock() - began)
        return waits
