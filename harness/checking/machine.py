"""Measures whether this machine, in its present state, can time bots."""

from __future__ import annotations

import os
import platform
import shutil
import time
from typing import NamedTuple

import trio

from harness.config.programs import LANGUAGES, lacking
from harness.sandbox import cgroup
from harness.sandbox.isolation import achieved
from harness.sandbox.seccomp import program

TICK = 0.001
MOST_LATE_US = 5_000
"""The loop should be woken no later than this 99 times in 100: the watchdog gives bots the same margin."""
MOST_KEPT = 0.10
"""The part of its time that a busy program may wait for a CPU; more will make matches void."""


class Lateness(NamedTuple):
    """How much too late the loop was woken, in microseconds."""

    median: int
    high: int
    """99 of 100 were no later."""
    worst: int


class Machine(NamedTuple):
    """The machine: its parts, and its present state."""

    system: str
    python: str
    cores: int
    load: float
    """The mean number of programs that were ready to run in the last minute."""
    late_us: Lateness
    kept: float
    """The part of its time for which a program that is always busy had no CPU."""
    isolation: str
    lacking: str
    """What a stronger isolation lacks, "" for nothing."""
    groups: bool
    """Whether the kernel limits the memory of isolated bots; if not, the watchdog does."""
    filtered: bool
    """Whether system calls of isolated bots are filtered."""
    languages: dict[str, str]
    """For each language the command that installs what it lacks here, "" for nothing."""

    def unfit(self) -> list[str]:
        """The reasons not to time bots here now, as sentences; empty if there are none."""
        found = []
        if self.kept > MOST_KEPT:
            found.append(
                f"other work keeps the CPU from a busy program for {self.kept:.0%} of its time: end that "
                'first, or charge bots for their own CPU time alone (clock = "cpu" in the plan)'
            )
        if self.late_us.high > MOST_LATE_US:
            found.append(
                f"a program that waits is woken up to {self.late_us.high / 1000:.1f} ms late: answers seem "
                "later than they were, and matches may be void"
            )
        return found


def examined(seconds: float) -> Machine:
    """This machine, measured for this number of seconds."""
    isolation = achieved("auto")
    late = trio.run(_lateness, seconds / 2)
    return Machine(
        system=f"{platform.system()} {platform.release()} ({platform.machine()})",
        python=platform.python_version(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        load=os.getloadavg()[0],
        late_us=late,
        kept=_kept(seconds / 2),
        isolation=isolation.level,
        lacking=isolation.lacking,
        groups=cgroup.available(),
        filtered=program(platform.machine()) is not None,
        languages={language: lacking(language, shutil.which) for language in LANGUAGES},
    )


async def _lateness(seconds: float) -> Lateness:
    late = []
    until = trio.current_time() + seconds
    while (now := trio.current_time()) < until:
        await trio.sleep(TICK)
        late.append(max(0, int((trio.current_time() - now - TICK) * 1e6)))
    late.sort()
    return Lateness(late[len(late) // 2], late[len(late) * 99 // 100], late[-1])


def _kept(seconds: float) -> float:
    """The part of the time for which a busy loop had no CPU: on a free CPU it uses as much as passes."""
    wall, own = time.monotonic(), time.process_time()
    until = wall + seconds
    while time.monotonic() < until:
        pass
    return max(0.0, 1 - (time.process_time() - own) / (time.monotonic() - wall))
