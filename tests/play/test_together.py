"""Tests `harness.run` with bots that are Python functions of this program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import pytest

import harness
from harness.cli.workspace import TEMPLATES
from harness.errors import InputError
from harness.protocol.function_bot import Function, FunctionBot, FunctionTurn

pytestmark = pytest.mark.whole

TINY = str(TEMPLATES / "game" / "tiny.py")
STARTER = Path(__file__).parents[2] / "bots" / "starters" / "python"
LINES = """hello 1 sevens
option parameters T0 x
new 2 1 3 77
hand 3C
state hand 3C
state total 70
legal all 2
move play 3C 3 -3
move play 3S 3 -3
play 1000 -1
played 1 3C
result 1 1 5
over
new 3 2 3 78
legal some 1
move play 4C 3 -3
play 900 50
bye"""


def first(turn: FunctionTurn) -> str:
    return turn.legal[0]


def test_a_function_gets_all_that_its_seat_was_told() -> None:
    asked: list[FunctionTurn] = []

    def choose(each: FunctionTurn) -> str:
        asked.append(each)
        return each.legal[-1]

    bot = FunctionBot(choose)
    answers = [answer for line in LINES.splitlines() if (answer := bot.answer(line))]
    assert answers == ["hello 1 legal state", "ready", "play 3S 3 -3", "ready", "play 4C 3 -3"]
    options = {"parameters": "T0 x"}
    legal = ["play 3C 3 -3", "play 3S 3 -3"]
    view = ["hand 3C", "total 70"]
    assert asked[0] == FunctionTurn(legal, view, ["hand 3C"], 1, 3, 77, 2, options, 1000, -1)
    assert asked[1] == FunctionTurn(["play 4C 3 -3"], [], [], 2, 3, 78, 3, options, 900, 50)


def test_functions_play_against_programs(tmp_path: Path) -> None:
    seats: set[int] = set()

    def mine(turn: FunctionTurn) -> str:
        seats.add(turn.seat)
        return turn.legal[-1]

    rows = harness.run([mine, first, STARTER], TINY, logs=tmp_path, deals=2, name="one")
    assert {row["bot"]: (row["matches"], row["faults"]) for row in rows} == {
        "mine": (8, 0),
        "first": (8, 0),
        "starter-python": (8, 0),
    }
    assert seats == {1, 2}
    harness.verify(tmp_path / "one")


def test_an_exception_of_a_function_is_a_crash_and_comes_out_at_the_end(tmp_path: Path) -> None:
    def broken(turn: FunctionTurn) -> str:
        raise KeyError("no such plan")

    with pytest.raises(KeyError, match="no such plan"):
        harness.run({"a": broken, "b": first}, TINY, logs=tmp_path, name="two")
    [fault, *_] = harness.read_log(tmp_path / "two", "fault")
    assert (fault["bot"], fault["name"]) == ("a", "crash")
    [stderr, *_] = harness.read_log(tmp_path / "two", "stderr")
    assert stderr["tail"].endswith("KeyError: 'no such plan'\n")


def leaves(turn: FunctionTurn) -> str:
    sys.exit("no luck")


def stops(turn: FunctionTurn) -> str:
    raise KeyboardInterrupt


@pytest.mark.parametrize("function", [leaves, stops])
def test_a_function_cannot_end_the_program(
    tmp_path: Path, function: Function, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(
        RuntimeError, match=r"^a function that is a bot raised (SystemExit|KeyboardInterrupt)"
    ):
        harness.run([function, first], TINY, logs=tmp_path, name="three")
    assert {fault["name"] for fault in harness.read_log(tmp_path / "three", "fault")} == {"crash"}
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("answer", ["!bid 3", "\udc80", "bid 3\n!bid 3"])
def test_an_answer_of_a_function_reaches_the_referee_as_it_is(
    tmp_path: Path, answer: str, capfd: pytest.CaptureFixture[str]
) -> None:
    harness.run({"a": lambda turn: answer, "b": first}, TINY, logs=tmp_path, name="four")
    faults = {fault["name"] for fault in harness.read_log(tmp_path / "four", "fault")}
    assert faults == {"unasked" if "\n" in answer else "malformed"}
    assert capfd.readouterr().err == ""


def test_the_name_of_a_function_may_be_longer_than_the_name_of_a_bot(tmp_path: Path) -> None:
    def chooses_the_first_of_all_moves_that_are_legal_here(turn: FunctionTurn) -> str:
        return turn.legal[0]

    rows = harness.run([chooses_the_first_of_all_moves_that_are_legal_here, first], TINY, logs=tmp_path)
    assert {row["bot"] for row in rows} == {"chooses_the_first_of_all_moves_that_are_", "first"}


@pytest.mark.parametrize("answer", [3, ""])
def test_what_is_no_move_is_said_clearly(answer: object) -> None:
    bot = FunctionBot(cast("Function", lambda turn: answer))
    bot.answer("legal all 1")
    bot.answer("move bid 3")
    with pytest.raises(TypeError, match=f"returns one of `legal`, a text, not {answer!r}"):
        bot.answer("bid 1000 -1")


def test_a_wrong_key_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^dealz=: there is no such key"):
        harness.run([first, first], TINY, logs=tmp_path, dealz=3)
