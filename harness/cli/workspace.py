"""Finds the bots of a workspace, and prepares the bot that a user names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

import click

from harness import config
from harness.cli.arguments import reachable
from harness.cli.output import say, show_builds
from harness.config import Bot
from harness.config.folder import BOUNDS, Bounds
from harness.config.languages import alone
from harness.config.manifest import MANIFEST
from harness.config.nearest import name_meant, path_meant
from harness.config.sparring import is_sparring
from harness.errors import InputError
from harness.games import is_path
from harness.job import Entrant
from harness.sandbox import isolation
from harness.sandbox.builds.build import BuildSettings
from harness.sandbox.builds.copies import folder_of_copies
from harness.sandbox.builds.side_by_side import built_side_by_side
from harness.sandbox.closing import close_workspaces

BOTS = "bots"
TEMPLATES = Path(__file__).parent / "templates"
HOUSE = TEMPLATES / "house"
"""The folder with files that are also at the root of a checkout: starters, house bots, plans and the manual.
An installed package has these files only in this folder."""
STARTERS = HOUSE / BOTS / "starters"
BRIDGES = HOUSE / BOTS / "bridges"
STARTER = str(STARTERS / "python")
"""The path of the starter in Python, which plays any game at random."""
STRENGTHS = ("random", "greedy", "sensible", "planner", "strong")
"""The names of the house bots that a bot can be compared with, the weakest first."""


class Found(NamedTuple):
    """A path in the workspace that looks like a bot. `bot` is the bot at this path, or None if it cannot be
    read."""

    path: str
    bot: Bot | None
    trouble: str
    """The reason why the bot cannot play on this machine; "" if the bot can play."""


def level_for(
    wanted: str,
    private: Iterable[str | Path],
    visible: tuple[str, ...] = (),
    clock: str = "wall",
    where: str = "",
) -> str:
    """Returns the level of isolation at which the bots of this command start. If each bot starts as a
    different user, the function first closes the workspaces that contain the `private` paths, so that other
    users cannot read these workspaces. The function prints which folders it closed.

    Raises InputError if the wanted level or this clock does not work on this machine. `where` is the file or
    the option that the error names.
    """
    level = isolation.achieved(wanted, clock, where).level
    if level == "user":
        for line in close_workspaces(map(Path, private), visible):
            say(line)
    return level


def entrant(path: str, level: str, visible: tuple[str, ...] = ()) -> Entrant:
    """Builds the bot in this folder or file, so that it can start at this level of isolation. If the bot is
    isolated, the bot and its build may read the `visible` paths.

    Raises InputError if there is no bot, if its build fails, or if its command does not exist.
    """
    bot = built_copy(bot_at(path), BuildSettings(level, visible=visible))
    return isolation.entrant(bot, level, visible)


def built_copy(bot: Bot, settings: BuildSettings) -> Bot:
    """Builds the bot in a private copy of its files, and returns the copy. The copy is deleted at the end of
    this command."""
    place = click.get_current_context().with_resource(folder_of_copies())
    [(_, made)] = built_side_by_side([(bot, place / "bot")], settings, show_builds())
    return made.result().bot


def bot_at(path: str, bounds: Bounds = BOUNDS) -> Bot:
    """Reads the bot in this folder or file, or the sparring bot that `path` names. `bounds` limits the size
    of the bot. Raises InputError if there is no bot, or if a program that the bot needs is missing."""
    if not is_sparring(path) and not reachable(path).exists():
        raise InputError(f"there is no such bot{_hint(path)}", path)
    bot = config.read_bot(Path(path), bounds=bounds)
    if trouble := config.missing(bot, shutil.which):
        raise InputError(trouble.removeprefix(f"{bot.name}: "), path)  # The error names the path already.
    return bot


def house_bots(game: str) -> list[str]:
    """Returns the paths of the house bots of this game, the weakest first. If `game` is a path, there are
    no house bots."""
    homes = [] if is_path(game) else [HOUSE / BOTS / game / name for name in STRENGTHS]
    return [str(home) for home in homes if (home / MANIFEST).is_file()]


def bot_or_house_bot(named: str, game: str) -> str:
    """Returns the path of the bot that the user named. If there is no file at the path `named`, the user may
    mean a house bot. The user may give its name (`greedy`), or the path that the manual uses
    (`bots/sevens/greedy`). Raises InputError if `named` is not the name of a house bot, but is similar to
    one."""
    if Path(named).exists() or is_sparring(named):
        return named
    homes = {Path(home).name: home for home in house_bots(game)}
    found = next((homes[name] for name in homes if named in (name, f"{BOTS}/{game}/{name}")), named)
    if found == named and not path_meant(Path(named)) and (near := name_meant(named, homes)):
        raise InputError(f"there is no such bot{near}", named)
    return found


def bots_of(workspace: Path) -> list[Found]:
    """Returns all bots below `bots/`, sorted by path. Raises InputError if there is no such folder."""
    root = workspace / BOTS
    if not root.is_dir():
        raise InputError(
            "there is no such folder, so this is not a workspace; `harness init DIR` makes one", str(root)
        )
    return [_found(path, workspace) for path in bot_paths(root)]


def bot_paths(folder: Path) -> Iterator[Path]:
    """Yields the paths in a folder that look like bots: folders with a manifest, and files with a known
    ending or with permission to execute."""
    if (folder / MANIFEST).is_file():
        yield folder
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "__pycache__")):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from bot_paths(path)
        elif path.is_file() and (alone(path.name) or path.stat().st_mode & 0o111):
            yield path


def _found(path: Path, workspace: Path) -> Found:
    relative = str(path.relative_to(workspace))
    try:
        bot = config.read_bot(path)
    except InputError as error:
        return Found(relative, None, str(error))
    return Found(relative, bot, config.missing(bot, shutil.which) or "")


def _hint(path: str) -> str:
    """Returns a hint: the bots of this workspace whose names are most similar to the name in `path`, or else
    the most similar path."""
    near_path = path_meant(Path(path)) if os.sep in path else ""
    if not Path(BOTS).is_dir():
        hint = "; `harness init DIR --game GAME` makes a folder with the house bots of a game"
        return hint if Path(path).parts[:1] == (BOTS,) else near_path
    paths = [str(each) for each in bot_paths(Path(BOTS))]
    stem = Path(path).stem
    # Two paths with the same beginning are always similar. So the names of the bots are compared first, and
    # not their paths.
    names = get_close_matches(stem, {Path(each).stem for each in paths}, 1)
    near = get_close_matches(path, [each for each in paths if [Path(each).stem] == names], 3, cutoff=0)
    if near:
        return "; did you mean " + " or ".join(near) + "?"
    return near_path or "; `harness bots` lists those of this workspace"
