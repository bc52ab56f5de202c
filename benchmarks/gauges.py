"""The gauges: measurements that have their own unit and are not ratios.

As a program, this module measures one gauge once, on one core, and prints the figure:

    python -m benchmarks.gauges GAUGE BUILD_FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which
from time import process_time
from typing import NamedTuple

from benchmarks import growth, instructions, judging, memory, probe, record
from benchmarks.entrants import c_bots
from benchmarks.growth import Grown
from benchmarks.playing import FOUR
from benchmarks.rows import pin
from harness.job import Entrant
from harness.schedule.designs import Meet, made


class Gauge(NamedTuple):
    """A measurement in its own unit. `measure` gets the folder with the files of the module `needs`."""

    name: str
    title: str
    unit: str
    measure: Callable[[Path], float]
    at_most: float | None = None
    """The highest figure that is allowed."""
    once: bool = False
    """Whether one round is enough, because the figure hardly varies."""
    needs: str = ""
    """The module that prepares the measurement. It runs as a program and gets the folder."""


def _rules(game: str, title: str, seats: int, deals: int) -> Gauge:
    return Gauge(
        f"rules-{game}",
        f"{title}, judged again",
        "× its rules",
        lambda build: judging.times_its_rules(game, c_bots(build, "starter", seats), deals),
        at_most=2,
    )


def _record(command: str, measure: Callable[[Path], float]) -> Gauge:
    return Gauge(command, f"`{command}`, Sevens", "ms for 1,000 matches", measure, needs=record.__name__)


def _growth(
    name: str, title: str, unit: str, figure: Callable[[Grown], float], at_most: float | None = None
) -> Gauge:
    def measure(build: Path) -> float:
        return figure(growth.account(build))

    return Gauge(name, f"{growth.MATCHES:,} matches: {title}", unit, measure, at_most, True, growth.__name__)


def _slow(build: Path) -> Entrant:
    return Entrant("slow", (str(build / "four"), "1000"), str(build))


def _schedule_s(build: Path) -> float:
    """The CPU time of the schedule that takes longest among those of `python -m studies.schedules`."""
    began = process_time()
    made(200, 9, Meet(1))
    return process_time() - began


EVERYWHERE = (
    _rules("sevens", "Sevens", 4, 60),
    _rules("squash", "Evil Squash", 2, 150),
    _rules("stratego", "Stratego", 2, 25),
    _rules("squadron", "Squadron Scramble", 2, 40),
    _rules("biplane", "Biplane", 2, 30),
    _record("verify", record.verifying_ms),
    _record("standings", record.placing_ms),
    _record("report", record.reporting_ms),
    Gauge(
        "probe",
        "16 busy matches: a bot's 1 ms is off by",
        "ms",
        lambda build: probe.off_ms(FOUR, _slow(build), c_bots(build), 16, 10, 1.0),
        at_most=0.7,
    ),
    Gauge(
        "memory-1",
        "memory of a worker with one match",
        "MB",
        memory.worker_mb,
        at_most=40,
    ),
    Gauge(
        "memory-16",
        "memory of each further match, 16 at once",
        "kB",
        lambda build: memory.further_kb(build, 16),
        at_most=20,
    ),
    Gauge(
        "memory-64",
        "memory of each further match, 64 at once",
        "kB",
        lambda build: memory.further_kb(build, 64),
        at_most=20,
    ),
    Gauge("schedule", "a schedule for 200 bots, 9 seats", "s", _schedule_s, at_most=30, once=True),
    _growth("growth-memory", "more memory beside results", "MB", growth.more_mb, at_most=5),
    _growth("growth-results", "memory of results", "MB", lambda grown: grown.results_mb),
    _growth("growth-time", "recorded in", "s", lambda grown: grown.parts[-1].seconds),
    _growth("growth-resuming", "resumed in", "s", lambda grown: grown.resuming_s, at_most=15),
    _growth("growth-standings", "standings in", "s", lambda grown: grown.placing_s, at_most=15),
)
COUNTED = (
    Gauge(
        "instructions",
        "connect four: instructions a move",
        "× yardstick's",
        instructions.ratio,
        at_most=instructions.AT_MOST,
        once=True,
    ),
)
"""The gauges that need valgrind."""
GAUGES = (*EVERYWHERE, *(COUNTED if which("valgrind") else ()))
"""The gauges that this machine can read."""


def main(name: str, build: str) -> None:
    """Measures one gauge once and prints the figure."""
    pin()
    print(next(gauge for gauge in GAUGES if gauge.name == name).measure(Path(build)))


if __name__ == "__main__":
    main(*sys.argv[1:])
