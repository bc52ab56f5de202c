"""Makes the boards of python-chess quick for matches: the same answers, with less work for most moves.

Between the answer of one bot and the question to the other, a match reads a move, plays it, writes it as SAN
and the position as FEN, and asks whether the match is over. An engine has emptied the caches of the processor
before, so all code that runs here is slow, and python-chess looks for checks and pins in each of these steps.
`Quick` writes FEN by bits, for all variants. `QuickChess` looks for checks and pins once in each position,
and answers by itself in the usual cases. In all others it asks python-chess.
"""

from __future__ import annotations

from functools import cache
from typing import Self

import chess

_EMPTY = b"/".join([b"1" * 8] * 8)
_PLACES = tuple(9 * (7 - square // 8) + square % 8 for square in range(64))
"""The place of each square in `_EMPTY`: the eighth rank comes first, and a slash follows each rank."""
_RUNS = tuple((b"1" * size, b"%d" % size) for size in range(8, 1, -1))
_LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8
_LETTERS = ("", "", "N", "B", "R", "Q")
"""The letter of each kind of piece but the king in SAN."""
_ROOKS = (("K", chess.BB_H1), ("Q", chess.BB_A1), ("k", chess.BB_H8), ("q", chess.BB_A8))
"""The letters of FEN for the rights to castle with these rooks."""
_CYCLE = 4
"""A position comes back after this number of plies at the earliest: both sides move there and back."""
_move = cache(chess.Move.from_uci)
"""The move of a text in UCI notation. There are less than 30,000 of them, so all are kept."""


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


class QuickChess(Quick):
    """A board of chess or chess960 in which both sides have a king. It changes by `push` and `pop` only.

    For the usual moves it answers itself: those of a piece that is not the king, by a side that is not in
    check, without en passant and promotion.
    """

    _found: tuple[int, int, int] | None = None
    _movable: bool | None = None

    def _threats(self) -> tuple[int, int, int]:
        """The king of the side to move as a square, the pieces that give it check, and its own pieces that
        cover it from a rook, bishop or queen, both as sets of squares."""
        if self._found is None:
            king = (self.kings & self.occupied_co[self.turn]).bit_length() - 1
            self._found = king, self.attackers_mask(not self.turn, king), self._slider_blockers(king)
        return self._found

    def push(self, move: chess.Move) -> None:
        super().push(move)
        self._found = self._movable = None

    def pop(self) -> chess.Move:
        self._found = self._movable = None
        return super().pop()

    def parse_uci(self, uci: str) -> chess.Move:
        move = _move(uci)
        return move if self._is_usual(move) else super().parse_uci(uci)

    def _is_usual(self, move: chess.Move) -> bool:
        """Whether this is one of the usual moves and legal."""
        start, end = 1 << move.from_square, 1 << move.to_square
        own = self.occupied_co[self.turn]
        if not start & own & ~self.kings or end & own or move.promotion or move.drop:
            return False
        king, checkers, covers = self._threats()
        if checkers or not self._reach(move.from_square, start) & end:
            return False
        return not covers & start or bool(chess.ray(move.from_square, move.to_square) & 1 << king)

    def _reach(self, square: chess.Square, mask: chess.Bitboard) -> chess.Bitboard:
        """Where a piece of the side to move can go by its own way of moving, without en passant and
        promotion. The squares of its own side are not taken off."""
        if not mask & self.pawns:
            return self.attacks_mask(square)
        free = ~self.occupied
        if self.turn:
            one = mask << 8 & free
            two = (one & chess.BB_RANK_3) << 8 & free
        else:
            one = mask >> 8 & free
            two = (one & chess.BB_RANK_6) >> 8 & free
        taken = chess.BB_PAWN_ATTACKS[self.turn][square] & self.occupied_co[not self.turn]
        return (one | two | taken) & ~_LAST_RANKS

    def san_and_push(self, move: chess.Move) -> str:
        square, piece = move.to_square, self.piece_type_at(move.from_square)
        san = chess.SQUARE_NAMES[square]
        if not piece or piece == chess.KING or move.promotion or move.drop or not move:
            return super().san_and_push(move)
        if piece == chess.PAWN:
            if (move.from_square - square) % 8:  # It takes a piece, maybe en passant.
                san = f"{chess.FILE_NAMES[move.from_square % 8]}x{san}"
        else:
            others = self.pieces_mask(piece, self.turn) & self.attackers_mask(self.turn, square)
            if others & others - 1:  # Another one of this kind can perhaps go there too.
                return super().san_and_push(move)
            san = f"{_LETTERS[piece]}{'x' if self.occupied & 1 << square else ''}{san}"
        self.push(move)
        _, checkers, _ = self._threats()
        return f"{san}{'+' if self._can_move() else '#'}" if checkers else san

    def _can_move(self) -> bool:
        """Whether the side to move has a legal move."""
        if self._movable is None:
            self._movable = self._has_usual() or any(self.generate_legal_moves())
        return self._movable

    def _has_usual(self) -> bool:
        """Whether a piece that covers nothing has one of the usual moves."""
        _, checkers, covers = self._threats()
        own = self.occupied_co[self.turn]
        pieces = 0 if checkers else own & ~covers & ~self.kings
        while pieces:
            lowest = pieces & -pieces
            if self._reach(lowest.bit_length() - 1, lowest) & ~own:
                return True
            pieces ^= lowest
        return False

    def outcome(self, *, claim_draw: bool = False) -> chess.Outcome | None:
        enough = self.pawns | self.rooks | self.queens
        if not claim_draw and enough and self.halfmove_clock < 4 * _CYCLE and self._can_move():
            return None
        return super().outcome(claim_draw=claim_draw)

    def is_repetition(self, count: int = 3) -> bool:
        return self.halfmove_clock >= (count - 1) * _CYCLE and super().is_repetition(count)

    def castling_xfen(self) -> str:
        if self.chess960:
            return super().castling_xfen()
        rights = self.clean_castling_rights()
        return "".join(letter for letter, rook in _ROOKS if rights & rook) or "-" if rights else "-"

    def has_legal_en_passant(self) -> bool:
        if self.ep_square is None:
            return False
        near = chess.BB_PAWN_ATTACKS[not self.turn][self.ep_square] & self.pawns & self.occupied_co[self.turn]
        return bool(near) and super().has_legal_en_passant()


def quick(kind: type[chess.Board]) -> type[Quick]:
    """The class of the same rules whose boards are quick."""
    # `kind` comes first: some variants, as Crazyhouse, write more than the pieces.
    return QuickChess if kind is chess.Board else type(kind.__name__, (kind, Quick), {})
