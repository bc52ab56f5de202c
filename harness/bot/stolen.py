"""Computes for how long the host of a virtual machine took a bot's core for other machines.

While the host runs another machine on a core, the clock goes on, but no process of ours runs there. A process
that had the core then counts this stolen time neither as CPU time nor as waiting; only a counter of events
takes it for CPU time. A bot that computed for 200 ms lost more than 20 ms in this way. The kernel counts the
stolen time of each core in /proc/stat.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection
from time import thread_time_ns

from harness.bot.excuse import STOLEN_STEP_US

FILE = "/proc/stat"
COLUMN = 8
"""The place of the stolen time in the line about a core. The name of the core has place 0."""
LINE = 160
"""A line about a core has fewer bytes than this. These lines are at the beginning of the file."""
SHARE = 50
"""Readings may use one part in this number of the time. One reading took 4 µs with 2 cores. It takes longer
with more cores."""


class Stolen:
    """The stolen time of some cores, read when somebody asks.

    If there are several cores, nobody knows which of them a bot used. So between two readings, the core
    counts from which most time was stolen.
    """

    def __init__(self, cores: Collection[int], file: str = FILE) -> None:
        """`cores` are the numbers of the cores. If there are none, nothing is read."""
        self._names = {b"cpu%d" % core for core in cores}
        self._size = LINE * (2 + max(cores, default=0))
        self._us = 0
        self._next = 0
        self._counts: dict[bytes, int] = {}
        self._file = -1
        if not cores:
            return
        with contextlib.suppress(OSError):
            self._file = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
            self._counts = self._read()

    @classmethod
    def here(cls) -> Stolen:
        """Reads the cores on which this process and the bots that it starts may run, if they are known."""
        return cls(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ())

    def us(self, now: int) -> int:
        """Returns the stolen time since the start in microseconds; 0 if it is unknown. It never falls.

        `now` is in monotonic nanoseconds. Soon after a reading, the result is still that of this reading.
        """
        if self._file >= 0 and now >= self._next:
            began = thread_time_ns()
            before, self._counts = self._counts, self._read()
            steps = max((count - before.get(name, count) for name, count in self._counts.items()), default=0)
            self._us += STOLEN_STEP_US * max(0, steps)
            self._next = now + SHARE * (thread_time_ns() - began)
        return self._us

    def close(self) -> None:
        """Closes the file. After this, the stolen time stays as it is."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _read(self) -> dict[bytes, int]:
        """Returns the number of stolen steps of each core."""
        lines = map(bytes.split, os.pread(self._file, self._size, 0).splitlines())
        return {line[0]: int(line[COLUMN]) for line in lines if len(line) > COLUMN and line[0] in self._names}


NO_CORES = Stolen(())
"""It reads nothing, and knows of no stolen time."""


# -- the time that a bot lost ------------------------------------------------------------------------
#
# Computes the lost time of a bot: it had a core, but the host ran another machine there; pure.
#
# If the host takes a core, the kernel goes on to count how long a process has the core. But it does not add
# this time to the CPU time of the process:
#
#     a process has a core       |--------------------------|    `on_core_us`, a counter of events
#     the host has the core            |--------|
#     the process runs           |-----|        |-----------|    `exact_us`, the CPU time
#     lost time                        |--------|
#
# A bot can make the lost time longer than it is: the CPU time of some children that have ended is known to
# nobody. So the lost time is only an upper limit, beside the stolen time of the core
# (harness/bot/stolen.py).
#
# Without the counter, a bot that is awake may lose all its time. It is also so if the counter missed a
# process or a thread that started just when the counter began.


SLACK_US = 1_000
"""The two counters are not read at the same moment."""


class Lost:
    """The lost time of one bot, from reading to reading."""

    def __init__(self) -> None:
        self.us = 0
        """The lost time in microseconds. It can fall a little, because some CPU time is known late."""
        self._misses = False  # whether the counter has missed a process of the bot
        self._began_us = 0  # the CPU time of the bot when the counter began
        self._before_us = 0
        self._read_at = 0
        self._worked_us = 0

    def read(
        self, on_core_us: int, exact_us: int, worked_us: int, awake: Callable[[], bool], now: int
    ) -> None:
        """Takes a reading at `now`, in monotonic nanoseconds.

        `on_core_us` is negative if there is no counter. A counter begins with the process or directly after a
        reading without one. `worked_us` is the time for which the bot has run or waited for a CPU. It grows
        if the bot was awake after the last reading. If it did not grow, `awake` tells whether the bot is
        awake now.
        """
        counted, lost_us = on_core_us >= 0, 0
        if counted:
            lost_us = on_core_us - (exact_us - self._began_us)
            self._misses = self._misses or lost_us < -SLACK_US
        else:
            self._began_us, self._misses = exact_us, False
        if counted and not self._misses:
            self.us += lost_us - self._before_us
        elif worked_us > self._worked_us or awake():
            self.us += (now - self._read_at) // 1000
        self._before_us, self._read_at, self._worked_us = lost_us, now, worked_us
