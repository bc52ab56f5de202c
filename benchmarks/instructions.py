"""Owns the count of the controller's instructions by callgrind, which no neighbour disturbs; times nothing.

    python -m benchmarks.instructions            for each counted row, and its ratio to the yardstick
    python -m benchmarks.instructions --keep     writes the ratios down, for later runs to be held against

Each row is counted at two sizes, so that all that is done once falls out. Exit code 1: a ratio is above what
it may be, or more than a twentieth above what was written down. Run with a row, a folder and a size it is
what callgrind watches.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from benchmarks import rows
from benchmarks.entrants import built
from benchmarks.sample import Sample
from harness import log, player, watchdog
from harness.process import Process
from harness.sandbox import Launch

SIZES = {rows.YARDSTICK: (200, 2_200), "one": (20, 220)}
NEVER = 1 << 62
AT_MOST = 13
"""Times the instructions of the yardstick."""
GROWTH = 0.05
KEPT = Path(__file__).with_suffix(".json")


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


class Awaited(Process):
    """A process whose answer a read waits for: else the count would depend on what else the machine does."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        os.set_blocking(self.stdout, True)


def _watched(name: str, build: str, size: str) -> None:
    vars(player)["Process"] = Awaited
    # What is done by the clock is left out: a program runs some fifty times slower under callgrind.
    for what in ("TICK_NS", "TURN_NS", "QUIET_NS"):
        vars(watchdog)[what] = NEVER
    vars(player)["BRISK_US"] = NEVER
    # Valgrind hides the processor's instructions for SHA-256: a digest would cost twenty times what it does.
    vars(log)["sha256"] = blake2b
    # Valgrind does not know this system call.
    if hasattr(os, "pidfd_open"):
        del os.pidfd_open
    rows.main(name, build, size)


class Kept(NamedTuple):
    """The ratio of each row, and the build of Python that it was counted with."""

    python: str
    ratios: dict[str, float]


def wrong(ratio: float, kept: float, *, same: bool) -> str:
    """What is wrong with a ratio, in words; "" where it is as it should be.

    Another build of Python than that of the figure kept is allowed a twentieth more than the bound, and is
    not held against the figure.
    """
    most = AT_MOST if same else AT_MOST * (1 + GROWTH)
    if ratio > most:
        return f"above {most:g}"
    return f"more than {kept:.1f} and a twentieth" if same and ratio > kept * (1 + GROWTH) else ""


def main(*, keep: bool) -> bool:
    """Counts, prints, and tells whether all is as it should be."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        built(Path(folder))
        counts = {name: counted(name, folder) for name in SIZES}
    ratios = {name: count / counts[rows.YARDSTICK] for name, count in counts.items()}
    if keep:
        written = msgspec.json.encode(Kept(sys.version, ratios)._asdict())
        KEPT.write_bytes(msgspec.json.format(written) + b"\n")
    kept = Kept(**msgspec.json.decode(KEPT.read_bytes()))
    fine = True
    for name, count in counts.items():
        what = wrong(ratios[name], kept.ratios[name], same=kept.python == sys.version)
        fine = fine and not what
        line = f"{name:<12}{count:>10,.0f} instructions a move{ratios[name]:>8.1f} ×"
        click.echo(f"{line}   {what.upper()}".rstrip())
    return fine


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["--keep"]):
        sys.exit(not main(keep=len(sys.argv) > 1))
    _watched(*sys.argv[1:])
