"""The bots that play in the benchmarks. This module compiles their programs and tells how to start them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from harness.job import Entrant

HERE = Path(__file__).parent
STARTERS = HERE.parent / "bots" / "starters"
PROGRAMS = {
    "floor": HERE / "floor.c",
    "echo": HERE / "bots" / "echo.c",
    "four": HERE / "bots" / "four.c",
    "uci": HERE / "bots" / "uci.c",
    "starter": STARTERS / "c" / "main.c",
}
PYTHON = os.path.realpath(sys.executable)
SLEEP_US = 2_000
"""The microseconds that a sleeping bot sleeps before each move."""


def built(folder: Path) -> None:
    """Compiles the C programs into this folder, which isolated bots can read."""
    folder.chmod(0o755)
    for name, source in PROGRAMS.items():
        subprocess.run(["cc", "-O2", "-o", folder / name, source], check=True)


def c_bots(build: Path, program: str = "four", seats: int = 2, isolation: str = "none") -> list[Entrant]:
    """Bots that run a compiled program, one for each seat."""
    command = (str(build / program),)
    return [Entrant(f"c-{seat}", command, str(build), isolation=isolation) for seat in range(1, seats + 1)]


def sleeping_bots(build: Path) -> list[Entrant]:
    """Two bots of connect four in C that sleep before each move, so that the harness waits for it."""
    command = (str(build / "four"), str(SLEEP_US), "sleep")
    return [Entrant(f"sleeps-{seat}", command, str(build)) for seat in (1, 2)]


def python_bots(build: Path) -> list[Entrant]:
    """Two bots of connect four in Python."""
    return [Entrant(f"python-{seat}", python_bot(), str(build)) for seat in (1, 2)]


def python_bot() -> tuple[str, ...]:
    """The command that starts the bot of connect four in Python."""
    return PYTHON, str(HERE / "bots" / "four.py")


def isolated_python_bot(build: Path) -> Entrant:
    """A bot of connect four in a folder of its own, because a sandbox shows the whole folder of its bot."""
    copy = shutil.copy(HERE / "bots" / "four.py", build)
    return Entrant("python", (PYTHON, str(copy)), str(build), isolation="bwrap")


def python_starters(build: Path, seats: int) -> list[Entrant]:
    """For each seat, the starter in Python, a random bot that plays any game."""
    command = (PYTHON, str(STARTERS / "python" / "main.py"))
    return [Entrant(f"python-{seat}", command, str(build)) for seat in range(1, seats + 1)]
