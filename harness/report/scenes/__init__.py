"""Defines scenes. A scene follows a match by the lines that one viewer gets, and tells a page what to draw.

A scene reads the lines of a match one by one, like a bot that keeps its own board. A scene gets only the
lines that its viewer gets, so the scene of a seat contains only facts that the seat can know. For each line,
the scene returns the changes that the line makes in a flat table of plain values. The table after all changes
so far is the *picture* that a page draws.

A game may have two scenes instead of one. `SHARED` gets only the lines that everybody gets, and one such
scene serves all viewers. `SCENE` adds the facts that only its viewer knows. With such a pair, a report takes
much less time than with one full scene for each viewer.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple, TypeAlias

Changes: TypeAlias = dict[str, Any]
"""The keys of the picture that change, with their new values as JSON types.

If ` ^` follows the key of a list, only the beginning of the list changes. The value has the number of items
to remove at the beginning, and then the items to insert at the beginning. So if a pile gets a new card,
the change does not contain the whole pile.
"""
TOP = " ^"
REFEREE = 0
"""The viewer that sees everything."""


class Standing(NamedTuple):
    """Describes the numbers that say how well each seat stands: `key` is their key in the picture, and `noun`
    is their name.

    In the picture, the number of the seat follows the key: the key `points 1` belongs to seat 1. All seats
    know these numbers, so no view shows a secret with them.
    """

    key: str
    noun: str
    fewer: bool = False
    """True if a smaller number is better."""


class Scene(metaclass=ABCMeta):
    """A match as one viewer sees it. The viewer is a seat or the referee."""

    standing: Standing

    guess: Standing | None = None
    """The numbers with which the bots themselves say how well they stand, for the curve of a match. A viewer
    gets only the numbers in the answers that it knows, so a picture may have no such number."""

    quiet: frozenset[str] = frozenset()
    """Lines that begin with one of these words are not separate steps on the page of a match."""

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        self.options = options
        self.seats = seats
        self.viewer = viewer

    def opening(self) -> Changes:
        """Returns the picture before the first line."""
        return {}

    @abstractmethod
    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        """Returns the changes that the line of an event makes.

        `to` has the seats that receive the line. None means all seats.
        """

    def said(self, seat: int, text: str) -> Changes:
        """Returns the changes that an answer of a seat makes. The answer may be against the rules."""
        return {}


class Both(Scene):
    """The scene of a viewer, made from the shared scene and the viewer's own scene."""

    def __init__(self, shared: Scene, own: Scene) -> None:
        super().__init__(own.options, own.seats, own.viewer)
        self.standing, self.guess, self.quiet = shared.standing, shared.guess, shared.quiet
        self._shared, self._own = shared, own

    def opening(self) -> Changes:
        return {**self._shared.opening(), **self._own.opening()}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        shared = self._shared.hear(line, to) if to is None else {}
        return {**shared, **self._own.hear(line, to)}

    def said(self, seat: int, text: str) -> Changes:
        return self._own.said(seat, text)


class MatchScenes(NamedTuple):
    """The scenes of a match: one for each viewer, and the shared scene if the game has one."""

    viewers: Sequence[Scene]
    shared: Scene | None = None

    @property
    def first(self) -> Scene:
        """The scene that knows how well each seat stands."""
        return self.shared or self.viewers[REFEREE]


def changed(picture: Changes, changes: Changes) -> Changes:
    """Returns the picture after these changes."""
    after = dict(picture)
    for name, value in changes.items():
        key, top, _ = name.partition(TOP)
        after[key] = [*value[1:], *picture[key][value[0] :]] if top else value
    return after


@cache
def names() -> frozenset[str]:
    """Returns the names of the games that have a scene."""
    return frozenset(module.name for module in iter_modules(__path__))


def standing_of(game: str) -> Standing | None:
    """Returns the `Standing` of this game, or None if the game has no scene."""
    if game not in names():
        return None
    module = import_module(f"{__name__}.{game}")
    found: Standing = getattr(module, "SHARED", module.SCENE).standing
    return found


def scene(game: str, options: Any, seats: int, viewer: int) -> Scene:
    """Makes the scene of one viewer at the start of a match. Raises KeyError if the game has no scene."""
    [own], shared = _made(game, options, seats, [viewer])
    return Both(shared, own) if shared else own


def of_match(game: str, options: Any, seats: int) -> MatchScenes:
    """Makes the scenes of all viewers at the start of a match. Raises KeyError if the game has no scene."""
    return _made(game, options, seats, range(seats + 1))


def _made(game: str, options: Any, seats: int, viewers: Iterable[int]) -> MatchScenes:
    if game not in names():
        raise KeyError(game)
    module = import_module(f"{__name__}.{game}")
    shared = getattr(module, "SHARED", None)
    own = [module.SCENE(options, seats, viewer) for viewer in viewers]
    return MatchScenes(own, shared and shared(options, seats, REFEREE))
