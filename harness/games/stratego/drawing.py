"""Draws Stratego for people: the board with its pieces, and the last ply in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from types import MappingProxyType

from harness.games.stratego.army import COLUMNS, NAMES, PIECES, ROWS, SIGNS
from harness.games.stratego.board import CODE, FREE, SHOWN, SIDE, WALL, square

COLOUR = MappingProxyType({1: "red", 2: "blue"})
LEGEND = "[ ] is {}, [?] hidden, ### a zone; ! marks what the other side has seen."


def board(squares: bytes, seat: int | None, panel: Iterable[str]) -> str:
    """Returns the board as this seat may see it, with its own side at the bottom. If `seat` is None, all
    pieces are shown, with red at the bottom. The pieces of the side at the top are in brackets. The panel is
    drawn beside the board; its first line is its heading."""
    viewer, header = seat or 1, f"{'':5}" + "".join(f"{column:<5}" for column in COLUMNS)
    order = range(1, 11) if viewer == 2 else range(10, 0, -1)
    ranks = [f"{row:>3} " + "".join(_cells(squares, row, viewer, seat is None)) for row in order]
    lines = ("", header, *ranks, header)
    return "\n".join(
        f"{line:<56}{beside}".rstrip() for line, beside in zip_longest(lines, panel, fillvalue="")
    )


def _cells(squares: bytes, row: int, viewer: int, whole: bool) -> Iterator[str]:
    for column in COLUMNS:
        value = squares[square(row, column)]
        sign, mark = SIGNS[value & CODE] if value != WALL else "", "!" if value & SHOWN else ""
        if value in (FREE, WALL):
            cell = "###" if value else " ."
        elif value & SIDE[viewer]:
            cell = f" {sign}{mark}"
        elif whole:
            cell = f"[{sign}]{mark}"
        else:
            cell = f"[{sign}]" if mark else "[?]"
        yield f"{cell:<5}"


def losses(captured: tuple[bytes, bytes]) -> Iterator[str]:
    """Yields the lines of the panel beside the board: how many pieces of each kind each side has lost."""
    yield f"{'lost:  red blue':>22}"
    for piece in PIECES:
        lost = [str(gone.count(piece.code) or ".") for gone in captured]
        yield f"{piece.sign} {piece.name:<12}{lost[0]:>3}{lost[1]:>5}"


def allowed() -> Iterator[str]:
    """Yields the lines of the panel beside the board: the maximum number of each kind of piece."""
    yield f"{'at most':>20}"
    for piece in PIECES:
        yield f"{piece.sign} {piece.name:<12}{piece.most:>3}"


def legend(seat: int | None) -> str:
    """Returns the meaning of the signs on the board."""
    return LEGEND.format(COLOUR[2 if seat in (1, None) else 1])


def ply(last: Sequence[str]) -> str:
    """Returns the last ply in words. `last` has the events of this ply."""
    if not last:
        return "Nobody has marched yet."
    _, seat, row, column, to_row, to_column = last[0].split(" ")
    told = f"{COLOUR[int(seat)].capitalize()} marched ({row},{column}) to ({to_row},{to_column})"
    if len(last) == 1:
        return f"{told}."
    _, attacker, defender, winner = last[1].split(" ")
    one, other = (NAMES[SIGNS.index(sign)] for sign in (attacker, defender))
    stands = f"{COLOUR[int(winner)]}'s stands" if winner != "0" else "both are gone"
    return f"{told}, {one} against {other}: {stands}."


def how_to_set_up(seat: int) -> str:
    """Returns the instructions for a person who sets up the pieces."""
    back, front = ROWS[seat][0], ROWS[seat][-1]
    first, second = sorted((back, front))
    return (
        f"You are {COLOUR[seat]}. Set up on rows {first} to {second}; row {front} is in front.\n"
        "Name rows in any order, each with its ten squares from column 1 on.\n"
        'Write "." for an empty square:\n\n'
        f"  setup {back}:B9FB785649 {front}:7936594265\n\n"
        "You need exactly one Flag. Of all other pieces, fewer than above are allowed."
    )
