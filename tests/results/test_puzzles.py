"""Tests that one answer of a puzzle is clearly the best, and that its folder can be read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import msgspec
import pytest
from msgspec.structs import replace

from harness.errors import InputError
from harness.events import Record, Turn
from harness.games import State
from harness.judge.rules import rules_of
from harness.record import run_folder
from harness.record.one_match import RecordedMatch
from harness.results import puzzles
from harness.results.puzzles import Puzzle, puzzle_of, read, write
from harness.sparring.search import value
from tests.cli import logs as record


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record.write(tmp_path_factory.mktemp("puzzles"))


@pytest.fixture(scope="module")
def puzzle(logs: Path) -> Puzzle:
    """The puzzle of a match of two rounds. The last bid of the match decides who wins."""
    found = puzzle_of(RecordedMatch(logs, "1.1.1.1"), run_folder.plan_of(logs))
    assert found is not None
    return found


def test_the_best_answer_is_better_than_each_other_one(logs: Path, puzzle: Puzzle) -> None:
    asked: list[State] = []
    recorded = RecordedMatch(logs, puzzle.match)

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Turn) and state is not None:
            asked.append(state)

    recorded.judge(run_folder.plan_of(logs), look)
    state = asked[puzzle.question - 1]
    assert puzzle.position == state.text(puzzle.seat)
    assert set(puzzle.moves) == set(state.legal(puzzle.seat))
    means = {
        move: fmean(value(state, puzzle.seat, move, seed) for seed in range(400)) for move in puzzle.moves
    }
    best, second = sorted(means, key=means.__getitem__, reverse=True)[:2]
    assert best == puzzle.best
    assert means[best] - means[second] == pytest.approx(puzzle.better, abs=0.15)


def test_from_too_few_play_outs_nothing_is_beyond_doubt(logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "DRAWS", 3)
    assert puzzle_of(RecordedMatch(logs, "1.1.1.1"), run_folder.plan_of(logs)) is None


def test_a_folder_of_puzzles_is_read_as_it_was_written(logs: Path, puzzle: Puzzle, tmp_path: Path) -> None:
    plan = run_folder.plan_of(logs)
    write([puzzle, puzzle], plan, tmp_path / "made")
    assert read(tmp_path / "made") == (plan, [puzzle, puzzle])
    assert rules_of(read(tmp_path / "made")[0]).game.name == "tiny"


def test_a_damaged_puzzle_is_one_sentence(logs: Path, puzzle: Puzzle, tmp_path: Path) -> None:
    write([puzzle], run_folder.plan_of(logs), tmp_path / "made")
    path = tmp_path / "made" / "puzzle-001.json"
    path.write_bytes(msgspec.json.encode(puzzle)[:-9])
    with pytest.raises(InputError, match="this file is no puzzle"):
        read(tmp_path / "made")


def _with_head(puzzle: Puzzle, key: str, value: object) -> Puzzle:
    """Returns the puzzle with this value of a key in the head of its match."""
    return replace(puzzle, records=(replace(puzzle.head, **{key: value}), *puzzle.records[1:]))


@pytest.mark.parametrize(
    ("forged", "told"),
    [
        (lambda each: replace(each, records=()), "first record does not begin a match"),
        (lambda each: replace(each, records=each.records[1:]), "first record does not begin a match"),
        (lambda each: replace(each, records=each.records[:1]), "line 2: the record ends"),
        (lambda each: replace(each, records=each.records[:-2]), "the file ends"),
        (lambda each: replace(each, records=(each.head, *each.records[:0:-1])), "line 2"),
        (lambda each: _with_head(each, "bots", ("one",)), "does not have 2 seats"),
        (lambda each: _with_head(each, "bots", ("one", "one")), "with different bots"),
        (lambda each: _with_head(each, "wants", ()), "does not have 2 seats"),
        (lambda each: replace(each, seat=3 - each.seat), "of its match is not the question of this puzzle"),
        (lambda each: replace(each, seat=9), "of its match is not the question of this puzzle"),
        (lambda each: replace(each, own=10**9), "of its match is not the question of this puzzle"),
        (lambda each: replace(each, question=0), "has no question 0"),
        (lambda each: replace(each, question=10**9), "has no question 1000000000"),
        (lambda each: replace(each, best="<script>"), "best answer is not a legal move"),
    ],
)
def test_a_forged_puzzle_is_one_sentence(
    forged: Callable[[Puzzle], Puzzle], told: str, logs: Path, puzzle: Puzzle, tmp_path: Path
) -> None:
    write([forged(puzzle)], run_folder.plan_of(logs), tmp_path / "made")
    with pytest.raises(InputError, match=rf"puzzle-001.json: .*{told}"):
        read(tmp_path / "made")


def test_a_folder_without_puzzles_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`harness puzzles` writes them"):
        read(tmp_path)
