"""Tests the sentence about the excused part of an answer's time."""

from __future__ import annotations

import pytest

from harness.events import Turn
from harness.judge.lateness import told


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (Turn(1, "play", us=9_000), ""),
        (
            Turn(1, "play", us=9_000, excused_us=5_000, waited_us=5_000),
            ", of which 5 ms was not its own: for 5 ms no CPU was free for it",
        ),
        (
            Turn(1, "play", us=9_000, excused_us=5_000, unseen_us=2_000, waited_us=3_000),
            ", of which 5 ms was not its own: for 3 ms no CPU was free for it "
            "and for 2 ms the harness did not look for its answer",
        ),
    ],
)
def test_the_parts_of_an_excuse_are_told_in_a_sentence(turn: Turn, sentence: str) -> None:
    assert told(turn) == sentence
