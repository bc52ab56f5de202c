"""Owns the tests of `play` between bots: what all or one seat may see, and input that is refused at once."""

import json
from pathlib import Path

import pytest

from harness.cli.workspace import bot_or_house_bot
from tests.cli.door import STARTER, TINY, a_bot, harness

SILENT = "#!/bin/sh\nread line; echo 'hello 1'; read line; echo 'I \x1b[31mgive up' >&2; exit 7\n"


def test_a_match_is_followed_question_by_question() -> None:
    told = harness("play", TINY, STARTER, STARTER, "--seed", "2").stdout
    assert told.startswith("Tiny, seed 2\n  ready    seat 1 (starter-python), after ")
    assert "\nQuestion 6: seat 2 (starter-python)\n" in told
    assert "secrets 4 2" in told
    assert "\nThe result: the end of the game\n\nrank  seat  who             score\n" in told


def test_the_same_seed_plays_the_same_match() -> None:
    told = [json.loads(harness("play", TINY, STARTER, STARTER, "--seed", "5", "--json").stdout) for _ in "12"]
    assert told[0] == told[1]
    assert told[0]["seed"] == 5
    assert told[0]["bots"] == ["starter-python", "starter-python"]
    assert told[0]["faults"] == []


def test_a_sparring_bot_plays_without_a_program() -> None:
    told = harness("play", TINY, "spar:4", "spar:1", "--seed", "2", "--brief").stdout
    assert "spar:4" in told
    assert "spar:1" in told
    refused = harness("play", TINY, "spar:x", STARTER)
    assert refused.exit_code == 2
    assert (
        "spar:x: the number of play-outs for an answer is from 1 to 100000, as in spar:16 or spar:1.5"
        in refused.stderr
    )


def test_options_are_the_games_own() -> None:
    told = harness("play", TINY, STARTER, STARTER, "--brief", "--option", "rounds=1").stdout
    assert "Question 2" in told
    assert "Question 3" not in told


def test_one_seat_is_told_no_secret_of_another() -> None:
    flags = ("--seat", "2", "--option", "rounds=1", "--seed", "2")
    told = harness("play", TINY, STARTER, STARTER, *flags).stdout
    before, _ = told.split("secrets ")
    assert "seat 2   secret 2" in before
    assert "secret 4" not in before


def test_a_bot_that_fails_is_told_with_its_last_words_once(tmp_path: Path) -> None:
    told = harness("play", TINY, a_bot(tmp_path, SILENT), STARTER)
    assert told.exit_code == 0
    assert "FAULT    seat 1 (bot), no-start: ended with exit status 7" in told.stdout
    assert told.stdout.count("I \\x1b[31mgive up") == 1


def test_of_a_bot_that_said_too_much_it_is_not_told_that_it_said_nothing(tmp_path: Path) -> None:
    told = harness("play", TINY, a_bot(tmp_path, "#!/bin/sh\nread line; printf 'one\\ntwo\\n'\n"), STARTER)
    assert "unasked: at `hello`: said 'two' right after its answer 'one'" in " ".join(told.stdout.split())
    assert "nothing" not in told.stdout


def test_of_a_bot_that_fails_at_hello_it_is_not_told_that_it_was_asked_new(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, "#!/bin/sh\nread line; exit 7\n")
    told = harness("play", TINY, bot, STARTER).stdout
    assert "\n  asked    seat 1 (bot): hello\n  said     nothing   (after " in told
    assert "seat 1 (bot), no-start: at `hello`: ended with exit status 7" in told


def test_the_end_names_the_command_that_finds_out_why_a_bot_fails(tmp_path: Path) -> None:
    bot = a_bot(tmp_path, SILENT)
    told = harness("play", TINY, bot, bot, STARTER).stdout
    assert told.endswith(f"\nTo find out why it failed: harness check bot {bot} --game {TINY}\n")
    assert told.count("harness check bot") == 1
    assert "harness check bot" not in harness("play", TINY, STARTER, STARTER).stdout


def test_the_json_of_a_match_has_its_faults(tmp_path: Path) -> None:
    told = json.loads(harness("play", TINY, a_bot(tmp_path, SILENT), STARTER, "--json").stdout)
    assert told["ranks"] == [2, 1]
    assert told["faults"][0]["name"] == "no-start"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tini", STARTER, STARTER), "no game is called 'tini'"),
        (("gone.py", STARTER, STARTER), "gone.py: no game here: no such file or folder"),
        ((TINY, STARTER), "BOT...: tiny has 2 to 4 seats, not 1"),
        ((TINY, STARTER, "gone"), "gone: there is no such bot"),
        ((TINY, STARTER, STARTER, "--seat", "3"), "--seat: the match has 2 seats, so there is no seat 3"),
        ((TINY, STARTER, "human", "--json"), "--json: a person needs the terminal"),
        ((TINY, STARTER, STARTER, "--option", "rounds=10"), "--option: rounds: expected a whole"),
        # A shell makes these two words of zones=[3, 7] without quotes.
        (("stratego", STARTER, STARTER, "--option", "zones=[3,", "7]"), "--option: zones: "),
        ((TINY, STARTER, STARTER, "--limit", "move_ms=0"), "--limit: move_ms: expected a whole"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: tuple[str, ...], told: str) -> None:
    refused = harness("play", *arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"Error: {told}" in refused.stderr


def test_a_house_bot_may_be_named_where_no_file_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bot_or_house_bot("greedy", "sevens").endswith("/bots/sevens/greedy")
    assert bot_or_house_bot("bots/sevens/greedy", "sevens") == bot_or_house_bot("greedy", "sevens")
    assert bot_or_house_bot("bots/squash/greedy", "sevens") == "bots/squash/greedy"
    assert bot_or_house_bot("sensible", "sevens") == "sensible"
    assert bot_or_house_bot("random", TINY) == "random"
    (tmp_path / "greedy").mkdir()
    assert bot_or_house_bot("greedy", "sevens") == "greedy"
    told = harness("play", "squash", "random", "random", "--json")
    assert json.loads(told.stdout)["bots"] == ["squash-random", "squash-random"]
    assert "`harness init DIR" in harness("play", "sevens", "bots/sevens/rando", "random").stderr


@pytest.mark.parametrize(("path", "meant"), [("best", "bots/sub/best"), ("bots/sub/bist", "bots/sub/best")])
def test_a_bot_that_is_not_there_is_refused_with_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, meant: str
) -> None:
    (tmp_path / "bots" / "sub" / "best").mkdir(parents=True)
    (tmp_path / "bots" / "sub" / "best" / "bot.toml").write_text("run = 'python3 x'\n")
    (tmp_path / "bots" / "rogue.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert f"did you mean {meant}?" in harness("play", TINY, STARTER, path).stderr
    assert "`harness bots` lists those" in harness("play", TINY, STARTER, "zzz").stderr
    assert "`harness bots` lists those" in harness("play", TINY, STARTER, "bots/nobot").stderr


def test_a_bot_outside_of_bots_is_refused_with_the_nearest_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "entries" / "Red-Foxes" / "5" / "files").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    meant = "; did you mean entries/Red-Foxes/5/files?"
    assert meant in harness("play", TINY, STARTER, "entries/Red Foxes/5/files").stderr
    (tmp_path / "bots").mkdir()
    assert meant in harness("play", TINY, STARTER, "entries/Red Foxes/5/files").stderr


def test_of_bots_of_one_name_the_nearest_is_meant_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in ("biplane", "sevens", "squash", "stratego"):
        (tmp_path / "bots" / game).mkdir(parents=True)
        (tmp_path / "bots" / game / "strong.py").write_text("")
    monkeypatch.chdir(tmp_path)
    told = harness("play", TINY, STARTER, "bots/stratgo/strong").stderr
    assert "did you mean bots/stratego/strong.py or " in told


def test_a_bot_whose_program_is_not_installed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text("run = 'no-such-language x'\n")
    refused = harness("play", TINY, STARTER, tmp_path)
    assert (refused.exit_code, "no-such-language is not installed" in refused.stderr) == (2, True)


def test_a_program_that_no_kernel_can_start_is_refused_before_the_match(tmp_path: Path) -> None:
    refused = harness("play", TINY, STARTER, a_bot(tmp_path, "no program at all"))
    assert (refused.exit_code, "must name its interpreter" in refused.stderr) == (2, True)
