"""`harness whatif` says what another answer was worth, and refuses what it cannot play."""

import json
from pathlib import Path

import pytest

from tests.cli.door import TINY, harness

pytestmark = pytest.mark.whole

BASE = ("1.1.1.1", "--from", "2", "--isolation", "none")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """The record of a tournament of two sparring bots, whose plan is in tournaments/."""
    told = harness("rungs", TINY, "--play-outs", "2", "--play-outs", "4", "--meet", "1", "--logs", tmp_path)
    assert told.exit_code == 0, told.output
    return tmp_path / "rungs-tiny"


def test_without_a_change_the_match_is_played_again(logs: Path) -> None:
    told = harness("whatif", logs, *BASE)
    assert "From question 2 on, match 1.1.1.1 was played again without a change." in told.stdout
    assert "trust no fork" not in told.stdout


def test_another_move_has_a_worth(logs: Path) -> None:
    told = harness("whatif", logs, *BASE, "--move", "bid 0", "--json")
    found = json.loads(told.stdout)
    [one], [two] = found["as_on_record"], found["otherwise"]
    seat = found["seat"] - 1
    assert (found["question"], found["instead"], found["draws"], one["same"]) == (2, "bid 0", 0, True)
    assert found["points"] == [two["scores"][seat] - one["scores"][seat], None, None, 1]


def test_draws_have_an_interval_and_stand_ins(logs: Path) -> None:
    told = harness("whatif", logs, *BASE, "--move", "bid 0", "--draws", "6").stdout
    assert "By what the seat knew, at question 2 of match 1.1.1.1, seat " in told
    assert "(6 draws, against sparring bots)." in told
    assert "95 % interval" in told


def test_another_bot_may_play_on(logs: Path) -> None:
    told = harness("whatif", logs, *BASE, "--bot", "spar:1").stdout
    assert "spar:1 instead of `bid " in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("1.1.1.1", "--from", "99"), "--from: match 1.1.1.1 has 6 questions, and no question 99"),
        ((*BASE, "--move", "bid 77"), "--move: this is not a legal move at question 2: "),
        (("9.9.9.9", "--from", "1"), "match 9.9.9.9 is not on record"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(logs: Path, words: tuple[str, ...], told: str) -> None:
    result = harness("whatif", logs, *words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_a_bot_that_has_changed_is_refused(logs: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(f'game = "{TINY}"\nseats = 2\nbots = [{{path = "spar:3", name = "spar:2"}}, "spar:4"]\n')
    result = harness("whatif", logs, *BASE, "--plan", plan)
    assert result.exit_code == 2
    assert "spar:3: this bot is not as it was when it played this match" in result.stderr
