"""Tests the benchmarks of other tournament programs, with stand-ins for them; no test measures time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import fastchess, peers
from benchmarks.__main__ import wanted
from benchmarks.entrants import PROGRAMS
from benchmarks.rows import ROWS
from benchmarks.sample import Sample
from tests.tables import cells, rows_in_text

GAME = '[Event "Fastchess Tournament"]\n[PlyCount "{}"]\n[Termination "{}"]\n\n1. Nc3 Nc6 1/2-1/2\n\n'
STAND_IN = f"""#!{sys.executable}
import sys
[file] = [word[5:] for word in sys.argv if word.startswith("file=")]
games = 2 * int(sys.argv[sys.argv.index("-rounds") + 1])
open(file, "w").write({GAME.format(96, "normal")!r} * games)
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stands for fastchess: a program that writes finished games into a file, without playing them."""
    path = tmp_path / "fastchess"
    path.write_text(STAND_IN)
    path.chmod(0o755)
    monkeypatch.setenv("FASTCHESS", str(path))
    return path


# -- fastchess -------------------------------------------------------------------------------------


def test_the_moves_of_fastchess_are_the_plies_of_its_games(stand_in: Path) -> None:
    assert fastchess.played(["one"], ["two"], rounds=3).units == 6 * 96


def test_the_plies_of_all_games_count() -> None:
    assert fastchess.plies(GAME.format(96, "normal") + GAME.format(4, "normal"), games=2) == 100


def test_a_game_too_few_is_no_measurement() -> None:
    with pytest.raises(AssertionError, match="1 games instead of 2"):
        fastchess.plies(GAME.format(96, "normal"), games=2)


def test_a_game_that_an_engine_lost_by_a_fault_is_no_measurement() -> None:
    with pytest.raises(AssertionError, match="abandoned"):
        fastchess.plies(GAME.format(96, "normal") + GAME.format(4, "abandoned"), games=2)


def test_fastchess_is_told_the_engines_with_their_arguments_and_little_else() -> None:
    assert fastchess.options({"a": ["/one", "1"], "b": ["/two"]}, 5, Path("/games.pgn")) == [
        *("-engine", "name=a", "cmd=/one", "args=1", "-engine", "name=b", "cmd=/two"),
        *("-each", "tc=100+1", "-rounds", "5", "-pgnout", "file=/games.pgn"),
    ]


def test_the_random_mover_is_found_where_it_is_built_first(stand_in: Path) -> None:
    assert fastchess.mover() is None
    beside = stand_in.with_name("random_mover")
    beside.touch()
    assert fastchess.mover() == beside
    built = stand_in.parent / "app" / "tests" / "mock" / "engine" / "random_mover"
    built.parent.mkdir(parents=True)
    built.touch()
    assert fastchess.mover() == built


def test_a_fastchess_that_is_not_there_has_no_engines_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FASTCHESS", str(tmp_path / "nowhere"))
    assert fastchess.program() is None
    assert fastchess.mover() is None
    assert not any(peer.name.startswith("fastchess") for peer in peers.here())


# -- our engine for it -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    path = tmp_path_factory.mktemp("engine") / "uci"
    subprocess.run(["cc", "-O2", "-o", path, PROGRAMS["uci"]], check=True)
    return path


def test_the_engine_shakes_hands(engine: Path) -> None:
    assert _said(engine, "uci", "isready", "quit")[-2:] == ["uciok", "readyok"]


def test_the_game_is_of_knights_alone_and_a_draw_by_repetition_after_96_moves(engine: Path) -> None:
    sides = ({"b1", "g1"}, {"b8", "g8"})
    seen, moves = Counter([_position(sides, 0)]), list[str]()
    for ply in range(96):
        assert max(seen.values()) < 3, f"the game is over after {ply} moves"
        told = " ".join(["position startpos", *(["moves", *moves] if moves else [])])
        *_, answer = _said(engine, told, "go wtime 1000 btime 1000")
        move = answer.removeprefix("bestmove ")
        _moved(sides, ply % 2, move[:2], move[2:])
        moves.append(move)
        seen[_position(sides, (ply + 1) % 2)] += 1
    assert max(seen.values()) == 3


def _said(engine: Path, *lines: str) -> list[str]:
    told = "".join(f"{line}\n" for line in lines)
    return subprocess.run(
        [engine], input=told, check=True, capture_output=True, text=True
    ).stdout.splitlines()


def _position(sides: tuple[set[str], set[str]], to_move: int) -> tuple[frozenset[str], frozenset[str], int]:
    return frozenset(sides[0]), frozenset(sides[1]), to_move


def _moved(sides: tuple[set[str], set[str]], side: int, start: str, end: str) -> None:
    step = sorted((abs(ord(start[0]) - ord(end[0])), abs(int(start[1]) - int(end[1]))))
    assert step == [1, 2], f"{start}{end} is no knight's move"
    assert end not in sides[0] | sides[1]
    assert end[1] not in "27", "pawns stand there"
    sides[side].remove(start)
    sides[side].add(end)


# -- PettingZoo ------------------------------------------------------------------------------------


class Corridor:
    """Stands for an environment of two agents: a match has three moves, then one last step of each agent."""

    def __init__(self) -> None:
        self.columns: list[int | None] = []
        self.steps = 0

    def reset(self) -> None:
        self.steps = 0

    def agent_iter(self) -> Iterator[str]:
        while self.steps < 5:
            yield f"player_{self.steps % 2}"

    def last(self) -> tuple[Any, int, bool, bool, dict[str, Any]]:
        return {"action_mask": [0, 0, 1, 0, 0, 0, 0]}, 0, self.steps >= 3, False, {}

    def step(self, column: int | None) -> None:
        self.columns.append(column)
        self.steps += 1


def test_only_moves_are_counted_and_only_legal_ones_are_made() -> None:
    corridor = Corridor()
    assert peers.stepped(corridor, matches=2) == 6
    assert corridor.columns == [2, 2, 2, None, None] * 2


# -- the table -------------------------------------------------------------------------------------

OURS = [Sample(100, 0.002, 0), Sample(100, 0.004, 0), Sample(100, 0.002, 0)]
"""20, 40 and 20 µs a move."""
SAMPLES = {
    peers.OURS: OURS,
    "fastchess": [Sample(10, 0.001, 0), Sample(10, 0.002, 0), Sample(10, 0.0012, 0)],
    "pettingzoo": [Sample(10, 0.0005, 0), Sample(10, 0.001, 0), Sample(10, 0.0005, 0)],
}


def test_a_peer_is_compared_with_ours_of_the_same_round() -> None:
    chess, zoo = peers.compared(SAMPLES)
    assert chess.ratio == pytest.approx((5, 5, 5.5))
    assert zoo.ratio == pytest.approx((2.5, 2.5, 2.5)), "although the times vary twofold"


FIGURES = ("µs", "× ours", "quartiles", "at least", "")


def test_a_peer_that_is_too_near_is_said_to_be() -> None:
    found = peers.compared(SAMPLES)
    assert [peers.too_near(one) for one in found] == [False, True]
    assert cells(rows_in_text(peers.table(found)), *FIGURES) == [
        ("120", "5.00", "5.00..5.50", "2.5", "kept"),
        ("50.0", "2.50", "2.50..2.50", "3", "MISSED"),
    ]


def test_a_peer_that_is_not_here_has_its_old_figure_and_the_command_that_installs_it() -> None:
    found = peers.compared({peers.OURS: OURS})
    assert [one.old for one in found] == [True, True]
    assert not any(map(peers.too_near, found)), "an old figure proves nothing"
    text = peers.table(found)
    assert cells(rows_in_text(text), *FIGURES)[0] == ("89.0", "4.45", "3.34..4.45", "2.5", "old")
    assert text.count("not here.\n    git clone ") == 2
    assert "not here.\n    .venv/bin/pip install -e '.[bench]'" in text
    assert max(map(len, text.splitlines())) <= 120


def test_a_peer_that_was_measured_needs_no_command() -> None:
    assert "pip install" not in peers.table(peers.compared(SAMPLES))


def test_the_peers_bring_the_row_that_they_are_compared_with() -> None:
    assert [row.name for row in wanted(["peers"])] == ["blocking", "same-four", peers.OURS]


def test_no_peer_has_the_name_of_a_row() -> None:
    assert not {peer.name for peer in peers.PEERS} & {row.name for row in ROWS}
