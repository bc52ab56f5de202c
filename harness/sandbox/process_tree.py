"""Counts what a process and all its descendants use together.

It reads /proc of Linux. On other systems a tree has only its root, and uses nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable

KNOWN = sys.platform == "linux"
"""Whether this machine tells anything."""
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")


def members(root: int) -> list[int]:
    """The ids of a process and of its descendants."""
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting += children(pid)
    return found


def children(pid: int) -> list[int]:
    """The ids of the processes that this one started or adopted; empty if it has ended."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def memory(pids: Iterable[int], limit: int) -> int:
    """Bytes of memory that these processes use together; memory that several of them share counts once.

    Finding out what is shared takes long, and is done only if the plain sum is over the limit.
    """
    each = list(pids)
    plain = sum(map(_resident, each))
    return plain if plain <= limit else sum(map(_proportional, each))


def cpu_us(pids: Iterable[int]) -> int:
    """Microseconds of CPU time that these processes, and their children that have ended, have used."""
    return sum(_cpu_us(pid) + _childrens_us(pid) for pid in pids)


def have_open(pids: Iterable[int], usual: int, file: os.stat_result) -> bool:
    """Whether one of these processes has this file open, most likely as the descriptor `usual`."""
    each = list(pids)
    return any(_is(f"/proc/{pid}/fd/{usual}", file) for pid in each) or any(
        _is(f"/proc/{pid}/fd/{number}", file) for pid in each for number in descriptors(pid)
    )


def descriptors(pid: int) -> list[str]:
    """The numbers of the descriptors that this process has open; empty if it is ending."""
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
    """Microseconds of CPU time that one process has used; 0 if the machine does not tell."""
    return _cpu_us(pid) if KNOWN else 0


def _cpu_us(pid: int) -> int:
    # The kernel's encoding of "the CPU clock of this process", as glibc's clock_getcpuclockid makes it.
    try:
        return time.clock_gettime_ns((~pid << 3) | 2) // 1000
    except OSError:
        return 0


def _childrens_us(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[13]) + int(fields[14])) * TICK_US


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
    except OSError:
        return _resident(pid)
