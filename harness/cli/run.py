"""Owns `harness run`: a tournament from the command line, watched and interrupted; decides nothing."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import trio

from harness import config
from harness.cli.output import FILE, as_json
from harness.cli.progress import Progress, progress
from harness.cli.refusal import of_the_machine
from harness.cli.watching import Board, watching
from harness.config import FrozenPlan, Plan
from harness.errors import InputError, MachineError
from harness.escape import shown
from harness.events import Ended, InTournament
from harness.job import Entrant
from harness.play.local import open_local_runner
from harness.play.tournament import Tournament
from harness.record import log, run_folder
from harness.record.history import History
from harness.record.lock import lock_for_controller
from harness.record.log import Journal
from harness.results import tables
from harness.results.standings import standings
from harness.sandbox import process_tree
from harness.sandbox.build import build
from harness.sandbox.isolation import achieved, entrant

REMAIN = 3
"""The exit code when matches remain to be played."""


@click.command()
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--logs", type=FILE, default="logs", help="Where the logs go [logs].")
@click.option("--workers", type=int, help="Processes that play, each on a core of its own [all cores].")
@click.option("--at-once", type=int, help="Seatings that each worker plays at a time [1].")
@click.option("--seed", type=int, help="Decides all chance, where the plan names no seed.")
@click.option("--fresh", is_flag=True, help="Begin anew; what is on record is kept beside it.")
@click.option("--watch", is_flag=True, help="Show standings and running matches as they change.")
@as_json
@click.pass_context
def run(
    ctx: click.Context,
    plan_file: Path,
    logs: Path,
    workers: int | None,
    at_once: int | None,
    seed: int | None,
    fresh: bool,
    watch: bool,
    as_json: bool,
) -> None:
    """Play a tournament, or go on with one.

    The same command goes on where an interrupted run stopped, and prints the standings of a finished one.
    Ctrl-C once lets running matches end; twice ends them at once.
    """
    plan = complete(config.read_plan(plan_file, seed=seed, workers=workers, at_once=at_once), say)
    where = logs / plan.name
    if fresh and where.exists():
        with lock_for_controller(where):
            say(f"what was on record is now in {run_folder.set_aside(where)}")
    with _to_go_on(), lock_for_controller(run_folder.make(where)):
        frozen = run_folder.begin(plan, where, say)
        history, ended = _conduct(plan, frozen, where, watch)
    table = standings(history, frozen.policy, frozen.strikes, frozen.seed)
    click.echo(tables.as_json(table) if as_json else tables.as_text(table))
    ctx.exit(_farewell(ended, where))


@contextmanager
def _to_go_on() -> Iterator[None]:
    """Whatever the machine does, what is on record is whole, and whoever is told of it is told so."""
    try:
        yield
    except BaseException as error:
        if why := of_the_machine(error):
            raise MachineError(f"{why}; what is on record is whole, and the same command goes on") from error
        raise


def say(line: str) -> None:
    """A remark beside the results."""
    click.echo(line, err=True)


def complete(plan: Plan, told: Callable[[str], object]) -> Plan:
    """The plan without bots that cannot play here, if it says that they may be left out.

    Raises InputError where it does not, or where too few are left.
    """
    lacking = {bot.name: why for bot in plan.bots if (why := config.missing(bot, shutil.which))}
    if not lacking:
        return plan
    if plan.missing == "error":
        raise InputError("; ".join(map(shown, lacking.values())), plan.file)
    for why in lacking.values():
        told(f"left out: {shown(why)}")
    return config.without(plan, lacking)


def ready(plan: Plan, told: Callable[[str], object]) -> dict[str, Entrant]:
    """The bots of a plan, built, by name.

    Raises InputError where one cannot be built or is not there, or where bots cannot be isolated as the plan
    demands.
    """
    if plan.clock == "cpu" and not process_tree.KNOWN:
        raise InputError('clock = "cpu" cannot be had here: this system tells no CPU time of bots', plan.file)
    isolation = achieved(plan.isolation)
    told(isolation.line)
    for bot in plan.bots:
        if bot.build and build(bot, isolation.level):
            told(f"built {shown(bot.name)}")
    return {bot.name: entrant(bot, isolation.level, plan.visible) for bot in plan.bots}


def _conduct(plan: Plan, frozen: FrozenPlan, where: Path, watch: bool) -> tuple[History, Ended | None]:
    history = History()
    journal = Journal(where, history.add)
    try:
        run_folder.check_files(where, history)
        if history.ended is None or history.ended.unplayed:
            run_folder.clear_left_over(where, history)
        if history.opened is None:
            record = run_folder.opened(frozen)
            journal.append(record)
            history.add(record)
        if history.ended is not None and not history.ended.unplayed:
            return history, history.ended
        entrants = ready(plan, say)
        with watching(history, frozen) if watch else progress(history, frozen.strikes) as seen:

            def told(record: InTournament) -> None:
                seen.see(record)

            bots = {bot.name: bot for bot in plan.bots}

            def changed(bot: str) -> str:
                return config.changed(bots[bot])

            tournament = Tournament(frozen, plan.rules, entrants, journal, history, told, changed)
            return history, trio.run(_play, tournament, plan, where, seen)
    finally:
        journal.close()


async def _play(tournament: Tournament, plan: Plan, where: Path, seen: Progress) -> Ended | None:
    ended: Ended | None = None
    async with (
        open_local_runner(plan.workers, plan.at_once, str(where)) as runner,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(_listen, tournament.stop, runner.cut, seen)
        if isinstance(seen, Board):
            nursery.start_soon(seen.keep)
        ended = await tournament.conduct(seen.over(runner) if isinstance(seen, Board) else runner)
        nursery.cancel_scope.cancel()
    return ended


async def _listen(stop: Callable[[], object], cut: Callable[[], object], seen: Progress) -> None:
    """Ctrl-C: once lets matches end, twice ends them; SIGTERM ends them too."""
    asked = 0
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            asked += 1
            stop()
            if asked > 1 or number == signal.SIGTERM:
                cut()
            else:
                seen.say("interrupted: running matches end; once more ends them at once")


def _farewell(ended: Ended | None, where: Path) -> int:
    """The last words, and the exit code."""
    say("")
    if ended is None:
        say(f"Stopped; the same command goes on. Logs: {where}")
        return REMAIN
    if ended.note:
        say(f"Ended early: {shown(ended.note)}.")
    if ended.unplayed:
        say(f"{ended.unplayed} matches could not be played, by nobody's fault; the same command tries again.")
    say(f"Logs: {where}")
    say(f"Digest of the standings: {ended.standings}")
    say(f"Digest of the whole:     {log.whole(where)}")
    say(f"Anyone can derive them again: harness verify {where}")
    say(f"Pages for a browser: harness report {where}")
    return REMAIN if ended.unplayed else 0
