"""Defines the pieces of Stratego. Reads and checks set-ups, and also makes random set-ups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from harness.games import Chance, Illegal, Malformed

COLUMNS = range(1, 11)
ROWS = MappingProxyType({1: range(1, 5), 2: range(10, 6, -1)})
"""The rows in which each seat sets up its pieces. The back row comes first."""

MARSHAL, MINER, SCOUT, SPY, FLAG, BOMB = 1, 8, 9, 10, 11, 12
SIGNS = ".123456789SFB"
"""The sign of each piece, by its code. Each sign has one character, so that rows line up."""
WORTH = (0, 40, 30, 20, 14, 10, 7, 5, 8, 3, 8, 0, 5)
"""A guess of the cost of losing a piece, by the code of the piece. The Flag has no cost here, because its
loss ends the match."""
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
SQUARES = re.compile(r"[.1-9SFBsfb]{10}")

Standing: TypeAlias = tuple[int, int, int]
"""The row, the column and the code of a piece."""


class PieceKind(NamedTuple):
    """A kind of piece: its code (lower is stronger), its name, and the maximum number in an army."""

    code: int
    name: str
    most: int

    @property
    def sign(self) -> str:
        """The sign of this piece in lines."""
        return SIGNS[self.code]


PIECES = (
    *(PieceKind(1, "Marshal", 1), PieceKind(2, "General", 1), PieceKind(3, "Colonel", 2)),
    *(PieceKind(4, "Major", 3), PieceKind(5, "Captain", 4), PieceKind(6, "Lieutenant", 4)),
    *(PieceKind(7, "Sergeant", 4), PieceKind(8, "Miner", 5), PieceKind(9, "Scout", 8)),
    *(PieceKind(10, "Spy", 1), PieceKind(11, "Flag", 1), PieceKind(12, "Bomb", 6)),
)
NAMES = ("", *(piece.name for piece in PIECES))
ALL = tuple(piece.code for piece in PIECES for _ in range(piece.most))
"""The codes of all pieces of a complete army."""
WHOLE = sum(WORTH[code] for code in ALL)
"""The worth of a complete army."""
FIGHTERS = tuple(SIGNS[code] for code in ALL if code not in (MINER, SPY, FLAG, BOMB))
"""The signs of the pieces that `drawn` may put on any square."""


def read(seat: int, said: str) -> str | Malformed | Illegal:
    """Returns the canonical line of a set-up (rows in order, no empty rows), or the reason why the set-up is
    not legal."""
    first, *words = said.split(" ")
    if first != "setup" or not words:
        due = "`setup ROW:SQUARES ROW:SQUARES ...` is due, as `setup 1:F......... 4:1........9`"
        return Malformed(f"{due}; it said {said!r}")
    rows: list[tuple[int, str]] = []
    for word in words:
        row, colon, squares = word.partition(":")
        if not colon or not NUMBER.fullmatch(row):
            return Malformed(f"ROW:SQUARES begins with the number of the row and a colon; it said {word!r}")
        if not SQUARES.fullmatch(squares):
            return Malformed(f"the squares of a row are ten of {SIGNS} without a space; it said {word!r}")
        rows.append((int(row), squares.upper()))
    return _judged(seat, rows)


def _judged(seat: int, rows: Sequence[tuple[int, str]]) -> str | Illegal:
    grid: dict[int, list[str]] = {row: ["."] * len(COLUMNS) for row in sorted(ROWS[seat])}
    for row, squares in rows:
        if row not in grid:
            return Illegal(f"it sets up on rows {min(grid)} to {max(grid)}; it named row {row}")
        for place, sign in enumerate(squares):
            if sign != "." and grid[row][place] != ".":
                return Illegal(f"two pieces are to stand on ({row},{place + 1})")
            grid[row][place] = sign if sign != "." else grid[row][place]
    signs = [sign for squares in grid.values() for sign in squares]
    if (flags := signs.count(SIGNS[FLAG])) != 1:
        return Illegal(f"an army has exactly one Flag; it set up {flags or 'none'}")
    for piece in PIECES:
        if (count := signs.count(piece.sign)) > piece.most:
            return Illegal(f"an army has at most {piece.most} of {piece.sign} ({piece.name}), not {count}")
    return _line({row: "".join(squares) for row, squares in grid.items()})


def _line(rows: dict[int, str]) -> str:
    words = [f"{row}:{squares}" for row, squares in sorted(rows.items()) if squares.strip(".")]
    return " ".join(("setup", *words))


def standing(line: str) -> Iterator[Standing]:
    """Yields the pieces of a set-up from its canonical line."""
    for word in line.split(" ")[1:]:
        row, _, squares = word.partition(":")
        for column, sign in enumerate(squares, start=1):
            if sign != ".":
                yield int(row), column, SIGNS.index(sign)


def drawn(seat: int, chance: Chance) -> str:
    """Makes a random but sensible set-up of all 40 pieces. The Flag is on the back row with Bombs around it.
    The Spy, the Miners and the other Bombs are behind the front row. All other pieces may be anywhere."""
    flag = chance.roll("flag", len(COLUMNS)) - 1
    guarded = "BFB"[flag == 0 : 3 - (flag == 9)]
    fighters = "".join(chance.shuffle("fighters", FIGHTERS))
    bombs = 6 - len(guarded)  # The Bombs that are not beside or in front of the Flag.
    others = "".join(chance.shuffle("others", f"{fighters[10:]}S{'8' * 5}{'B' * bombs}"))
    left, back = max(0, flag - 1), 10 - len(guarded)
    rows = (
        others[:left] + guarded + others[left:back],
        others[back : back + flag] + "B" + others[back + flag : back + 9],
        others[back + 9 :],
        fighters[:10],
    )
    return _line(dict(zip(ROWS[seat], rows, strict=True)))
