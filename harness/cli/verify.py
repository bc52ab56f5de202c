"""Owns `harness verify`: says whether a record holds, or where it does not; judges nothing itself."""

from __future__ import annotations

from pathlib import Path

import click

from harness import verify as proof
from harness.cli.output import as_json, print_json
from harness.cli.progress import counting
from harness.config import digest


@click.command()
@click.argument("logs", type=click.Path(path_type=Path))
@as_json
def verify(logs: Path, as_json: bool) -> None:
    """Derive a tournament again from its logs.

    Checks the digests, judges every match anew, and holds schedule, disqualifications, runs and standings
    against what follows from them. Exit code 1, with file, line and the first difference, where one is.
    """
    with counting("matches judged again") as seen:
        found = proof.verify(logs, seen)
    runs = len(found.history.runs)
    if as_json:
        print_json(
            {
                "verified": True,
                "name": found.plan.name,
                "matches": found.matches,
                "runs": runs,
                "ended": found.ended is not None,
                "plan": digest(found.plan),
                "standings": found.ended.standings if found.ended else "",
            }
        )
        return
    click.echo(
        f"{found.matches} matches in {runs} run{'s' * (runs != 1)}: every digest and every verdict holds."
    )
    if found.ended is None:
        click.echo("The tournament has not ended; so far its record holds.")
    else:
        click.echo(f"Digest of the standings: {found.ended.standings}")
