"""The command `pgn`: writes the matches of a tournament of chess as PGN."""

from __future__ import annotations

from pathlib import Path

import click

from harness import games
from harness.cli.arguments import RECORD
from harness.cli.command import Command
from harness.cli.commands.show import match_id
from harness.errors import InputError
from harness.record import run_folder
from harness.results.rows import read_log


@click.command(
    cls=Command,
    only_prints=True,
    examples=(
        "harness pgn logs/blitz",
        "harness pgn logs/blitz 1.3.2.1",
    ),
)
@click.argument("logs", type=RECORD)
@click.argument("match", required=False)
def pgn(logs: Path, match: str | None) -> None:
    """Write the matches of a tournament of chess as PGN.

    LOGS is the folder of a tournament. MATCH is an id such as 1.3.2.1, or a number in the list of
    `harness show`. Without MATCH, all matches are written, in the order of the schedule.
    """
    plan = run_folder.plan_of(logs)
    if plan.game.find != "chess":
        raise InputError(f"PGN is for chess, and this is a tournament of {plan.game.name}", str(logs))
    games.find(plan.game.find)  # If python-chess is missing, the error says how to install this package.
    from harness.worlds.chess.pgn import KINDS, games as written  # isort: skip

    wanted = match and match_id(logs, match)
    rows = (row for row in read_log(logs, *KINDS) if wanted in (None, row["match"]))
    for text in written(rows, plan.name, str(plan.options["variant"])):
        click.echo(f"{text}\n")
