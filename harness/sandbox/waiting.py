"""Measures for how long the processes of a bot were ready to run while no process of the bot had a CPU.

A control group measures this wait exactly (harness/sandbox/cgroup.py). This file is for bots without a
control group. The kernel counts for each thread the time for which it ran and the time for which it waited
for a CPU. While one thread of a bot waits, another thread of the bot may run. The bot itself causes such a
wait, so this wait does not count. Between two readings,

    one thread ran and waited for          |-----------------------------|    the longest of all threads
    all processes of the bot used the CPU  |------------------|
    so the bot waited for others           |                  |----------|    or longer, never shorter

The result can be too small if the time between two readings is long and the threads of a bot wait one after
another.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from harness.sandbox import kernel_files, process_tree

MOST_THREADS = 64
"""If a bot has more threads than this, each look counts as a change (see `Readings.changes`). To look at this
number of threads takes 0.3 ms at each tick of the watchdog."""


class Readings:
    """The sum of the waits of one bot over all readings."""

    def __init__(self) -> None:
        self.waited_us = 0
        """The time for which the bot was ready to run but none of its processes had a CPU. This sum never
        falls."""
        self.ran_us = 0
        """The CPU time of all processes of the bot. This sum never falls, even if processes end."""
        self.exact_us = 0
        """The CPU time of all processes of the bot, without ended children for which no process waited."""
        self.changes = 0
        """The number of looks at which the bot did not have the same processes as at the look before, or had
        more than MOST_THREADS threads. This sum never falls."""
        self._begun = False
        self._seen: set[int] = set()
        self._threads: dict[tuple[int, int], int] = {}
        self._processes: dict[int, tuple[int, int]] = {}
        self._counted_us = -1

    def look(self, roots: Sequence[int]) -> list[int]:
        """Returns these processes and their descendants. Compares this list with the list of the last
        look."""
        pids = list(dict.fromkeys(pid for root in roots for pid in process_tree.members(root)))
        threads = sum(len(process_tree.threads(pid)) for pid in pids)
        self.changes += self._begun and (self._seen != set(pids) or threads > MOST_THREADS)
        self._seen = set(pids)
        return pids

    def read(self, roots: Sequence[int], counted_us: int = -1) -> None:
        """Reads the counters of these processes and their descendants.

        `counted_us` is the kernel's own count of their CPU time, or -1 if the kernel has no such count. This
        count includes children for which no process waited. The sum over all processes does not include these
        children.
        """
        if not process_tree.KNOWN:
            return
        pids = self.look(roots)
        threads = {(pid, thread): us for pid in pids for thread, us in _threads_us(pid)}
        processes = {pid: (process_tree.own_cpu_us(pid), process_tree.childrens_cpu_us(pid)) for pid in pids}
        self.exact_us = sum(map(sum, processes.values()))
        if self._begun:
            grown_us = (us - self._before_us(key, us, threads) for key, us in threads.items())
            longest_us = max(grown_us, default=0)
            own_us = self._own_us(processes, counted_us)
            self.ran_us += own_us
            self.waited_us += max(0, longest_us - own_us)
        self._begun, self._threads, self._processes, self._counted_us = True, threads, processes, counted_us

    def _before_us(self, key: tuple[int, int], us: int, threads: dict[tuple[int, int], int]) -> int:
        """Returns the value of a thread's counter at the last reading. `us` is the counter's value now.

        If a thread executes a program, the thread becomes the first thread of its process, and keeps its own
        counter. So at the last reading, the present first thread of a process may have been any of the
        threads that have disappeared since then.
        """
        before_us = self._threads.get(key, 0)
        pid, thread = key
        if pid != thread:
            return before_us
        gone = (old for each, old in self._threads.items() if each[0] == pid and each not in threads)
        return max((old for old in gone if before_us < old <= us), default=before_us)

    def _own_us(self, processes: dict[int, tuple[int, int]], counted_us: int) -> int:
        if counted_us >= 0 and self._counted_us >= 0:
            return max(0, counted_us - self._counted_us)
        live_us = ended_us = 0
        for pid, (own, ended) in processes.items():
            own_before, ended_before = self._processes.get(pid, (0, 0))
            live_us += max(0, own - own_before)
            ended_us += max(0, ended - ended_before)
        # When a process is reaped, the kernel adds the CPU time of this process to a counter of its parent.
        # This counter is the time of ended children.
        known_us = sum(map(sum, (us for pid, us in self._processes.items() if pid not in processes)))
        return live_us + max(0, ended_us - known_us)


def is_ready(root: int) -> bool:
    """Returns whether a thread of this process or its descendants runs or is ready to run. The kernel adds a
    wait to its counter only when the wait is over."""
    return any(
        _state(pid, thread) == b"R"
        for pid in process_tree.members(root)
        for thread in process_tree.threads(pid)
    )


def _state(pid: int, thread: str) -> bytes:
    try:
        line = kernel_files.read(f"/proc/{pid}/task/{thread}/stat")
        return line.rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return b""


def _threads_us(pid: int) -> list[tuple[int, int]]:
    """For each thread of a process, returns its id and the microseconds for which it has run or waited for a
    CPU."""
    found = []
    for thread in process_tree.threads(pid):
        with contextlib.suppress(OSError, ValueError):
            ran, waited, _ = kernel_files.read(f"/proc/{pid}/task/{thread}/schedstat").split()
            found.append((int(thread), (int(ran) + int(waited)) // 1000))
    return found
