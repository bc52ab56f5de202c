"""The command `check plan`: checks a plan and estimates its size and its time before it is played."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
import trio

from harness import config
from harness.cli.output import FILE, as_json, duration, print_json
from harness.cli.run import say
from harness.config import FrozenPlan, Plan
from harness.config.seeds import CURE, GUESSABLE, guessable
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.events import RunBegan
from harness.play.conduct import complete, ready
from harness.play.seating import play_together
from harness.play.tournament import job_of
from harness.record import run_folder
from harness.record.history import History
from harness.schedule.certificate import Certificate
from harness.schedule.due import Play, due
from harness.workers import cores

LONG = 600.0
"""If a run takes at least this many seconds, warn that a disqualification repeats the run."""


class Size(NamedTuple):
    """The size of one run of the plan."""

    bots: int
    seats: int
    encounters: int
    seatings: int
    matches: int
    processes: int


@click.command("plan")
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--trial/--no-trial", default=True, help="Play one seating to estimate the time [yes].")
@as_json
def check_plan(plan_file: Path, trial: bool, as_json: bool) -> None:
    """Check a plan: its bots, schedule, size and time, and what may go wrong."""
    plan = complete(config.read_plan(plan_file), say)
    frozen = config.freeze(plan, run_folder.drawn_seed())
    history = History.of([run_folder.opened(frozen)])
    run = due(frozen, plan.rules, history)
    assert isinstance(run, RunBegan)
    history.add(run)
    size = _size(run)
    seconds = _seconds(plan, frozen, history, size) if trial else None
    warnings = tuple(_warnings(plan, frozen, seconds))
    if as_json:
        told = {"plan": frozen.name, **size._asdict(), "seconds": seconds, "certificate": run.certificate}
        print_json({**told, "warnings": warnings})
        return
    click.echo(f"{frozen.name}: {plan.rules.title}, {len(run.bots)} bots, {run.seats} seats")
    click.echo(msgspec.convert(run.certificate, Certificate).text)
    click.echo(
        f"{count_of(size.encounters, 'encounter')}, {count_of(run.seatings, 'seating')} each, "
        f"matches in a seating: {run.deals}; "
        f"in all {size.matches} matches and {size.processes} processes"
    )
    if seconds is not None:
        click.echo(f"about {duration(max(1, seconds))} for a run, estimated from one seating that was played")
    for warning in warnings:
        click.echo(f"warning: {shown(warning)}")


def _size(run: RunBegan) -> Size:
    seatings = run.encounters * run.seatings
    return Size(len(run.bots), run.seats, run.encounters, seatings, run.matches, seatings * run.seats)


def _seconds(plan: Plan, frozen: FrozenPlan, history: History, size: Size) -> float:
    """Plays one seating and estimates the seconds of a run. Raises InputError if the seating is void."""
    step = due(frozen, plan.rules, history)
    assert isinstance(step, Play)
    with ready(plan, say) as bots:
        began = time.monotonic()
        (done,) = trio.run(play_together, [job_of(frozen, bots.entrants, next(step.seatings))])
        took = time.monotonic() - began
    if done.void:
        raise InputError(f"the trial could not be played: {done.void}", plan.file)
    workers = plan.workers or len(cores()) or 1
    return took * size.seatings / min(workers, size.seatings)


def _warnings(plan: Plan, frozen: FrozenPlan, seconds: float | None) -> Iterator[str]:
    if guessable(frozen.seed):
        yield f"{GUESSABLE}; {CURE}"
    if plan.policy != "forfeit":
        left = len(plan.bots) - 1
        if left < plan.seats:
            smaller = f"at tables of {left}" if left > 1 and not plan.rules.unfit(plan.options, left) else ""
            so = f"the rest would play {smaller}" if smaller else "the tournament would end there"
            yield f"one disqualification would leave {count_of(left, 'bot')} for {plan.seats} seats: {so}"
        if seconds is not None and seconds > LONG and frozen.rerun == "fresh":
            yield (
                f"after one disqualification a run of {duration(seconds)} would start again; "
                'rerun = "keep" keeps matches the offender did not play in'
            )
    yield from plan.rules.warnings(plan.options, plan.seats)
