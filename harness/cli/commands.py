"""A group of commands that imports the file of a command when somebody uses the command."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from harness import missing_package
from harness.cli.error_for import MACHINE, CommandError


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


def _imported(home: str) -> click.Command:
    file, _, function = home.partition(":")
    try:
        command = getattr(import_module(f"harness.cli.{file}"), function)
    except ImportError as error:
        if sentence := missing_package(error):
            raise CommandError(sentence, MACHINE) from error
        raise
    assert isinstance(command, click.Command)
    return command
