"""The command `harness` and the list of its commands. Each command has its own file."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from typing import Any

import click

from harness import __version__
from harness.cli.autograder import autograder
from harness.cli.bots import bots
from harness.cli.check_bot import check_bot
from harness.cli.check_game import check_game
from harness.cli.check_machine import check_machine
from harness.cli.collect import collect
from harness.cli.entries import entries
from harness.cli.error_for import error_for
from harness.cli.export import export
from harness.cli.games import games
from harness.cli.grade import grade
from harness.cli.init import init
from harness.cli.ladder import ladder
from harness.cli.mark import mark
from harness.cli.merge import merge
from harness.cli.new import new
from harness.cli.plan import check_plan
from harness.cli.play import play
from harness.cli.replay import replay
from harness.cli.report import report
from harness.cli.run import run
from harness.cli.show import show
from harness.cli.sign import sign
from harness.cli.standings import standings, status
from harness.cli.verify import verify


class Main(click.Group):
    """Runs a command, and turns every error into a sentence and an exit code. Only this class does so."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # Replace a character that the terminal cannot show.
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # The next Ctrl-C ends the process at once.
            shown = error_for(error)
            if shown is error:
                raise
            raise shown from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Lists commands in the order in which they are added below: the ones used first come first."""
        return list(self.commands)


@click.group(
    cls=Main,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all is well; 1 a check says no; 2 a file or a flag is wrong; "
    "3 interrupted, or the machine failed.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def main() -> None:
    """Run tournaments of game-playing programs, and verify their results from the logs."""


@click.group()
def check() -> None:
    """Check a bot, a game, a plan, or this machine."""


for command in (
    init,
    new,
    games,
    bots,
    check,
    collect,
    entries,
    play,
    run,
    merge,
    ladder,
    status,
    standings,
    show,
    replay,
    report,
    export,
    grade,
    mark,
    autograder,
    verify,
    sign,
):
    main.add_command(command)
for command in (check_bot, check_game, check_plan, check_machine):
    check.add_command(command)
