"""The commands `new`: make the files with which something new begins."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import click

from harness import config, games
from harness.cli.games import page_of
from harness.cli.manuals import PROTOCOL, page_in, write_manuals
from harness.cli.new_bot import NewBot, check_function, make_bot, starter_in
from harness.cli.output import FILE, GAME, tell
from harness.config.names import unfit
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game, is_path
from harness.record.run_folder import SHARED, make

MANUALS = "manuals"
"""The folder of a new bot with the manuals, if it is not in a workspace, which has them."""


@click.group()
def new() -> None:
    """Make a new bot."""


@new.command("bot")
@click.argument("directory", metavar="DIR", type=FILE)
@click.option("--game", "name", type=GAME, required=True, help="The game: its name, or the path of its file.")
@click.option("--language", metavar="LANGUAGE", default="python", help="What it is written in [python].")
@click.option("--function", type=FILE, help="A Python file whose function `choose(turn)` plays.")
def new_bot(directory: Path, name: str, language: str, function: Path | None) -> None:
    """Make a bot that plays a game at random, to make it better.

    With --function your own Python function plays, for example one that you have trained.

    DIR is a new folder, or an empty one, and its name is the name of the bot. `harness check machine` lists
    the languages, and says which of them play on this machine.
    """
    game, starter = games.find(name), starter_in(language)
    if function is not None:
        if starter != "python":
            raise InputError("a function is in Python: leave out this option", "--language")
        check_function(function)
    folder = directory.resolve()
    if wrong := unfit(folder.name):
        raise InputError(f"the name of the folder is the name of the bot: {wrong}", shown(str(directory)))
    if directory.exists() and not directory.is_dir():
        raise InputError("this is a file; give a new or an empty folder", str(directory))
    if directory.is_dir() and any(directory.iterdir()):
        raise InputError("this folder is not empty; give a new or an empty one", str(directory))
    make(directory, SHARED)
    manuals = _manuals_above(folder, game)
    if manuals is None:
        manuals = MANUALS
        write_manuals(folder / MANUALS, game, page_of(name))
    called = str(Path(name).resolve()) if is_path(name) else name
    bot = make_bot(folder, NewBot(folder.name, starter, game, called, manuals, function))
    tell(f"Made a bot for {shown(game.title)} in {shown(str(directory))}; see its README.md.\n")
    if trouble := config.missing(bot, shutil.which):
        tell(f"It cannot play yet: {shown(trouble)}.\n")
    click.echo(f"    cd {shlex.quote(shown(str(directory)))}")
    click.echo(f"    harness check bot . --game {shlex.quote(shown(called))}")


def _manuals_above(folder: Path, game: Game) -> str | None:
    """The folder of the workspace that has the manuals, relative to the bot; None if there is none."""
    for number, above in enumerate(folder.parents, start=1):
        if (above / PROTOCOL).is_file() and (above / page_in(game)).is_file():
            return "/".join([".."] * number)
    return None
