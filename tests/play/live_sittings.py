"""Owns the sittings that tests of live bots play, and functions that find processes which a bot has left."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import trio

from harness.events import Record
from harness.job import Done, Entrant, Job, PlainRules
from harness.model import Limits
from harness.play.sitting import play_together
from tests.play.seated import records

Kind = TypeVar("Kind", bound=Record)
# Limits for tests: only a bot that hangs is late by them.
PATIENT = Limits(start_ms=60_000, move_ms=60_000)
HANG = 60.0
"""Seconds after which a test that waits is said to hang."""
ATTEMPTS = 5


def job(
    entrants: Sequence[Entrant],
    *,
    deals: Sequence[int] = (1,),
    limits: Limits = PATIENT,
    encounter: int = 1,
    attempt: int = 1,
    ponder: bool = True,
    orders: Sequence[tuple[int, ...]] = (),
) -> Job:
    """A sitting of Sevens with these bots by place."""
    return Job(
        run=1,
        round=1,
        encounter=encounter,
        sitting=1,
        attempt=attempt,
        rules=PlainRules("sevens", {}, limits, ponder=ponder),
        entrants=tuple(entrants),
        deals=tuple(deals),
        seeds=tuple(tuple(range(1, len(entrants) + 1)) for _ in deals),
        orders=tuple(orders),
    )


async def played(wanted: Job) -> Done:
    """Plays the sitting to its end. Plays it again while it is void, as a tournament does."""
    voids: list[str] = []
    while len(voids) < ATTEMPTS:
        with trio.fail_after(HANG):
            [done] = await play_together([wanted._replace(attempt=len(voids) + 1)])
        if not done.void:
            return done
        voids.append(done.void)
    raise AssertionError(voids)


def kept(done: Done, kind: type[Kind]) -> list[Kind]:
    """The records of this kind."""
    return [record for record in records(done) if isinstance(record, kind)]


def script(folder: Path, name: str, text: str, *arguments: str) -> Entrant:
    """Makes a bot of this program. The first line of the program says what runs it."""
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Entrant(name, (str(path), *arguments), str(folder))


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Lets this process, and all processes that it starts meanwhile, share one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def processes_with(text: str) -> list[int]:
    """The ids of the live processes in whose environment this text stands."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                if text.encode() in Path("/proc", entry, "environ").read_bytes():
                    found.append(int(entry))
    return found


def processes_that_see(bot: Path) -> list[int]:
    """The ids of the live processes in whose sandbox this bot's folder, or its one file, is shown."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                if f"{bot} /bot" in Path("/proc", entry, "mountinfo").read_text():
                    found.append(int(entry))
    return found


def signals(mask: str) -> list[int]:
    """The signals in a mask of /proc/PID/status, without libc's own two signals (32 and 33).

    No program can change these two, so a bot has them as the program that started the tests had them.
    """
    bits = int(mask, 16)
    return [number for number in signal.valid_signals() if bits >> (number - 1) & 1]
