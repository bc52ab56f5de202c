"""Counts the processor instructions of a move with callgrind. Other load on the machine does not disturb the
count.

    python -m benchmarks.instructions            prints the ratios of moves to a move of the yardstick
    python -m benchmarks.instructions --keep     also records the ratios, and later runs compare with them

In the row `one` the harness never waits for a move. In the row `waiting` it waits for each move, so the
difference between the rows is the cost of a wait. Each row is counted with a small and with a large number of
matches. The difference between these counts does not contain the work that is done only once. Ratios are
recorded separately for each build of Python: two builds differ by more than the changes that this count must
notice. With the arguments ROW, FOLDER and SIZE this module is the program that callgrind watches.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

import click
import msgspec

from benchmarks import entrants, rows
from benchmarks.entrants import built
from benchmarks.sample import Sample
from harness.bot import player, running_bot, watchdog
from harness.bot.process import Process
from harness.record import journal, log
from harness.sandbox import Launch

AT_MOST = {"one": 13, "waiting": 22}
"""The rows of the harness, each with the highest ratio that is allowed."""
WAITING = "waiting"
SIZES = {rows.YARDSTICK: (200, 2_200), "one": (20, 220), WAITING: (5, 45)}
LONG_SLEEP_US = 10_000
"""The microseconds that a bot sleeps, so that the harness has to wait for it. Even under callgrind, the
harness has looked for the answer and begun to wait before the sleep ends."""
NEVER = 10**15
"""A time in nanoseconds (more than eleven days) that never passes. Some system calls do not accept much
longer times."""
CALLGRIND = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=no")
"""Callgrind counts the instructions of the command that follows these words."""
HASHING = (log, journal)
"""The modules that compute the digests of a record while it is written."""
GROWTH = 0.05
KEPT = Path(__file__).with_suffix(".json")


def counted(name: str, build: Path) -> float:
    """The number of instructions of one move in this row."""
    few, many = SIZES[name]
    _python(name, build, few)  # This run writes the bytecode of all modules.
    (few, less), (many, more) = (_run(name, build, size) for size in (few, many))
    return (more - less) / (many - few)


def _python(name: str, build: Path, size: int, *before: str) -> subprocess.CompletedProcess[str]:
    """Runs this row with this size. All runs take the bytecode from one folder, because a move of the
    yardstick takes 3 % more instructions if Python had to compile the yardstick's module first."""
    # With other hashes of its keys, a dict takes a different number of steps.
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(build / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = (*before, sys.executable, "-m", __spec__.name, name, str(build), str(size))
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment)


def _run(name: str, build: Path, size: int) -> tuple[int, int]:
    """The number of units of work in a run of this size, and the number of all instructions of the run."""
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
    if name == WAITING:
        vars(entrants)["SLEEP_US"] = LONG_SLEEP_US
    else:
        vars(running_bot)["Process"] = Awaited
    # Work that depends on the time is switched off, because under callgrind a program runs about fifty times
    # slower.
    for what in ("TICK_NS", "TURN_NS", "QUIET_NS"):
        vars(watchdog)[what] = NEVER
    vars(player)["BRISK_US"] = NEVER
    # Valgrind hides the special instructions of the processor for SHA-256. Without them a SHA-256 digest
    # takes twenty times as many instructions, and their number depends on the processor.
    for module in HASHING:
        vars(module)["sha256"] = blake2b
    # Valgrind does not know the system call of `pidfd_open`.
    if hasattr(os, "pidfd_open"):
        del os.pidfd_open
    rows.main(name, build, size)


def ratios(build: Path, names: Iterable[str] = AT_MOST) -> dict[str, float]:
    """For each of these rows, the instructions of a move divided by the instructions of a move of the
    yardstick."""
    yardstick = counted(rows.YARDSTICK, build)
    return {name: counted(name, build) / yardstick for name in names}


def wrong(ratio: float, kept: float | None, at_most: float) -> str:
    """Words that say what is wrong with a ratio; "" if the ratio is right. `kept` is the recorded ratio of
    this build of Python, or None if there is no record."""
    if ratio > at_most:
        return f"above {at_most}"
    return f"more than {kept:.2f} and a twentieth" if kept and ratio > kept * (1 + GROWTH) else ""


def read(path: Path = KEPT) -> dict[str, dict[str, float]]:
    """The recorded ratios of the rows; the key of each record is its build of Python."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, float]])


def keep(found: Mapping[str, float], path: Path = KEPT) -> None:
    """Records the ratios of this build of Python, and leaves the records of other builds as they are."""
    own = {name: round(ratio, 2) for name, ratio in found.items()}
    kept = dict(sorted((read(path) | {sys.version: own}).items()))
    path.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")


@click.command()
@click.option("--keep", "keeps", is_flag=True, help="Record the ratios for this build of Python.")
def main(keeps: bool) -> None:
    """Count the instructions of a move. The exit code is 1 if a ratio is above its bound, or more than 5 %
    above the recorded ratio."""
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        built(Path(folder))
        found = ratios(Path(folder))
    if keeps:
        keep(found)
    known = read().get(sys.version, {})
    failed = False
    click.echo("instructions a move, times the yardstick's:")
    for name, ratio in found.items():
        kept, at_most = known.get(name), AT_MOST[name]
        against = f"{kept:.2f} kept" if kept else "none kept for this build of Python: --keep keeps it"
        click.echo(f"{name}: {ratio:.2f}; at most {at_most}; {against}")
        if what := wrong(ratio, kept, at_most):
            click.echo(f"{name} is {what}".upper())
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].startswith("-"):
        _watched(*sys.argv[1:])
    else:
        main()
