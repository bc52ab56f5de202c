"""Reads several records together, for commands about a season: several tournaments of the same game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from harness.record import mask_key, run_folder
from harness.results import season
from harness.results.season import Season, SeasonRecord, masked, season_of

FORMS = {
    "text": season.as_text,
    "markdown": season.as_markdown,
    "csv": season.as_csv,
    "json": season.as_json,
}


def read_season(folders: Sequence[Path], mask: bool = False) -> Season:
    """Returns the season that the records in these folders make, with masked names if `mask` is true.

    Raises InputError if a folder has no record, or if the records do not fit together.
    """
    plans = [run_folder.plan_of(logs) for logs in folders]
    records = zip(folders, plans, strict=True)
    found = season_of([SeasonRecord(str(logs), plan, run_folder.history_of(logs)) for logs, plan in records])
    if not mask:
        return found
    names = {bot.name for plan in plans for bot in plan.bots}
    return masked(found, names, mask_key.mask_of_season(folders, plans).name)


def print_season(folders: Sequence[Path], form: str, mask: bool) -> None:
    """Prints the ratings of all bots in the records of these folders."""
    click.echo(FORMS[form](read_season(folders, mask)))
