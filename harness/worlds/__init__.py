"""Plays games by the rules of other libraries. Each library is an optional dependency of harness. The games
of one library are a *world*. Each world is one file or package in this folder.

The entry points in `setup.cfg` tell `harness.games.find` about the worlds. If a world has one game, its entry
point is in the group `harness.games`. If a world has many games, its entry point is in the group
`harness.worlds`.
"""

from __future__ import annotations

from harness import install_command
from harness.errors import InputError
from harness.games import Game

LONGEST = 200
WIDTH = 79
"""The maximum number of columns in the text of a position."""
SEEDS = 2**31 - 1
"""The largest seed that a library gets, because some libraries take no larger seeds."""


def missing(what: str, package: str) -> InputError:
    """Returns the error which says that the library of a world is not installed."""
    return InputError(f"{what} needs the package {package}; install it: {install_command(package)}")


def checked(call: str) -> str:
    """Returns `call`, the name of a world's game with its parameters. Raises InputError if this text does not
    fit into a line that bots read."""
    if len(call) > LONGEST or not call.isascii() or not call.isprintable():
        raise InputError(f"expected NAME(PARAMETERS) of at most {LONGEST} printable characters of ASCII")
    return call


def plays(game: Game) -> bool:
    """Returns whether one of the worlds plays this game."""
    return type(game).__module__.startswith(f"{__name__}.")
