"""Tests the plan in which a hand-in is marked."""

from __future__ import annotations

from pathlib import Path

from harness.league.league import gauntlet, read_league
from tests.league.handed import a_folder

LEAGUE = 'game = "sevens"\nseats = 2\nhouse = ["house"]\n'


def test_the_plan_of_a_hand_in_has_the_seed_of_the_hand_in(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    bot = a_folder(tmp_path / "house")
    league = read_league(tmp_path)
    assert gauntlet(league, bot, 1 << 127).seed == 1 << 127
    league.document.table["seed"] = 7  # A plan may have one.
    assert gauntlet(league, bot).seed is None
