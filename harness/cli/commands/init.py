"""The command `init`: makes a workspace with a first bot, opponents and a plan."""

from __future__ import annotations

import shlex
import shutil
from math import ceil
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

import click

from harness import config, games, worlds
from harness.cli.arguments import FILE, GAME
from harness.cli.command import Command
from harness.cli.commands.new import NewBot, chooser, make_bot, starter_in
from harness.cli.manuals import copy, files, fill_in, read, section, write_manuals
from harness.cli.output import tell, tell_way
from harness.cli.settings import is_text
from harness.cli.workspace import BOTS, BRIDGES, HOUSE, STARTERS, TEMPLATES
from harness.config import Bot
from harness.config.languages import Language
from harness.config.manifest import MANIFEST
from harness.config.sparring import is_sparring
from harness.config.toml_text import quoted
from harness.errors import InputError
from harness.escape import shown
from harness.games import Game, is_path
from harness.record.run_folder import GROUP, make
from harness.sparring.rungs import Rungs, kept


@click.command(
    cls=Command,
    examples=(
        "harness init my-course --game sevens",
        "harness init duel --game squash --language rust",
    ),
)
@click.argument("directory", metavar="DIR", type=FILE)
@click.option(
    "--game",
    "name",
    type=GAME,
    default="sevens",
    help="The game, by name or by the path of its file.",
)
@click.option("--language", metavar="LANGUAGE", default="python", help="The language of your first bot.")
def init(directory: Path, name: str, language: str) -> None:
    """Make a workspace: bots, a plan, and a place for logs.

    DIR is a new folder, or an empty one. The workspace can also serve as the league of a course.
    """
    game, starter = games.find(name), starter_in(language)
    if not is_text(str(Path(name).resolve())):
        raise InputError("this path is not UTF-8, so no plan can name it", shown(name))
    if directory.exists() and not directory.is_dir():
        raise InputError("this is a file; give a new or an empty folder", str(directory))
    if directory.is_dir() and any(directory.iterdir()):
        raise InputError("this folder is not empty; give a new or an empty one", str(directory))
    make(directory, GROUP)  # The workspace will have hand-ins and a list of students.
    bot = fill(directory, Wanted(game, name, starter))
    tell(f"Made a workspace for {shown(game.title)} in {shown(str(directory))}; see its README.md.\n")
    if trouble := config.missing(bot, shutil.which):
        tell(f"Your first bot cannot play yet: {shown(trouble)}.\n")
    tell("A first tournament:\n")
    tell_way(directory)
    click.echo("    harness run tournaments/first.toml\n")
    tell("For a course, put the list of students into roster.csv, and collect what the students hand in:\n")
    click.echo("    harness collect . FILE...")


# -- the files of a workspace ----------------------------------------------------------------------
#
# The originals are in `templates/`. The folder `templates/workspace/` has the files that `harness init`
# writes, but `harness new bot` does not. In these files, placeholders such as `$name` stand for the parts
# that depend on the game. The folder `templates/house/` has links to files at the root of a checkout. In an
# installed package (a wheel), `templates/house/` has copies of these files instead.


SECTIONS = ("bot.toml", "Advice")
"""The sections of bots/README.md that apply to every game."""
MINE = "my-bot"
"""The name of the user's first bot, which is a copy of the starter."""
BEATS = 40
"""The points that a team gets by the scheme if it beats all opponents."""
LIGHT = ("random", "greedy", "sensible")
"""The house bots of the first tournament. They need no compiler and little time."""


class Wanted(NamedTuple):
    """The choices of the user for a workspace."""

    game: Game
    named: str
    """The name of the game, or the path of its file, relative to the working folder."""
    language: Language
    """The language of the user's first bot."""

    def named_in(self, folder: Path) -> str:
        """Returns the name of the game for plans and commands in this folder of the workspace. A path is
        relative, so that the workspace and the game can be moved together."""
        return relpath(Path(self.named).resolve(), folder.resolve()) if is_path(self.named) else self.named


def fill(directory: Path, wanted: Wanted) -> Bot:
    """Writes all files of a workspace into this folder, and returns the user's first bot."""
    game = wanted.game.name
    copy(STARTERS, directory / BOTS / STARTERS.name)
    for bridge in _bridges(wanted.game):
        copy(bridge, directory / BOTS / BRIDGES.name / bridge.name)
    if (own := HOUSE / BOTS / game).is_dir() and not is_path(wanted.named):
        copy(own, directory / BOTS / game)
        for plan in sorted((HOUSE / "tournaments").glob(f"{game}*.toml")):
            copy(plan, directory / "tournaments" / plan.name)
    page = games.page_of(wanted.named)
    _write_templates(directory, wanted, page.is_file())
    write_manuals(directory, wanted.game, page)
    mine = directory / BOTS / MINE
    return make_bot(mine, NewBot(MINE, wanted.language, wanted.game, wanted.named_in(mine), "../.."))


def _bridges(game: Game) -> list[Path]:
    """Returns the folders of the bridges that players of this game may need. A model behind HTTP can play
    every game. The other bridges are for programs that play games from harness/worlds, such as chess."""
    every = sorted(path for path in BRIDGES.iterdir() if path.is_dir())
    return every if worlds.plays(game) else [BRIDGES / "http"]


def _write_templates(directory: Path, wanted: Wanted, has_page: bool) -> None:
    """Writes the files that `harness init` makes but `harness new bot` does not. Fills in their
    placeholders."""
    game = wanted.game
    seats = max(2, game.seats[0])
    opponents = _opponents(directory, wanted)
    paths = [f"{BOTS}/{MINE}", *(opponent.path for opponent in opponents)]
    page = f"games/{game.name}.md"
    manual = read(HOUSE / BOTS / "README.md")
    words = {
        "title": game.title,
        "called": shlex.quote(wanted.named_in(directory)),
        "game": quoted(wanted.named_in(directory)),
        "game_of_plan": quoted(wanted.named_in(directory / "tournaments")),
        "seats": str(seats),
        "language": wanted.language.name,
        "choose": chooser(wanted.language),
        "opponents": "".join(f"    {_entry(opponent)},\n" for opponent in opponents),
        "house": "".join(f"    {_entry(opponent, '')},\n" for opponent in opponents),
        "staff": ", ".join(quoted(opponent.name) for opponent in opponents),
        "points": str(ceil(BEATS / len(opponents))),
        "match": shlex.join(paths[:seats]),
        "human": shlex.join([*paths[: seats - 1], "human"]),
        "page": f"`{page}` has the rules" if has_page else "the game has no page",
        "sections": "\n".join(section(manual, title) for title in SECTIONS).rstrip(),
    }
    for path in files(TEMPLATES / "workspace"):
        fill_in(path, directory / path.relative_to(TEMPLATES / "workspace"), words)


class _Opponent(NamedTuple):
    path: str
    name: str
    own: bool
    """True if the bot plays under the name in its manifest."""


def _opponents(directory: Path, wanted: Wanted) -> list[_Opponent]:
    """Returns the opponents of the first plan, the weakest first. They are the LIGHT house bots of this game,
    or the starter in Python if there are no such bots. If the game has rungs, a sparring bot is added. If the
    opponents are too few for all seats, the first one plays several times, under different names."""
    homes = [f"{BOTS}/{wanted.game.name}/{name}" for name in LIGHT]
    homes = [home for home in homes if (directory / home / MANIFEST).is_file()]
    homes = homes or [f"{BOTS}/{STARTERS.name}/python"]
    found = [_Opponent(home, config.read_bot(directory / home).name, True) for home in homes]
    found = _with_rung(found, kept(wanted.named))
    for number in range(2, 2 + max(0, wanted.game.seats[0] - 1 - len(found))):
        found.append(_Opponent(found[0].path, f"{found[0].name} {number}", False))
    return found


def _with_rung(found: list[_Opponent], ladder: Rungs | None) -> list[_Opponent]:
    """Adds the sparring bot whose average rank in `ladder` is nearest to the middle of all ranks. Then sorts
    the opponents by their rungs. If the game has no rungs, changes nothing."""
    if ladder is None:
        return found
    sparring = [each for each in ladder.rungs if is_sparring(each.bot)]
    middle = min(sparring, key=lambda each: abs(each.average_rank - (ladder.seats + 1) / 2))
    place = {each.bot: each.rung for each in ladder.rungs}
    added = _Opponent(middle.bot, f"rung {middle.rung}", False)
    return sorted([*found, added], key=lambda each: place.get(each.name, middle.rung))


def _entry(opponent: _Opponent, up: str = "../") -> str:
    path = quoted(opponent.path if is_sparring(opponent.path) else f"{up}{opponent.path}")
    return path if opponent.own else f"{{ path = {path}, name = {quoted(opponent.name)} }}"
