"""The command `demo`: plays a small tournament of bots that come with harness, and makes its pages."""

from __future__ import annotations

import shlex
import webbrowser
from pathlib import Path

import click
from msgspec.structs import replace

from harness.cli.arguments import FILE
from harness.cli.command import Command
from harness.cli.commands.report import Pages
from harness.cli.exit_codes import REMAIN
from harness.cli.output import own_command, say, tell
from harness.cli.screen import open_screen
from harness.cli.workspace import HOUSE
from harness.escape import shown
from harness.events import InTournament, RunBegan
from harness.play.conduct import Conducted, conduct
from harness.results import tables
from harness.results.ranges import standings_of
from harness.results.standings import Standings
from harness.schedule.plan import read_plan

PLAN = HOUSE / "tournaments" / "demo.toml"


@click.command(cls=Command, examples=("harness demo", "harness demo --open"))
@click.argument("directory", metavar="[DIR]", type=FILE, default="harness-demo")
@click.option("--open", "opens", is_flag=True, help="Open the pages in a browser.")
@click.pass_context
def demo(ctx: click.Context, directory: Path, opens: bool) -> None:
    """Play a small tournament, and make its pages.

    Four bots play the card game Sevens, and one of them breaks a rule. The bots come with harness. The
    command takes about ten seconds. It writes the record and the pages into DIR, by default harness-demo.
    """
    say("Four bots play the card game Sevens ...")
    with open_screen() as screen:

        def see(record: InTournament) -> None:
            # The numbers of the certificate would be too much for a first look.
            screen.see(replace(record, certificate=None) if isinstance(record, RunBegan) else record)

        played = conduct(read_plan(PLAN), directory, on_record=see, beside=screen.show)
    if played.ended is None or played.ended.unplayed:
        say("Stopped; run the same command again to continue.")
        ctx.exit(REMAIN)
    pages = Pages(directory, masked=False)
    pages.write()
    _tell(played, pages.index)
    if opens and not webbrowser.open(pages.index.resolve().as_uri()):
        say("There is no browser here that can be opened.")


def _tell(played: Conducted, index: Path) -> None:
    """Prints the standings, the winner, and what the user can look at next."""
    table = standings_of(played.plan, played.history)
    tell(tables.as_text(table))
    tell(f"\n{_outcome(table)}\n")
    command = own_command()
    folder = shlex.quote(shown(str(played.folder)))
    for words, meaning in (
        (shown(str(index)), "The pages, for a browser"),
        (f"{command} show {folder} {table.disqualified[0].match}", "The match with the fault, turn by turn"),
        (f"{command} verify {folder}", "Every result, computed again from the record"),
        (f"{command} init work --game sevens", "A bot of your own, with these bots as opponents"),
    ):
        click.echo(f"{meaning}:\n    {words}")


def _outcome(table: Standings) -> str:
    """Returns the sentences that say who won, and who was disqualified."""
    out = shown(table.disqualified[0].bot)
    broke = f"{out} broke a rule, so it was disqualified, and the others played again without it."
    return f"{tables.winner(table)} {broke}"
