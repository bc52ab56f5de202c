"""Tests how the study compares our verdicts with python-chess and fastchess, and the engine that it uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import chess
import pytest

from harness.chance import Seeded
from harness.worlds.chess import GAME, ChessOptions
from studies.verdicts import ENDS, ENGINE, Recorded, by_python_chess, on_record
from tests.report import played

GAMES = {
    "f2f3 e7e5 g2g4 d8h4": "checkmate",
    "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8": "the position stood 3 times",
    # The shortest known stalemate, which Sam Loyd found.
    "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 "
    "c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6": "stalemate",
}
RESULTS: dict[tuple[float, ...], str] = {(1, 0): "1-0", (0, 1): "0-1", (0.5, 0.5): "1/2-1/2"}


@pytest.mark.parametrize("moves", GAMES)
def test_the_referee_says_what_python_chess_says(moves: str) -> None:
    state = GAME.start(ChessOptions(), 2, Seeded(1))[0]
    for move in moves.split():
        [seat] = state.to_act()
        verdict = state.check(seat, f"play {move}")
        assert isinstance(verdict, str)
        state = state.play({seat: verdict}, Seeded(1))[0]
    outcome = state.outcome()
    assert outcome is not None
    one = Recorded("1.1.1.1", chess.STARTING_FEN, tuple(moves.split()), ("", ""))
    assert by_python_chess(one) == (RESULTS[outcome.scores], outcome.reason)
    assert outcome.reason == GAMES[moves] in ENDS.values()


@pytest.mark.parametrize(("result", "verdict"), [("0-1", ("0-1", "late")), ("1-0", ("*", "goes on"))])
def test_only_the_side_to_move_can_be_late(result: str, verdict: tuple[str, str]) -> None:
    one = Recorded("1.1.1.1", chess.STARTING_FEN, ("e2e4", "e7e5"), (result, "late"))
    assert by_python_chess(one) == verdict


def test_the_matches_of_a_record_are_read(tmp_path: Path) -> None:
    first, *others = on_record(played.write(tmp_path, "chess", options={"plies": 6}, fault_at=5))
    assert first.verdict == ("1/2-1/2", "the limit of 6 plies")
    assert (first.fen, len(first.moves)) == (chess.STARTING_FEN, 6)
    assert "malformed" in {one.verdict[1] for one in others}


def test_an_engine_replays_the_games_of_its_list(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("e2e4 e7e5\nd2d4\n")
    said = (
        "uci\nucinewgame\nisready\nposition fen x moves e2e4\ngo\nucinewgame\nposition startpos\ngo\nquit\n"
    )
    done = subprocess.run(
        [sys.executable, str(ENGINE), str(tmp_path / "games")],
        input=said,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [line for line in done.stdout.split("\n") if line.startswith("bestmove")]
    assert answers == ["bestmove e7e5", "bestmove d2d4"]
