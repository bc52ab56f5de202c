"""Counts the CPU time of a process and of all processes that it will start, if there is no control group.

/proc shows the CPU time of an ended child only if the parent has waited for the child. So a bot could compute
in children and never wait for them, and /proc would not show this CPU time. A counter of events
(perf_event_open) includes these children. Any user may open such a counter for their own processes if
`kernel.perf_event_paranoid` is 2 or less, which is the kernel's default. Debian and Ubuntu set a higher
value.

The kernel starts and stops the counter at each switch to or from the process. With a counter, a fast bot
needs 1.3 µs more for each answer, which is a tenth of a whole move (docs/design.md, section 8).
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterable
from functools import cache

from harness.sandbox.seccomp import ARCHITECTURES, DENIED

ATTRIBUTES = struct.Struct("<IIQQQQQ72x")
SOFTWARE, TASK_CLOCK = 1, 1
INHERIT, NOT_THE_KERNEL, NOT_THE_HYPERVISOR = 1 << 1, 1 << 5, 1 << 6
"""Flags of a counter. With INHERIT, children count too. Without the other two flags, ordinary users may not
open the counter."""
ANY_CPU, NO_GROUP, CLOSE_ON_EXEC = -1, -1, 8


class CpuCounter:
    """A counter of CPU time. It counts the time of these threads from now on, and the time of all processes
    and threads that they will start."""

    def __init__(self, threads: Iterable[int]) -> None:
        """Begins to count. Raises OSError if this machine does not allow counters."""
        if sys.platform != "linux" or platform.machine() not in ARCHITECTURES:
            raise OSError(38, "no counter on this machine")
        self._files: list[int] = []
        try:
            for thread in threads:
                self._files.append(_opened(thread))
        except OSError:
            self.close()
            raise

    def us(self) -> int:
        """Returns the microseconds of CPU time since the counter began."""
        return sum(int.from_bytes(os.read(file, 8), sys.byteorder) // 1000 for file in self._files)

    def close(self) -> None:
        for file in self._files:
            os.close(file)
        self._files.clear()


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _opened(thread: int) -> int:
    """Returns the descriptor of a new counter for one thread."""
    column, _ = ARCHITECTURES[platform.machine()]
    flags = INHERIT | NOT_THE_KERNEL | NOT_THE_HYPERVISOR
    wanted = ATTRIBUTES.pack(SOFTWARE, ATTRIBUTES.size, TASK_CLOCK, 0, 0, 0, flags)
    number = DENIED["perf_event_open"][column]
    file: int = _library().syscall(number, wanted, thread, ANY_CPU, NO_GROUP, CLOSE_ON_EXEC)
    if file < 0:
        raise OSError(ctypes.get_errno(), "the kernel gives no counter")
    return file


def counter(*threads: int) -> CpuCounter | None:
    """Returns a counter for these threads, or None if this machine does not allow counters."""
    try:
        return CpuCounter(threads)
    except OSError:
        return None


@cache
def available() -> bool:
    """Tests at the first call whether this machine allows such counters. Later calls return the same result
    without a test."""
    found = counter(0)
    if found:
        found.close()
    return found is not None
