"""Counts the CPU time of a process and of all processes that it will start, where there is no control group.

/proc shows the CPU time of a child that has ended only if its parent waited for it. A bot that ignores its
children could compute in them, and nobody would see it. The kernel's counter of events counts them too. Any
user may open it for the own processes if `kernel.perf_event_paranoid` is 2 or less, which is the kernel's
default; Debian and Ubuntu set a higher value.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys

from harness.sandbox.seccomp import ARCHITECTURES, DENIED

ATTRIBUTES = struct.Struct("<IIQQQQQ72x")
SOFTWARE, TASK_CLOCK = 1, 1
INHERIT, NOT_THE_KERNEL, NOT_THE_HYPERVISOR = 1 << 1, 1 << 5, 1 << 6
"""Flags: children count too. Without the other two, ordinary users have no right to it."""
ANY_CPU, NO_GROUP, CLOSE_ON_EXEC = -1, -1, 8


class CpuCounter:
    """The CPU time of one process, from now on, and of its future descendants."""

    def __init__(self, pid: int) -> None:
        """Begins to count. Raises OSError if this machine does not allow it."""
        if sys.platform != "linux" or platform.machine() not in ARCHITECTURES:
            raise OSError(38, "no counter on this machine")
        column, _ = ARCHITECTURES[platform.machine()]
        flags = INHERIT | NOT_THE_KERNEL | NOT_THE_HYPERVISOR
        wanted = ATTRIBUTES.pack(SOFTWARE, ATTRIBUTES.size, TASK_CLOCK, 0, 0, 0, flags)
        library = ctypes.CDLL(None, use_errno=True)
        number = DENIED["perf_event_open"][column]
        self._file = library.syscall(number, wanted, pid, ANY_CPU, NO_GROUP, CLOSE_ON_EXEC)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), "the kernel gives no counter")

    def us(self) -> int:
        """Returns the microseconds of CPU time so far."""
        return int.from_bytes(os.read(self._file, 8), sys.byteorder) // 1000

    def close(self) -> None:
        os.close(self._file)


def counter(pid: int) -> CpuCounter | None:
    """Returns a counter for this process; None if this machine does not allow it."""
    try:
        return CpuCounter(pid)
    except OSError:
        return None


def available() -> bool:
    """Whether this machine has such counters for us."""
    found = counter(0)
    if found:
        found.close()
    return found is not None
