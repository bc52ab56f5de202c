"""Plays chess and its variants with python-chess. The page chess.md explains options and lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import replace

from harness.games import Chance, Event, Events, Game, Illegal, Malformed, Number, Options, PathState, Trail
from harness.model import Limits, Outcome, ranks
from harness.worlds import missing

try:
    import chess
except ImportError as error:
    raise missing("the game chess", "chess") from error

from harness.worlds.chess.adjudication import Adjudication
from harness.worlds.chess.openings import Opening, board_of, opening, positions

RESULTS = {0: (0.5, 0.5), 1: (1, 0), 2: (0, 1)}
LINE = 50
"""The number of moves in one line of a view."""
Moves = Annotated[int, Meta(ge=0, le=10_000)]


class ChessOptions(Options, frozen=True):
    """The options of chess."""

    variant: Annotated[
        Literal[
            "chess",
            "chess960",
            "antichess",
            "atomic",
            "crazyhouse",
            "giveaway",
            "horde",
            "kingofthehill",
            "racingkings",
            "suicide",
            "threecheck",
        ],
        Meta(description="a variant of python-chess"),
    ] = "chess"
    start: Annotated[
        str, Meta(description='"usual" (in chess960, each deal draws a position), or a position as FEN')
    ] = "usual"
    book: Annotated[
        str | tuple[str, ...],
        Meta(description="a file of positions (FEN, EPD or PGN), or a list of FEN; each deal draws one"),
    ] = ()
    draws: Annotated[
        Literal["threefold", "fivefold"],
        Meta(
            description='"threefold": a draw when a position occurs for the third time, or after 50 moves '
            'without progress; "fivefold": for the fifth time, or after 75 moves'
        ),
    ] = "threefold"
    plies: Annotated[Moves, Meta(description="a draw after this many plies; 0 is no limit")] = 0
    resign: Annotated[
        Moves, Meta(description="a bot loses if its own scores are this far below 0, in centipawns; 0: never")
    ] = 0
    resign_moves: Annotated[
        Moves, Meta(description="for `resign`: the number of such moves of the bot in a row")
    ] = 3
    draw: Annotated[
        Moves, Meta(description="a draw if both scores are at most this far from 0; 0: never")
    ] = 0
    draw_moves: Annotated[
        Moves, Meta(description="for `draw`: the number of such moves of each bot in a row")
    ] = 8
    draw_after: Annotated[Moves, Meta(description="for `draw`: only after this many moves of each bot")] = 34

    def settled(self, folder: Any) -> ChessOptions:
        return replace(self, book=positions(self.variant, self.book, folder, self.progress))

    @property
    def progress(self) -> int:
        """A match is a draw after this number of moves without a capture or a pawn move."""
        return 50 if self.draws == "threefold" else 75


class ChessState(PathState, frozen=True):
    """A position, stored as the moves (in UCI notation) since the start. Seat 1 is white."""

    opening: Opening
    options: ChessOptions
    scores_said: Adjudication
    winner: int | None = None
    """The seat that has won. The value is 0 for a draw, and None while the match goes on."""
    reason: str = ""

    @property
    def board(self) -> chess.Board:
        """The position as a board of python-chess. Do not change this board."""
        found: chess.Board = self.here
        return found

    def to_act(self) -> tuple[int, ...]:
        return (1 if self.board.turn else 2,) if self.winner is None else ()

    def question(self, seat: int) -> str:
        return "play"

    def legal(self, seat: int) -> Iterator[str]:
        return (f"play {move.uci()}" for move in [*self.board.legal_moves])

    def complete(self, seat: int) -> bool:
        return not self.options.resign and not self.options.draw

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        match said.split(" "):
            case ["play", text]:
                score = ""
            case ["play", text, score] if not self.complete(seat) and Adjudication.can_read(score):
                pass
            case _:
                form = "`play MOVE`" if self.complete(seat) else "`play MOVE` or `play MOVE SCORE`"
                return Malformed(f"expected {form} with a move as e2e4 or e7e8q, not {said!r}")
        board = self.board
        try:
            move = board.parse_uci(text)
        except chess.InvalidMoveError:
            return Malformed(f"{text!r} is not a move in UCI notation, as e2e4 or e7e8q")
        except chess.IllegalMoveError:
            return Illegal(f"{text} is not legal in {board.fen()}")
        if not move:
            return Illegal("a null move is not legal")
        return f"play {move.uci()} {score}".rstrip()

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[ChessState, Events]:
        [(seat, said)] = moves.items()
        _, uci, *score = said.split(" ")
        san = self.board.san(chess.Move.from_uci(uci))
        after = self.after(uci)
        if not self.complete(seat):
            scores = self.scores_said.after(seat, int(score[0]) if score else None)
            after = replace(after, scores_said=scores)
        events = Event(f"moved {seat} {uci} {san}"), Event(f"fen {after.board.fen()}")
        return after.judged(), events

    def judged(self) -> ChessState:
        """Returns this position, with its result if the match is over."""
        winner, reason = self._result()
        return self if winner is None else replace(self, winner=winner, reason=reason)

    def _result(self) -> tuple[int | None, str]:
        """Returns the seat that has won here (0 for a draw, None if the match goes on), and the reason."""
        board, options = self.board, self.options
        repeated = 3 if options.draws == "threefold" else 5
        found = board.outcome()
        if found is not None:
            winner = 0 if found.winner is None else 1 if found.winner else 2
            # python-chess says "variant loss" if the side to move has lost.
            name = found.termination.name.lower().replace("_", " ")
            return winner, f"the rules of {options.variant}" if name.startswith("variant") else name
        if board.is_repetition(repeated):
            return 0, f"the position stood {repeated} times"
        if board.halfmove_clock >= 2 * options.progress:
            return 0, f"{options.progress} moves without progress"
        if 0 < options.plies <= len(self.path):
            return 0, f"the limit of {options.plies} plies"
        return self.scores_said.verdict(options, len(self.path))

    def scores(self) -> tuple[Number, ...]:
        return (0, 0) if self.winner is None else RESULTS[self.winner]

    def outcome(self) -> Outcome | None:
        return Outcome(ranks(self.scores()), self.scores(), self.reason) if self.reason else None

    def view(self, seat: int) -> tuple[str, ...]:
        path = self.path
        lines = [" ".join(("played", *path[at : at + LINE])) for at in range(0, len(path), LINE)]
        return f"start {self.opening.fen}", *lines, f"fen {self.board.fen()}"

    def text(self, seat: int | None = None) -> str:
        board = self.board
        rows = str(board).split("\n")
        drawn = [f"{8 - place}  {row}" for place, row in enumerate(rows)]
        last = f"; the last move was {self.path[-1]}" if self.path else ""
        pockets = (
            [f"pockets: {board.fen().partition('[')[2].partition(']')[0]}"] if "[" in board.fen() else []
        )
        turn = self.reason or f"{'white' if board.turn else 'black'} (seat {self.to_act()[0]}) to move"
        return "\n".join((*drawn, "", "   a b c d e f g h", *pockets, f"{turn}{last}"))


class Chess(Game):
    """The rules of chess."""

    name = "chess"
    title = "Chess"
    seats = (2, 2)
    options = ChessOptions
    brief: ClassVar[dict[str, Any]] = {"plies": 12}
    limits = Limits(ponder_ms=5_000)  # Engines still use CPU time after a move, when they are not asked.
    secret_chance = False
    library = f"chess {chess.__version__}"

    def start(self, options: ChessOptions, seats: int, chance: Chance) -> tuple[ChessState, Events]:
        chosen = opening(options.variant, options.start, options.book, options.progress, chance)
        trail = Trail(chosen, lambda: board_of(chosen), _push, chess.Board.copy)
        state = ChessState(trail, (), chosen, options, Adjudication()).judged()
        return state, (Event(f"position {chosen.fen}"),)

    def announce(self, options: ChessOptions) -> tuple[str, ...]:
        told = (f"variant {options.variant}", f"draws {options.draws}")
        scores = "yes" if options.resign or options.draw else "no"
        return (*told, f"plies {options.plies}", f"scores {scores}")


def _push(board: chess.Board, uci: str) -> None:
    board.push(chess.Move.from_uci(uci))


GAME = Chess()
