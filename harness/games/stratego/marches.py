"""Finds the legal plies of a Stratego position, and says why other plies are not legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from harness.games import Illegal, Malformed
from harness.games.stratego.army import COLUMNS, FLAG, NAMES, NUMBER, SCOUT
from harness.games.stratego.board import AREA, CODE, SIDE, SQUARES, TOLD, WALL, WIDTH, shown, square

T = TypeVar("T")
Ray: TypeAlias = tuple[tuple[int, str], ...]
"""The squares in one direction from a start to the edge of the board, each with the line of the ply to this
square."""

STEPS = (WIDTH, -WIDTH, 1, -1)
"""The steps up, down, right and left, as differences of indexes. The *ways* of a piece are four bits, one for
each of these steps. A bit is set if the piece can make the step. The bit of the step up is the lowest bit."""
WAYS = range(16)
ORDER = MappingProxyType({1: slice(None, None, -1), 2: slice(None)})
"""The order of a seat's pieces in a list of plies. Pieces near the enemy's back row come first."""
MARCHERS = MappingProxyType(
    {
        seat: bytes(
            [WAYS[-1] * (value & (side | WALL) == side and value & CODE < FLAG) for value in range(256)]
        )
        for seat, side in SIDE.items()
    }
)
"""For each seat and each value of a square: 15 (the bits of all four steps) if the value is a piece of the
seat and not a Flag or a Bomb, else 0."""
ENTERED = MappingProxyType(
    {seat: bytes([not value & (side | WALL) for value in range(256)]) for seat, side in SIDE.items()}
)
"""For each seat and each value of a square: 1 if a piece of the seat may enter a square with this value, else
0."""
SOME = bytes([0, *[255] * 255])
ROW, COLUMN = 8 * WIDTH, 8
"""The number of bits from a square to the square in the next row (ROW) or in the next column (COLUMN). Here
the board is one long number with a byte for each square."""
PLACES = int.from_bytes(bytes(range(AREA)), "little")
"""A board as one long number, in which the value of each square is its index."""


def _ray(start: int, step: int) -> Iterator[tuple[int, str]]:
    end = start + step
    while end in TOLD:
        yield end, f"march {TOLD[start]} {TOLD[end]}"
        end += step


def _by_ways(each: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    return tuple([tuple([one for bit, one in enumerate(each) if ways >> bit & 1]) for ways in WAYS])


RAYS: dict[int, tuple[tuple[Ray, ...], ...]] = {
    start: _by_ways([tuple(_ray(start, step)) for step in STEPS]) for start in SQUARES
}
"""The rays that start at a square. The key is the square, and the index is four bits that say which of the
STEPS are wanted."""
STEPPED = {
    start: tuple([tuple([line for ray in rays for _, line in ray[:1]]) for rays in by_ways])
    for start, by_ways in RAYS.items()
}
"""The lines of the plies of one step. The key is the square where the plies start, and the index is four bits
that say which of the STEPS are wanted."""
PLIES = {line: (start, end) for start, by_ways in RAYS.items() for ray in by_ways[-1] for end, line in ray}
"""The start and the end of each ply, by its canonical line."""


def listed(board: bytes, seat: int) -> list[str]:
    """Returns the lines of all legal plies of this seat."""
    ways, closed = ways_of(board, seat), SIDE[seat] | WALL
    starts = (int.from_bytes(ways.translate(SOME), "little") & PLACES).to_bytes(AREA, "little")
    lines: list[str] = []
    for start in starts.translate(None, b"\0")[ORDER[seat]]:
        if board[start] & CODE != SCOUT:
            lines += STEPPED[start][ways[start]]
            continue
        for ray in RAYS[start][ways[start]]:
            for end, line in ray:
                if met := board[end]:
                    if not met & closed:
                        lines.append(line)
                    break
                lines.append(line)
    return lines


def movable(board: bytes, seat: int) -> int:
    """Returns the number of this seat's pieces that can move."""
    return AREA - ways_of(board, seat).count(0)


def ways_of(board: bytes, seat: int) -> bytes:
    """Returns a byte for each square: four bits that say which STEPS this seat's piece there can make. The
    byte is 0 if the seat has no piece on the square.

    The function checks all squares at once. It treats the board as one long number with a byte per square.
    `entered` has a 1 in each square that a piece may enter. A shift by one step moves this 1 to the neighbour
    from which a piece may enter. Each of the four shifts also moves the 1 to a different bit of the byte. The
    walls at the left and right edges of the board make sure that a shift to the side never moves a 1 from the
    end of one row to the beginning of the next.
    """
    entered = int.from_bytes(board.translate(ENTERED[seat]), "little")
    marchers = int.from_bytes(board.translate(MARCHERS[seat]), "little")
    found = entered >> ROW | entered << ROW + 1 | entered >> COLUMN - 2 | entered << COLUMN + 3
    return (found & marchers).to_bytes(AREA, "little")


def read(board: bytes, seat: int, said: str) -> str | Malformed | Illegal:
    """Returns the canonical line of a legal ply of this seat, or the reason why the ply is not legal."""
    ply = PLIES.get(said)
    if ply and not refusal(board, seat, *ply):
        return said
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
    """Returns the reason, in plain words, why this seat may not go from `start` to `end`; "" if it may."""
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
