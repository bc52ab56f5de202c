"""Offers everything that the author of a game imports, above all the classes Game and State.

A game is one module, `harness/games/x.py` with its page `x.md` beside it, or one package, `harness/games/x/`
with its page `x.md` inside. The module or the package defines `GAME`. Another Python package adds a game by
an entry point in the group `harness.games`. The entry point names the `GAME` of that package. A plan may also
name a game by the path of its file or folder.

`harness/cli/templates/game/` has a small game to copy, with comments for authors. `_contract.py` defines the
classes, and `_finding.py` finds games by name or path. `_path.py` is for games whose rules are in a library.
"""

from __future__ import annotations

from harness.chance import Chance, Scripted, Seeded
from harness.errors import InputError
from harness.events import Event
from harness.games._contract import Events, Game, Options, State, Stopped, observed, plain
from harness.games._finding import find, home, homes, is_path, names, page_at, page_of
from harness.games._path import PathState, Trail
from harness.model import Illegal, Malformed, Number, Outcome, demoted, ranks

# A game's file imports everything that it needs from this module.
# fmt: off
__all__ = [
    "Chance", "Event", "Events", "Game", "Illegal", "InputError", "Malformed", "Number", "Options",
    "Outcome", "PathState", "Scripted", "Seeded", "State", "Stopped", "Trail", "demoted", "find", "home",
    "homes", "is_path", "names", "observed", "page_at", "page_of", "plain", "ranks",
]
# fmt: on
