"""The command `status`: prints how much of a tournament has been played."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click
import msgspec

from harness.cli.arguments import RECORD, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, tell
from harness.escape import count_of, grouped, shown
from harness.record import run_folder


class TournamentStatus(msgspec.Struct, frozen=True):
    """How far a tournament has come."""

    name: str
    game: str
    state: Literal["ended", "to go on", "not begun"]
    run: int
    """The number of the last run, or 0 before the first run. The next three keys are about this run."""
    matches: int
    of: int
    """The number of matches that are planned for the run."""
    bots: tuple[str, ...]
    disqualified: tuple[str, ...]
    voids: int
    note: str
    """A remark about the end of the tournament; "" if there is no remark."""


@click.command(
    cls=Command,
    prints={"status": TournamentStatus},
    only_prints=True,
    examples=("harness status logs/first",),
)
@click.argument("logs", type=RECORD)
@as_json
def status(logs: Path, as_json: bool) -> None:
    """Print how far a tournament has come.

    LOGS is the folder of a tournament.
    """
    plan, history = run_folder.plan_of(logs), run_folder.history_of(logs)
    run, ended = history.last, history.ended
    voids = sum(sum(each.attempts.values()) for each in history.runs)
    state: Literal["ended", "to go on", "not begun"]
    state = "ended" if ended and not ended.unplayed else "to go on" if run else "not begun"
    if as_json:
        print_json(
            TournamentStatus(
                name=plan.name,
                game=plan.game.name,
                state=state,
                run=run.number if run else 0,
                matches=run.matches if run else 0,
                of=run.planned if run else 0,
                bots=run.bots if run else (),
                disqualified=tuple(record.bot for record in history.disqualified),
                voids=voids,
                note=ended.note if ended else "",
            )
        )
        return
    tell(f"{plan.name}: {plan.game.name}, {plan.seats} seats, {state}")
    if run:
        matches = f"{grouped(run.matches)} of {count_of(run.planned, 'match')}"
        tell(f"run {run.number}: {matches}, {count_of(len(run.bots), 'bot')}")
    for record in history.disqualified:
        tell(f"disqualified: {shown(record.bot)}, {record.fault} in match {record.match}")
    if voids:
        tell(f"void attempts: {voids}")
    if ended and ended.note:
        tell(f"how it ended: {shown(ended.note)}")
