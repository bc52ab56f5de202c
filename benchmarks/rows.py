"""Owns the rows of the table: what each measures, and what it is held against; knows nothing of rounds.

Run as a program it measures one row once, on one core, and prints the sample:

    python -m benchmarks.rows ROW BUILD_FOLDER [SIZE]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks import playing, yardsticks
from benchmarks.sample import Sample
from benchmarks.starts import starts
from harness.games import find
from harness.isolation import missing
from harness.job import Entrant

HERE = Path(__file__).parent
STARTER = HERE.parent / "bots" / "starters" / "c" / "main.c"
PROGRAMS = {
    "floor": HERE / "floor.c",
    "echo": HERE / "bots" / "echo.c",
    "four": HERE / "bots" / "four.c",
    "uci": HERE / "bots" / "uci.c",
    "starter": STARTER,
}
FOUR = str(HERE / "games" / "four.py")
YARDSTICK = "blocking"


class Row(NamedTuple):
    """A line of the table. `measure` is given the folder of the compiled programs and how much is to do."""

    name: str
    title: str
    measure: Callable[[Path, int], Sample]
    size: int
    against: str = YARDSTICK
    """The row that the ratio is to."""
    at_most: float | None = None
    """The ratio that must be kept."""
    wish: float | None = None
    """The ratio that is aimed at."""
    pinned: bool = True
    """Whether the controller and all it starts are bound to one core."""


def _c(build: Path, program: str = "four", seats: int = 2) -> list[Entrant]:
    return [Entrant(f"c-{seat}", (str(build / program),), str(build)) for seat in range(1, seats + 1)]


def _python(build: Path) -> list[Entrant]:
    return [Entrant(f"python-{seat}", _python_bot(), str(build)) for seat in (1, 2)]


def _starters(build: Path) -> list[Entrant]:
    command = (os.path.realpath(sys.executable), str(STARTER.parents[1] / "python" / "main.py"))
    return [Entrant(f"python-{seat}", command, str(build)) for seat in range(1, 5)]


def _python_bot() -> tuple[str, ...]:
    return os.path.realpath(sys.executable), str(HERE / "bots" / "four.py")


def _isolated_python(build: Path) -> Entrant:
    # In a folder of its own: a cell shows one, and what is named below it.
    copy = shutil.copy(HERE / "bots" / "four.py", build)
    return Entrant("python", (_python_bot()[0], str(copy)), str(build))


def _game(name: str, title: str, seats: int, matches: int, wish: float, move: bytes = playing.TURN) -> Row:
    def measure(build: Path, size: int) -> Sample:
        bots, brief = _c(build, "starter", seats), find(name).brief
        return playing.together(name, bots, 1, size, move, **brief)

    return Row(name, f"{title}, {seats} C starters, one match", measure, matches, wish=wish)


BARE = (
    Row(
        "floor",
        "C controller, echoing C bots",
        lambda build, size: yardsticks.floor(build / "floor", build / "echo", size),
        40_000,
    ),
    Row(
        YARDSTICK,
        "blocking Python, echoing C bots",
        lambda build, size: yardsticks.blocking([str(build / "echo")], yardsticks.ECHO, size),
        40_000,
    ),
    Row(
        "one",
        "connect four, C bots, one match",
        lambda build, size: playing.together(FOUR, _c(build), 1, size),
        800,
        at_most=3.3,
        wish=2.7,
    ),
    Row(
        "sixteen",
        "connect four, C bots, 16 matches at once",
        lambda build, size: playing.together(FOUR, _c(build), 16, size),
        200,
        wish=2.2,
    ),
    _game("sevens", "Sevens", 4, 150, wish=4),
    # Most throws leave no choice, and are no question.
    _game("squash", "Evil Squash", 2, 400, wish=4, move=b'{"is":"chance","stream":"throw'),
    _game("stratego", "Stratego", 2, 40, wish=6),
    _game("squadron", "Squadron Scramble", 2, 60, wish=6),
    _game("biplane", "Biplane", 2, 40, wish=6),
    Row(
        "blocking-python",
        "blocking Python, Python bots",
        lambda build, size: yardsticks.blocking(_python_bot(), yardsticks.FOUR, size),
        12_000,
    ),
    Row(
        "python",
        "connect four, Python bots, one match",
        lambda build, size: playing.together(FOUR, _python(build), 1, size),
        400,
        against="blocking-python",
        wish=3,
    ),
    Row(
        "judged-again",
        "connect four, judged again from its log",
        lambda build, size: playing.judged_again(FOUR, _c(build), size),
        800,
        against="one",
        wish=0.5,
    ),
    Row(
        "one-deal",
        "Sevens, 4 Python starters, one deal an encounter",
        lambda build, size: playing.one_by_one("sevens", _starters(build), size),
        8,
    ),
    Row(
        "twenty-deals",
        "Sevens, 4 Python starters, twenty deals an encounter",
        lambda build, size: playing.together("sevens", _starters(build), 1, size),
        20,
        against="one-deal",
        wish=0.2,
    ),
    Row(
        "one-worker",
        "connect four, C bots, one worker",
        lambda build, size: playing.through_runner(FOUR, _c(build), 1, 8, size),
        100,
        pinned=False,
    ),
    Row(
        "two-workers",
        "connect four, C bots, two workers",
        lambda build, size: playing.through_runner(FOUR, _c(build), 2, 16, size),
        100,
        against="one-worker",
        wish=0.56,
        pinned=False,
    ),
    Row(
        "fresh",
        "connect four, C bots, new processes each match",
        lambda build, size: playing.one_by_one(FOUR, _c(build), size),
        120,
    ),
    Row(
        "fresh-python",
        "connect four, Python bots, new processes each match",
        lambda build, size: playing.one_by_one(FOUR, _python(build), size),
        15,
    ),
    Row(
        "start",
        "a C bot started and ended, bare",
        lambda build, size: starts(_c(build)[0], "none", size),
        100,
        against="start",
    ),
    Row(
        "start-python",
        "a Python bot started and ended, bare",
        lambda build, size: starts(_python(build)[0], "none", size),
        25,
        against="start-python",
    ),
)
ISOLATED = (
    Row(
        "start-isolated",
        "a C bot started and ended, isolated",
        lambda build, size: starts(_c(build)[0], "bwrap", size),
        40,
        against="start",
        wish=12,
    ),
    Row(
        "start-python-isolated",
        "a Python bot started and ended, isolated",
        lambda build, size: starts(_isolated_python(build), "bwrap", size),
        20,
        against="start-python",
        wish=2,
    ),
)
"""What the default isolation costs, beside the bare start."""


ROWS = (*BARE, *(() if missing() else ISOLATED))
"""Those that can be measured here."""


def built(folder: Path) -> None:
    """Compiles the C programs into this folder, which isolated bots may see."""
    folder.chmod(0o755)
    for name, source in PROGRAMS.items():
        subprocess.run(["cc", "-O2", "-o", folder / name, source], check=True)


def main(name: str, build: str, size: str = "") -> None:
    """Measures a row once; `size` instead of its own."""
    row = next(row for row in ROWS if row.name == name)
    if row.pinned and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    sample = row.measure(Path(build), int(size) if size else row.size)
    print(msgspec.json.encode(sample).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
