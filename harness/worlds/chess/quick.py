"""Makes the boards of python-chess quick for matches: they write FEN and the last move without long work.

A match writes the position after each move. python-chess looks at each of the 64 squares for it, which took
more time than all rules of a move together. To write a move as SAN, it plays the move and takes it back; here
the step that plays a move keeps its SAN.
"""

from __future__ import annotations

from typing import Self

import chess

_EMPTY = b"/".join([b"1" * 8] * 8)
_PLACES = tuple(9 * (7 - square // 8) + square % 8 for square in range(64))
"""The place of each square in `_EMPTY`: the eighth rank comes first, and a slash follows each rank."""
_RUNS = tuple((b"1" * size, b"%d" % size) for size in range(8, 1, -1))


class Quick(chess.Board):
    """A board whose `board_fen` is quick, and which keeps the last move as SAN. Everything else is that of
    python-chess."""

    last = ""
    """The last move as SAN. The caller of `san_and_push` keeps it here."""

    def copy(self, *, stack: bool | int = True) -> Self:
        board = super().copy(stack=stack)
        board.last = self.last
        return board

    def board_fen(self, *, promoted: bool | None = False) -> str:
        if promoted and self.promoted:
            return super().board_fen(promoted=promoted)
        text = bytearray(_EMPTY)
        white = self.occupied_co[chess.WHITE]
        for letters, mask in (
            (b"pP", self.pawns),
            (b"nN", self.knights),
            (b"bB", self.bishops),
            (b"rR", self.rooks),
            (b"qQ", self.queens),
            (b"kK", self.kings),
        ):
            while mask:
                lowest = mask & -mask
                text[_PLACES[lowest.bit_length() - 1]] = letters[white & lowest != 0]
                mask ^= lowest
        for run, digit in _RUNS:
            text = text.replace(run, digit)
        return text.decode()


def quick(kind: type[chess.Board]) -> type[Quick]:
    """The class of the same rules whose boards are quick."""
    # `kind` comes first: some variants, as Crazyhouse, write more than the pieces.
    return Quick if kind is chess.Board else type(kind.__name__, (kind, Quick), {})
