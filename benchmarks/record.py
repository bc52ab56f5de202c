"""Plays a tournament with `harness run`, and measures how long commands take to read its record.

Most figures are milliseconds for a thousand matches, without the time to start Python. The first
report of a process takes longer. This additional time does not depend on the number of matches, so it has a
gauge of its own. As a program, this module gets a folder and plays the tournament there.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks.entrants import STARTERS
from harness.record import run_folder
from harness.record.masking import unmasked
from harness.report.names import Names
from harness.report.writing import Report
from harness.results import standings, tables
from harness.verify import verify

BOTS = 8
"""The number of bots. Each set of four bots meets, so 280 matches are played."""
NAME = "record"
PLAN = """\
name = "{name}"
game = "sevens"
seats = 4
seed = 1
isolation = "none"
bots = [{bots}]
limits = {{ move_ms = 10_000 }}
"""


def played(build: Path, count: int = BOTS) -> None:
    """Plays a tournament of Sevens between `count` C starters, and leaves its record in this folder."""
    bot = build / "bot"
    shutil.copytree(STARTERS / "c", bot, ignore=shutil.ignore_patterns("bot"), dirs_exist_ok=True)
    bots = ", ".join(f'{{ path = "bot", name = "c-{number}" }}' for number in range(1, count + 1))
    plan = build / f"{NAME}.toml"
    plan.write_text(PLAN.format(name=NAME, bots=bots))
    command = (sys.executable, "-m", "harness", "run", str(plan), "--logs", str(build))
    subprocess.run(command, check=True, capture_output=True)


def verifying_ms(build: Path) -> float:
    """The milliseconds to judge a thousand matches again on one core."""
    return _ms(build, lambda record: verify(record, workers=1))


def placing_ms(build: Path) -> float:
    """The milliseconds for a thousand matches to compute the standings and to write them as text."""
    return _ms(build, _place)


def reporting_ms(build: Path) -> float:
    """The milliseconds for a thousand matches to write all pages of a report, with a replay of every match.
    Another report is written before, because the first one takes longer."""
    _report(build / NAME)
    return _ms(build, _report)


def first_report_s(build: Path) -> float:
    """How many seconds longer the first report of a process takes than the second, because it imports
    modules. The number of matches does not matter."""
    first, second = (_s(build, _report) for _ in range(2))
    return first - second


def _ms(build: Path, command: Callable[[Path], object]) -> float:
    matches = sum(run.matches for run in run_folder.history_of(build / NAME).runs)
    return _s(build, command) / matches * 1e6


def _s(build: Path, command: Callable[[Path], object]) -> float:
    began = perf_counter()
    command(build / NAME)
    return perf_counter() - began


def _place(record: Path) -> None:
    plan = run_folder.plan_of(record)
    tables.as_text(standings.standings(run_folder.history_of(record), plan.policy, plan.strikes))


def _report(record: Path) -> None:
    plan = run_folder.plan_of(record)
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as out:
        Report(record, plan, Path(out), Names(unmasked(bot.name for bot in plan.bots), False)).write()


if __name__ == "__main__":
    played(Path(sys.argv[1]))
