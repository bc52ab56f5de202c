"""The rows of the table. Each row has its measurement, and the name of the row that it is compared with.

As a program, this module measures one row once, on one core, and prints the sample:

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
    python_bots,
    python_starters,
    sleeping_bots,
)
from benchmarks.playing import FOUR
from benchmarks.sample import Sample
from harness.games import find
from harness.job import Entrant
from harness.sandbox.isolation import missing

YARDSTICK = "blocking"
SAME_WORK = 1.5
"""The highest allowed ratio of the harness to the same work in plain Python, for one match and for 16 matches
at once. Measured on a quiet machine: 1.33 for one match and 1.31 for 16 (medians of 12 pairs). The harness
executes 1.34 times as many instructions for a move as the yardstick."""


class Row(NamedTuple):
    """A line of the table, and how to measure it. The function `measure` gets the folder of the compiled
    programs and the amount of work."""

    name: str
    title: str
    measure: Callable[[Path, int], Sample]
    size: int
    against: str = YARDSTICK
    """The name of the row that this row is compared with. The ratio is the time of this row divided by the
    time of that row."""
    at_most: float | None = None
    """The highest ratio that is allowed."""
    pinned: bool = True
    """Whether the controller and all processes that it starts are bound to one core."""


class GameRow(NamedTuple):
    """A game that comes with harness: the number of C starters that play, the number of matches, and the
    first bytes of the lines in the log that count as moves."""

    name: str
    title: str
    seats: int
    matches: int
    move: bytes = playing.TURN

    def harness(self) -> Row:
        """The row in which the harness plays the game."""

        def measure(build: Path, size: int) -> Sample:
            bots, brief = c_bots(build, "starter", self.seats), find(self.name).brief
            return playing.together(self.name, bots, 1, size, self.move, **brief)

        title = f"{self.title}, C starters"
        return Row(self.name, title, measure, self.matches, f"same-{self.name}", at_most=SAME_WORK)

    def yardstick(self) -> Row:
        """The row that does the same work in plain Python."""

        def measure(build: Path, size: int) -> Sample:
            bots, brief = c_bots(build, "starter", self.seats), find(self.name).brief
            return yardsticks.same_work(self.name, bots, size, self.move, **brief)

        return Row(f"same-{self.name}", f"same work: {self.title}", measure, self.matches)


GAMES = (
    GameRow("sevens", "Sevens", 4, 150),
    GameRow("squash", "Evil Squash", 2, 400, playing.THROW),
    GameRow("stratego", "Stratego", 2, 40),
    GameRow("squadron", "Squadron Scramble", 2, 60),
    GameRow("biplane", "Biplane", 2, 40),
)


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
        lambda build, size: yardsticks.blocking([str(build / "echo")], size),
        40_000,
    ),
    Row(
        "same-four",
        "same work: connect four, C bots",
        lambda build, size: yardsticks.same_work(FOUR, c_bots(build), size),
        800,
    ),
    Row(
        "same-python",
        "same work: connect four, Python bots",
        lambda build, size: yardsticks.same_work(FOUR, python_bots(build), size),
        400,
    ),
    Row(
        "same-sixteen-python",
        "same work: 16 matches, Python bots",
        lambda build, size: yardsticks.same_work(FOUR, python_bots(build), size, at_once=16),
        200,
    ),
    *(game.yardstick() for game in GAMES),
)
MATCHES = (
    _four("one", "C bots, one match", c_bots, 1, 800, against="same-four", at_most=SAME_WORK),
    _four("sixteen", "C bots, 16 matches", c_bots, 16, 800, against="same-four", at_most=SAME_WORK),
    _four("python", "Python bots, one match", python_bots, 1, 400, against="same-python", at_most=SAME_WORK),
    # 32 Python processes do not fit into the caches of the processor. So the yardstick of this row has 32
    # Python processes too.
    _four(
        "sixteen-python",
        "Python bots, 16 matches",
        python_bots,
        16,
        200,
        against="same-sixteen-python",
        at_most=SAME_WORK,
    ),
    # In these rows the harness waits for each move, so the column `CPU µs` shows the cost of a wait. The
    # column `µs` is mostly the sleep of the bot.
    _four("waiting", "C bots that sleep 2 ms, one match", sleeping_bots, 1, 60, against="waiting"),
    _four("sixteen-waiting", "C bots that sleep 2 ms, 16 matches", sleeping_bots, 16, 20, against="waiting"),
    *(game.harness() for game in GAMES),
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
        at_most=0.65,
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
        at_most=1 / 1.5,
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
        lambda build, size: playing.starts(c_bots(build)[0], size),
        100,
        against="start",
    ),
    Row(
        "start-python",
        "Python bot started and ended, bare",
        lambda build, size: playing.starts(python_bots(build)[0], size),
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
        lambda build, size: playing.starts(c_bots(build, isolation="bwrap")[0], size),
        40,
        against="start",
    ),
    Row(
        "start-python-isolated",
        "Python bot started and ended, isolated",
        lambda build, size: playing.starts(isolated_python_bot(build), size),
        20,
        against="start-python",
    ),
)
"""The rows with the default isolation, compared with processes without a sandbox."""


ROWS = (*YARDSTICKS, *MATCHES, *STARTS, *(() if missing() else ISOLATED))
"""The rows that this machine can measure."""


def family(row: Row) -> str:
    """The name of the first row of this row's family. A family is a set of rows that are compared with each
    other, directly or through other rows. Each row would lead to YARDSTICK in the end, so YARDSTICK is a
    family of its own."""
    by_name = {each.name: each for each in ROWS}
    while row.against not in (YARDSTICK, row.name):
        row = by_name[row.against]
    return row.name


def pin() -> None:
    """Binds this process, and all processes that it starts, to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def main(name: str, build: str, size: str = "") -> None:
    """Measures one row once; `size` replaces the row's own amount of work."""
    row = next(row for row in ROWS if row.name == name)
    if row.pinned:
        pin()
    sample = row.measure(Path(build), int(size) if size else row.size)
    print(msgspec.json.encode(sample).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
