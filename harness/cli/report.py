"""Owns `harness report`: a folder of pages about a tournament, made from its log; judges nothing."""

from __future__ import annotations

from pathlib import Path

import click

from harness import folder, maskkey
from harness.masking import unmasked
from harness.report import plots
from harness.report.names import Names
from harness.report.writing import INDEX, Report


@click.command()
@click.argument("logs", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Where the pages go [LOGS/report].")
@click.option("--mask", "masked", is_flag=True, help="Names that only who holds LOGS/mask.json can read.")
def report(logs: Path, out: Path | None, masked: bool) -> None:
    """Make pages of a tournament: standings, plots, faults, and a replay of every match.

    They open from disk, in any browser, without a server and without a network. What is published with
    --mask names no team and holds nothing that a bot wrote to stderr.
    """
    plan = folder.plan_of(logs)
    mask = maskkey.mask_of(logs, plan) if masked else unmasked(bot.name for bot in plan.bots)
    pages = Report(logs, plan, out or logs / "report", Names(mask, masked))
    pages.write()

    if not plots.can_draw():
        click.echo(plots.MISSING, err=True)
    click.echo((out or logs / "report") / INDEX)
