"""The command `init`: makes a workspace with a first bot, opponents and a plan."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click

from harness import config, games
from harness.cli.new_bot import starter_in
from harness.cli.new_workspace import Wanted, fill
from harness.cli.output import FILE, GAME, tell
from harness.errors import InputError
from harness.escape import shown
from harness.games import is_path
from harness.record.run_folder import SHARED, make


@click.command()
@click.argument("directory", metavar="DIR", type=FILE)
@click.option(
    "--game",
    "name",
    type=GAME,
    default="sevens",
    help="The game, by name or by the path of its file [sevens].",
)
@click.option(
    "--language", metavar="LANGUAGE", default="python", help="What your first bot is written in [python]."
)
def init(directory: Path, name: str, language: str) -> None:
    """Make a workspace: bots, a plan, a league for a course, and a place for logs.

    DIR is a new folder, or an empty one.
    """
    game, starter = games.find(name), starter_in(language)
    if not _is_text(name):
        raise InputError("this path is not UTF-8, so no plan can name it", shown(name))
    if directory.exists() and not directory.is_dir():
        raise InputError("this is a file; give a new or an empty folder", str(directory))
    if directory.is_dir() and any(directory.iterdir()):
        raise InputError("this folder is not empty; give a new or an empty one", str(directory))
    make(directory, SHARED)
    bot = fill(directory, Wanted(game, str(Path(name).resolve()) if is_path(name) else name, starter))
    tell(f"Made a workspace for {shown(game.title)} in {shown(str(directory))}; see its README.md.\n")
    if trouble := config.missing(bot, shutil.which):
        tell(f"Your first bot cannot play yet: {shown(trouble)}.\n")
    tell("A first tournament:\n")
    click.echo(f"    cd {shlex.quote(shown(str(directory)))}")
    click.echo("    harness run tournaments/first.toml\n")
    tell("For a course, put its list of students into roster.csv, and collect what they hand in:\n")
    click.echo("    harness collect . FILE...")


def _is_text(path: str) -> bool:
    try:
        str(Path(path).resolve()).encode()
    except UnicodeEncodeError:
        return False
    return True
