"""Reads several records together, for commands that tell of a season."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import click

from harness import install_command
from harness.errors import InputError
from harness.record import mask_key, run_folder
from harness.report import charts
from harness.report.assets import asset
from harness.report.season_page import season_page
from harness.report.writing import INDEX
from harness.results import season
from harness.results.season import Season, SeasonRecord, masked, season_of

FORMS = {
    "text": season.as_text,
    "markdown": season.as_markdown,
    "csv": season.as_csv,
    "json": season.as_json,
}


def read_season(folders: Sequence[Path], mask: bool = False) -> Season:
    """The season in these folders, perhaps with masked names.

    Raises InputError if a folder has no record or records do not fit.
    """
    plans = [run_folder.plan_of(logs) for logs in folders]
    records = zip(folders, plans, strict=True)
    found = season_of([SeasonRecord(str(logs), plan, run_folder.history_of(logs)) for logs, plan in records])
    if not mask:
        return found
    names = {bot.name for plan in plans for bot in plan.bots}
    return masked(found, names, mask_key.mask_of_season(folders, plans).name)


def print_season(folders: Sequence[Path], form: str, mask: bool) -> None:
    """Prints the ratings of all bots in these folders."""
    click.echo(FORMS[form](read_season(folders, mask)))


def report_season(folders: Sequence[Path], out: Path | None, mask: bool) -> None:
    """Writes the page of all bots in these folders, and prints its path. Raises InputError without `out`."""
    if out is None:
        raise InputError("several LOGS need a folder for their page, for example --out season", "--out")
    found = read_season(folders, mask)
    where = run_folder.make(out, run_folder.SHARED)
    missing = ""
    if not charts.can_draw():
        missing = charts.MISSING
        click.echo(f"{missing}: {install_command(charts.LIBRARY)}", err=True)
    # The reports may have names, so a masked page links none.
    links = ["" if mask else _link(where, logs / "report" / INDEX) for logs in folders]
    for name in ("style.css", "page.js"):
        (where / name).write_bytes(asset(name))
    (where / INDEX).write_text(season_page(found, links, charts.drawer(), missing), encoding="utf-8")
    click.echo(where / INDEX)


def _link(page: Path, other: Path) -> str:
    """The address of another page, relative to the folder of this one; "" if there is none."""
    return quote(os.path.relpath(other, page).replace(os.sep, "/")) if other.is_file() else ""
