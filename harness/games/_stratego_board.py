"""Owns the squares of Stratego: what stands there, where it may go, what a collision leaves; knows no turn.

A board is bytes, so that a ply copies it quickly: 12 x 12 squares, of which the outermost are walls. A square
holds FREE, WALL, or a piece: its code, the bit of its side, and SHOWN once the other side has seen it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from types import MappingProxyType
from typing import TypeAlias

from harness.games._stratego_army import (
    BOMB,
    COLUMNS,
    FLAG,
    MARSHAL,
    MINER,
    NAMES,
    NUMBER,
    SCOUT,
    SIGNS,
    SPY,
    Standing,
)
from harness.model import Illegal, Malformed

WIDTH = 12
FREE, CODE, SHOWN, WALL = 0, 15, 64, 128
SIDE = MappingProxyType({1: 16, 2: 32})
STEPS = (WIDTH, -WIDTH, 1, -1)
SQUARES = tuple(row * WIDTH + column for row in range(1, 11) for column in COLUMNS)

PLACES = range(WIDTH * WIDTH)
ORDER = MappingProxyType({1: slice(None, None, -1), 2: slice(None)})
"""In which order a seat looks through its pieces: those near the enemy's back row first."""
MARCHERS = MappingProxyType(
    {
        seat: bytes(bool(value & side) and value < WALL and value & CODE < FLAG for value in range(256))
        for seat, side in SIDE.items()
    }
)
"""For every value of a square, whether a piece of this seat is there that can move."""

Ply: TypeAlias = tuple[int, int]
"""The square that a piece leaves and the one it goes to."""


def square(row: int, column: int) -> int:
    """The place of a square in the bytes."""
    return row * WIDTH + column


TOLD = {place: f"{place // WIDTH} {place % WIDTH}" for place in SQUARES}
"""Squares as lines have them."""


def shown(place: int) -> str:
    """A square for people."""
    return f"({place // WIDTH},{place % WIDTH})"


def laid_out(zones: tuple[int, int], armies: Iterable[Iterable[Standing]] = ()) -> bytes:
    """The board with these zones and the armies of seat 1 and seat 2."""
    board = bytearray([WALL]) * (WIDTH * WIDTH)
    for place in SQUARES:
        board[place] = FREE
    for column in zones:
        for place in (square(5, column), square(6, column)):
            board[place] = board[place + 1] = WALL
    for seat, army in enumerate(armies, start=1):
        for row, column, code in army:
            board[square(row, column)] = code | SIDE[seat]
    return bytes(board)


def plies(board: bytes, seat: int) -> Iterator[Ply]:
    """All that this seat's pieces may do, lazily."""
    closed, order = SIDE[seat] | WALL, ORDER[seat]
    for start in compress(PLACES[order], board.translate(MARCHERS[seat])[order]):
        far = board[start] & CODE == SCOUT
        for step in STEPS:
            end = start + step
            while far and not board[end]:
                yield start, end
                end += step
            if not board[end] & closed:
                yield start, end


def read(board: bytes, seat: int, said: str) -> str | Malformed | Illegal:
    """The canonical line of a ply that this seat may do here, or why it is none."""
    words = said.split(" ")
    if len(words) != 5 or words[0] != "march":
        return Malformed(f"`march ROW COLUMN ROW COLUMN` is due, as `march 4 1 5 1`; it said {said!r}")
    for word in words[1:]:
        if not NUMBER.fullmatch(word):
            return Malformed(f"rows and columns are whole numbers; it said {word!r}")
    row, column, to_row, to_column = map(int, words[1:])
    for number in (row, column, to_row, to_column):
        if number not in COLUMNS:
            return Illegal(f"rows and columns are 1 to 10, not {number}")
    reason = refusal(board, seat, square(row, column), square(to_row, to_column))
    return Illegal(reason) if reason else f"march {row} {column} {to_row} {to_column}"


def refusal(board: bytes, seat: int, start: int, end: int) -> str:
    """Why this seat may not go from one square to another, in plain words; "" if it may."""
    own, piece = SIDE[seat], board[start]
    code = piece & CODE
    if not piece & own:
        return f"it has no piece on {shown(start)}"
    if code >= FLAG:
        return f"the {NAMES[code]} on {shown(start)} does not move"
    if start == end:
        return f"the {NAMES[code]} on {shown(start)} would stay there"
    rows, columns = end // WIDTH - start // WIDTH, end % WIDTH - start % WIDTH
    if rows and columns:
        return f"{shown(start)} to {shown(end)} is no straight line along a row or a column"
    distance = abs(rows + columns)
    if distance > 1 and code != SCOUT:
        return f"only a Scout goes further than one square; on {shown(start)} stands a {NAMES[code]}"
    step = (end - start) // distance
    for place in range(start + step, end, step):
        if board[place]:
            return f"{_what(board[place], own)} on {shown(place)} is in the way to {shown(end)}"
    met = board[end]
    return f"{_what(met, own)} is on {shown(end)}" if met & (own | WALL) else ""


def _what(met: int, own: int) -> str:
    if met == WALL:
        return "a zone"
    return "a piece of its own" if met & own else "an enemy piece"


def remaining(attacker: int, defender: int) -> int:
    """The code of the piece that stands on the square after a collision, 0 if none does.

    Every piece that attacks has a lower code than the Spy, or is one: so the last line holds for whoever
    attacks a Spy, too.
    """
    if defender == FLAG:
        return attacker
    if defender == BOMB:
        return attacker if attacker == MINER else 0
    if attacker == defender:
        return 0
    if attacker == SPY:
        return attacker if defender == MARSHAL else defender
    return min(attacker, defender)


# -- how it is told --------------------------------------------------------------------------------


def _faces(side: int, hidden: str) -> bytes:
    """For every value of a square, the sign of it: pieces of this side that are not shown are `hidden`."""
    return "".join(
        "." if not value & side or value & WALL or value & CODE >= len(SIGNS)
        else SIGNS[value & CODE] if value & SHOWN or not hidden
        else hidden
        for value in range(256)
    ).encode()  # fmt: skip


OPEN = MappingProxyType({seat: _faces(side, "") for seat, side in SIDE.items()})
HIDDEN = MappingProxyType({seat: _faces(side, "?") for seat, side in SIDE.items()})
SEEN = MappingProxyType({seat: _faces(side, ".") for seat, side in SIDE.items()})
"""A seat's pieces as itself sees them, as the other does, and those alone that the other has been shown."""


def army(board: bytes, seat: int, viewer: int) -> str:
    """The line that tells a seat's pieces as another, or itself, may know them."""
    return f"army {seat}{rows(board, OPEN[seat] if seat == viewer else HIDDEN[seat])}"


def rows(board: bytes, faces: bytes) -> str:
    """The rows in which there are pieces, each its number and its ten squares, a space before each."""
    signs = board.translate(faces).decode()
    told = ((row, signs[row * WIDTH + 1 : row * WIDTH + 11]) for row in range(1, 11))
    return "".join(f" {row}:{squares}" for row, squares in told if squares != "..........")
