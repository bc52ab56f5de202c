"""Owns the count of the controller's instructions by callgrind, which no neighbour disturbs; times nothing.

    python -m benchmarks.instructions            for each counted row, and its ratio to the yardstick

Each row is counted at two sizes, so that all that is done once falls out. Run with a row, a folder and a
size it is what callgrind watches.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

import click
import msgspec

from benchmarks import rows
from benchmarks.sample import Sample
from harness import log, player, watchdog

SIZES = {rows.YARDSTICK: (200, 2_200), "one": (20, 220)}
NEVER = 1 << 62


def counted(name: str, build: str) -> float:
    """Instructions for each move in this row."""
    (few, less), (many, more) = (_run(name, build, size) for size in SIZES[name])
    return (more - less) / (many - few)


def _run(name: str, build: str, size: int) -> tuple[int, int]:
    """The units of work that a run of this size did, and all its instructions."""
    callgrind = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=no")
    command = (*callgrind, sys.executable, "-m", __spec__.name, name, build, str(size))
    # Hashes decide where a dict looks first.
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    collected = re.search(r"Collected : (\d+)", run.stderr)
    assert collected, run.stderr
    return msgspec.json.decode(run.stdout, type=Sample).units, int(collected[1])


def _watched(name: str, build: str, size: str) -> None:
    # What is done by the clock is left out: a program runs some fifty times slower under callgrind.
    player.TURN_NS = watchdog.TICK_NS = NEVER  # type: ignore[attr-defined]
    # Valgrind hides the processor's instructions for SHA-256: a digest would cost twenty times what it does.
    vars(log)["sha256"] = blake2b
    # Valgrind does not know this system call.
    if hasattr(os, "pidfd_open"):
        del os.pidfd_open
    rows.main(name, build, size)


def main() -> None:
    """Counts and prints."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        rows.built(Path(folder))
        yardstick = counted(rows.YARDSTICK, folder)
        for name in SIZES:
            found = yardstick if name == rows.YARDSTICK else counted(name, folder)
            click.echo(f"{name:<12}{found:>10,.0f} instructions a move{found / yardstick:>8.1f} ×")


if __name__ == "__main__":
    _watched(*sys.argv[1:]) if len(sys.argv) > 1 else main()
