"""Measures the cost of commands of `harness` that play no match, as multiples of the cost of
`python -c pass`.

If valgrind is installed, the cost is the number of instructions, because other load on the machine does not
change this number. Otherwise the cost is CPU time. Each command runs once before, so that the bytecode of all
modules exists. As a program, this module gets a folder and plays a small tournament there; the command
`harness standings` is measured with its record.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import which

from benchmarks.entrants import STARTERS
from benchmarks.instructions import CALLGRIND, collected

START = "from harness.__main__ import main; main()"
"""The Python code that the installed command `harness` runs."""
COMPLETION = {"_HARNESS_COMPLETE": "bash_complete", "COMP_WORDS": "harness ", "COMP_CWORD": "1"}
"""The environment variables with which a shell asks `harness` to complete its first word."""
TRIES = 5
"""Without valgrind, a command runs this number of times, and the shortest time counts."""
NAME = "small"
MATCHES = ("--game", "dilemma", "--seed", "1", "--isolation", "none", "--name", NAME)


def played(build: Path) -> None:
    """Plays six matches between three bots, and leaves the record in this folder."""
    bots = (f"{name}={STARTERS / 'python'}" for name in ("a", "b", "c"))
    command = (sys.executable, "-m", "harness", "run", *MATCHES, "--logs", str(build), *bots)
    subprocess.run(command, check=True, capture_output=True)


def record(build: Path) -> str:
    """The folder of the record that `played` wrote."""
    return str(build / NAME)


def times_bare(build: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> float:
    """The cost of `harness` with these arguments and environment variables, divided by the cost of
    `python -c pass`."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(build / "bytecode")}
    environment |= variables or {}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    cost = _instructions if which("valgrind") else _cpu_s
    own, bare = (
        cost((sys.executable, "-c", *program), environment) for program in ((START, *arguments), ("pass",))
    )
    return own / bare


def _instructions(command: Sequence[str], environment: Mapping[str, str]) -> float:
    _ran(command, environment)  # The first run writes the bytecode.
    return collected(_ran((*CALLGRIND, *command), environment))


def _cpu_s(command: Sequence[str], environment: Mapping[str, str]) -> float:
    _ran(command, environment)
    found = []
    for _ in range(TRIES):
        before = getrusage(RUSAGE_CHILDREN)
        _ran(command, environment)
        after = getrusage(RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def _ran(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Runs a command; returns what it wrote to stderr."""
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return done.stderr


if __name__ == "__main__":
    played(Path(sys.argv[1]))
