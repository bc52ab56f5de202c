"""Scenes: each follows a match from the lines that one viewer gets, and says what a page has to draw.

A scene folds the lines of a match, like a bot that keeps a board of its own. It gets only the lines that its
viewer is told, so a seat's scene cannot contain anything that the seat could not know. It returns changes of
a flat table of plain values; all changes so far make the picture that a page draws.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar, TypeAlias

Changes: TypeAlias = dict[str, Any]
"""The keys of the picture that change, with their new values as JSON types.

If ` ^` follows the key of a list, only the beginning of the list changes: the value has the number of items
to remove there, then the items to put there. So a pile of cards is not repeated for each card.
"""
TOP = " ^"
REFEREE = 0
"""The viewer that is told everything."""


class Scene(metaclass=ABCMeta):
    """A match as one viewer sees it: a seat, or the referee."""

    quiet: ClassVar[frozenset[str]] = frozenset()
    """First words of the lines that are not a step of their own in the viewer."""

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        self.options = options
        self.seats = seats
        self.viewer = viewer

    def opening(self) -> Changes:
        """The picture before the first line."""
        return {}

    @abstractmethod
    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        """The changes by the line of an event; `to` is its audience (None: all)."""

    def said(self, seat: int, text: str) -> Changes:
        """The changes by an answer of a seat, which may still be against the rules."""
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
    """The scene of a match of this game at its start. Raises KeyError if the game has no scene."""
    if game not in names():
        raise KeyError(game)
    made: Scene = import_module(f"{__name__}.{game}").SCENE(options, seats, viewer)
    return made
