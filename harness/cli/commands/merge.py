"""The command `merge`: makes one record of the shards of a tournament."""

from __future__ import annotations

from pathlib import Path

import click

from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.exit_codes import REMAIN
from harness.cli.output import say
from harness.cli.progress import counting
from harness.escape import count_of, shown
from harness.events import InTournament, Played
from harness.play.merge import Merged
from harness.play.merge import merge as merge_shards
from harness.record import log
from harness.results import tables
from harness.results.ranges import standings_of

MOST_NAMED = 12


@click.command(
    cls=Command,
    prints={"standings": tables.PrintedStandings},
    examples=("harness merge logs/first",),
)
@click.argument("logs", type=FILE)
@as_json
@click.pass_context
def merge(ctx: click.Context, logs: Path, as_json: bool) -> None:
    """Merge the shards of a tournament into one record.

    LOGS is the folder of the tournament, with the folder `shards` that `harness run PLAN --shard I/N` made.
    Apart from times and void attempts, the record has the same bytes as if one machine had played all
    matches. If results are missing, the command names the shards to play again, and the exit code is 3. You
    may run this command before all shards have been played.
    """
    matches = 0
    with counting("matches merged") as seen:

        def count(record: InTournament) -> None:
            nonlocal matches
            if isinstance(record, Played):
                matches += len(record.matches)
                seen(matches)

        found = merge_shards(logs, on_record=count, say=say)
    plan = found.plan
    table = standings_of(plan, found.history)
    click.echo(tables.as_json(table) if as_json else tables.as_text(table))
    ctx.exit(_tell_merged(logs, found))


def _tell_merged(logs: Path, found: Merged) -> int:
    say("")
    if found.missing:
        number = count_of(sum(found.missing.values()), "match")
        run = found.history.last
        new = f" of run {run.number}" if run and run.number > 1 else ""
        say(f"{number}{new} are missing. Play these shards, and merge again:")
        names = list(found.missing)
        rest = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        say("  " + " ".join(names[:MOST_NAMED]) + rest)
        return REMAIN
    say(f"To check the record: harness verify {shown(str(logs))}")
    say(f"Digest of the whole:     {log.whole(logs)}")
    return 0
