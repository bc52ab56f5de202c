"""Measures what a command of `harness` costs that plays nothing, as a multiple of a bare `python -c pass`.

It counts instructions if valgrind is installed: other load on the machine does not change them. Otherwise it
takes CPU time. Python finds the bytecode of all modules. As a program, this module gets a folder and plays a
small tournament there, whose standings are measured.
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
"""What the script `harness` does."""
COMPLETION = {"_HARNESS_COMPLETE": "bash_complete", "COMP_WORDS": "harness ", "COMP_CWORD": "1"}
"""The variables with which a shell asks for the completion of the first word."""
TRIES = 5
"""Without valgrind, the shortest of this number of runs counts."""
NAME = "small"
MATCHES = ("--game", "dilemma", "--seed", "1", "--isolation", "none", "--name", NAME)


def played(build: Path) -> None:
    """Plays six matches between three bots, and leaves the record in this folder."""
    bots = (f"{name}={STARTERS / 'python'}" for name in ("a", "b", "c"))
    command = (sys.executable, "-m", "harness", "run", *MATCHES, "--logs", str(build), *bots)
    subprocess.run(command, check=True, capture_output=True)


def record(build: Path) -> str:
    """The folder of the record that `played` left."""
    return str(build / NAME)


def times_bare(build: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> float:
    """What `harness` costs with these arguments and variables, divided by what `python -c pass` costs."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": str(build / "bytecode")}
    environment |= variables or {}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    cost = _instructions if which("valgrind") else _cpu_s
    own, bare = (
        cost((sys.executable, "-c", *program), environment) for program in ((START, *arguments), ("pass",))
    )
    return own / bare


def _instructions(command: Sequence[str], environment: Mapping[str, str]) -> float:
    _ran(command, environment)  # It writes the bytecode.
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
