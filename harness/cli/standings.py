"""Owns `harness standings` and `harness status`: what the logs say, now; plays and judges nothing."""

from __future__ import annotations

from pathlib import Path

import click

from harness import folder, tables
from harness import standings as table
from harness.cli.output import as_json, print_json
from harness.discipline import POLICIES
from harness.errors import InputError
from harness.escape import shown

FORMS = {"text": tables.as_text, "markdown": tables.as_markdown, "csv": tables.as_csv, "json": tables.as_json}


@click.command()
@click.argument("logs", type=click.Path(path_type=Path))
@click.option("--policy", type=click.Choice(POLICIES), help="As if this had been the policy [the plan's].")
@click.option("--strikes", type=click.IntRange(1), help="Faulty matches that throw out, for that policy.")
@click.option("--format", "form", type=click.Choice(list(FORMS)), default="text", help="How to print [text].")
@as_json
def standings(logs: Path, policy: str | None, strikes: int | None, form: str, as_json: bool) -> None:
    """Print the standings, by average rank, of a tournament or of what is played so far."""
    plan = folder.plan_of(logs)
    if (policy == "strikes") != (strikes is not None):
        raise InputError("--policy strikes and --strikes N are wanted together, or neither", "--strikes")
    history = folder.history_of(logs)
    strict = strikes if policy else plan.strikes
    found = table.standings(history, policy or plan.policy, strict, plan.seed)
    click.echo(FORMS["json" if as_json else form](found))


@click.command()
@click.argument("logs", type=click.Path(path_type=Path))
@as_json
def status(logs: Path, as_json: bool) -> None:
    """Print how far a tournament has come."""
    plan, history = folder.plan_of(logs), folder.history_of(logs)
    run, ended = history.last, history.ended
    voids = sum(sum(each.attempts.values()) for each in history.runs)
    state = "ended" if ended and not ended.unplayed else "to go on" if run else "not begun"
    if as_json:
        print_json(
            {
                "name": plan.name,
                "game": plan.game.name,
                "state": state,
                "run": run.number if run else 0,
                "matches": run.matches if run else 0,
                "of": run.began.matches if run else 0,
                "bots": run.bots if run else [],
                "disqualified": [record.bot for record in history.disqualified],
                "voids": voids,
                "note": ended.note if ended else "",
            }
        )
        return
    click.echo(f"{plan.name}: {plan.game.name}, {plan.seats} seats, {state}")
    if run:
        click.echo(f"run {run.number}: {run.matches} of {run.began.matches} matches, {len(run.bots)} bots")
    for record in history.disqualified:
        click.echo(f"disqualified: {shown(record.bot)}, {record.fault} in match {record.match}")
    if voids:
        click.echo(f"void attempts: {voids}")
    if ended and ended.note:
        click.echo(f"ended early: {shown(ended.note)}")
