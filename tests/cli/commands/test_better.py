"""Tests `harness better` as a whole: two bots, several new ones, versions of a league, and wrong input."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.record.one_match import RecordedMatch
from tests.cli.door import TINY, harness, typed
from tests.league.handed import BOT, PLAYS, a_folder

pytestmark = pytest.mark.whole

GOOD = PLAYS.replace("print(moves[0]", "print(moves[min(2, len(moves) - 1)]")
"""A bot for Tiny that bids coins. The bot PLAYS always bids 0."""
BROKEN = "raise SystemExit(1)\n"


def a_bot(folder: Path, text: str) -> Path:
    return a_folder(
        folder, {"bot.toml": BOT["bot.toml"].replace('"bot"', f'"{folder.name}"'), "main.py": text}
    )


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    for name, text in (("new", GOOD), ("old", PLAYS), ("calm", PLAYS), ("wild", GOOD), ("lost", BROKEN)):
        a_bot(tmp_path / name, text)
    return tmp_path


def better(bots: Path, named: Sequence[str], *flags: str) -> tuple[int, list[dict[str, Any]]]:
    paths = [str(bots / each) for each in named]
    fixed = ("--isolation", "none", "--workers", "1", "--logs", str(bots / "logs"), "--json")
    done = typed("", "better", *paths, "--game", TINY, *fixed, *flags)
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_better_bot_is_found_and_its_matches_are_a_record(bots: Path) -> None:
    code, [found] = better(bots, ["new", "old"], "--matches", "400")
    assert (code, found["answer"], found["bot"]) == (0, "better", "new")
    assert found["sentence"].startswith("new: better than old: ")
    assert found["sure"] >= 0.95
    done = harness("verify", found["logs"], "--workers", "1")
    assert done.exit_code == 0, done.output


def test_a_worse_bot_is_found_with_the_first_answer_that_differs(bots: Path) -> None:
    code, [found] = better(bots, ["old", "new"], "--matches", "400")
    assert (code, found["answer"]) == (1, "worse")
    seen = found["lost"][0]["difference"]
    assert (seen["ask"].split()[0], seen["own"], seen["other"]) == ("bid", "bid 0", "bid 2")


def test_at_larger_tables_both_play_the_same_deals_with_the_same_seeds(bots: Path) -> None:
    flags = ("--seats", "3", "--against", str(bots / "calm"), "--matches", "600")
    code, [found] = better(bots, ["old", "new"], *flags)
    assert (code, found["answer"], found["shared"]) == (1, "worse", False)
    assert "average place" in found["sentence"]
    assert [each["name"] for each in found["opponents"]] == ["calm", "calm 2"]
    for lost in found["lost"]:
        own, other = (
            RecordedMatch(Path(found["logs"]), lost[match]).head for match in ("match", "other_match")
        )
        assert own.seeds == other.seeds
        assert [bot for bot in own.bots if bot != "old"] == [bot for bot in other.bots if bot != "new"]
    assert harness("verify", found["logs"], "--workers", "1").exit_code == 0


def test_several_new_bots_share_one_error_and_the_same_command_goes_on(bots: Path) -> None:
    code, found = better(bots, ["new", "calm", "old"], "--matches", "80")
    assert [each["bot"] for each in found] == ["new", "calm"]
    assert code == 1
    assert found[0]["answer"] == "better"
    assert found[1]["answer"] in ("alike", "open")
    assert better(bots, ["new", "calm", "old"], "--matches", "80") == (code, found)
    _, [other] = better(bots, ["new", "old"], "--matches", "80")
    assert (Path(found[0]["logs"]).name, Path(other["logs"]).name) == ("better-1", "better-2")


def test_a_version_of_a_league_is_compared_with_a_folder(bots: Path) -> None:
    keys = f'game = "{TINY}"\nisolation = "none"\nseats = 2\nworkers = 1\nhouse = ["../calm"]\n'
    a_folder(bots / "course", {"league.toml": keys})
    assert harness("collect", bots / "course", bots / "old").exit_code == 0
    done = typed("", "better", str(bots / "new"), "old@1", "--in", str(bots / "course"), "--json")
    [found] = json.loads(done.stdout)
    assert (found["bot"], found["against"], found["answer"]) == ("new", "old@1", "better")
    assert Path(found["logs"]).parent == bots / "course" / "logs"
    wrong = harness("better", bots / "new", "old@7", "--in", bots / "course")
    assert (wrong.exit_code, wrong.output) == (2, "Error: old@7: old has no version 7\n")


def test_a_bot_that_does_not_play_is_told_before_any_match(bots: Path) -> None:
    done = typed("", "better", str(bots / "lost"), str(bots / "old"), "--game", TINY, "--isolation", "none")
    assert done.returncode == 1
    assert done.stdout.startswith("lost does not play as it should:\n")
    assert not Path("logs", "better-1").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["{}/new", "{}/old"],
            "--game: give either the game, or --in with a league or a plan whose rules apply",
        ),
        (["{}/new", "--game", TINY], "BOT: expected at least two bots: the new one, then the old one"),
        (["{}/new", "{}/none", "--game", TINY], "{}/none: there is no such bot"),
        (
            ["{}/new", "{}/old", "--game", TINY, "--seats", "3"],
            "--against: this game has no house bots; name bots that the new and the old bot meet",
        ),
    ],
)
def test_wrong_input_gets_one_sentence(bots: Path, arguments: list[str], told: str) -> None:
    done = harness("better", *(each.format(bots) for each in arguments))
    assert (done.exit_code, done.output) == (2, f"Error: {told.format(bots)}\n")


def test_sparring_bots_can_be_compared_and_be_opponents(bots: Path) -> None:
    flags = ["--game", TINY, "--isolation", "none", "--logs", str(bots / "logs"), "--matches", "8", "--json"]
    done = harness("better", "spar:2", "spar:1", "--against", "spar:3", *flags)
    [found] = json.loads(done.stdout)
    assert (found["bot"], found["against"]) == ("spar:2", "spar:1")
    assert [each["name"] for each in found["opponents"]] == ["spar:3"]
