"""Measures the CPU time and memory of a process and all its descendants together.

This file reads /proc, which only Linux has. On other systems, it finds no descendants, and all measurements
are 0.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from harness.sandbox import kernel_files

KNOWN = sys.platform == "linux"
"""True if processes can be measured on this machine."""
OURS = os.geteuid()
"""The user id of the harness. The user id 0 is root, who may look into all processes."""
TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")

MOST_LOOKED = 1_000
"""The largest number of descriptors to look at. More descriptors would take more than a few milliseconds."""


class CpuTime(NamedTuple):
    """The CPU time of some processes together at one moment, in microseconds."""

    us: int
    rounded_us: int = 0
    """The part of `us` that the kernel rounds down: the time of ended children for which a process waited."""


def members(root: int) -> list[int]:
    """Returns the id of the process `root`, and then the ids of its descendants."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children(pid)
    return found


def children(pid: int) -> list[int]:
    """Returns the ids of the processes that this process started or adopted, or no ids if this process has
    ended."""
    found: list[int] = []
    try:
        for thread in threads(pid):
            found += map(int, kernel_files.read(f"/proc/{pid}/task/{thread}/children").split())
    except OSError:
        pass
    return found


def threads(pid: int) -> list[str]:
    """Returns the ids of the threads of this process as text, or no ids if this process has ended."""
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def memory(pids: Iterable[int], limit: int) -> int:
    """Returns the bytes of memory that these processes use together, with swap and page tables.

    Memory that several processes share should count only once, but it takes long to measure which memory is
    shared. So shared memory is measured only if the simple sum, which counts shared memory several times, is
    over the limit.
    """
    each = list(pids)
    plain = sum(map(resident, each))
    return plain if plain <= limit else sum(map(_proportional, each))


def cpu_time(pids: Iterable[int], counted_us: int = -1, confined: bool = False) -> CpuTime:
    """Returns the CPU time of these processes and of their children that have ended.

    `counted_us` is the kernel's own count of this CPU time, or -1 if there is none. This count includes
    children for which no process waited. The sum of the times of all processes does not include these
    children. The count may be too low (harness/bot/process.py), but the sum is exact for live processes. So
    the larger of the two is used. The count leaves out a process that hides from the counter, and the
    children of this process. So if a process hides, all time since its start counts as CPU time.
    """
    each = list(pids)
    own_us = sum(map(_cpu_us, each))
    hidden_us = sum(_hidden_us(pid) for pid in each if hides(pid, confined))
    if counted_us >= 0:
        return CpuTime(max(own_us, counted_us) + hidden_us)
    rounded_us = sum(map(childrens_cpu_us, each))
    return CpuTime(own_us + rounded_us + hidden_us, rounded_us)


def _hidden_us(pid: int) -> int:
    """Returns the microseconds since the start of a process. If the process hides, they count as CPU time."""
    try:
        began_us = int(_fields(pid)[19]) * TICK_US
    except (OSError, IndexError):
        return 0
    return max(0, time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000 - began_us)


def hides(pid: int, confined: bool = False) -> bool:
    """Returns whether a process may hide from a counter of events, because it executes a file that its user
    cannot read.

    The files of such a process in /proc belong to root. The files of a process that is ending also belong to
    root, but such a process has no memory, so it does not count as hiding. If the process made a user
    namespace, the files of the process in /proc may belong to its user, because this user is root in the
    namespace. So a process in another namespace than ours may hide, unless a sandbox made this namespace
    (`confined`).
    """
    try:
        owner = os.stat(f"/proc/{pid}/environ").st_uid
        if owner != (OURS or _user(pid)):
            return bool(_counted(f"/proc/{pid}/status", (b"VmSize:",)))
        return not confined and _namespace(pid) != _our_namespace()
    except OSError:
        return False


def _user(pid: int) -> int:
    """Returns the user who started this process. A program like sudo runs as another user than the user who
    started it."""
    lines = kernel_files.read(f"/proc/{pid}/status").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith(b"Uid:")), 0)


def _namespace(pid: int) -> int:
    return os.stat(f"/proc/{pid}/ns/user").st_ino


@cache
def _our_namespace() -> int:
    return _namespace(os.getpid())


def have_open(pids: Iterable[int], usual: int, file: os.stat_result) -> bool:
    """Returns whether one of these processes has this file open. Tests the descriptor `usual` first.

    If these processes have more than MOST_LOOKED files open together, the function looks at none of these
    files, and returns True to be safe.
    """
    each = list(pids)
    if any(_is(f"/proc/{pid}/fd/{usual}", file) for pid in each):
        return True
    others = [f"/proc/{pid}/fd/{number}" for pid in each for number in descriptors(pid)]
    return len(others) > MOST_LOOKED or any(_is(path, file) for path in others)


def descriptors(pid: int) -> list[str]:
    """Returns the numbers of the descriptors that this process has open, or no numbers if the process is
    ending."""
    try:
        return os.listdir(f"/proc/{pid}/fd")
    except OSError:
        return []


def _is(path: str, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.stat(path), file)
    except OSError:
        return False


def own_cpu_us(pid: int) -> int:
    """Returns the microseconds of CPU time that one process has used, or 0 if the CPU time is unknown."""
    return _cpu_us(pid) if KNOWN else 0


def _cpu_us(pid: int) -> int:
    # The number of the process's CPU clock, computed as glibc's clock_getcpuclockid does.
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) // 1000
    except OSError:
        return 0


def childrens_cpu_us(pid: int) -> int:
    """Returns the CPU time, in microseconds, of those children of a process that have ended and were
    reaped."""
    try:
        fields = _fields(pid)
    except OSError:
        return 0
    return (int(fields[13]) + int(fields[14])) * TICK_US


def _fields(pid: int) -> list[bytes]:
    """Returns the numbers after the name of a process in its file `stat`."""
    return kernel_files.read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def resident(pid: int) -> int:
    """Returns the bytes of memory of a process, with all memory that it shares with other processes."""
    return _counted(f"/proc/{pid}/status", (b"VmRSS:", b"VmSwap:", b"VmPTE:"))


def private(pid: int) -> int:
    """Returns the bytes of memory of a process, without mapped files and shared memory."""
    return _counted(f"/proc/{pid}/status", (b"RssAnon:", b"VmSwap:", b"VmPTE:"))


def page_tables(pid: int) -> int:
    """Returns the bytes that the kernel needs for the page tables of a process."""
    return _counted(f"/proc/{pid}/status", (b"VmPTE:",))


def _proportional(pid: int) -> int:
    part = _counted(f"/proc/{pid}/smaps_rollup", (b"Pss:", b"SwapPss:"))
    return part + page_tables(pid) if part else resident(pid)


def _counted(path: str, names: tuple[bytes, ...]) -> int:
    """Returns the sum of the numbers in the lines with these names, in bytes; 0 if the file cannot be
    read."""
    try:
        lines = kernel_files.read(path).splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(names))
