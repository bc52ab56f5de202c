"""Computes for how long the host of a virtual machine gave the core of a bot to other machines.

While the host runs another machine on a core, time passes, but no process of this machine runs on the core.
This is the stolen time of the core, and the kernel counts it in /proc/stat. If the host takes the core from a
process, the kernel does not count the stolen time as CPU time or waiting time of the process. But a counter
of events (harness/sandbox/cpu_counter.py) counts the stolen time as CPU time. In a test, a bot computed for
200 ms, and more than 20 ms of this time were stolen.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection
from time import thread_time_ns

from harness.bot.excuse import STOLEN_STEP_US

FILE = "/proc/stat"
COLUMN = 8
"""The column with the stolen time, in the line about a core in /proc/stat. The name of the core is column 0.
"""
LINE = 160
"""A line about a core in /proc/stat has at most this number of bytes. These lines are at the beginning of the
file.
"""
SHARE = 50
"""The pause after a reading, as a multiple of the CPU time of this reading. A reading took 4 µs with 2 cores,
and takes longer with more cores."""


class Stolen:
    """The stolen time of a set of cores. The method `us` reads it.

    If there are several cores, nobody knows which core a bot used. So for the time between two readings, this
    class uses the core with the most stolen time, and ignores the other cores.
    """

    def __init__(self, cores: Collection[int], file: str = FILE) -> None:
        """Reads the stolen time of the cores with these numbers. Without cores, reads nothing."""
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
        """Begins to read the stolen time of the cores that this process and its bots may use. If these cores
        are not known, reads nothing."""
        return cls(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ())

    def us(self, now: int) -> int:
        """Returns the stolen time in microseconds since this object was made, or 0 if this time is unknown.
        The result never falls.

        `now` is in monotonic nanoseconds. A call soon after a reading returns the result of this reading
        again.
        """
        if self._file >= 0 and now >= self._next:
            began = thread_time_ns()
            before, self._counts = self._counts, self._read()
            steps = max((count - before.get(name, count) for name, count in self._counts.items()), default=0)
            self._us += STOLEN_STEP_US * max(0, steps)
            self._next = now + SHARE * (thread_time_ns() - began)
        return self._us

    def close(self) -> None:
        """Closes the file. After this call, `us` always returns the same stolen time."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _read(self) -> dict[bytes, int]:
        """Returns the number of stolen steps of each core."""
        lines = map(bytes.split, os.pread(self._file, self._size, 0).splitlines())
        return {line[0]: int(line[COLUMN]) for line in lines if len(line) > COLUMN and line[0] in self._names}


NO_CORES = Stolen(())
"""The stolen time of no cores, which is always 0."""


# -- the time that a bot lost ------------------------------------------------------------------------
#
# Computes the lost time of a bot: the time for which the bot had a core but the host ran another machine
# on it. This part is pure.
#
# While the host uses a core for another machine, a counter of events continues to count, as if the process
# still used the core.
# But the kernel does not add this time to the CPU time of the process:
#
#     a process has a core       |--------------------------|    `on_core_us`, a counter of events
#     the host has the core            |--------|
#     the process runs           |-----|        |-----------|    `exact_us`, the CPU time
#     lost time                        |--------|
#
# A bot can make the lost time seem longer than it is, because the CPU time of some ended children is unknown.
# So the true lost time is at most the computed time. The stolen time of the core, which the class `Stolen`
# reads, is a second upper bound of the true lost time.
#
# Without the counter, this file assumes the worst case: while a bot is awake, all its time is lost time. This
# file assumes the same if the counter missed a process or a thread that started just when the counter began.


SLACK_US = 1_000
"""`on_core_us` may be smaller than the CPU time by at most this number of microseconds, because these two
counters are not read at the same moment."""


class Lost:
    """The lost time of one bot, which each reading updates."""

    def __init__(self) -> None:
        self.us = 0
        """The lost time in microseconds. The lost time can fall a little, because some CPU time becomes known
        late."""
        self._misses = False  # true if the counter has missed a process of the bot
        self._began_us = 0  # the CPU time of the bot when the counter began
        self._before_us = 0
        self._read_at = 0
        self._worked_us = 0

    def read(
        self, on_core_us: int, exact_us: int, worked_us: int, awake: Callable[[], bool], now: int
    ) -> None:
        """Takes a reading at `now`, in monotonic nanoseconds.

        `on_core_us` is negative if there is no counter. A counter begins with the process, or directly after
        a reading without a counter. `worked_us` is the time for which the bot has run or waited for a CPU.
        `worked_us` grows if the bot was awake at some time since the last reading. If it did not grow, this
        method calls `awake` to learn whether the bot is awake now.
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
