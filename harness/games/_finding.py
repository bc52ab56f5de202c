"""Finds a game by the name of its module or entry point, or by the path of its file or folder.

A world is a library with many games. Each entry point of the group `harness.worlds` has the name of a world,
and refers to a function that makes a game. For example, `openspiel:leduc_poker(players=3)` is a game of the
world `openspiel`.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from harness.errors import InputError
from harness.escape import fitted
from harness.games._contract import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

PACKAGE = "harness.games"
WORLDS = "harness.worlds"
LONGEST_NAME = 100
"""The maximum length of a game's name in an error message. A longer name is cut."""
OWN = [str(Path(__file__).parent)]


def names() -> tuple[str, ...]:
    """Returns the names of all games that `find` knows, sorted."""
    own = {module.name for module in iter_modules(OWN) if not module.name.startswith("_")}
    return tuple(sorted(own | {point.name for point in _entry_points(PACKAGE)}))


def homes() -> dict[str, Path | None]:
    """Returns the file or folder of each game that `find` knows. The key is the name of the game. The file or
    folder of a world has a key such as `openspiel:NAME`. The function imports no game."""
    points = {name: _entry_points(name) for name in (PACKAGE, WORLDS)}
    found = {point.name: _file_of(point.module) for point in points[PACKAGE]}
    own = (module.name for module in iter_modules(OWN) if not module.name.startswith("_"))
    found |= {name: _file_of(f"{PACKAGE}.{name}") for name in own}
    worlds = {f"{point.name}:NAME": _file_of(point.module) for point in points[WORLDS]}
    return {name: found[name] for name in sorted(found)} | {name: worlds[name] for name in sorted(worlds)}


def worlds() -> tuple[str, ...]:
    """Returns the names of all worlds, sorted."""
    return tuple(sorted(point.name for point in _entry_points(WORLDS)))


def find(name: str) -> Game:
    """Returns the game with this name, or the game in the file or folder with this path. Raises
    InputError."""
    before, colon, rest = name.partition(":")
    for point in _points(name) if colon else ():
        return _loaded(point, f"game {fitted(repr(name), LONGEST_NAME)}", lambda make: make(rest))
    if is_path(name):
        return _from_path(Path(name))
    own = {module.name for module in iter_modules(OWN)}
    if name in own and not name.startswith("_"):
        return _game_of(importlib.import_module(f"{PACKAGE}.{name}"), name)
    for point in _points(name):
        return _loaded(point, f"game {name!r}", lambda game: game)
    from difflib import get_close_matches  # Only this error message needs `difflib`.

    words = name.casefold().split()  # A user may write the title "Evil Squash" for "squash".
    near = [each for each in names() if each in words] or get_close_matches(" ".join(words), names(), 1)
    if colon:
        near = [f"{world}:{rest}" for world in get_close_matches(before, worlds(), 1)]
    listed = (*names(), *(f"{world}:NAME" for world in worlds()))
    hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(listed)
    raise InputError(f"no game is called {fitted(repr(name), LONGEST_NAME)}: {hint}")


def home(name: str) -> Path | None:
    """Returns the file of the game that `find` returns for this name, or the folder of the game if the game
    is a package. Returns None if the game is in no file. The function imports no game.
    """
    if is_path(name):
        return Path(name)
    modules = (f"{PACKAGE}.{name}", *(point.module for point in _points(name)))
    return next(filter(None, map(_file_of, modules)), None)


def page_of(name: str) -> Path:
    """Returns the path of the page of this game. The page may be missing."""
    return page_at((home(name) or Path(name)).resolve())


def page_at(place: Path) -> Path:
    """Returns the path of the page of the game in this file or folder. The page is beside the file, or inside
    the folder. The name of the page is the name of the file or folder, with the ending `.md`."""
    return place / f"{place.name}.md" if place.is_dir() else place.with_suffix(".md")


def _file_of(module: str) -> Path | None:
    """Returns the file of a module, or the folder if it is a package; None if the module is in no file.

    The function imports nothing. `importlib.util.find_spec` would import the package that contains the
    module, so this function looks for the file itself.
    """
    first, *rest = module.split(".")
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if not rest and not spec.submodule_search_locations:
        return Path(spec.origin) if spec.has_location and spec.origin else None
    for folder in spec.submodule_search_locations or ():
        path = Path(folder, *rest)
        if (path / "__init__.py").is_file():
            return path
        if rest and (file := path.with_name(f"{path.name}.py")).is_file():
            return file
    return None


def _entry_points(group: str) -> EntryPoints:
    """Returns the entry points of this group in all installed packages."""
    # The import of `importlib.metadata` is slow, and our own games do not need it.
    from importlib.metadata import entry_points

    return entry_points(group=group)


def _points(name: str) -> EntryPoints:
    """If `name` has a colon, returns the entry points of the world that is named before the colon. Otherwise
    returns the entry points of the game with this name."""
    world, colon, _ = name.partition(":")
    return _entry_points(WORLDS).select(name=world) if colon else _entry_points(PACKAGE).select(name=name)


def _loaded(point: EntryPoint, where: str, game_of: Callable[[Any], object]) -> Game:
    """Returns the game that `game_of` makes from the value of the entry point."""
    try:
        game = game_of(point.load())
    except InputError as error:  # The error says what the user can do, for example which package is missing.
        raise InputError(error.message, where) from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the entry point {point.value!r} does not load: {what}", where) from error
    if not isinstance(game, Game):
        raise InputError(f"the entry point {point.value!r} is not a Game", where)
    return game


def is_path(name: str) -> bool:
    """Returns whether `name` is the path of a game's file or folder, and not the name of a game."""
    return (name.endswith(".py") or "/" in name) and not (":" in name and _points(name))


def _from_path(path: Path) -> Game:
    try:
        file = path / "__init__.py" if path.is_dir() else path
        if not file.is_file():
            what = f"no {file.name} in this folder" if file != path else "no such file or folder"
            raise InputError(f"no game here: {what}", str(path))
    except OSError as error:
        raise InputError(f"cannot read this: {error.strerror}", str(path)) from None
    module_name = f"harness_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise InputError("not a Python file: the path of a game is a file.py or a folder", str(path))
    _forget(module_name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        _forget(module_name)
        raise InputError(f"the game does not load: {type(error).__name__}: {error}", str(path)) from error
    return _game_of(module, str(path))


def _forget(module_name: str) -> None:
    """Unloads this module and its submodules, because another game's file or folder may have the same
    name."""
    for loaded in [*sys.modules]:
        if loaded == module_name or loaded.startswith(f"{module_name}."):
            del sys.modules[loaded]


def _game_of(module: Any, where: str) -> Game:
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise InputError("a game's file must define GAME, an instance of harness.games.Game", where)
    return game
