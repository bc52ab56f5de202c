"""Tests that the page of Evil Squash tells the truth, and the texts that people see."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from harness.chance import Seeded, derived
from harness.events import Event
from harness.games.squash import GAME, SquashOptions
from harness.games.squash.board import SquashBoard
from harness.testing import at_random, heard, play_out
from tests.games.pages import blocks
from tests.games.squash.examples import CARDS, VARIANTS, placed

PAGE = (Path(__file__).parents[3] / "harness" / "games" / "squash" / "squash.md").read_text()


def test_the_options_on_the_page_are_options() -> None:
    default, small = (
        msgspec.convert(tomllib.loads(text)["options"], SquashOptions) for text in blocks(PAGE, "toml")
    )
    [written] = blocks(PAGE, "json")
    assert default == SquashOptions()
    assert small.board == msgspec.json.decode(written, type=SquashBoard)


def test_the_default_board_is_the_one_on_the_page() -> None:
    [shown] = blocks(PAGE, "text board")
    drawn = SquashOptions().chosen().drawn({})
    assert [line for line in drawn if line] == [line for line in shown.split("\n") if line]
    table = re.findall(r"(\d+) to (\d+)", PAGE[: PAGE.index("Another board")])
    arrows = {(str(arrow.base), str(arrow.to)) for arrow in SquashOptions().chosen().arrows}
    assert arrows <= set(table)


def test_the_match_on_the_page_is_one_that_is_played() -> None:
    played = "\n".join(heard(GAME, CARDS, 2, 3, 7))
    beginning, middle, end = blocks(PAGE, "text match")[0].rstrip("\n").split("\n...\n")
    assert played.startswith(beginning)
    assert middle in played
    assert played.endswith(end)


def test_the_position_on_the_page_is_the_one_of_its_first_choice() -> None:
    chance, movers = Seeded(7), Seeded(derived(7, "movers"))
    position, _ = GAME.start(CARDS, 3, chance)
    while position.table.seat != 2:
        move = at_random(position, position.table.seat, movers)
        position, _ = position.play({position.table.seat: move}, chance)
    assert [f"{position.text(2)}\n"] == blocks(PAGE, "text position")


@pytest.mark.parametrize("name", VARIANTS)
def test_every_line_that_is_told_stands_on_the_page(name: str) -> None:
    shapes = {
        match[0].split()[0]: len(match[0].split())
        for match in re.finditer(r"(?<=^\| `)[a-z][^`]*", PAGE, re.M)
    }
    for seed in range(20):
        for record in play_out(GAME, VARIANTS[name], 4, seed).records:
            if isinstance(record, Event):
                words = record.line.split()
                assert shapes[words[0]] == len(words), record.line


def test_a_throw_and_a_stay_mean_what_the_page_says() -> None:
    """A throw beyond the end leads to the last square. The line about a seat that stays names its own
    square."""
    assert "or the last square if the throw goes beyond it" in PAGE
    assert "or, if this was a bounce throw, where it was before the throw that bounced" in PAGE
    end, stayed = GAME.start(CARDS, 2, Seeded(1))[0].board.squares, 0
    for seed in range(60):
        events = [each.line for each in play_out(GAME, CARDS, 4, seed).records if isinstance(each, Event)]
        markers = dict.fromkeys("1234", "0")
        for line, following in pairwise([*events, ""]):
            word, seat, *rest = line.split()
            if word == "throw":
                assert int(rest[1]) <= end
            if word == "at":
                markers[seat] = rest[0]
            if word == "stay":
                stayed += 1
                assert following.startswith("throw ")
        assert sorted(markers.values()) == sorted(map(str, play_out(GAME, CARDS, 4, seed).outcome.scores))
    assert stayed


def test_capital_letters_do_not_matter_behind_the_first_word() -> None:
    assert "`bounce` and `squash` may be in capital letters; the first word may not." in PAGE
    position = placed((12, 10), (2,), seat=2)
    assert position.check(2, "land SQUASH") == "land squash"


# -- for people ------------------------------------------------------------------------------------


def test_a_text_for_all_shows_every_hand_and_one_for_a_seat_its_own() -> None:
    position = placed((12, 10), (2,), seat=2, hands=("BBBS", "BS"))
    whole = position.text()
    assert "Seat 1 holds 3 Bounce and 1 Squash." in whole
    assert "Seat 2 holds 1 Bounce and 1 Squash." in whole
    own = position.text(2)
    assert "You hold 1 Bounce and 1 Squash." in own
    assert "3 Bounce" not in own
    assert "You threw 2 and hit seat 1 on square 12." in own
    assert "Seat 2 threw 2 and hit you on square 12." in position.text(1)


def test_a_text_of_the_end_says_why() -> None:
    drawn = placed((60, 7), (5,)).text(2)
    assert "The match is over: seat 1 reached square 64." in drawn
    assert "is asked" not in drawn
