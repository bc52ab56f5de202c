"""Owns the memory that a worker takes at its peak, with one match and with many at once; times nothing."""

from __future__ import annotations

import multiprocessing
import re
from collections.abc import Sequence
from pathlib import Path

import trio

from benchmarks.playing import job
from harness.job import Entrant
from harness.runners.local import LocalRunner, open_local_runner


def worker_mb(game: str, bots: Sequence[Entrant]) -> float:
    """Megabytes that a worker held at most when it has played one match."""
    return peaks(game, bots, [1])[0] / 1e6


def further_kb(game: str, bots: Sequence[Entrant], at_once: int) -> float:
    """Kilobytes for each further match when a worker plays so many at once, one deal each."""
    one, many = peaks(game, bots, [1, at_once])
    return (many - one) / (at_once - 1) / 1e3


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
