"""A group of commands that imports the file of a command when somebody uses the command."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from harness import missing_package
from harness.cli.error_for import MACHINE, CommandError
from harness.config.meant import name_meant
from harness.escape import shown

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
        command = getattr(import_module(f"harness.cli.{file}"), function)
    except ImportError as error:
        if sentence := missing_package(error):
            raise CommandError(sentence, MACHINE) from error
        raise
    assert isinstance(command, click.Command)
    return command
