"""The board of Stratego: its squares, the result of a collision, and the lines that tell the pieces.

A board is bytes, so that a ply copies it quickly: 12 x 12 squares, the outermost are walls. A square is FREE,
WALL, or a piece: its code, the bit of its side, and SHOWN after the other side has seen it.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from harness.games.stratego.army import BOMB, COLUMNS, FLAG, MARSHAL, MINER, SIGNS, SPY, Standing

WIDTH = 12
AREA = WIDTH * WIDTH
FREE, CODE, SHOWN, WALL = 0, 15, 64, 128
SIDE = MappingProxyType({1: 16, 2: 32})
SQUARES = tuple(row * WIDTH + column for row in range(1, 11) for column in COLUMNS)


def square(row: int, column: int) -> int:
    """The index of a square in the bytes."""
    return row * WIDTH + column


TOLD = {place: f"{place // WIDTH} {place % WIDTH}" for place in SQUARES}
"""Squares as they appear in lines."""


def shown(place: int) -> str:
    """A square as people read it."""
    return f"({place // WIDTH},{place % WIDTH})"


def laid_out(zones: tuple[int, int], armies: Iterable[Iterable[Standing]] = ()) -> bytes:
    """The board with these zones and the armies of seat 1 and seat 2."""
    board = bytearray([WALL]) * AREA
    for place in SQUARES:
        board[place] = FREE
    for column in zones:
        for place in (square(5, column), square(6, column)):
            board[place] = board[place + 1] = WALL
    for seat, army in enumerate(armies, start=1):
        for row, column, code in army:
            board[square(row, column)] = code | SIDE[seat]
    return bytes(board)


def remaining(attacker: int, defender: int) -> int:
    """The code of the piece that is on the square after a collision, 0 if none is.

    Each piece that can attack has a lower code than the Spy, or is a Spy. So the last line is also right if
    the defender is a Spy.
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


# -- lines -----------------------------------------------------------------------------------------


def _faces(side: int, hidden: str) -> bytes:
    """For each value of a square, its sign. Pieces of this side that are not SHOWN get the sign `hidden`."""
    return "".join(
        "." if not value & side or value & WALL or value & CODE >= len(SIGNS)
        else SIGNS[value & CODE] if value & SHOWN or not hidden
        else hidden
        for value in range(256)
    ).encode()  # fmt: skip


OPEN = MappingProxyType({seat: _faces(side, "") for seat, side in SIDE.items()})
HIDDEN = MappingProxyType({seat: _faces(side, "?") for seat, side in SIDE.items()})
SEEN = MappingProxyType({seat: _faces(side, ".") for seat, side in SIDE.items()})
"""A seat's pieces as it sees them itself, as the other seat sees them, and only the ones that it has seen."""


def army(board: bytes, seat: int, viewer: int) -> str:
    """The line that tells a seat's pieces as the viewer may know them."""
    return f"army {seat}{rows(board, OPEN[seat] if seat == viewer else HIDDEN[seat])}"


def rows(board: bytes, faces: bytes) -> str:
    """The rows with pieces: for each a space, its number, a colon and its ten squares."""
    signs = board.translate(faces).decode()
    told = ((row, signs[row * WIDTH + 1 : row * WIDTH + 11]) for row in range(1, 11))
    return "".join(f" {row}:{squares}" for row, squares in told if squares != "..........")
