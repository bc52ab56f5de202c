"""The command `harness` and the list of its commands. Each command has its own file.

A group of commands imports the file of a command when somebody uses the command.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from harness import __version__, missing_package
from harness.cli.error_for import MACHINE, CommandError, error_for
from harness.config.nearest import name_meant
from harness.escape import shown

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

FEW = 6
"""A group with fewer commands names all of them to a user who left the command out."""


class Commands(click.Group):
    """A group of commands. `homes` has the file and the function of each command, in the order of the help.

    Python needs more than a second for the files of all commands, and no command needs them all.
    """

    def __init__(self, *arguments: Any, homes: Mapping[str, str], **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._homes, *(name for name in self.commands if name not in self._homes)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self._homes and cmd_name not in self.commands:
            self.add_command(_imported(self._homes[cmd_name]), cmd_name)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            hint = name_meant(name, known)
            if not hint and Path(name).exists() and len(known) < FEW:
                hint = f"; write {' or '.join(known)} before {shown(name)}"
            ctx.fail(f"there is no command {shown(name)!r}{hint}")
        return super().resolve_command(ctx, args)


def _imported(home: str) -> click.Command:
    file, _, function = home.partition(":")
    try:
        command = getattr(import_module(f"harness.cli.commands.{file}"), function)
    except ImportError as error:
        if sentence := missing_package(error):
            raise CommandError(sentence, MACHINE) from error
        raise
    assert isinstance(command, click.Command)
    return command


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
