"""Tests the file league.toml, and the plan by which a hand-in is marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import InputError
from harness.league.league import gauntlet, read_league
from tests.league.handed import a_folder

LEAGUE = 'game = "sevens"\nseats = 2\nhouse = ["house"]\n'


def test_a_league_with_a_seed_is_refused_because_its_deals_would_come_again(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE + "seed = 7\n")
    with pytest.raises(InputError, match=r"seed: a league has no such key: .* each tournament draws its own"):
        read_league(tmp_path)


def test_the_plan_of_a_hand_in_has_the_seed_of_the_hand_in(tmp_path: Path) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    bot = a_folder(tmp_path / "house")
    league = read_league(tmp_path)
    assert gauntlet(league, bot, 1 << 127).seed == 1 << 127
    league.document.table["seed"] = 7  # A plan may have one.
    assert gauntlet(league, bot).seed is None


def test_a_hand_in_meets_a_sparring_bot_of_the_house(tmp_path: Path) -> None:
    house = 'house = [{ path = "spar:2", name = "rung 3" }]'
    (tmp_path / "league.toml").write_text(LEAGUE.replace('house = ["house"]', house))
    met, own = gauntlet(read_league(tmp_path), a_folder(tmp_path / "bot"), 1 << 127).bots
    assert (met.name, met.play_outs, own.play_outs) == ("rung 3", 2, 0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[autograder]\ndeal = 3\n", r'league\.toml:5: autograder\.deal: expected "fresh" or "same", not 3'),
        ("[autograder]\ndeal_count = 3\n", r"league\.toml:5: autograder\.deal_count: there is no such key"),
        ("deal = 3\n[autograder]\ndeals = 2\n", r"league\.toml:4: deal: expected"),
    ],
)
def test_a_wrong_key_of_the_marks_is_told_with_its_table_and_line(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE + text)
    bot = a_folder(tmp_path / "house")
    with pytest.raises(InputError, match=told):
        gauntlet(read_league(tmp_path), bot)
