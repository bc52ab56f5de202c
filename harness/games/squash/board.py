"""Checks the boards of Evil Squash, reads them from files, and draws them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from harness.games import InputError

DEFAULT = "default"
SHORTEST_ARROW = 7
"""The minimum length of an arrow. Every arrow is longer than any throw, so a bounce throw never leads back to
the marker that was hit."""
SQUARES = range(8, 1000)
COLUMNS = range(2, 11)
WIDTH = 80
AT = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)
"""The pattern that splits an error message of msgspec into the message itself and the place in the file."""

Leads: TypeAlias = tuple[int, ...]


class Arrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An arrow from its base to another square: green goes up, red goes down."""

    base: int
    to: int
    colour: Literal["green", "red"]

    def trouble(self, squares: int) -> str:
        """Returns the reason why this arrow cannot be on a board with this number of squares; "" if it
        can."""
        if not (0 < self.base < squares and 0 < self.to < squares):
            return f"is off the board: arrows are on the squares from 1 to {squares - 1}"
        if (self.colour == "green") != (self.to > self.base):
            return "goes the wrong way: green arrows go up, red arrows go down"
        if abs(self.to - self.base) < SHORTEST_ARROW:
            return f"is too short: an arrow goes at least {SHORTEST_ARROW} squares"
        return ""


class SquashBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A board: squares and arrows. Square 1 is at the bottom left, and every second row runs to the left.

    The constructor raises ValueError, with a reason for the user, if nobody can play on the board.
    """

    squares: int
    columns: int
    arrows: tuple[Arrow, ...]
    layout: Literal["boustrophedon from bottom-left"] = "boustrophedon from bottom-left"

    def __post_init__(self) -> None:
        for name, value, allowed in (("squares", self.squares, SQUARES), ("columns", self.columns, COLUMNS)):
            if value not in allowed:
                raise ValueError(f"{name} are from {allowed[0]} to {allowed[-1]}, not {value}")
        destinations = {arrow.to for arrow in self.arrows}
        bases: set[int] = set()
        for arrow in self.arrows:
            trouble = arrow.trouble(self.squares)
            if arrow.base in bases:
                trouble = "begins where another arrow begins"
            elif arrow.base in destinations:
                trouble = "begins where another arrow ends"
            if trouble:
                raise ValueError(f"the {arrow.colour} arrow from {arrow.base} to {arrow.to} {trouble}")
            bases.add(arrow.base)

    @lru_cache(maxsize=8)  # noqa: B019 (all matches of a tournament use one board)
    def leads(self) -> Leads:
        """Returns the final square for each square that a throw can reach. If an arrow begins on a square,
        the final square is the end of this arrow. The result is longer than the board, because a throw can go
        up to 5 squares beyond the last square."""
        arrows = {arrow.base: arrow.to for arrow in self.arrows}
        return (*(arrows.get(square, square) for square in range(self.squares)), *[self.squares] * 6)

    def announced(self) -> Iterator[str]:
        """Yields the lines that describe the board to the players."""
        yield f"board {self.squares} {self.columns}"
        for arrow in self.arrows:
            yield f"arrow {arrow.base} {arrow.to}"

    def drawn(self, markers: Mapping[int, str]) -> Iterator[str]:
        """Yields two lines per row, the top row first: one with squares and arrows, one with markers."""
        arrows = {arrow.base: f">{arrow.to}" for arrow in self.arrows}
        width = min(9, WIDTH // self.columns)
        for first in reversed(range(1, self.squares + 1, self.columns)):
            row = list(range(first, first + self.columns))
            if (first - 1) // self.columns % 2:
                row.reverse()
            there = [square if square <= self.squares else 0 for square in row]
            yield _cells([f"{square}{arrows.get(square, '')}" if square else "" for square in there], width)
            yield _cells([markers.get(square, "") if square else "" for square in there], width)


def _cells(texts: list[str], width: int) -> str:
    return "".join([f"{text:<{width}}" for text in texts]).rstrip()


def read_board(chosen: str, folder: Path) -> SquashBoard:
    """Returns the default board, or the board in the file `chosen`, a path relative to `folder`. Raises
    InputError."""
    return _default() if chosen == DEFAULT else _read(folder / chosen, chosen)


@cache
def _default() -> SquashBoard:
    return _read(Path(__file__).with_name("board.json"), DEFAULT)


def _read(path: Path, chosen: str) -> SquashBoard:
    try:
        return msgspec.json.decode(path.read_bytes(), type=SquashBoard)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(_plainly(error), chosen) from None


def _plainly(error: Exception) -> str:
    """Returns the reason why a file is not a board, in words for the user. `error` comes from msgspec or from
    reading the file."""
    if isinstance(error, OSError):
        return f"cannot read the board: {error.strerror}"
    if isinstance(error, UnicodeDecodeError):
        return "the board is not text in UTF-8"
    found = AT.fullmatch(str(error))
    what, where = found.groups() if found else (str(error), None)
    plain = what if what.startswith("JSON") else what[:1].lower() + what[1:]
    return f"this is not a board: at {where}, {plain}" if where else f"this is not a board: {plain}"
