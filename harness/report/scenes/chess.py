"""The scene of chess and its variants: the pieces on the board, the last move, pockets."""

from __future__ import annotations

from collections.abc import Sequence

from harness.report.scenes import Changes, Scene, Standing

WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}
"""The usual values of the pieces, for the curve of a match; no rule uses them."""


class ChessScene(Scene):
    """The keys of the picture:

    board     64 signs, from a8 to h1: a piece as in FEN, or "." for an empty square
    from, to  the squares of the last move, as e2 and e4; for a dropped piece both are the same
    white     whether white is to move
    pocket    the pieces that can be dropped, as in FEN
    material 1, material 2  the value of the pieces of each seat, also of those that it can drop
    plies     the number of plies
    """

    standing = Standing("material", "material")
    quiet = frozenset(("fen",))
    plies = 0

    def opening(self) -> Changes:
        return {"board": "." * 64, "white": True, "pocket": "", "plies": 0, "material 1": 0, "material 2": 0}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        match line.split(" "):
            case ["position" | "fen", placement, turn, *_]:
                return self._placed(placement, turn)
            case ["moved", _, uci, _]:
                self.plies += 1
                start, end = (uci[2:4], uci[2:4]) if "@" in uci else (uci[:2], uci[2:4])
                return {"from": start, "to": end, "plies": self.plies}
        return {}

    def _placed(self, placement: str, turn: str) -> Changes:
        rows, _, pocket = placement.partition("[")
        signs = rows.replace("/", "").replace("~", "")
        board = "".join("." * int(sign) if sign.isdecimal() else sign for sign in signs)
        pocket = pocket.rstrip("]")
        pieces = board + pocket
        worth = [sum(WORTH.get(sign, 0) for sign in side) for side in (pieces, pieces.swapcase())]
        material = {f"material {seat}": value for seat, value in enumerate(worth, start=1)}
        return {"board": board, "white": turn == "w", "pocket": pocket, **material}


SCENE = ChessScene
