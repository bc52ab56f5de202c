"""Tests that a sparring bot and OpenSpiel's own search play whole matches, the same ones each time."""

from __future__ import annotations

import pytest

from harness import games
from studies.judge import points


def test_a_match_against_the_judge_ends_with_points() -> None:
    pytest.importorskip("pyspiel")
    game = games.find("openspiel:tic_tac_toe")
    won = [points(game, 8, number) for number in range(4)]
    assert set(won) <= {0.0, 0.5, 1.0}
    assert won == [points(game, 8, number) for number in range(4)]
