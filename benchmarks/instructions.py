"""Counts the controller's instructions with callgrind, which other load on the machine does not disturb.

    python -m benchmarks.instructions            of a move, as a ratio to the yardstick
    python -m benchmarks.instructions --keep     keeps the ratio, for later runs to compare with

Each row is counted at two sizes, so that all that is done once falls out. Builds of Python differ by more
than what is to be noticed, so each has a figure of its own. Run with a row, a folder and a size it is what
callgrind watches.
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
from benchmarks.entrants import built
from benchmarks.sample import Sample
from harness.bot import player, running_bot, watchdog
from harness.bot.process import Process
from harness.record import log
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
    vars(running_bot)["Process"] = Awaited
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


def ratio(build: Path) -> float:
    """How many times the instructions of the yardstick a move of the harness takes."""
    yardstick, own = (counted(name, str(build)) for name in SIZES)
    return own / yardstick


def wrong(ratio: float, kept: float | None) -> str:
    """What is wrong with a ratio, in words; "" where it is as it should be. `kept` is what it was when it was
    last written down for this build of Python, if it ever was."""
    if ratio > AT_MOST:
        return f"above {AT_MOST}"
    return f"more than {kept:.2f} and a twentieth" if kept and ratio > kept * (1 + GROWTH) else ""


def read(path: Path = KEPT) -> dict[str, float]:
    """The ratios that are kept, by the build of Python that they were counted with."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, float])


def keep(ratio: float, path: Path = KEPT) -> None:
    """Puts the ratio of this build beside those of others."""
    kept = dict(sorted((read(path) | {sys.version: round(ratio, 2)}).items()))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")


@click.command()
@click.option("--keep", "keeps", is_flag=True, help="Write the ratio down for this build of Python.")
def main(keeps: bool) -> None:
    """Count the instructions of a move. Exit code 1: more than may be, or a twentieth more than was kept."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        built(Path(folder))
        found = ratio(Path(folder))
    if keeps:
        keep(found)
    kept = read().get(sys.version)
    what = wrong(found, kept)
    against = f"{kept:.2f} kept" if kept else "none kept for this build of Python: --keep keeps it"
    click.echo(f"instructions a move, times the yardstick's: {found:.2f}; at most {AT_MOST}; {against}")
    if what:
        click.echo(what.upper())
    sys.exit(bool(what))


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].startswith("-"):
        _watched(*sys.argv[1:])
    else:
        main()
