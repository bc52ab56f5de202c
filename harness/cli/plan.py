"""The command `check plan`: checks a plan, its size and what may go wrong, before it is played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from harness import config
from harness.cli.estimate import estimate, workers
from harness.cli.leagues import rehearsed
from harness.cli.output import FILE, as_json, duration, print_json, say, tell
from harness.config import FrozenPlan, Plan
from harness.config.seeds import CURE, GUESSABLE, guessable
from harness.config.stages import stages_of
from harness.escape import count_of, shown
from harness.events import RunBegan
from harness.play.conduct import complete
from harness.record import run_folder
from harness.record.history import History, Run
from harness.results.columns import ORDERS
from harness.results.ordering import ordering, wish
from harness.schedule.bought import Bought, bought
from harness.schedule.certificate import Certificate
from harness.schedule.due import due
from harness.schedule.formats import decides_places
from harness.schedule.formats.telling import promise

LONG = 600.0
"""If a run takes at least this many seconds, warn that a disqualification repeats the run."""


class Size(NamedTuple):
    """The size of one run of the plan."""

    bots: int
    seats: int
    encounters: int
    sittings: int
    matches: int
    processes: int


@click.command("plan")
@click.argument("plan_file", metavar="PLAN", type=FILE)
@click.option("--final", is_flag=True, help="Of a league: check its final.")
@click.option("--trial/--no-trial", default=True, help="Play some matches to measure the time [yes].")
@as_json
def check_plan(plan_file: Path, final: bool, trial: bool, as_json: bool) -> None:
    """Check a plan: its bots, schedule, size and time, what it will tell, and what may go wrong.

    PLAN is the file of a plan, or the folder of a league: then the tournament that `harness run` would play
    now. Before anybody has handed in, a house bot stands in for each team of the roster.

    It plays some matches to measure the time; --no-trial assumes usual times instead.
    """
    plan = complete(rehearsed(plan_file, final), say)
    frozen = config.freeze(plan, run_folder.drawn_seed())
    history = History.of([run_folder.opened(frozen)])
    run = due(frozen, plan.rules, history)
    assert isinstance(run, RunBegan)
    history.add(run)
    size = _size(run)
    found = estimate(plan, frozen, history, run, trial)
    warnings = tuple(_warnings(plan, frozen, run, found.seconds if trial else None))
    if as_json:
        told = {"plan": frozen.name, **size._asdict(), **found.plain(), "certificate": run.certificate}
        told["bought"] = None if run.stages else _bought(run)._asdict()
        print_json({**told, "warnings": warnings})
        return
    tell(f"{frozen.name}: {plan.rules.title}, {len(run.bots)} bots, {run.seats} seats")
    tell(_certificate(frozen, run))
    least = "at least " if plan.stop or plan.sprt else ""
    tell(
        f"{least}{count_of(size.encounters, 'encounter')}, {count_of(run.seatings, 'sitting')} each, "
        f"matches in a sitting: {run.deals}; "
        f"in all {least}{size.matches} matches and {size.processes} processes"
    )
    if not run.stages:
        tell(_bought(run).text)
    tell(_of_deals(plan, run))
    tell(_of_order(frozen, run))
    for line in found.lines():
        tell(line)
    for warning in warnings:
        tell(f"warning: {shown(warning)}")


def _certificate(frozen: FrozenPlan, run: RunBegan) -> str:
    """What the plan promises."""
    if run.stages:
        return promise(frozen, len(run.bots), run.seats)
    return msgspec.convert(run.certificate, Certificate).evenness


def _bought(run: RunBegan) -> Bought:
    return bought(msgspec.convert(run.certificate, Certificate), run.seatings * run.deals)


def _size(run: RunBegan) -> Size:
    sittings = run.encounters * run.seatings
    return Size(len(run.bots), run.seats, run.encounters, sittings, run.matches, sittings * run.seats)


def _of_deals(plan: Plan, run: RunBegan) -> str:
    if plan.deal == "fresh":
        return "each match has a deal of its own; the bots change their seats from match to match"
    return f"each deal is played in all {run.seatings} orders of seats"


def _of_order(frozen: FrozenPlan, run: RunBegan) -> str:
    stages = stages_of(frozen)
    if stages and decides_places(stages):
        return "places go by the format: how far each bot comes"
    by = ordering(wish(frozen), Run(run), alone=True)
    later = "; what follows is about average ranks" if by.order in ("score", "wins") and not stages else ""
    return f"places go by {ORDERS[by.order]}: {by.why}{later}"


def _warnings(plan: Plan, frozen: FrozenPlan, run: RunBegan, seconds: float | None) -> Iterator[str]:
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
    if plan.order == "score" and plan.deal == "same":
        yield (
            'order = "score" with deal = "same" takes the mean of each deal off the scores; if bots win or '
            'lose together in this game, take deal = "fresh"'
        )
    yield from _warnings_of_deals(plan, run)
    yield from plan.rules.warnings(plan.options, plan.seats)


def _warnings_of_deals(plan: Plan, run: RunBegan) -> Iterator[str]:
    if plan.deal == "same" and plan.rules.secret_chance:
        yield (
            'deal = "same" takes some luck out of the results, but a bot that remembers a deal knows the '
            f"chance of {run.seatings - 1} of {run.seatings} matches; and each order of seats starts new "
            "processes"
        )
    sittings = run.encounters * run.seatings
    if plan.deal == "fresh" and sittings < workers(plan) and run.deals > 1:
        yield (
            f"{count_of(sittings, 'sitting')} cannot keep {workers(plan)} workers busy: "
            f"sitting = {run.deals // 2} cuts each encounter into more sittings"
        )
