"""Tests the text of Biplane for people: it shows everything that they need for a choice."""

from __future__ import annotations

import msgspec
import pytest

from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from tests.games.biplane.positions import pilot, sky

OTHERS = (pilot("A1L"), pilot("C8R"), pilot("A9L"))


def shooting(place: str, left: int, out: str = "C7") -> BiplanePosition:
    return sky(pilot(place, kept="A1 S1", out=out), *OTHERS[:1], asked="shoot", left=left)


def card(text: str, label: str) -> str:
    """The sentence about the card with this label in the reader's own hand."""
    [line] = [line for line in text.splitlines() if line.split()[:1] == [label]]
    return " ".join(line.split()[1:])


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (shooting("E6R", 2), "you fly on to E7> E8>"),
        (shooting("F6U", 2), "you fly on to G6^ G6v"),
        (shooting("B4D", 2), "you fly on to A4v the ground"),
        (shooting("F6U", 1, out="G7"), "you fly on to G5<"),
        (shooting("E6R", 0), "the flight ends here"),
    ],
)
def test_who_may_shoot_reads_where_the_flight_goes_on(state: BiplanePosition, words: str) -> None:
    assert f"Your cards; {words}; [ ] marks what shoots:" in state.text(1)


@pytest.mark.parametrize(
    ("place", "words"),
    [("E6R", "to E7> E8>"), ("F6U", "to G6^"), ("G6U", "off the board"), ("E11R", "to E12> E1>")],
)
def test_who_may_shoot_reads_where_a_shot_goes(place: str, words: str) -> None:
    assert card(shooting(place, 0).text(1), "[S1]") == f"shoot {words}"


def test_a_shoot_card_leads_nowhere_while_another_card_is_asked_for() -> None:
    assert card(sky(pilot("E6R", kept="A1 S1"), *OTHERS[:1]).text(1), "S1") == "shoot"


@pytest.mark.parametrize(
    ("alliance", "seats", "words"),
    [("two-on-one", 3, "Seats 1 and 3 against 2."), ("two-on-two", 4, "Seats 1 and 3 against 2 and 4.")],
)
def test_who_flies_with_whom_is_told_where_it_matters(alliance: str, seats: int, words: str) -> None:
    options = msgspec.convert({"alliance": alliance}, BiplaneOptions)
    pilots = (pilot("E6R"), *OTHERS)[:seats]
    assert words in sky(*pilots, sides=GAME.sides(options, seats)).text().splitlines()
    assert "against" not in sky(*pilots).text()


@pytest.mark.parametrize(("seats", "steps"), [(2, 3), (3, 2), (4, 2)])
def test_how_fast_shots_are_is_told_with_them(seats: int, steps: int) -> None:
    text = sky(*(pilot("E6R"), *OTHERS)[:seats], shots="G1LO").text()
    assert f"Shots, the oldest first, {steps} steps before each turn: G1< orange" in text


@pytest.mark.parametrize(("deck", "words"), [("C1 C2", "2 cards"), ("C1", "1 card"), ("", "0 cards")])
def test_one_card_is_told_in_the_singular(deck: str, words: str) -> None:
    assert f"The deck has {words}; " in sky(pilot("E6R"), pilot("A1R"), deck=deck).text(1)
