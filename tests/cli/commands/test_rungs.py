"""`harness rungs` rates sparring bots, continues its record, and orders them from the weakest to the best."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.door import TINY, harness

pytestmark = pytest.mark.whole


def test_the_rungs_of_a_game_are_a_ladder_and_a_record(tmp_path: Path) -> None:
    words = ("rungs", TINY, "--play-outs", "1", "--play-outs", "64", "--meet", "2", "--most", "60")
    told = harness(*words, "--workers", "1", "--logs", tmp_path, "--json")
    found = json.loads(told.stdout)
    assert [(each["rung"], each["bot"], each["apart"]) for each in found] == [
        (1, "spar:1", False),
        (2, "spar:64", True),
    ]
    # The command stopped before it had played the most meetings that `--most` allows.
    assert 4 < found[0]["matches"] == found[1]["matches"] < 120
    assert found[0]["average_rank"] > 1.5 > found[1]["average_rank"]
    assert harness("verify", tmp_path / "rungs-tiny", "--workers", "1").exit_code == 0
    again = harness(*words, "--logs", tmp_path).stdout
    assert "rung  bot      average rank  interval        matches  better than below" in again
    assert "\n1 of 1 sparring bots are certainly better than the next weaker one.\n" in again


def test_few_matches_leave_it_open_which_rung_is_better(tmp_path: Path) -> None:
    words = ("rungs", TINY, "--play-outs", "1", "--play-outs", "1.5", "--meet", "2", "--logs", tmp_path)
    found = json.loads(harness(*words, "--workers", "1", "--json").stdout)
    assert {each["bot"] for each in found} == {"spar:1", "spar:1.5"}
    assert [(each["matches"], each["apart"]) for each in found] == [(4, False), (4, False)]


def test_one_sparring_bot_has_no_weaker_one(tmp_path: Path) -> None:
    told = harness("rungs", TINY, "--play-outs", "8", "--most", "9", "--logs", tmp_path)
    assert told.exit_code == 2
    assert "--most: a single sparring bot has no weaker one to meet; give --play-outs twice" in told.stderr


def test_wrong_options_are_one_sentence(tmp_path: Path) -> None:
    told = harness("rungs", TINY, "--option", "nothing=1", "--logs", tmp_path)
    assert told.exit_code == 2
    assert "nothing" in told.stderr


def test_rungs_are_kept_in_a_file_and_printed_from_it(tmp_path: Path) -> None:
    shutil.copy(TINY, tmp_path / "own.py")
    own = tmp_path / "own"
    own.mkdir()
    (tmp_path / "own.py").rename(own / "__init__.py")
    words = ("--play-outs", "1", "--play-outs", "2", "--meet", "1", "--workers", "1", "--logs", tmp_path)
    found = harness("rungs", own, *words, "--keep", own / "rungs.json", "--json")
    assert found.exit_code == 0, found.output
    assert json.loads(harness("rungs", own, "--kept", "--json").stdout) == json.loads(found.stdout)
    told = harness("rungs", own, "--kept").stdout
    assert "rung  bot     average rank" in told
    assert "These are the rungs for matches of 2 seats." in told


def test_a_game_without_kept_rungs_says_so() -> None:
    told = harness("rungs", TINY, "--kept")
    assert told.exit_code == 2
    assert "comes with no rungs" in told.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("sevns", "--kept"), "did you mean 'sevens'?"),
        (
            ("sevens", "--kept", "--keep", "rungs.json"),
            "--keep: --kept plays nothing, so there is nothing to keep",
        ),
    ],
)
def test_kept_rungs_of_no_game_and_kept_twice_are_one_sentence(words: tuple[str, ...], told: str) -> None:
    result = harness("rungs", *words)
    assert result.exit_code == 2
    assert told in result.stderr


def test_rungs_that_cannot_be_kept_are_printed(tmp_path: Path) -> None:
    words = ("--play-outs", "1", "--play-outs", "2", "--meet", "1", "--workers", "1", "--logs", tmp_path)
    found = harness("rungs", TINY, *words, "--keep", tmp_path / "none" / "rungs.json")
    assert found.exit_code == 2
    assert "spar:2" in found.stdout
    assert "rungs.json: No such file or directory" in found.stderr


@pytest.mark.parametrize("data", [b'{"game":"\xff"}', b"[" * 100_000, b"{}"])
def test_damaged_rungs_are_one_sentence(tmp_path: Path, data: bytes) -> None:
    shutil.copy(TINY, tmp_path / "__init__.py")
    (tmp_path / "rungs.json").write_bytes(data)
    told = harness("rungs", tmp_path, "--kept")
    assert told.exit_code == 2
    assert "rungs.json: this is not a ladder" in told.stderr
