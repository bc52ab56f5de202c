"""The command `harness` and the list of its commands. Each command has its own file."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from typing import Any

import click

from harness import __version__
from harness.cli.commands import Commands
from harness.cli.error_for import error_for

HOMES = {
    "init": "init:init",
    "new": "new:new",
    "games": "games:games",
    "bots": "bots:bots",
    "check": "check:check",
    "collect": "collect:collect",
    "entries": "entries:entries",
    "play": "play:play",
    "run": "run:run",
    "merge": "merge:merge",
    "worker": "cluster:worker",
    "nodes": "cluster:nodes",
    "cluster": "cluster:cluster",
    "ladder": "ladder:ladder",
    "status": "standings:status",
    "standings": "standings:standings",
    "show": "show:show",
    "pgn": "pgn:pgn",
    "replay": "replay:replay",
    "report": "report:report",
    "export": "export:export",
    "grade": "grade:grade",
    "mark": "mark:mark",
    "autograder": "autograder:autograder",
    "verify": "verify:verify",
    "sign": "sign:sign",
}
"""The file and the function of each command. The commands that are used first come first."""


class Main(Commands):
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


@click.group(
    cls=Main,
    homes=HOMES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 all is well; 1 a check says no; 2 a file or a flag is wrong; "
    "3 interrupted, or the machine failed.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def main() -> None:
    """Run tournaments of game-playing programs, and verify their results from the logs."""
