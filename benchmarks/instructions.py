"""Counts the instructions of a move with callgrind. Other load on the machine does not disturb the count.

    python -m benchmarks.instructions            prints the ratio of a move to a move of the yardstick
    python -m benchmarks.instructions --keep     also records the ratio, and later runs compare with it

Each row is counted at two sizes; the difference does not contain the work that is done only once. Each build
of Python has its own record, because builds differ more than the changes that this count must notice. With
the arguments ROW, FOLDER and SIZE this module is the program that callgrind watches.
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
CALLGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=no")
"""The command before a command whose instructions are counted."""
AT_MOST = 13
"""The highest ratio that is allowed."""
GROWTH = 0.05
KEPT = Path(__file__).with_suffix(".json")


def counted(name: str, build: Path) -> float:
    """The number of instructions of one move in this row."""
    few, many = SIZES[name]
    _python(name, build, few)  # It writes the bytecode of all modules.
    (few, less), (many, more) = (_run(name, build, size) for size in (few, many))
    return (more - less) / (many - few)


def _python(name: str, build: Path, size: int, *before: str) -> subprocess.CompletedProcess[str]:
    """Runs this row with this size. All runs take the bytecode from one place: a move of the yardstick takes
    3 % more instructions if its module was compiled at the start."""
    # A dict takes a different number of steps if its keys have other hashes.
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(build / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = (*before, sys.executable, "-m", __spec__.name, name, str(build), str(size))
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment)


def _run(name: str, build: Path, size: int) -> tuple[int, int]:
    """The number of units of work in a run of this size, and the number of all its instructions."""
    run = _python(name, build, size, *CALLGRIND)
    return msgspec.json.decode(run.stdout, type=Sample).units, collected(run.stderr)


def collected(stderr: str) -> int:
    """The number of instructions that callgrind counted, from what it wrote to stderr."""
    found = re.search(r"Collected : (\d+)", stderr)
    assert found, stderr
    return int(found[1])


class Awaited(Process):
    """A process whose output is read with blocking reads, so that other load does not change the count."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch)
        os.set_blocking(self.stdout, True)


def _watched(name: str, build: str, size: str) -> None:
    vars(running_bot)["Process"] = Awaited
    # Work that depends on the time is switched off, because under callgrind a program runs about fifty times
    # slower.
    for what in ("TICK_NS", "TURN_NS", "QUIET_NS"):
        vars(watchdog)[what] = NEVER
    vars(player)["BRISK_US"] = NEVER
    # Valgrind hides the processor's instructions for SHA-256; without them a digest takes twenty times as
    # many instructions.
    vars(log)["sha256"] = blake2b
    # Valgrind does not know this system call.
    if hasattr(os, "pidfd_open"):
        del os.pidfd_open
    rows.main(name, build, size)


def ratio(build: Path) -> float:
    """The instructions of a move of the harness, divided by those of a move of the yardstick."""
    yardstick, own = (counted(name, build) for name in SIZES)
    return own / yardstick


def wrong(ratio: float, kept: float | None) -> str:
    """A sentence that says what is wrong with a ratio; "" if it is right. `kept` is the recorded ratio of
    this build of Python, or None if there is no record."""
    if ratio > AT_MOST:
        return f"above {AT_MOST}"
    return f"more than {kept:.2f} and a twentieth" if kept and ratio > kept * (1 + GROWTH) else ""


def read(path: Path = KEPT) -> dict[str, float]:
    """The recorded ratios; the key of each is its build of Python."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, float])


def keep(ratio: float, path: Path = KEPT) -> None:
    """Records the ratio of this build of Python, and leaves the records of other builds as they are."""
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
