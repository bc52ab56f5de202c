"""Tests of Tiny. If you change the game, change these tests too. To run them: `python -m pytest
test_tiny.py`."""

import re
from pathlib import Path

import msgspec

from harness.games import Chance, Event, Illegal, Malformed, Scripted, Seeded, State, find
from harness.testing import assert_conforms, heard

HERE = Path(__file__).parent
GAME = find(str(HERE / "tiny.py"))
LUCK = {"secret 1": 5, "secret 2": 3, "throw 2": 2, "throw 1": 6}
"""The random numbers that these tests fix, each with its stream. A seed decides all other streams."""


def chance() -> Chance:
    return Scripted(LUCK, Seeded(1))


def start() -> State:
    """Returns the first position of a match of two seats and two rounds."""
    return GAME.start(msgspec.convert({"rounds": 2}, GAME.options), 2, chance())[0]


def test_the_game_keeps_the_contract() -> None:
    assert_conforms(GAME)


def test_the_highest_bid_wins_what_the_die_shows_and_all_bids_are_paid() -> None:
    state, told = start().play({1: "bid 1", 2: "bid 3"}, chance())
    assert told == (Event("bids 1 3"), Event("die 2"))
    assert state.view(1) == ("rounds 1", "coins 3 1", "points 0 2", "secret 5")


def test_nobody_wins_if_two_seats_made_the_highest_bid() -> None:
    state, _ = start().play({1: "bid 2", 2: "bid 2"}, chance())
    assert state.scores() == (0, 0)


def test_the_secrets_count_at_the_end() -> None:
    state, _ = start().play({1: "bid 0", 2: "bid 1"}, chance())
    state, told = state.play({1: "bid 0", 2: "bid 1"}, chance())
    assert told[-1] == Event("secrets 5 3")
    assert state.scores() == (5, 2 + 6 + 3)


def test_a_wrong_answer_is_refused_with_a_reason() -> None:
    assert start().check(1, "bid 04") == "bid 4"
    assert start().check(1, "bid 5") == Illegal("it has 4 coins, not 5")
    assert start().check(1, "two") == Malformed("expected `bid COINS`; it said 'two'")


def test_the_match_on_the_page_is_one_that_is_played() -> None:
    page = (HERE / "tiny.md").read_text()
    shown = re.findall(r"^```text match\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    options = msgspec.convert({"rounds": 2}, GAME.options)
    played = heard(GAME, options, 1, 2, 1, chance=chance())
    assert ["\n".join([*played, ""])] == shown
