"""Owns the tests of `harness replay`: an unchanged bot answers as before, and other answers are shown."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from harness.record.run_folder import history_of
from tests.cli.workshop import NOISY, TINY, Workshop, harness

pytestmark = pytest.mark.whole


@pytest.fixture(scope="module")
def match(record: Path) -> str:
    """The number of a match in which the bot anna sits in seat 1."""
    run = history_of(record).runs[1]
    matches = (match for key in sorted(run.played) for match in run.sitting(key))
    return next(match.id for match in matches if match.bots[0] == "anna")


@pytest.fixture
def bot(record: Path, tmp_path: Path) -> Path:
    """A copy of the bot that sat in seat 1, to be changed."""
    return Path(shutil.copytree(record.parent.parent / "anna", tmp_path / "anna"))


def replayed(logs: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Runs `harness replay` without isolation, as the tournament was played."""
    return harness("replay", str(logs), *arguments, "--isolation", "none")


def change(bot: Path, old: str, new: str) -> None:
    code = (bot / "main.py").read_text()
    assert old in code
    (bot / "main.py").write_text(code.replace(old, new))


def test_the_bot_that_played_answers_as_on_record(record: Path, bot: Path, match: str) -> None:
    told = replayed(record, match, "--bot", str(bot), "--seat", "1")
    assert (told.returncode, told.stdout) == (
        0,
        f"anna, in seat 1 of match {match}: all answers are as on record; questions: 3.\n",
    )


def test_answers_that_are_other_are_shown_question_by_question(record: Path, bot: Path, match: str) -> None:
    change(bot, "moves[0]", "moves[-1]")
    told = replayed(record, match, "--bot", str(bot), "--seat", "1")
    assert told.returncode == 1
    first = told.stdout.partition("question 2")[0]
    assert "question 1" in first
    assert "rounds 3" in first
    assert "asked    bid" in first
    assert "record   bid 0" in first
    assert "now      bid 4" in first
    assert "answers that are not as on record: 3; questions: 3" in told.stdout


def test_a_match_takes_its_course_on_record_whatever_is_said(record: Path, bot: Path, match: str) -> None:
    """The changed bot bids all its coins in question 1. The next questions come as if it had bid none."""
    change(bot, "moves[0]", "(moves[-1] if len(moves) == 5 else 'out of coins')")
    told = replayed(record, match, "--bot", str(bot), "--seat", "1", "--json")
    found = json.loads(told.stdout)
    assert [each["said"] for each in found["differences"]] == ["bid 4"] * 3


@pytest.mark.parametrize(
    ("new", "said", "why"),
    [
        ("'bid 9'", "bid 9", "it has 4 coins, not 9"),
        ("'what?'", "what?", "expected `bid COINS`"),
        ("sys.exit(3)", None, "ended with exit status 3"),
    ],
)
def test_what_is_wrong_with_an_answer_is_said(
    record: Path, bot: Path, match: str, new: str, said: str | None, why: str
) -> None:
    change(bot, "moves[0] if", f"{new} if")
    told = replayed(record, match, "--bot", str(bot), "--seat", "1", "--json")
    found = json.loads(told.stdout)
    assert (told.returncode, found["same"]) == (1, False)
    assert found["differences"][0]["said"] == said
    assert why in found["differences"][0]["why"]
    assert found["stderr"].startswith("I am seat 1")
    assert len(found["differences"]) == (1 if said is None else 3)


def test_a_bot_that_does_not_start_differs_from_the_beginning(record: Path, bot: Path, match: str) -> None:
    (bot / "main.py").write_text("import nothing_of_the_kind\n")
    told = replayed(record, match, "--bot", str(bot), "--seat", "1")
    assert told.returncode == 1
    assert "the beginning" in told.stdout
    assert "ModuleNotFoundError" in told.stdout


def faulty(record: Path) -> str:
    """The number of the match in which the violator broke a rule."""
    return history_of(record).disqualified[0].match


def test_the_same_fault_once_more_is_the_same_answer(record: Path) -> None:
    told = replayed(record, faulty(record), "--bot", str(record.parent.parent / "violator"))
    assert (told.returncode, "all answers are as on record" in told.stdout) == (0, True)
    assert "Question 1 was answered with the same fault again, after " in told.stdout


def test_a_fault_that_was_mended_is_another_answer(record: Path, bot: Path) -> None:
    match = faulty(record)
    run, encounter, sitting, _ = map(int, match.split("."))
    seat = history_of(record).runs[run - 1].played[encounter, sitting].bots.index("violator") + 1
    told = replayed(record, match, "--bot", str(bot), "--seat", str(seat), "--json")
    [answer] = json.loads(told.stdout)["differences"]
    assert (told.returncode, answer["recorded"], answer["said"], answer["why"]) == (
        1,
        "nonsense",
        "bid 0",
        "",
    )


def test_the_seat_is_that_of_the_bots_name_unless_it_is_said(record: Path, bot: Path, match: str) -> None:
    assert json.loads(replayed(record, match, "--bot", str(bot), "--json").stdout)["seat"] == 1
    stranger = bot.rename(bot.with_name("zoe"))
    told = replayed(record, match, "--bot", str(stranger))
    assert (told.returncode, "zoe did not play this match, so name a seat" in told.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("1", "--seat", "7"), "the match has 2 seats, so there is no seat 7"),
        (("9.9.9.9",), "match 9.9.9.9 is not on record"),
        (("none",), "expected a number, or an id such as 1.3.2.1"),
        (("999",), "there is no match number 999"),
    ],
)
def test_bad_input_is_one_sentence(record: Path, bot: Path, arguments: tuple[str, ...], why: str) -> None:
    told = replayed(record, *arguments, "--bot", str(bot))
    assert (told.returncode, why in told.stderr) == (2, True)


def test_a_bot_that_remembers_is_fed_the_matches_before_too(record: Path, bot: Path, match: str) -> None:
    told = replayed(record, match, "--bot", str(bot), "--sitting", "--json")
    assert (told.returncode, json.loads(told.stdout)["questions"]) == (0, 3)


def test_other_answers_name_the_option_for_a_bot_that_remembers(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, 0)
    shop.bots += [shop.add_bot(name, NOISY) for name in ("anna", "bert")]
    shop.write_plan(game=str(TINY), workers=1)  # both matches in one sitting
    assert shop.run().returncode == 0
    change(shop.bots[0], "moves[0]", "moves[-1]")
    hint = "the bot may remember the matches before this one in its sitting"

    def told(match: str, *more: str) -> str:
        return " ".join(replayed(shop.logs, match, "--bot", str(shop.bots[0]), *more).stdout.split())

    assert f"{hint}; --sitting asks their questions first" in told("1.1.1.2")
    assert hint not in told("1.1.1.2", "--sitting")
    assert hint not in told("1.1.1.1")
