"""Games whose rules come from other libraries. Each library is an extra, and each world one file or package.

The entry points in `setup.cfg` tell `harness.games.find` about them: a world with one game in the group
`harness.games`, and a world with many games in the group `harness.worlds`.
"""

from __future__ import annotations

from harness import install_command
from harness.errors import InputError
from harness.games import Game


def missing(what: str, package: str) -> InputError:
    """The error if the library of a world is not installed."""
    return InputError(f"{what} needs the package {package}; install it: {install_command(package)}")


def plays(game: Game) -> bool:
    """Whether one of the worlds plays this game."""
    return type(game).__module__.startswith(f"{__name__}.")
