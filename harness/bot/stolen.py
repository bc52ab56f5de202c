"""Reads for how long the host of a virtual machine took the cores of this process for other machines.

While the host runs another machine on a core, the clock goes on, but no process of ours runs there. A process
that had the core then counts this stolen time neither as CPU time nor as waiting; only a counter of events
takes it for CPU time. A bot that computed for 200 ms lost more than 20 ms in this way. The kernel counts the
stolen time of each core in /proc/stat.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
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
