"""The gauges: measurements that have their own unit and are not ratios, and their table.

As a program, this module measures one gauge once, on one core, and prints the figure:

    python -m benchmarks.gauges GAUGE BUILD_FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import which
from statistics import median
from time import process_time
from typing import NamedTuple

import msgspec

from benchmarks import commands, growth, instructions, judging, memory, record
from benchmarks.entrants import c_bots
from benchmarks.figures import MISSED, Spread, bound, digits, drawn, spread, verdict
from benchmarks.growth import Grown
from benchmarks.playing import FOUR, job
from benchmarks.rows import pin
from harness.bot.loop import run_loop
from harness.events import InEncounter, Turn
from harness.job import Done, Entrant
from harness.play.sitting import play_together
from harness.schedule.designs import Meet, rounds_for

HEADS = ("beside the ratios", "median", "quartiles", "unit", "at most", "")
ALIGN = ("left", "right", "right", "left", "right", "left")
NOTE = """\
Judged again: the time that `verify` takes for a match, divided by the time of the game's rules alone: start,
check, play, outcome and the lists of legal moves. Memory: the peak; each match has one deal. A bot's 1 ms:
one bot uses 1 ms of CPU time before each answer, and the row says how far the measured time is from 1 ms.
100,000 matches: their results are made up. More memory beside results: how much other memory grows after the
first fifth of the matches. × python -c pass: a multiple of the instructions of `python -c pass`, or of its
CPU time without valgrind."""
_decoder = msgspec.json.Decoder(InEncounter)


RECORD = record.__name__
FURTHER_KB = 25
"""The highest allowed memory, in kB, of each further match that is played at the same time. A match has two
bots. Measured: 22 to 24 kB (17 kB before the harness counted the waits of each bot, and its CPU time between
its answers)."""


class Gauge(NamedTuple):
    """A measurement in its own unit. The function `measure` gets a folder. If `needs` names a module, this
    module has written files into the folder before."""

    name: str
    title: str
    unit: str
    measure: Callable[[Path], float]
    at_most: float | None = None
    """The highest figure that is allowed."""
    once: bool = False
    """Whether one round is enough, because the figure hardly varies."""
    needs: str = ""
    """The name of the module that prepares the measurement. This module runs as a program and gets the
    folder."""


def _rules(game: str, title: str, seats: int, deals: int) -> Gauge:
    return Gauge(
        f"rules-{game}",
        f"{title}, judged again",
        "× its rules",
        lambda build: judging.times_its_rules(game, c_bots(build, "starter", seats), deals),
        at_most=2,
    )


def _record(command: str, measure: Callable[[Path], float]) -> Gauge:
    return Gauge(command, f"`{command}`, Sevens", "ms for 1,000 matches", measure, needs=RECORD)


def _command(name: str, *arguments: str, at_most: float | None) -> Gauge:
    title = f"`harness {' '.join(arguments)}`"
    return _start(name, title, lambda build: commands.times_bare(build, *arguments), at_most)


def _start(
    name: str, title: str, measure: Callable[[Path], float], at_most: float | None, needs: str = ""
) -> Gauge:
    return Gauge(f"start-{name}", title, "× python -c pass", measure, at_most, True, needs)


def _growth(
    name: str, title: str, unit: str, figure: Callable[[Grown], float], at_most: float | None = None
) -> Gauge:
    def measure(build: Path) -> float:
        return figure(growth.account(build))

    return Gauge(name, f"{growth.MATCHES:,} matches: {title}", unit, measure, at_most, True, growth.__name__)


def _slow(build: Path) -> Entrant:
    return Entrant("slow", (str(build / "four"), "1000"), str(build))


def _instructions(name: str, row: str, title: str) -> Gauge:
    return Gauge(
        name,
        f"connect four: instructions {title}",
        "× yardstick's",
        lambda build: instructions.ratios(build, [row])[row],
        at_most=instructions.AT_MOST[row],
        once=True,
    )


def _schedule_s(build: Path) -> float:
    """The CPU seconds to make a schedule for 200 bots at tables of 9 seats. No other schedule of
    `python -m studies.schedules` takes longer."""
    began = process_time()
    rounds_for(200, 9, Meet(1))
    return process_time() - began


def off_ms(game: str, probe: Entrant, busy: Sequence[Entrant], at_once: int, deals: int, ms: float) -> float:
    """The median error with which the harness measures the time of a bot's answer, in milliseconds.

    The bot `probe` uses the CPU for `ms` milliseconds before each answer. `at_once` sittings are played at
    the same time, and the probe has seat 1 in one of them. This sitting has `deals` matches. The other
    sittings have ten times as many matches, so their bots stay busy until the probe has finished.
    """
    probed = job(game, [probe, *busy[1:]], 0, deals)
    others = [job(game, busy, encounter, 10 * deals) for encounter in range(1, at_once)]
    done, *_ = run_loop(play_together, [probed, *others])
    return median([abs(us / 1000 - ms) for us in answered_us(done)])


def answered_us(done: Done) -> list[int]:
    """The microseconds of each move of seat 1; the answer to `new` is not a move."""
    assert not done.void, done.void
    turns = [record for record in map(_decoder.decode, done.log.splitlines()) if isinstance(record, Turn)]
    return [turn.us for turn in turns if turn.seat == 1 and turn.said != "ready"]


STARTS = (
    _command("help", "--help", at_most=3),
    _start(
        "completion",
        "completion of the first word",
        lambda build: commands.times_bare(build, variables=commands.COMPLETION),
        at_most=3,
    ),
    _command("version", "--version", at_most=3),
    _command("run-help", "run", "--help", at_most=14),
    _command("games", "games", at_most=5),
    _start(
        "standings",
        "`harness standings` of six matches",
        lambda build: commands.times_bare(build, "standings", commands.record(build)),
        at_most=8,
        needs=commands.__name__,
    ),
)
"""The gauges that measure the cost of commands that play no match."""
EVERYWHERE = (
    *STARTS,
    _rules("sevens", "Sevens", 4, 60),
    _rules("squash", "Evil Squash", 2, 150),
    _rules("stratego", "Stratego", 2, 25),
    _rules("squadron", "Squadron Scramble", 2, 40),
    _rules("biplane", "Biplane", 2, 30),
    _record("verify", record.verifying_ms),
    _record("standings", record.placing_ms),
    _record("report", record.reporting_ms),
    Gauge("first-report", "the first `report`, longer by", "s", record.first_report_s, needs=RECORD),
    Gauge(
        "probe",
        "16 busy matches: a bot's 1 ms is off by",
        "ms",
        lambda build: off_ms(FOUR, _slow(build), c_bots(build), 16, 10, 1.0),
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
        at_most=FURTHER_KB,
    ),
    Gauge(
        "memory-64",
        "memory of each further match, 64 at once",
        "kB",
        lambda build: memory.further_kb(build, 64),
        at_most=FURTHER_KB,
    ),
    Gauge("schedule", "a schedule for 200 bots, 9 seats", "s", _schedule_s, at_most=30, once=True),
    _growth("growth-memory", "more memory beside results", "MB", growth.more_mb, at_most=5),
    _growth("growth-results", "memory of results", "MB", lambda grown: grown.results_mb),
    _growth("growth-time", "recorded in", "s", lambda grown: grown.parts[-1].seconds),
    _growth("growth-resuming", "resumed in", "s", lambda grown: grown.resuming_s, at_most=15),
    _growth("growth-standings", "standings in", "s", lambda grown: grown.placing_s, at_most=15),
)
COUNTED = (
    _instructions("instructions", "one", "a move"),
    _instructions("instructions-waiting", instructions.WAITING, "a move with a wait"),
)
"""The gauges that need valgrind."""
GAUGES = (*EVERYWHERE, *(COUNTED if which("valgrind") else ()))
"""The gauges that this machine can read."""


# -- the table -------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """A gauge with the median and the quartiles of its values; each round gives one value."""

    gauge: Gauge
    values: Spread


def readings(gauges: Sequence[Gauge], values: Mapping[str, Sequence[float]]) -> list[Reading]:
    """A reading for each gauge that has values."""
    return [Reading(gauge, spread(values[gauge.name])) for gauge in gauges]


def missed(reading: Reading) -> bool:
    """Whether the median is above the gauge's bound."""
    return _verdict(reading) == MISSED


def _verdict(reading: Reading) -> str:
    return verdict(reading.values.median, reading.gauge.at_most)


def table(found: Sequence[Reading]) -> str:
    """The readings as a table for a person."""
    return drawn(HEADS, ALIGN, map(_line, found))


def _line(reading: Reading) -> list[str]:
    gauge, values = reading.gauge, reading.values
    return [
        gauge.title,
        digits(values.median),
        "" if gauge.once else f"{digits(values.low)}..{digits(values.high)}",
        gauge.unit,
        bound(gauge.at_most),
        _verdict(reading),
    ]


def main(name: str, build: str) -> None:
    """Measures one gauge once and prints the figure."""
    pin()
    print(next(gauge for gauge in GAUGES if gauge.name == name).measure(Path(build)))


if __name__ == "__main__":
    main(*sys.argv[1:])
