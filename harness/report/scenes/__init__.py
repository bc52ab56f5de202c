"""Owns what a scene is, a match as somebody sees it who hears its lines, and which games have one; draws
nothing.

A scene folds the lines of a match, as a bot would that keeps a board of its own. It is given those lines
alone that its viewer is told: so nothing can be in a seat's scene that the seat could not know. What it
yields are changes of a flat table of plain values; their sum so far is the picture that a page draws.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar, TypeAlias

Changes: TypeAlias = dict[str, Any]
"""Keys of the picture and their new values, which JSON can hold.

Where ` ^` stands behind the key of a list, the list changes at its beginning alone: the value says how many
items are taken away there, then which are put there. A pile of cards need not be told again for each card.
"""
TOP = " ^"
REFEREE = 0
"""The viewer who is told everything."""


class Scene(metaclass=ABCMeta):
    """A match in the eyes of one viewer: a seat, or the referee."""

    quiet: ClassVar[frozenset[str]] = frozenset()
    """First words of lines that are no step of their own when a match is looked through."""

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        self.options = options
        self.seats = seats
        self.viewer = viewer

    def opening(self) -> Changes:
        """The picture before the first line."""
        return {}

    @abstractmethod
    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        """What the line of an event changes; `to` is its audience (None: all)."""

    def said(self, seat: int, text: str) -> Changes:
        """What changes as a seat gives this answer, which may yet be against the rules."""
        return {}


def changed(picture: Changes, changes: Changes) -> Changes:
    """The picture after these changes."""
    after = dict(picture)
    for name, value in changes.items():
        key, top, _ = name.partition(TOP)
        after[key] = [*value[1:], *picture[key][value[0] :]] if top else value
    return after


def names() -> frozenset[str]:
    """The games that have a scene."""
    return frozenset(module.name for module in iter_modules(__path__))


def scene(game: str, options: Any, seats: int, viewer: int) -> Scene:
    """A match of this game as it begins. Raises KeyError where the game has no scene."""
    if game not in names():
        raise KeyError(game)
    made: Scene = import_module(f"{__name__}.{game}").SCENE(options, seats, viewer)
    return made
