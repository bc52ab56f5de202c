"""The result of a measurement, and the stopwatch that takes it."""

from __future__ import annotations

import multiprocessing
import sys
import time
from time import perf_counter
from typing import NamedTuple


class Sample(NamedTuple):
    """The number of units of work, their wall-clock time, and the CPU time of the controller, both in
    seconds.

    The controller is this process and its workers. The CPU time of bots does not count.
    """

    units: int
    wall_s: float
    cpu_s: float


class Stopwatch:
    """A stopwatch that starts when the object is made."""

    def __init__(self) -> None:
        self._cpu_s = _cpu_s()
        self._began = perf_counter()

    def sample(self, units: int) -> Sample:
        """The time since the start, for this number of units of work."""
        wall_s = perf_counter() - self._began
        return Sample(units, wall_s, _cpu_s() - self._cpu_s)


def _cpu_s() -> float:
    used = time.process_time()
    if sys.platform == "linux":
        for worker in multiprocessing.active_children():
            # The argument is the kernel's number for the CPU clock of the worker's process.
            used += time.clock_gettime((~(worker.pid or 0) << 3) | 2)
    return used
