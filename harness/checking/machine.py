"""Owns what can be told of this machine before bots are timed on it: measured here and now; plays nothing."""

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
"""Of a hundred times that the loop waits, 99 should end no later: the watchdog gives bots as much."""
MOST_KEPT = 0.10
"""The part of its time that a busy program may wait for a CPU: what is more will cost voids."""


class Lateness(NamedTuple):
    """How much later than asked the loop was woken, in microseconds."""

    median: int
    high: int
    """99 of 100 were no later."""
    worst: int


class Machine(NamedTuple):
    """What there is, and how it does now."""

    system: str
    python: str
    cores: int
    load: float
    """Programs that wanted to run in the last minute, in the mean."""
    late_us: Lateness
    kept: float
    """For which part of its time a program that is always busy had no CPU."""
    isolation: str
    lacking: str
    """What a stronger isolation lacks, "" for nothing."""
    groups: bool
    """Whether the kernel keeps the memory of isolated bots, or we have to watch it."""
    filtered: bool
    """Whether system calls of isolated bots are filtered."""
    languages: dict[str, str]
    """For each language the command that installs what it lacks here, "" for nothing."""

    def unfit(self) -> list[str]:
        """Why bots should not be timed here now, in words; nothing where they can."""
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
    """This machine, looked at for so many seconds."""
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
    """A program that does nothing but look at the time uses as much CPU as passes, if it is let."""
    wall, own = time.monotonic(), time.process_time()
    until = wall + seconds
    while time.monotonic() < until:
        pass
    return max(0.0, 1 - (time.process_time() - own) / (time.monotonic() - wall))
