"""Tests that `harness puzzles` writes a worksheet, and that `check bot --puzzles` counts solved puzzles."""

import json
from pathlib import Path

import pytest

from harness.config import FrozenPlan
from harness.record.one_match import RecordedMatch
from harness.results.puzzles import Puzzle, read
from tests.cli import logs as record
from tests.cli.door import TINY, harness
from tests.league.handed import BOT, PLAYS, a_folder

pytestmark = pytest.mark.whole
CHECK = ("--game", TINY, "--isolation", "none", "--house", "0", "--option", "coins=4")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("puzzles")
    told = harness("puzzles", record.write(folder), folder / "made", "--puzzles", "1")
    assert told.exit_code == 0, told.stderr
    assert "1 puzzle from 4 matches" in told.stdout
    return folder / "made"


def a_bot(folder: Path, said: str) -> Path:
    """A bot that says this if it is legal, and otherwise its first legal move."""
    plays = PLAYS.replace("print(moves[0],", f"print({said!r} if {said!r} in moves else moves[0],")
    return a_folder(folder, {**BOT, "main.py": plays})


def test_the_worksheet_has_the_position_and_not_the_solution(made: Path) -> None:
    puzzle = json.loads((made / "puzzle-001.json").read_text())
    worksheet, solutions = ((made / f"{name}.html").read_text() for name in ("worksheet", "solutions"))
    assert puzzle["position"].splitlines()[0] in worksheet
    assert [worksheet.count(f"☐ {move}<") for move in puzzle["moves"]] == [1] * len(puzzle["moves"])
    assert f"<code>{puzzle['best']}</code>" in solutions
    assert f"<code>{puzzle['best']}</code>" not in worksheet


@pytest.mark.real
def test_a_bot_is_asked_the_puzzles(made: Path, tmp_path: Path) -> None:
    puzzle = json.loads((made / "puzzle-001.json").read_text())
    other = next(move for move in puzzle["moves"] if move != puzzle["best"])
    for said, solved in ((puzzle["best"], 1), (other, 0)):
        bot = a_bot(tmp_path / str(solved), said)
        told = harness("check", "bot", bot, *CHECK, "--option", "rounds=2", "--puzzles", made)
        assert told.exit_code == 0, told.stdout + told.stderr
        assert f"solves {solved} of 1 puzzles ({100 * solved} %)" in told.stdout


def test_puzzles_with_other_options_are_one_sentence(made: Path, tmp_path: Path) -> None:
    told = harness("check", "bot", a_bot(tmp_path / "bot", "bid 0"), *CHECK, "--puzzles", made)
    assert told.exit_code == 2
    assert "these puzzles are for tiny, or for other options of the game" in told.stderr


def test_a_folder_that_exists_is_one_sentence(made: Path) -> None:
    told = harness("puzzles", made.parent / "logs" / "tiny", made)
    assert told.exit_code == 2
    assert "there is such a folder already" in told.stderr


def test_what_was_found_before_an_interruption_is_kept(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, (puzzle,) = read(made)

    def found(recorded: RecordedMatch, plan: FrozenPlan) -> Puzzle:
        if recorded.head.id != "1.1.1.1":
            raise KeyboardInterrupt
        return puzzle

    monkeypatch.setattr("harness.cli.commands.puzzles.puzzle_of", found)
    told = harness("puzzles", made.parent / "logs" / "tiny", tmp_path / "kept")
    assert told.exit_code != 0
    assert read(tmp_path / "kept")[1] == [puzzle]
    assert (tmp_path / "kept" / "worksheet.html").read_text() == (made / "worksheet.html").read_text()
