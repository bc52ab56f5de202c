"""Defines the scene of chess and its variants: the pieces on the board, the last move, pockets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.report.scenes import Changes, Scene, Standing

WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}
"""The usual values of the pieces, for the curve of a match. No rule uses these values."""
MOST = 12
"""The largest score in the curve, in pawns. A larger score, for example of a mate, means that a side wins."""
_SCORE = re.compile("-?[0-9]{1,6}")
USUAL, NOTHING = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "8/8/8/8/8/8/8/8"
OTHERS = {
    "chess960": NOTHING,  # Each deal draws a position.
    "horde": "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP",
    "racingkings": "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ",
}
"""The start positions of the variants that do not start from the usual position."""


class ChessScene(Scene):
    """The keys of the picture:

    board     64 signs, from a8 to h1: a piece as in FEN, or "." for an empty square
    from, to  the squares of the last move, as e2 and e4; for a dropped piece both are the same
    white     true if it is white's turn
    pocket    the pieces that can be dropped, as in FEN
    material 1, material 2  the value of the pieces of each seat, with the pieces that it can drop
    plies     the number of plies
    score 1, score 2  the last score that each seat gave in an answer, in pawns, from the seat's view
    """

    standing = Standing("material", "material")
    guess = Standing("score", "scores of the engines in pawns, each from its own view")
    quiet = frozenset(("position", "fen"))
    plies = 0
    board = ""
    white = True

    def opening(self) -> Changes:
        """Returns the position where all matches start, or an empty board if each deal chooses a
        position at random."""
        variant, start = self.options.variant, self.options.start
        placement, turn = OTHERS.get(variant, USUAL), "w"
        if self.options.book:
            placement = NOTHING
        elif start != "usual":
            placement, turn, *_ = start.split()
        return {**self._placed(placement, turn), "plies": 0}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        match line.split(" "):
            case ["position" | "fen", placement, turn, *_]:
                return self._placed(placement, turn)
            case ["moved", _, uci, _]:
                self.plies += 1
                return {**self._moved(uci), "plies": self.plies}
        return {}

    def said(self, seat: int, text: str) -> Changes:
        """Reads the score, in centipawns, from an answer such as `play e2e4 31`."""
        match text.split(" "):
            case ["play", _, score] if _SCORE.fullmatch(score):
                return {f"score {seat}": max(-MOST, min(MOST, int(score) / 100))}
        return {}

    def _moved(self, uci: str) -> Changes:
        """Moves the piece to its new square.

        The next position shows the other changes, such as the rook in castling or a captured pawn.
        """
        start, end = (uci[2:4], uci[2:4]) if "@" in uci else (uci[:2], uci[2:4])
        squares = list(self.board)
        piece = uci[0] if "@" in uci else (uci[4:] or squares[_place(start)])
        if len(uci) > 4 or "@" in uci:
            piece = piece.upper() if self.white else piece.lower()
        castles = squares[_place(end)] != "." and squares[_place(end)].isupper() == self.white
        if not castles:  # In Chess960, castling is written as a move of the king to the square of its rook.
            squares[_place(start)] = "."
            squares[_place(end)] = piece
        self.board, self.white = "".join(squares), not self.white
        return {"from": start, "to": end, "board": self.board, "white": self.white}

    def _placed(self, placement: str, turn: str) -> Changes:
        rows, _, pocket = placement.partition("[")
        signs = rows.replace("/", "").replace("~", "")
        self.board = board = "".join("." * int(sign) if sign.isdecimal() else sign for sign in signs)
        self.white = turn == "w"
        pocket = pocket.rstrip("]")
        pieces = board + pocket
        worth = [sum(WORTH.get(sign, 0) for sign in side) for side in (pieces, pieces.swapcase())]
        material = {f"material {seat}": value for seat, value in enumerate(worth, start=1)}
        return {"board": board, "white": self.white, "pocket": pocket, **material}


def _place(square: str) -> int:
    """Returns the index of a square in `board`."""
    return 8 * (8 - int(square[1])) + "abcdefgh".index(square[0])


SCENE = ChessScene
