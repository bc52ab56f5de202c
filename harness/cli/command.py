"""Defines a class for commands with examples in their help, and a class for groups of commands. A group
imports a command only when somebody uses this command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from harness import missing_package, streams
from harness.cli.exit_codes import MACHINE

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

FEW = 6
"""If a user types the path of a file in place of the name of a command, the error message names all commands
of the group, but only if the group has fewer commands than this number."""


class Command(click.Command):
    """A command with examples. `examples` has lines that a user can type into a shell. They show how to use
    the command.

    `prints` is a table with the type of each value that the command prints with --json. The key of each type
    is the name of its schema in docs/schemas.

    If `only_prints` is true, the command ends when nobody reads its output any more, for example after `|
    head`. Any other command does all its work, even if nobody reads its output.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[str] = (),
        prints: Mapping[str, Any] = MappingProxyType({}),
        only_prints: bool = False,
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self.examples = tuple(examples)
        self.prints = prints
        self._only_prints = only_prints

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. Click calls this method."""
        if self._only_prints:
            streams.end_with_reader()
        if not isinstance(self, click.Group):  # A group starts no threads, so it skips this import.
            from harness.job import threads

            threads.keep()
        return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples after the options. Click calls this method."""
        with formatter.section("Examples" if len(self.examples) > 1 else "Example"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
        super().format_epilog(ctx, formatter)


class CommandGroup(Command, click.Group):
    """A group of commands. Each command has a file of its own, which is imported only when somebody uses the
    command.

    `summaries` has the parts of the help; the key of each part is its title. Each part is a table: for the
    name of each command, it has the first sentence of the help of this command. So harness can print the list
    of commands without importing the files of the commands. Importing these files takes more than a second.
    The command NAME is the function NAME in harness/cli/commands/NAME.py. If the group has a `prefix`, the
    names of the function and of the file begin with this prefix.
    """

    command_class = Command

    def __init__(
        self,
        *arguments: Any,
        summaries: Mapping[str, Mapping[str, str]] | None = None,
        prefix: str = "",
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self.summaries = summaries or {}
        self._names = [name for part in self.summaries.values() for name in part]
        self._prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the commands, in the order of the help."""
        return [*self._names, *(name for name in self.commands if name not in self._names)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports and returns the command with this name. Returns None if there is no such command."""
        if cmd_name in self._names and cmd_name not in self.commands:
            self.add_command(_imported(f"{self._prefix}{cmd_name}"), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the list of commands without importing the files of the commands."""
        if not self.summaries:
            super().format_commands(ctx, formatter)
        widest = max(map(len, self._names), default=0)
        for title, part in self.summaries.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{widest}}", summary) for name, summary in part.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Returns the names of the commands that begin with the word `incomplete`. Imports no file of a
        command."""
        if not self.summaries:
            return super().shell_complete(ctx, incomplete)
        from click.shell_completion import CompletionItem

        known = [(name, summary) for part in self.summaries.values() for name, summary in part.items()]
        found = [CompletionItem(name, help=summary) for name, summary in known if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the command that the first argument names. If there is no such command, the error suggests
        a similar name."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            from harness.config.nearest import name_meant
            from harness.escape import shown

            known = self.list_commands(ctx)
            hint = name_meant(name, known)
            if not hint and Path(name).exists() and len(known) < FEW:
                hint = f"; write {' or '.join(known)} before {shown(name)}"
            ctx.fail(f"there is no command {shown(name)!r}{hint}")
        return super().resolve_command(ctx, args)


def _imported(name: str) -> click.Command:
    try:
        command = getattr(import_module(f"harness.cli.commands.{name}"), name)
    except ImportError as error:
        if sentence := missing_package(error):
            from harness.cli.error_for import CommandError

            raise CommandError(sentence, MACHINE) from error
        raise
    assert isinstance(command, click.Command)
    return command
