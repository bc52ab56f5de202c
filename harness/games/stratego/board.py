"""Defines the board of Stratego: its squares, the results of collisions, and the lines that show its pieces.

A board is a `bytes` object, because each ply copies the board, and `bytes` are quick to copy. A board has
12 x 12 squares, with walls around the edge. The value of a square is FREE, WALL, or a piece. A piece is the
sum of its code, the bit of its side, and SHOWN if the other side has seen the piece.
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
    """Returns the index of a square in the bytes of a board."""
    return row * WIDTH + column


MARCHES = bytes(
    0
    if value & WALL or value & CODE in (0, FLAG, BOMB)
    else 1
    if value & SIDE[1]
    else 2
    if value & SIDE[2]
    else 0
    for value in range(256)
)
"""For each value of a square: the seat of the piece on this square if the piece can march, else 0."""
TOLD = {place: f"{place // WIDTH} {place % WIDTH}" for place in SQUARES}
"""The row and the column of each square, as lines show them."""


def shown(place: int) -> str:
    """Returns the name of a square for people."""
    return f"({place // WIDTH},{place % WIDTH})"


def laid_out(zones: tuple[int, int], armies: Iterable[Iterable[Standing]] = ()) -> bytes:
    """Returns a board with these zones and with the armies of seat 1 and seat 2."""
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
    """Returns the code of the piece that is left after a collision; 0 if no piece is left.

    Without a special rule for the two pieces, the piece with the lower code is left. So a Spy that is
    attacked is always removed. Only Flags and Bombs have higher codes than a Spy, and these pieces never
    attack.
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


def marched(board: bytes) -> tuple[int, int]:
    """Returns a number for each side. For each piece that can march, we count the rows from the back row of
    its side to the piece. The number is the sum of these counts.
    """
    red = blue = 0
    for row in range(10):
        pieces = board[(row + 1) * WIDTH + 1 : (row + 2) * WIDTH - 1].translate(MARCHES)
        red += row * pieces.count(1)
        blue += (9 - row) * pieces.count(2)
    return red, blue


# -- lines -----------------------------------------------------------------------------------------


def _faces(side: int, hidden: str) -> bytes:
    """Returns the sign of each value of a square, for the pieces of one side. If `hidden` is not "", all
    pieces that are not SHOWN get the sign `hidden`."""
    return "".join(
        "." if not value & side or value & WALL or value & CODE >= len(SIGNS)
        else SIGNS[value & CODE] if value & SHOWN or not hidden
        else hidden
        for value in range(256)
    ).encode()  # fmt: skip


OPEN = MappingProxyType({seat: _faces(side, "") for seat, side in SIDE.items()})
HIDDEN = MappingProxyType({seat: _faces(side, "?") for seat, side in SIDE.items()})
SEEN = MappingProxyType({seat: _faces(side, ".") for seat, side in SIDE.items()})
"""The signs of a seat's pieces. OPEN has the signs that the seat sees, and HIDDEN has the signs that the
other seat sees. SEEN has signs only for the pieces that the other seat has seen."""


def army(board: bytes, seat: int, viewer: int) -> str:
    """Returns the line that shows a seat's pieces as the seat `viewer` may see them."""
    return f"army {seat}{rows(board, OPEN[seat] if seat == viewer else HIDDEN[seat])}"


def rows(board: bytes, faces: bytes) -> str:
    """Returns the rows that have pieces. Each row is written as a space, the number of the row, a colon, and
    the ten squares of the row."""
    signs = board.translate(faces).decode()
    told = ((row, signs[row * WIDTH + 1 : row * WIDTH + 11]) for row in range(1, 11))
    return "".join(f" {row}:{squares}" for row, squares in told if squares != "..........")
