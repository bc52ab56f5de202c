"""Tests the plan that commands make to compare bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli.rivals import Rivalry, plan_of_comparison
from harness.config import freeze
from harness.schedule.without_luck import takes_luck_off
from tests.cli.door import STARTER
from tests.league.handed import BOT, PLAYS, a_folder


def a_rivalry(place: Path, game: str | None, home: Path | None = None) -> Rivalry:
    bots = [str(a_folder(place / name, {**BOT, "main.py": PLAYS})) for name in ("new", "old")]
    flags = {"isolation": "none"}
    return Rivalry(tuple(bots), home, game, 2, (), (), (), 0.05, 100, flags, ("new", "old"))


@pytest.mark.parametrize(("game", "off"), [("squash", True), ("sevens", False)])
def test_luck_is_taken_off_in_games_whose_guesses_are_ranks(tmp_path: Path, game: str, off: bool) -> None:
    plan, _ = plan_of_comparison(a_rivalry(tmp_path, game), tmp_path / "logs")
    assert plan.luck == ("off" if off else "on")
    assert takes_luck_off(freeze(plan, 1)) == off


@pytest.mark.parametrize("key", ['luck = "on"', 'order = "wins"'])
def test_a_plan_that_keeps_luck_or_counts_wins_decides_itself(tmp_path: Path, key: str) -> None:
    home = tmp_path / "home.toml"
    home.write_text(f'game = "squash"\nseats = 2\nbots = ["{STARTER}"]\ndeals = 1\n{key}\n')
    plan, _ = plan_of_comparison(a_rivalry(tmp_path, None, home), tmp_path / "logs")
    assert plan.luck == "on"
