"""Measures the peak memory of a worker, with one match and with many at once.

Run as a program it prints bytes: the peak of a worker after one match, or with a COUNT the peaks of this
process after one match and after COUNT matches at once.

    python -m benchmarks.memory BUILD_FOLDER [COUNT]

It is a program of its own because a worker also imports what the main module has imported. The logs that a
worker hands back in one piece do not count as memory of a further match: they are the record, not the match.
"""

from __future__ import annotations

import multiprocessing
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import trio

from benchmarks import rounds
from benchmarks.entrants import c_bots
from benchmarks.playing import FOUR, job
from harness.job import Entrant
from harness.play.local import open_local_runner
from harness.play.seating import play_together


def worker_mb(build: Path) -> float:
    """Peak memory in megabytes of a worker that has played one match of connect four."""
    [one] = _told(build)
    return one / 1e6


def further_kb(build: Path, at_once: int) -> float:
    """Kilobytes for each further match when this number is played at once, one deal each."""
    one, many = _told(build, str(at_once))
    return (many - one) / (at_once - 1) / 1e3


def _told(build: Path, *count: str) -> list[int]:
    return msgspec.json.decode(rounds.run("benchmarks.memory", str(build), *count), type=list[int])


def of_a_worker(bots: Sequence[Entrant]) -> list[int]:
    """The peak of a worker that has played one match."""
    return [trio.run(_of_a_worker, bots)]


async def _of_a_worker(bots: Sequence[Entrant]) -> int:
    jobs = iter([job(FOUR, bots, 0, 1)])
    async with open_local_runner(1) as runner, runner.play(lambda: next(jobs, None)) as results:
        async for done in results:
            assert not done.void, done.void
        [worker] = multiprocessing.active_children()
        return _peak(worker.pid)


def of_matches(bots: Sequence[Entrant], count: int) -> list[int]:
    """The peaks of this process after one match and after `count` at once, following one match to warm up."""
    found = []
    for at_once in (1, 1, count):
        trio.run(play_together, [job(FOUR, bots, encounter, 1) for encounter in range(at_once)])
        found.append(_peak())
    return found[1:]


def _peak(pid: int | None = None) -> int:
    """The peak memory in bytes of a process (None: this one)."""
    status = Path(f"/proc/{pid or 'self'}/status").read_text()
    [peak] = re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    return int(peak) * 1024


def main(build: str, count: str = "") -> None:
    """Prints the peaks."""
    bots = c_bots(Path(build))
    print(of_matches(bots, int(count)) if count else of_a_worker(bots))


if __name__ == "__main__":
    main(*sys.argv[1:])
