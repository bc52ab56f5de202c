"""Reads several records together, for commands that tell of a season."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from harness.record import run_folder
from harness.results import season_tables
from harness.results.season import Season, SeasonRecord, season

FORMS = {
    "text": season_tables.as_text,
    "markdown": season_tables.as_markdown,
    "csv": season_tables.as_csv,
    "json": season_tables.as_json,
}


def season_of(folders: Sequence[Path]) -> Season:
    """The season in these folders. Raises InputError if a folder has no record or records do not fit."""
    return season(
        [SeasonRecord(str(logs), run_folder.plan_of(logs), run_folder.history_of(logs)) for logs in folders]
    )


def print_season(folders: Sequence[Path], form: str) -> None:
    """Prints the ratings of all bots in these folders."""
    click.echo(FORMS[form](season_of(folders)))
