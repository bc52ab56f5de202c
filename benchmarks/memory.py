"""Owns the memory that a worker takes at its peak, with one match and with many at once; times nothing.

Run as a program it prints the peaks in bytes, each after so many matches at once:

    python -m benchmarks.memory BUILD_FOLDER COUNT...
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
from harness.runners.local import LocalRunner, open_local_runner


def worker_mb(build: Path) -> float:
    """Megabytes that a worker held at most when it has played one match of connect four."""
    return _peaks_told(build, 1)[0] / 1e6


def further_kb(build: Path, at_once: int) -> float:
    """Kilobytes for each further match when a worker plays so many at once, one deal each."""
    one, many = _peaks_told(build, 1, at_once)
    return (many - one) / (at_once - 1) / 1e3


def _peaks_told(build: Path, *counts: int) -> list[int]:
    # By a program of its own: what the main module has imported, a worker imports too.
    told = rounds.run("benchmarks.memory", str(build), *map(str, counts))
    return msgspec.json.decode(told, type=list[int])


def peaks(game: str, bots: Sequence[Entrant], counts: Sequence[int]) -> list[int]:
    """Bytes that a worker held at most so far, each time when it has played so many matches at once."""
    return trio.run(_peaks, game, bots, counts)


async def _peaks(game: str, bots: Sequence[Entrant], counts: Sequence[int]) -> list[int]:
    found = []
    async with open_local_runner(1, max(counts)) as runner:
        for count in counts:
            await _play(runner, game, bots, count)
            [worker] = multiprocessing.active_children()
            status = Path(f"/proc/{worker.pid}/status").read_text()
            [peak] = re.findall(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
            found.append(int(peak) * 1024)
    return found


async def _play(runner: LocalRunner, game: str, bots: Sequence[Entrant], count: int) -> None:
    jobs = iter([job(game, bots, encounter, 1) for encounter in range(count)])
    async with runner.play(lambda: next(jobs, None)) as results:
        async for done in results:
            assert not done.void, done.void


if __name__ == "__main__":
    print(peaks(FOUR, c_bots(Path(sys.argv[1])), list(map(int, sys.argv[2:]))))
