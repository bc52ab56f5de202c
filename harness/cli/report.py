"""The command `report`: makes a folder of pages about a tournament from its record."""

from __future__ import annotations

import time
from pathlib import Path

import click

from harness import install_command
from harness.cli.output import FILE
from harness.cli.progress import counting
from harness.cli.season import report_season
from harness.errors import InputError, RecordError
from harness.record import mask_key, run_folder
from harness.record.history import History
from harness.record.log import JOURNAL
from harness.record.masking import unmasked
from harness.report import plots
from harness.report.names import Names
from harness.report.writing import INDEX, Report

EVERY = 3.0
"""The seconds between two readings of a log that still grows."""
REST = 9
"""After a second of work on the pages, so many seconds pass before the next reading."""
PATIENCE = 3
"""After this number of failed readings in a row, the error is raised. A reading fails if an encounter's file
is not yet as long as the journal says."""


@click.command()
@click.argument("folders", metavar="LOGS...", type=FILE, nargs=-1, required=True)
@click.option("--out", type=FILE, help="Where the pages go [LOGS/report].")
@click.option("--mask", "masked", is_flag=True, help="Mask names; LOGS/mask.json is the key.")
@click.option("--no-replays", is_flag=True, help="Leave out the replays, about 20 kB for each match.")
@click.option("--watch", is_flag=True, help="Keep the pages current until the tournament has ended.")
def report(folders: tuple[Path, ...], out: Path | None, masked: bool, no_replays: bool, watch: bool) -> None:
    """Make pages of a tournament: standings, plots, faults, and a replay of every match.

    They open from disk, in any browser, without a server or a network. With --mask they name no team and show
    nothing that a bot wrote to stderr. With --watch an open page updates itself.

    Several LOGS are a season: one page in the folder of --out, with one rating of all bots in all of them and
    links to their reports.
    """
    if len(folders) > 1:
        for option, given in (("--mask", masked), ("--no-replays", no_replays), ("--watch", watch)):
            if given:
                raise InputError("this is for one LOGS", option)
        report_season(folders, out)
        return
    [logs] = folders
    plan = run_folder.plan_of(logs)
    mask = mask_key.mask_of(logs, plan) if masked else unmasked(bot.name for bot in plan.bots)
    where = run_folder.make(out or logs / "report", run_folder.SHARED)
    pages = Report(logs, plan, where, Names(mask, masked), replays=not no_replays)
    if not plots.can_draw():
        click.echo(f"{plots.MISSING}: {install_command(plots.LIBRARY)}", err=True)
    with counting("matches told") as seen:
        history = pages.write(watch, seen)
    click.echo(where / INDEX)
    if watch:
        try:
            _keep(pages, history, logs)
        except KeyboardInterrupt:
            pages.write()


def _keep(pages: Report, history: History, logs: Path) -> None:
    """Writes the pages again whenever the log has grown, until the tournament has ended."""
    size, troubles, took = 0, 0, 0.0
    while history.ended is None or history.ended.unplayed:
        time.sleep(max(EVERY, REST * took))
        now = (logs / JOURNAL).stat().st_size
        if now == size:
            continue
        began = time.process_time()
        try:
            history = pages.write(watched=True)
            size, troubles = now, 0
        except RecordError:
            troubles += 1
            if troubles == PATIENCE:
                raise
        took = time.process_time() - began
