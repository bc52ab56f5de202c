"""Tests that random play-outs end a match, or stop after the wanted number of steps."""

from __future__ import annotations

from harness import games
from harness.chance import Seeded
from harness.sparring.play_out import played_out


def test_a_play_out_ends_the_match() -> None:
    game = games.find("sevens")
    first, _ = game.start(game.options(), 3, Seeded(1))
    assert played_out(first, Seeded(2)).outcome() is not None


def test_a_play_out_stops_after_the_wanted_steps() -> None:
    game = games.find("sevens")
    first, _ = game.start(game.options(), 2, Seeded(1))
    after = played_out(first, Seeded(2), 3)
    assert after.outcome() is None
    assert len(after.table) - len(first.table) == 3  # type: ignore[attr-defined]
    assert played_out(first, Seeded(2), 0) == first
