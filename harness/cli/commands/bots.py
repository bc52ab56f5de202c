"""The command `bots`: lists the bots of a workspace, and says whether they can play on this machine."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.output import print_json, table, tell
from harness.cli.workspace import Found, bots_of
from harness.escape import shown


class ListedBot(msgspec.Struct, frozen=True):
    """A bot of a workspace. If the bot cannot be read, `trouble` says why, and only `path` is known."""

    name: str | None
    path: str
    """The folder or the file of the bot, in the workspace."""
    language: str | None
    run: tuple[str, ...] | None
    """The command that starts the bot."""
    build: tuple[str, ...] | None
    """The command that builds the bot."""
    trouble: str | None
    """The reason why the bot cannot play here, or None if it can."""


@click.command(
    cls=Command,
    prints={"bots": tuple[ListedBot, ...]},
    only_prints=True,
    examples=(
        "harness bots",
        "harness bots my-course",
    ),
)
@click.argument("workspace", default=".", type=FILE)
@as_json
def bots(workspace: Path, as_json: bool) -> None:
    """List the bots of a workspace.

    The bots are in bots/ and its folders. A bot can play here if the programs that it needs are installed.

    WORKSPACE is the folder that has bots/. Without a folder, the command lists the bots of the current
    folder.
    """
    found = bots_of(workspace)
    if as_json:
        print_json([_described(each) for each in found])
        return
    if not found:
        tell("There is no bot here yet. A bot is a folder with a bot.toml, or a single script.")
        return
    click.echo(table(("bot", "folder or file", "language", "plays here"), map(_row, found)))
    if troubles := [each.trouble for each in found if each.trouble]:
        click.echo("\n" + "\n".join(map(shown, troubles)))


def _row(found: Found) -> tuple[str, str, str, str]:
    name, language = (found.bot.name, found.bot.language) if found.bot else (Path(found.path).stem, "")
    return name, found.path, language, "no" if found.trouble else "yes"


def _described(found: Found) -> ListedBot:
    bot = found.bot
    return ListedBot(
        name=bot.name if bot else None,
        path=found.path,
        language=bot.language if bot else None,
        run=bot.run if bot else None,
        build=bot.build if bot else None,
        trouble=found.trouble or None,
    )
