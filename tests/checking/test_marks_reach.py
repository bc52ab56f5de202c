"""Tests that an autograder names those points of a scheme that its few matches can never give."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.checking.marking import scheme_of
from harness.checking.marks_reach import out_of_reach
from harness.cli.leagues import opponents
from harness.config.scheme import read_scheme
from harness.errors import InputError
from harness.league.league import gauntlet
from tests.league.handed import a_folder

ROOT = Path(__file__).parents[2]
HOUSE = "".join(f'    "{ROOT}/bots/sevens/{bot}",\n' for bot in ("random", "greedy"))
LEAGUE = f'game = "sevens"\nseats = 2\nscheme = "scheme.toml"\nhouse = [\n{HOUSE}]\n'
BEATS = '[[item]]\nkind = "beats"\nbots = ["random", "greedy"]\npoints = 20\n'


def told(folder: Path, keys: str, scheme: str) -> list[str]:
    (folder / "league.toml").write_text(LEAGUE + keys)
    (folder / "scheme.toml").write_text(scheme)
    league, _ = opponents(folder, None)
    plan = gauntlet(league, a_folder(folder / "bot"))
    read = read_scheme(folder / "scheme.toml", "x", [bot.name for bot in plan.bots], plan.house)
    return out_of_reach(plan, read)


@pytest.mark.parametrize(
    ("keys", "scheme", "said"),
    [
        ("deals = 16\n", BEATS, []),
        ("deals = 2\n", 'looks = "any"\n' + BEATS, [("random", 7, 4), ("greedy", 7, 4)]),
        ("deals = 2\n", 'looks = "once"\n' + BEATS, [("random", 5, 4), ("greedy", 5, 4)]),
        ("deals = 3\n", 'looks = "once"\n' + BEATS, []),
        ("deals = 3\n", 'looks = "once"\nclaims = "all"\n' + BEATS, [("random", 7, 6), ("greedy", 7, 6)]),
        ("deals = 2\n[autograder]\ndeals = 4\n", BEATS, []),
        (
            "deals = 16\n[autograder]\ndeals = 1\nmeet = 2\n",
            'looks = "once"\n' + BEATS,
            [("random", 5, 4), ("greedy", 5, 4)],
        ),
    ],
)
def test_points_for_beating_a_bot_need_enough_deals(
    tmp_path: Path, keys: str, scheme: str, said: list[tuple[str, int, int]]
) -> None:
    assert told(tmp_path, keys, scheme) == [
        f"to beat {bot} at a confidence of 0.95 takes at least {least} deals, "
        f"but a hand-in plays {deals} with it"
        for bot, least, deals in said
    ]


def test_points_for_matches_without_a_fault_need_as_many_matches(tmp_path: Path) -> None:
    scheme = '[[item]]\nkind = "faultless"\npoints = 10\nmatches = {}\n'
    assert told(tmp_path, "deals = 3\n", scheme.format(12)) == []
    [sentence] = told(tmp_path, "deals = 3\n", scheme.format(13))
    assert sentence == "the scheme wants 13 matches without a fault, but a hand-in plays 12"


def test_a_scheme_that_cannot_be_filled_is_refused(tmp_path: Path) -> None:
    told(tmp_path, "deals = 1\n", BEATS)
    league, _ = opponents(tmp_path, None)
    with pytest.raises(InputError, match=r"scheme\.toml: to beat random .* in the table \[autograder\]"):
        scheme_of(league, gauntlet(league, tmp_path / "bot"), tmp_path / "usual.toml")


def test_a_key_that_marks_do_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"autograder\.rounds: the marks of an autograder have no such key"):
        told(tmp_path, "deals = 1\n[autograder]\nrounds = 3\n", BEATS)
