"""Defines the scene of Stratego: the two zones of the board, the pieces that the viewer knows, and the lost
pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from harness.games.stratego.army import PIECES, SIGNS
from harness.report.scenes import Changes, Scene, Standing

Square = tuple[int, int]
WORTH = {**dict(zip("123456789", (10, 9, 8, 7, 6, 5, 4, 5, 2), strict=True)), "S": 4, "F": 40, "B": 4}
"""The value of each piece in the curve of a match. The values are usual guesses. No rule uses them."""
STRENGTH = sum(WORTH[piece.sign] * piece.most for piece in PIECES)
"""The value of a whole army."""


class SeenPiece(NamedTuple):
    """A piece: its owner and its sign, which is "?" if the viewer does not know the piece.

    `shown` is true if the opponent has seen the piece.
    """

    seat: int
    sign: str
    shown: bool = False


class StrategoScene(Scene):
    """The keys of the picture:

    zones     the first columns of the two zones
    4 6       the piece in row 4, column 6: seat, sign, shown; None if there is no piece
    from, to  the squares of the last ply
    clash     the collision in the last ply: attacker, defender, winner; None if there was none
    attacker  the seat that attacked in the last collision
    lost 1    the signs of the pieces that seat 1 has lost
    army 1    the value of the pieces that seat 1 still has
    plies     the number of plies
    quiet     the number of plies since the last collision
    """

    standing = Standing("army", "strength")
    quiet = frozenset(("zones", "army"))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._at: dict[Square, SeenPiece] = {}
        self._from = self._to = (0, 0)
        self._plies = self._quiet = 0
        self._lost: dict[int, list[str]] = {1: [], 2: []}

    def opening(self) -> Changes:
        armies = {"army 1": STRENGTH, "army 2": STRENGTH}
        return {"lost 1": [], "lost 2": [], **armies, "plies": 0, "quiet": 0}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        match line.split(" "):
            case ["zones", left, right]:
                return {"zones": [int(left), int(right)]}
            case ["army", seat, *rows]:
                return self._set_up(int(seat), rows)
            case ["marched", _, *squares]:
                row, column, to_row, to_column = map(int, squares)
                return self._marched((row, column), (to_row, to_column))
            case ["collision", attacker, defender, winner]:
                return self._collided(attacker, defender, int(winner))
        return {}

    def _set_up(self, seat: int, rows: Sequence[str]) -> Changes:
        changes: Changes = {}
        for word in rows:
            row, _, signs = word.partition(":")
            for column, sign in enumerate(signs, start=1):
                square = (int(row), column)
                if sign != "." and (sign != "?" or square not in self._at):
                    changes |= self._put(square, SeenPiece(seat, sign))
        return changes

    def _marched(self, start: Square, end: Square) -> Changes:
        self._from, self._to = start, end
        self._plies += 1
        self._quiet += 1
        changes: Changes = {"from": list(start), "to": list(end), "clash": None}
        changes |= {"plies": self._plies, "quiet": self._quiet}
        if end in self._at:  # Two pieces are on this square until the next line says which one wins.
            return changes
        return changes | self._put(end, self._at[start]) | self._put(start, None)

    def _collided(self, attacker: str, defender: str, winner: int) -> Changes:
        seat, other = self._at[self._from].seat, self._at[self._to].seat
        if winner != seat:
            self._lost[seat] = sorted((*self._lost[seat], attacker), key=SIGNS.index)
        if winner != other:
            self._lost[other] = sorted((*self._lost[other], defender), key=SIGNS.index)
        left = SeenPiece(winner, attacker if winner == seat else defender, shown=True) if winner else None
        self._quiet = 0
        clash = {"clash": [attacker, defender, winner], "attacker": seat, "quiet": 0}
        lost = {f"lost {each}": self._lost[each] for each in (1, 2)}
        left_over = {
            f"army {each}": STRENGTH - sum(map(WORTH.__getitem__, self._lost[each])) for each in (1, 2)
        }
        return clash | lost | left_over | self._put(self._from, None) | self._put(self._to, left)

    def _put(self, square: Square, piece: SeenPiece | None) -> Changes:
        if piece is None:
            self._at.pop(square, None)
        else:
            self._at[square] = piece
        return {f"{square[0]} {square[1]}": piece and list(piece)}


SCENE = StrategoScene
