"""The commands `new ...`: `new bot` makes the files of a new bot. The command `new game` is in
new_game.py."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from symtable import symtable
from typing import NamedTuple

import click

from harness import config, games
from harness.cli.arguments import FILE, GAME
from harness.cli.command import CommandGroup
from harness.cli.commands.new_game import new_game
from harness.cli.manuals import (
    LANGUAGES,
    PROTOCOL,
    copy,
    fill_in,
    page_in,
    read,
    section,
    write,
    write_manuals,
)
from harness.cli.output import tell, tell_way
from harness.cli.workspace import BOTS, HOUSE, STARTERS, TEMPLATES
from harness.config import Bot
from harness.config.languages import Language, language_named, with_starter
from harness.config.manifest import MANIFEST
from harness.config.names import unfit
from harness.config.nearest import nearest
from harness.config.programs import install, needs, packages_of
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game, is_path
from harness.protocol import Wants, function_bot
from harness.record.run_folder import SHARED, make
from harness.testing.playing import heard

MANUALS = "manuals"
"""The folder in which a new bot has the manuals. A bot in a workspace has no such folder, because the
workspace itself has the manuals."""


@click.group(
    cls=CommandGroup, examples=("harness new bot bots/my-bot --game sevens", "harness new game auction")
)
def new() -> None:
    """Make a new bot, or a new game."""


new.add_command(new_game)


@new.command(
    "bot",
    examples=(
        "harness new bot bots/my-bot --game sevens",
        "harness new bot bots/my-bot --game squash --function policy.py",
    ),
)
@click.argument("directory", metavar="DIR", type=FILE)
@click.option("--game", "name", type=GAME, required=True, help="The game: its name, or the path of its file.")
@click.option("--language", metavar="LANGUAGE", default="python", help="The language of the bot.")
@click.option("--function", type=FILE, help="A Python file whose function `choose(turn)` chooses the moves.")
@click.option(
    "--vscode", is_flag=True, help="Add tasks for VS Code, and a container in which the sandbox works."
)
def new_bot(directory: Path, name: str, language: str, function: Path | None, vscode: bool) -> None:
    """Make a bot that plays a game at random, for you to improve.

    With --function the bot plays with your own Python function, for example one that you have trained.

    With --vscode the folder also gets a container, and tasks for VS Code that check the bot and play against
    it. In the container the bot runs in a sandbox, even if the computer has Windows or macOS.

    DIR is a new folder, or an empty one. The name of the folder becomes the name of the bot.
    `harness check machine` lists the languages, and says for each language whether its bots can play on
    this machine.
    """
    game, starter = games.find(name), starter_in(language)
    if function is not None:
        if starter.name != "Python":
            raise InputError("the function of --function is in Python: leave out --language", "--language")
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
        write_manuals(folder / MANUALS, game, games.page_of(name))
    called = str(Path(name).resolve()) if is_path(name) else name
    bot = make_bot(folder, NewBot(folder.name, starter, game, called, manuals, function))
    if vscode:
        write_for_vscode(bot, game, called)
    tell(f"Made a bot for {shown(game.title)} in {shown(str(directory))}; see its README.md.\n")
    if trouble := config.missing(bot, shutil.which):
        tell(f"The bot cannot play yet: {shown(trouble)}.\n")
    tell_way(directory)
    click.echo(f"    harness check bot . --game {shlex.quote(shown(called))}")


def _manuals_above(folder: Path, game: Game) -> str | None:
    """Returns the folder of the workspace that has the manuals, relative to the bot; None if there is no such
    workspace."""
    for number, above in enumerate(folder.parents, start=1):
        if (above / PROTOCOL).is_file() and (above / page_in(game)).is_file():
            return "/".join([".."] * number)
    return None


# -- the folder of a new bot -----------------------------------------------------------------------
#
# The folder has the starter of a language or the user's own function, a manifest, and a README for one game.
# A starter plays every game. Only the README depends on the game; its template is `templates/bot/README.md`.


MOST_MOVES = 5
"""The maximum number of legal moves that a README shows in its example."""
MOST_LETTERS = 90
SEED = 1
POLICY = "policy.py"
"""The file with the user's function in a bot that `--function` makes."""
AT_RANDOM = "So far it plays at random."
BY_FUNCTION = """\
`policy.py` has the function that chooses the moves. Do not change the other two files, which call it.
Copy the files that the function reads, for example what it has learned, into this folder too."""
NEEDS = "\nThis command installs what the bot needs on Debian or Ubuntu:"


class NewBot(NamedTuple):
    """The choices of the user for a bot."""

    name: str
    language: Language
    game: Game
    named: str
    """The name of the game in commands."""
    manuals: str
    """The folder of the manuals, relative to the bot."""
    function: Path | None = None
    """The file with a function `choose`, which chooses the moves instead of the starter."""


def starter_in(said: str) -> Language:
    """Returns the language that has this name or this file ending, if there is a starter in this language.

    Raises InputError, with the most similar name, if there is no such starter.
    """
    if (found := language_named(said)) and found.starter:
        return found
    folders = sorted(language.folder for language in with_starter())
    near = nearest(said.lower(), folders)
    hint = f"did you mean {near!r}?" if near else "there are " + ", ".join(folders)
    raise InputError(f"no starter is written in {said!r}: {hint}", "--language")


def make_bot(folder: Path, wanted: NewBot) -> Bot:
    """Writes the files of the bot into this folder, and returns the bot."""
    starter = STARTERS / wanted.language.starter
    program = starter.name
    write(folder / MANIFEST, wanted.language.manifest(wanted.name))
    if wanted.function is None:
        copy(starter, folder / program)
    else:
        copy(TEMPLATES / "bot" / program, folder / program)
        copy(source := Path(function_bot.__file__), folder / source.name)
        copy(wanted.function, folder / POLICY)
    bot = config.read_bot(folder)
    seats = max(2, wanted.game.seats[0])
    command = install(needs(bot))
    page = f"{wanted.manuals}/{page_in(wanted.game)}"
    words = {
        "name": wanted.name,
        "title": wanted.game.title,
        "language": bot.language,
        "so_far": AT_RANDOM if wanted.function is None else BY_FUNCTION,
        "program": program if wanted.function is None else POLICY,
        "gets": "gets the legal moves"
        if wanted.function is None
        else "gets a `turn`, with `turn.legal` and `turn.view`,",
        "choose": chooser(wanted.language),
        "called": shlex.quote(wanted.named),
        "itself": " ".join(["."] * seats),
        "human": " ".join(["."] * (seats - 1) + ["human"]),
        "needs": f"{NEEDS}\n\n    {command}\n" if command else "",
        "example": "\n".join(first_question(wanted.game)),
        "page": f"[The page of the game]({page})" if (folder / page).is_file() else "The page of the game",
        "protocol": f"{wanted.manuals}/{PROTOCOL}",
        "languages": f"{wanted.manuals}/{LANGUAGES}",
        "advice": section(read(HOUSE / BOTS / "README.md"), "Advice").rstrip(),
    }
    fill_in(TEMPLATES / "bot" / "README.md", folder / "README.md", words)
    return bot


def write_for_vscode(bot: Bot, game: Game, named: str) -> None:
    """Writes the tasks and the container into the folder of a bot. The container has the programs that the
    bot needs. `named` is the name of the game in commands."""
    folder, template = bot.folder, TEMPLATES / "bot"
    humans = ["."] * (max(2, game.seats[0]) - 1) + ["human"]
    words = {
        "name": folder.name.replace("\\", "").replace('"', ""),
        "packages": " ".join(["bubblewrap", *packages_of(needs(bot))]),
        "game": json.dumps(named),
        "human": ", ".join(map(json.dumps, humans)),
    }
    fill_in(template / "devcontainer.json", folder / ".devcontainer" / "devcontainer.json", words)
    fill_in(template / "tasks.json", folder / ".vscode" / "tasks.json", words)


def check_function(file: Path) -> None:
    """Raises InputError if this file has no function `choose`."""
    try:
        table = symtable(file.read_bytes().decode(), file.name, "exec")
    except OSError as error:
        raise InputError(f"this cannot be read: {error.strerror}", shown(str(file))) from None
    except (SyntaxError, ValueError) as error:
        raise InputError(f"this is no Python: {error}", shown(str(file))) from None
    if "choose" not in table.get_identifiers():
        raise InputError("there is no function `choose`: write `def choose(turn):`", shown(str(file)))


def chooser(language: Language) -> str:
    """Returns the name of the function that chooses a move in the starter of this language."""
    text = read(STARTERS / language.starter)
    return "Choose" if re.search(r"\bChoose\(", text) else "choose"


def first_question(game: Game) -> list[str]:
    """Returns the lines of the first question in a match to a bot in seat 1: the legal moves, the question
    and an answer. Returns [] if this seat is never asked a question."""
    seats = max(2, game.seats[0])
    lines = heard(game, game.options(), 1, seats, SEED, wants=Wants(legal=True))
    if (first := next((at for at, line in enumerate(lines) if line.startswith("< legal ")), None)) is None:
        return []
    last = next(at for at in range(first, len(lines)) if lines[at].startswith("> "))
    told = lines[first : last + 1]
    if len(told) > MOST_MOVES + 4:
        told[1 + MOST_MOVES : -2] = ["< ..."]
    return [line if len(line) <= MOST_LETTERS else f"{line[:MOST_LETTERS]}..." for line in told]
