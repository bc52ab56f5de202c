"""Defines a scene: it follows a match from the lines that one viewer gets, and says what a page draws.

A scene reads the lines of a match one by one, like a bot that keeps its own board. It gets only the lines
that its viewer gets, so the scene of a seat contains only facts that the seat can know. For each line it
returns changes of a flat table of plain values. All changes so far make the picture that a page draws.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, ClassVar, NamedTuple, TypeAlias

Changes: TypeAlias = dict[str, Any]
"""The keys of the picture that change, with their new values as JSON types.

If ` ^` follows the key of a list, only the beginning of the list changes. The value has the number of items
to remove there, and then the items to insert there. So one card on a pile does not repeat the whole pile.
"""
TOP = " ^"
REFEREE = 0
"""The viewer that sees everything."""


class Standing(NamedTuple):
    """What says how well a seat stands: the key of the picture (before ` 1` for seat 1), and its meaning.

    All seats know these numbers, so that they tell no secret in any view.
    """

    key: str
    noun: str
    fewer: bool = False
    """Whether fewer is better."""


class Scene(metaclass=ABCMeta):
    """A match as one viewer sees it: a seat, or the referee."""

    standing: ClassVar[Standing]

    quiet: ClassVar[frozenset[str]] = frozenset()
    """The first words of lines that are not separate steps on the page of a match."""

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        self.options = options
        self.seats = seats
        self.viewer = viewer

    def opening(self) -> Changes:
        """The picture before the first line."""
        return {}

    @abstractmethod
    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        """The changes that the line of an event makes; `to` has the seats that receive it (None: all)."""

    def said(self, seat: int, text: str) -> Changes:
        """The changes that an answer of a seat makes; the answer may be against the rules."""
        return {}


def changed(picture: Changes, changes: Changes) -> Changes:
    """The picture after these changes."""
    after = dict(picture)
    for name, value in changes.items():
        key, top, _ = name.partition(TOP)
        after[key] = [*value[1:], *picture[key][value[0] :]] if top else value
    return after


@cache
def names() -> frozenset[str]:
    """The games that have a scene."""
    return frozenset(module.name for module in iter_modules(__path__))


def standing_of(game: str) -> Standing | None:
    """What says how well a seat stands in this game; None if the game has no scene."""
    if game not in names():
        return None
    found: Standing = import_module(f"{__name__}.{game}").SCENE.standing
    return found


def scene(game: str, options: Any, seats: int, viewer: int) -> Scene:
    """The scene of a match of this game at its start. Raises KeyError if the game has no scene."""
    if game not in names():
        raise KeyError(game)
    made: Scene = import_module(f"{__name__}.{game}").SCENE(options, seats, viewer)
    return made
