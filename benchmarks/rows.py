"""Owns the rows of the table: what each measures, and what it is held against; knows nothing of rounds.

Run as a program it measures one row once, on one core, and prints the sample:

    python -m benchmarks.rows ROW BUILD_FOLDER [SIZE]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from benchmarks import judging, playing, yardsticks
from benchmarks.entrants import (
    c_bots,
    isolated_python_bot,
    python_bot,
    python_bots,
    python_starters,
)
from benchmarks.playing import FOUR
from benchmarks.sample import Sample
from benchmarks.starts import starts
from harness.games import find
from harness.job import Entrant
from harness.sandbox.isolation import missing

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
    """The ratio that is to be kept."""
    worst: float | None = None
    """The worst ratio that is accepted, where that is another."""
    pinned: bool = True
    """Whether the controller and all it starts are bound to one core."""


def _game(name: str, title: str, seats: int, matches: int, at_most: float, move: bytes = playing.TURN) -> Row:
    def measure(build: Path, size: int) -> Sample:
        bots, brief = c_bots(build, "starter", seats), find(name).brief
        return playing.together(name, bots, 1, size, move, **brief)

    return Row(name, f"{title}, C starters", measure, matches, at_most=at_most)


def _four(
    name: str, title: str, bots: Callable[[Path], list[Entrant]], at_once: int, matches: int, **bounds: Any
) -> Row:
    def measure(build: Path, size: int) -> Sample:
        return playing.together(FOUR, bots(build), at_once, size)

    return Row(name, f"connect four, {title}", measure, matches, **bounds)


YARDSTICKS = (
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
        "blocking-py",
        "blocking Python, Python bots",
        lambda build, size: yardsticks.blocking(python_bot(), yardsticks.FOUR, size),
        12_000,
    ),
)
MATCHES = (
    _four("one", "C bots, one match", c_bots, 1, 800, at_most=2.7, worst=3.3),
    _four("sixteen", "C bots, 16 matches", c_bots, 16, 800, at_most=2.2),
    _four("python", "Python bots, one match", python_bots, 1, 400, against="blocking-py", at_most=3),
    _four(
        "sixteen-python", "Python bots, 16 matches", python_bots, 16, 400, against="blocking-py", at_most=3
    ),
    _game("sevens", "Sevens", 4, 150, at_most=4),
    _game("squash", "Evil Squash", 2, 400, at_most=4, move=playing.THROW),
    _game("stratego", "Stratego", 2, 40, at_most=6),
    _game("squadron", "Squadron Scramble", 2, 60, at_most=6),
    _game("biplane", "Biplane", 2, 40, at_most=6),
    Row(
        "unlogged",
        "connect four, C bots, not logged",
        lambda build, size: playing.unlogged(FOUR, c_bots(build), size),
        800,
        against="one",
    ),
    Row(
        "judged-again",
        "connect four, judged again",
        lambda build, size: judging.judged_again(FOUR, c_bots(build), size),
        800,
        against="one",
        at_most=1 / 2,
    ),
    Row(
        "one-worker",
        "connect four, C bots, one worker",
        lambda build, size: playing.through_runner(FOUR, c_bots(build), 1, 8, size),
        100,
        pinned=False,
    ),
    Row(
        "two-workers",
        "connect four, C bots, two workers",
        lambda build, size: playing.through_runner(FOUR, c_bots(build), 2, 16, size),
        100,
        against="one-worker",
        at_most=1 / 1.8,
        pinned=False,
    ),
    Row(
        "one-deal",
        "Sevens, Python starters, 1 deal each",
        lambda build, size: playing.one_by_one("sevens", python_starters(build, 4), size),
        8,
    ),
    Row(
        "twenty-deals",
        "Sevens, Python starters, 20 deals each",
        lambda build, size: playing.together("sevens", python_starters(build, 4), 1, size),
        20,
        against="one-deal",
        at_most=1 / 5,
    ),
    Row(
        "fresh",
        "connect four, C bots, 1 deal each",
        lambda build, size: playing.one_by_one(FOUR, c_bots(build), size),
        120,
    ),
    Row(
        "fresh-python",
        "connect four, Python bots, 1 deal each",
        lambda build, size: playing.one_by_one(FOUR, python_bots(build), size),
        15,
    ),
)
STARTS = (
    Row(
        "start",
        "C bot started and ended, bare",
        lambda build, size: starts(c_bots(build)[0], size),
        100,
        against="start",
    ),
    Row(
        "start-python",
        "Python bot started and ended, bare",
        lambda build, size: starts(python_bots(build)[0], size),
        25,
        against="start-python",
    ),
)
ISOLATED = (
    Row(
        "isolated",
        "connect four, C bots, isolated",
        lambda build, size: playing.together(FOUR, c_bots(build, isolation="bwrap"), 1, size),
        800,
        against="one",
    ),
    Row(
        "start-isolated",
        "C bot started and ended, isolated",
        lambda build, size: starts(c_bots(build, isolation="bwrap")[0], size),
        40,
        against="start",
    ),
    Row(
        "start-python-isolated",
        "Python bot started and ended, isolated",
        lambda build, size: starts(isolated_python_bot(build), size),
        20,
        against="start-python",
    ),
)
"""What the default isolation costs, beside what is bare."""


ROWS = (*YARDSTICKS, *MATCHES, *STARTS, *(() if missing() else ISOLATED))
"""Those that can be measured here."""


def pin() -> None:
    """Binds this process, and all it starts, to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main(name: str, build: str, size: str = "") -> None:
    """Measures a row once; `size` instead of its own."""
    row = next(row for row in ROWS if row.name == name)
    if row.pinned:
        pin()
    sample = row.measure(Path(build), int(size) if size else row.size)
    print(msgspec.json.encode(sample).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
