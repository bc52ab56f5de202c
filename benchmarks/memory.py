"""Measures the peak memory of a worker that plays one match, and of a process that plays many matches at
once.

As a program, this module prints numbers of bytes. Without COUNT it prints the peak memory of a worker after
one match. With COUNT it prints two peaks of its own process: after one match, and after COUNT matches at
once.

    python -m benchmarks.memory BUILD_FOLDER [COUNT]

This measurement is a separate program, because a worker also imports all modules that its main module
imports. The logs do not count as memory of a further match: they belong to the record, not to the match.
"""

from __future__ import annotations

import multiprocessing
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchmarks import rounds
from benchmarks.entrants import c_bots
from benchmarks.playing import FOUR, job
from harness.bot.loop import run_loop
from harness.job import Entrant
from harness.play.local import open_local_runner
from harness.play.sitting import play_together


def worker_mb(build: Path) -> float:
    """Peak memory in megabytes of a worker that has played one match of connect four."""
    [one] = _told(build)
    return one / 1e6


def further_kb(build: Path, at_once: int) -> float:
    """The kilobytes of memory that each further match needs if `at_once` sittings of one match each are
    played at once."""
    one, many = _told(build, str(at_once))
    return (many - one) / (at_once - 1) / 1e3


def _told(build: Path, *count: str) -> list[int]:
    return msgspec.json.decode(rounds.run("benchmarks.memory", str(build), *count), type=list[int])


def of_a_worker(bots: Sequence[Entrant]) -> list[int]:
    """The peak memory of a worker that has played one match."""
    return [run_loop(_of_a_worker, bots)]


async def _of_a_worker(bots: Sequence[Entrant]) -> int:
    jobs = iter([job(FOUR, bots, 0, 1)])
    async with open_local_runner(1) as runner, runner.play(lambda: next(jobs, None)) as results:
        async for done in results:
            assert not done.void, done.void
        [worker] = multiprocessing.active_children()
        return _peak(worker.pid)


def of_matches(bots: Sequence[Entrant], count: int) -> list[int]:
    """The peak memory of this process after one match, and after `count` matches at once, without their logs.
    Before that, another match is played to warm up."""
    found = []
    for at_once in (1, 1, count):
        played = run_loop(play_together, [job(FOUR, bots, encounter, 1) for encounter in range(at_once)])
        found.append(_peak() - sum(len(done.log) for done in played))
    return found[1:]


def _peak(pid: int | None = None) -> int:
    """The peak memory of a process in bytes; None stands for this process."""
    status = Path(f"/proc/{pid or 'self'}/status").read_text()
    [peak] = re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return int(peak) * 1024


def main(build: str, count: str = "") -> None:
    """Prints the peak memory in bytes."""
    bots = c_bots(Path(build))
    print(of_matches(bots, int(count)) if count else of_a_worker(bots))


if __name__ == "__main__":
    main(*sys.argv[1:])
