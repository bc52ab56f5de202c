"""Tests that no fork is lost when several processes keep forks at the same time."""

from pathlib import Path

import pytest

from harness.record.fork_file import FILE, ForkFile
from harness.record.forks import Fork


def _fork(draw: int, move: str = "play 1 1") -> Fork:
    return Fork("1.1.1.1", 3, move, draw, ("spar:1", "spar:1"))


def _draws(path: Path) -> list[int]:
    return [fork.draw for fork, _ in ForkFile(path).all()]


def test_two_that_keep_forks_at_once_cut_no_line_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / FILE
    one, two = ForkFile(path), ForkFile(path)
    for draw in range(1, 7):
        (one if draw % 2 else two).add(_fork(draw))
    assert _draws(path) == [1, 2, 3, 4, 5, 6]
    assert one.find(_fork(2).key) == (_fork(2), f"{path}:2")


def test_a_fork_that_another_process_has_kept_meanwhile_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / FILE
    one, two = ForkFile(path), ForkFile(path)
    one.add(_fork(1))
    two.add(_fork(1))
    assert path.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_the_incomplete_line_of_a_killed_writer_is_replaced(tmp_path: Path, cut: int) -> None:
    path = tmp_path / FILE
    one = ForkFile(path)
    one.add(_fork(1))
    killed = ForkFile(tmp_path / "other.jsonl")
    killed.add(_fork(2))
    with path.open("ab") as file:
        file.write((tmp_path / "other.jsonl").read_bytes()[:cut])
    one.add(_fork(3))
    assert _draws(path) == [1, 3]
