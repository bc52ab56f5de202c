"""The command `export`: writes a record as tables for DuckDB, polars, R and spreadsheets."""

from __future__ import annotations

from pathlib import Path

import click

from harness import install_command
from harness.cli.arguments import FILE, RECORD
from harness.cli.command import Command
from harness.cli.output import table
from harness.cli.progress import counting
from harness.errors import InputError
from harness.escape import shown
from harness.record import mask_key, run_folder
from harness.record.masking import unmasked
from harness.record.team_names import names_of
from harness.results.export import files as export_files
from harness.results.export.files import TABLES
from harness.results.export.rows import ExportedRecord, ExportNames


@click.command(
    cls=Command,
    examples=(
        "harness export logs/first tables",
        "harness export logs/first tables --csv --only matches",
    ),
)
@click.argument("logs", type=RECORD)
@click.argument("folder", metavar="DIR", type=FILE)
@click.option("--csv", "as_csv", is_flag=True, help=f"Write CSV, which needs no {export_files.LIBRARY}.")
@click.option(
    "--only",
    type=click.Choice(list(TABLES)),
    multiple=True,
    help="Write only this table; may be repeated.",
)
@click.option(
    "--mask",
    "masked",
    is_flag=True,
    help="Mask the names of teams; mask.json, in LOGS or in the league, is the key.",
)
def export(logs: Path, folder: Path, as_csv: bool, only: tuple[str, ...], masked: bool) -> None:
    """Write a record as tables, in Parquet or CSV.

    DuckDB, polars, pandas, R and spreadsheets can read the tables. LOGS is the folder of a tournament. DIR is
    a new folder. The command writes one Parquet file for each table into DIR: matches, seats, turns, numbers,
    faults, bots, tournament. With --mask, the tables have masks instead of the names of teams, and have no
    text that a bot wrote in comments or to stderr. docs/export.md describes each column.
    """
    if not (as_csv or export_files.can_write_parquet()):
        install = install_command(export_files.LIBRARY)
        raise InputError(f"Parquet needs {export_files.LIBRARY}: {install}\n  or write CSV with --csv")
    plan = run_folder.plan_of(logs)
    mask = (
        mask_key.mask_of(logs, plan) if masked else unmasked((bot.name for bot in plan.bots), names_of(logs))
    )
    record = ExportedRecord(logs, plan, ExportNames(mask, masked))
    out = export_files.new_folder(folder, logs)
    with counting("matches exported") as seen:
        files = export_files.export(record.rows(), out, as_csv=as_csv, only=only, on_progress=seen)
    rows = [(shown(str(path)), count) for path, count in files.items()]
    click.echo(table(("file", "rows"), rows, right="rows"))
