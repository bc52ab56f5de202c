"""Measures the CPU time and memory that harness itself needs for a tournament of a million matches.

Each stage of the tournament runs in a process of its own. The results of the matches are made up, one match
in a hundred has a fault, and the policy counts strikes. Prints a table of CPU time and peak memory with their
bounds. The exit code is 1 if a figure is above its bound:

    python -m benchmarks.million [FOLDER] [--matches MATCHES]

With fewer matches the bounds of CPU time are smaller in proportion. The bounds of CPU time are for a free
core. If other programs run on the core too, the same work needs more CPU time. So a small loop in Python (the
yardstick) runs before and after each stage, and shows how much slower the core is.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from pathlib import Path
from time import process_time, thread_time
from typing import NamedTuple

import click
import msgspec
import trio
from tabulate import tabulate

from benchmarks import growth
from benchmarks.growth import BOTS, GAME, SEATS, MadeUp, megabytes
from harness import __version__, config
from harness.config import FrozenPlan
from harness.config.scheme import Curve, Gradescope, Rank, Scheme
from harness.events import Brief, Fault, Match, Record, Result, Turn, Usage
from harness.events import SittingBegan as Head
from harness.grading import grades as make_grades
from harness.job import Done, Entrant, Job
from harness.model import ranks
from harness.play.runner import Feed
from harness.play.tournament import Tournament
from harness.record import run_folder
from harness.record.history import History
from harness.record.journal import Journal
from harness.record.log import PLAN, read_journal
from harness.record.masking import unmasked
from harness.report.names import Names
from harness.report.writing import Report
from harness.results.export import files
from harness.results.export.rows import ExportedRecord, ExportNames
from harness.results.standings import standings as make_standings
from harness.schedule.due import Play, due
from harness.schedule.rounds import rounds_of
from harness.verify import _Proof, _require_no_more
from harness.verify.chunk import Chunk
from harness.verify.judges import Judges

MATCHES = 1_000_000
DEALS = 2
FAULTY = 100
"""One match in this number of matches has a fault."""
YARDSTICK, FREE_S = 3_000_000, 0.25
"""The steps of the yardstick, and the seconds that they take on a free core of the machine for which the
bounds were chosen."""
_encode = msgspec.json.Encoder().encode_lines


class Cost(NamedTuple):
    """What a stage needed: seconds of CPU time, and the peak memory of its process in megabytes."""

    cpu_s: float
    mb: float
    slower: float = 1.0
    """How many times slower than a free core the core of this stage was."""

    @property
    def free_s(self) -> float:
        """An estimate of the CPU seconds that the stage would need on a free core."""
        return self.cpu_s / self.slower


def plan_of(matches: int) -> FrozenPlan:
    """A plan with at least this number of matches. The policy counts strikes, but no bot can get enough
    strikes to be disqualified."""
    meet = ceil(matches / (BOTS * (BOTS - 1) // 2 * SEATS * DEALS))
    return msgspec.structs.replace(
        growth.plan_of(1),
        harness=__version__,
        deals=DEALS,
        deal="fresh",
        meet=meet,
        policy="strikes",
        strikes=matches,
    )


class MadeUpLogs(MadeUp):
    """Makes up results with logs that look like those of a short game."""

    def __init__(self) -> None:
        self.cpu_s = 0.0
        """The CPU time for making results up. It does not count."""

    def done(self, job: Job) -> Done:
        """The result of a sitting."""
        began = thread_time()
        done = self._made_up(job)
        self.cpu_s += thread_time() - began
        return done

    def _made_up(self, job: Job) -> Done:
        records: list[Record] = [Head(job.run, job.encounter, job.sitting, job.names(), job.attempt)]
        briefs = []
        for number, deal in enumerate(job.deals, 1):
            bots = tuple(job.names()[place - 1] for place in job.places(number))
            scores = tuple(growth.score(deal, bot) for bot in bots)
            fault = Fault(1, "illegal", "that card is not held", "move 5D", "play 4H")
            faults = (fault,) if deal % FAULTY == 0 else ()
            briefs.append(Brief(ranks(scores), scores, tuple(each.brief() for each in faults)))
            records.append(Match(job.match_id(number), bots, job.seeds[number - 1], ("",) * SEATS))
            records += [
                Turn(1, "move 5D", "play 5D", 123, 456, 1_000_000),
                Turn(2, "move 5D", "play 6D", 123, 789, 1_000_000),
                *faults,
                Usage((100, 100)),
                Result(ranks(scores), scores, "all gone"),
            ]
        return Done(job, _encode(records), tuple(briefs))


class OneHeldBack(MadeUpLogs):
    """A runner that never ends its first sitting. It ends all other sittings, until the tournament begins no
    more of them."""

    def __init__(self, stop: Callable[[], object]) -> None:
        super().__init__()
        self._stop = stop

    async def _played(self, feed: Feed, send: trio.MemorySendChannel[Done]) -> None:
        held = feed()
        assert isinstance(held, Job)
        async with send:
            while isinstance(job := feed(), Job):
                await send.send(self.done(job))
            self._stop()


# -- the stages ------------------------------------------------------------------------------------


def play(folder: Path, matches: int) -> Cost:
    """Makes the schedule, and plays and records all matches."""
    plan, history = plan_of(matches), History()
    (folder / PLAN).write_bytes(config.encoded(plan))
    journal = Journal(folder, history.add)
    journal.append(run_folder.opened(plan))
    history.add(run_folder.opened(plan))
    journal.sealing.begin(ended=False)
    runner = MadeUpLogs()
    trio.run(_tournament(plan, journal, history).conduct, runner)
    journal.close()
    return _cost(runner.cpu_s)


def go_on(folder: Path, matches: int) -> Cost:
    """Reads the record as `harness run` does to continue, and finds out that no sitting is left to be
    played."""
    history = History()
    Journal(folder, history.add).close()
    run_folder.check_files(folder, history)
    run_folder.clear_left_over(folder, history)
    assert not isinstance(due(plan_of(matches), GAME, history), Play)
    return _cost()


def standings(folder: Path, matches: int) -> Cost:
    """Computes the standings. The time to read the record does not count."""
    history, plan = run_folder.history_of(folder), plan_of(matches)
    began = process_time()
    make_standings(history, plan.policy, plan.strikes)
    return _cost(began)


def grade(folder: Path, matches: int) -> Cost:
    """Computes grades by place. The time to read the record does not count."""
    history, plan = run_folder.history_of(folder), plan_of(matches)
    began = process_time()
    item = Rank(kind="rank", points=(3, 2, 1))
    make_grades(history, plan, Scheme((item,), "", 3, 3, 3, 2, frozenset(), Curve(), (), Gradescope(), ""))
    return _cost(began)


def verify(folder: Path, matches: int) -> Cost:
    """Verifies that every step of the record follows from the steps before it, but judges no match again."""

    class Unjudged(Judges):
        def judge(self, chunk: Chunk) -> None:
            pass

    plan = plan_of(matches)
    proof = _Proof(folder, plan, GAME, Unjudged(folder, plan, lambda matches: None))
    for line in read_journal(folder):
        proof.take(line.number, line.record)
    proof.flush()
    _require_no_more(folder, proof)
    return _cost()


def report(folder: Path, matches: int) -> Cost:
    """Writes a report without replays."""
    plan = plan_of(matches)
    names = Names(unmasked(bot.name for bot in plan.bots), False)
    Report(folder, plan, folder / "report", names, replays=None).write()
    return _cost()


def export(folder: Path, matches: int) -> Cost:
    """Exports the record as Parquet."""
    plan = plan_of(matches)
    names = ExportNames(unmasked(bot.name for bot in plan.bots), False)
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as out:
        rows = ExportedRecord(folder, plan, names).rows()
        files.export(rows, Path(out), as_csv=False)
    return _cost()


def hold_back(folder: Path, matches: int) -> Cost:
    """Runs the tournament while its first sitting never ends. Results are recorded in order, so all others
    must wait. The memory of this stage is that of the waiting results."""
    plan, history = plan_of(matches), History()
    journal = Journal(folder, history.add)
    journal.append(run_folder.opened(plan))
    history.add(run_folder.opened(plan))
    tournament = _tournament(plan, journal, history)
    rounds_of(plan, tuple(bot.name for bot in plan.bots), SEATS, ())
    before, runner = megabytes(), OneHeldBack(tournament.stop)
    trio.run(tournament.conduct, runner)
    return Cost(process_time() - runner.cpu_s, megabytes() - before)


def _tournament(plan: FrozenPlan, journal: Journal, history: History) -> Tournament:
    entrants = {bot.name: Entrant(bot.name, ("true",), "") for bot in plan.bots}
    return Tournament(plan, GAME, entrants, journal, history, lambda record: None)


def _cost(began: float = 0.0) -> Cost:
    """The cost of this process. `began` is CPU time that does not belong to the stage, so it is
    subtracted."""
    return Cost(process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


def yardstick() -> float:
    """How many times slower this core is now than a free core."""
    began, number = process_time(), 0
    for step in range(YARDSTICK):
        number += step * step % 7
    return (process_time() - began) / FREE_S


class Stage(NamedTuple):
    """A stage with its bounds. If `fresh` is true, the stage gets an empty folder instead of the folder with
    the record."""

    title: str
    run: Callable[[Path, int], Cost]
    most_s: float
    most_mb: float = 600
    fresh: bool = False


STAGES = {
    "play": Stage("played", play, 250),
    "go_on": Stage("gone on", go_on, 60),
    "standings": Stage("standings", standings, 10),
    "grade": Stage("grades", grade, 60),
    "verify": Stage("verified, without judging", verify, 60),
    "report": Stage("report without replays", report, 120),
    "export": Stage("exported as Parquet", export, 150, 300),
    "hold_back": Stage("one sitting held back: early results", hold_back, 250, 256, fresh=True),
}


# -- measuring -------------------------------------------------------------------------------------


def measured(folder: Path, matches: int, names: Iterable[str]) -> dict[str, Cost]:
    """Runs these stages one after the other, each in a process of its own."""
    found = {}
    for name in names:
        with tempfile.TemporaryDirectory(prefix="benchmarks-") as own:
            place = own if STAGES[name].fresh else str(folder)
            command = [sys.executable, "-m", __spec__.name, place, "--matches", str(matches), "--only", name]
            before = yardstick()
            told = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        slower = max(1.0, (before + yardstick()) / 2)
        found[name] = msgspec.json.decode(told, type=Cost)._replace(slower=slower)
        click.echo(f"{name}: {found[name]}", err=True)
    return found


def most_s(name: str, matches: int) -> float:
    """The bound of a stage's CPU time for this number of matches."""
    return STAGES[name].most_s * matches / MATCHES


def within(name: str, cost: Cost, matches: int = MATCHES) -> bool:
    """Whether a stage keeps its bounds."""
    return cost.free_s <= most_s(name, matches) and cost.mb <= STAGES[name].most_mb


def table(found: Mapping[str, Cost], matches: int = MATCHES) -> str:
    """The costs as a table for a person."""
    lines = [
        (
            STAGES[name].title,
            f"{cost.cpu_s:.1f}",
            f"{cost.slower:.1f}",
            f"{cost.free_s:.1f}",
            f"{most_s(name, matches):.1f}",
            f"{cost.mb:.0f}",
            f"{STAGES[name].most_mb:.0f}",
            "yes" if within(name, cost, matches) else "NO",
        )
        for name, cost in found.items()
    ]
    heads = ("stage", "CPU s", "slower", "if free", "at most", "MB", "at most", "kept")
    return tabulate(lines, heads, tablefmt="simple", disable_numparse=True)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), required=False)
@click.option("--matches", type=click.IntRange(1), default=MATCHES, show_default=True)
@click.option(
    "--only",
    type=click.Choice(list(STAGES)),
    help="With FOLDER: run only this stage, in this process, and print its cost.",
)
@click.option("--stages", default=",".join(STAGES), show_default=True, help="Run these stages.")
def main(folder: Path | None, matches: int, only: str | None, stages: str) -> None:
    """Measure all stages with this number of matches. If you give a FOLDER, the record stays there."""
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    if only and folder:
        click.echo(msgspec.json.encode(STAGES[only].run(folder, matches)))
        return
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        found = measured(folder or Path(name), matches, stages.split(","))
    click.echo(table(found, matches))
    if not all(within(name, cost, matches) for name, cost in found.items()):
        sys.exit(1)


if __name__ == "__main__":
    main()
