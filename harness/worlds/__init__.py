"""Plays games by the rules of other libraries. Each library is an extra. Each world is one file or package.

The entry points in `setup.cfg` tell `harness.games.find` about the worlds. A world with one game is in the
group `harness.games`, and a world with many games is in the group `harness.worlds`.
"""

from __future__ import annotations

from harness import install_command
from harness.errors import InputError
from harness.games import Game

LONGEST = 200
WIDTH = 79
"""The largest width of a position that a person reads."""
SEEDS = 2**31 - 1
"""The number of different seeds that a library gets. Some libraries take no larger seeds."""


def missing(what: str, package: str) -> InputError:
    """Returns the error for a world with a library that is not installed."""
    return InputError(f"{what} needs the package {package}; install it: {install_command(package)}")


def checked(call: str) -> str:
    """Returns this name of a game of a world with its parameters. Raises InputError if it does not fit into a
    line that bots read."""
    if len(call) > LONGEST or not call.isascii() or not call.isprintable():
        raise InputError(f"expected NAME(PARAMETERS) of at most {LONGEST} printable characters of ASCII")
    return call


def plays(game: Game) -> bool:
    """Returns whether one of the worlds plays this game."""
    return type(game).__module__.startswith(f"{__name__}.")
