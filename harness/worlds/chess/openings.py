"""Reads start positions: the usual position of each variant, a position in FEN, or a book in FEN, EPD or
PGN."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from stat import S_ISDIR, S_ISREG

import chess
import chess.pgn
import chess.variant
import msgspec

from harness.errors import InputError
from harness.escape import fitted
from harness.games import Chance

MOST_POSITIONS = 100_000
MOST_BYTES = 200_000_000
"""The maximum size of a book. A larger file is probably no book of openings, and may not fit into memory."""
LONGEST_FEN = 200


class Opening(msgspec.Struct, frozen=True):
    """The start of a match: the variant and the position as FEN."""

    variant: str
    fen: str


def board_of(opening: Opening) -> chess.Board:
    """Returns the position as a board of python-chess. Raises ValueError if the FEN is not a position of this
    variant."""
    return _kind(opening.variant)(opening.fen, chess960=opening.variant == "chess960")


def _kind(variant: str) -> type[chess.Board]:
    """Returns the class of python-chess for a variant."""
    return chess.Board if variant.startswith("chess") else chess.variant.find_variant(variant)


def opening(variant: str, start: str, book: str | tuple[str, ...], progress: int, chance: Chance) -> Opening:
    """Returns the opening of a deal. Raises InputError if no match can begin at `start`."""
    if isinstance(book, str):
        raise InputError("book: the file is not read yet")
    if book and start != "usual":
        raise InputError("book: give `start` or `book`, not both")
    if book:
        return Opening(variant, book[chance.roll("opening", len(book)) - 1])
    if start != "usual":
        return Opening(variant, checked(variant, start, "start", progress))
    if variant == "chess960":
        return Opening(variant, chess.Board.from_chess960_pos(chance.roll("opening", 960) - 1).fen())
    return Opening(variant, _kind(variant).starting_fen)


def positions(variant: str, book: str | tuple[str, ...], folder: Path, progress: int) -> tuple[str, ...]:
    """Returns the positions of a book, which is a file or a list. Raises InputError if the book is wrong.

    A match is a draw after `progress` moves without a capture or a pawn move.
    """
    if not book:
        return ()
    if not isinstance(book, str):
        places = enumerate(book, start=1)
        return tuple(checked(variant, fen, f"book: position {at}", progress) for at, fen in places)
    path = folder / Path(book).expanduser()
    try:
        about = path.stat()
        if not (S_ISREG(about.st_mode) or S_ISDIR(about.st_mode)):  # A pipe, for example, may never end.
            raise InputError(f"book: cannot read {path}: it is not a file")
        if about.st_size > MOST_BYTES:
            raise InputError(f"book: cannot read {path}: it has more than {MOST_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"book: cannot read {path}: {getattr(error, 'strerror', error)}") from None
    if b"\0" in data:
        raise InputError(f"book: cannot read {path}: it is not text in UTF-8 or Latin-1")
    try:
        text = data.decode("utf-8-sig")
    except ValueError:  # The PGN standard demands Latin-1.
        text = data.decode("latin-1")
    lines = _games(variant, text, path) if path.suffix.lower() == ".pgn" else _lines(text)
    found: dict[str, None] = {}
    for where, fen in lines:
        found[checked(variant, fen, f"book: {path}, {where}", progress)] = None
        if len(found) > MOST_POSITIONS:
            raise InputError(f"book: {path} has more than {MOST_POSITIONS:,} positions")
    if not found:
        raise InputError(f"book: {path} has 0 positions, expected 1 to {MOST_POSITIONS:,}")
    return tuple(found)


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield f"line {number}", line.strip()


def _games(variant: str, text: str, path: Path) -> Iterator[tuple[str, str]]:
    source = io.StringIO(text)
    for number in count(1):
        try:
            game = chess.pgn.read_game(source, Visitor=_Strict)
        except ValueError as error:
            raise InputError(f"book: {path}, game {number}: {error}") from None
        if game is None:
            return
        # python-chess makes a game without moves from text that is not PGN.
        if game.end() is game and "FEN" not in game.headers:
            raise InputError(f"book: {path}, game {number}: it has no moves and no position")
        board = game.end().board()
        if type(board) is not _kind(variant):
            raise InputError(f"book: {path}, game {number}: it is not a game of {variant}")
        yield f"game {number}", board.fen()


class _Strict(chess.pgn.GameBuilder[chess.pgn.Game]):
    """A reader of games that stops at the first error. The usual reader prints the error and goes on."""

    def handle_error(self, error: Exception) -> None:
        raise error


def checked(variant: str, text: str, where: str, progress: int) -> str:
    """Takes a position in FEN or EPD, and returns it as FEN. Raises InputError if no match can start in this
    position."""
    quoted = f"{where}: {fitted(repr(text), 80)}"
    try:
        board = _read(variant, text)
    except (ValueError, IndexError) as error:
        why = fitted(str(error), 120)
        raise InputError(f"{quoted} is not a position of {variant}: {why}") from None
    if not board.is_valid():
        broken = ", ".join(str(rule.name).lower().replace("_", " ") for rule in board.status())
        raise InputError(f"{quoted} breaks a rule of {variant}: {broken}")
    if board.is_game_over():
        raise InputError(f"{quoted} is a position in which the game is over")
    if board.halfmove_clock >= 2 * progress:
        raise InputError(f"{quoted} is a draw already: {progress} moves without progress")
    if len(fen := board.fen()) > LONGEST_FEN:
        raise InputError(f"{quoted} is longer than {LONGEST_FEN} characters")
    return fen


def _read(variant: str, text: str) -> chess.Board:
    words = text.split()
    if len(words) < 5 or words[4].isdecimal() or "+" in words[4]:
        return board_of(Opening(variant, " ".join(words)))
    board = board_of(Opening(variant, _kind(variant).starting_fen))
    board.set_epd(text)
    return board
