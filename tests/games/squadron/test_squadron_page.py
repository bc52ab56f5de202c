"""Tests that squadron.md tells the truth: its tables, options, lines and examples."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from harness.chance import Seeded
from harness.events import Event
from harness.games.squadron import GAME, SquadronOptions, SquadronPosition
from harness.games.squadron.cards import AIRCRAFT, KIND, flaw, in_order
from harness.model import Illegal
from harness.testing import at_random, heard, play_out
from harness.testing.walk import walk
from tests.games.pages import blocks
from tests.games.squadron.tables import position

PAGE = (Path(__file__).parents[3] / "harness" / "games" / "squadron" / "squadron.md").read_text()
SHOWN = SquadronOptions(battles=1, turns=15)
SEED = 18


def rows(*words: str) -> list[list[str]]:
    """The cells of those table rows on the page whose first cell begins with one of these words."""
    found = re.findall(r"^\| (`.*?) \|$", PAGE, re.MULTILINE)
    return [line.split(" | ") for line in found if line.strip("`").split("`")[0].split(" ")[0] in words]


def test_the_match_on_the_page_is_one_that_is_played() -> None:
    lines = heard(GAME, SHOWN, 2, 3, SEED)
    [shown] = blocks(PAGE, "text match")
    beginning, end = (part.splitlines() for part in shown.split("...\n"))
    assert lines[: len(beginning)] == beginning
    assert lines[-len(end) :] == end


def third_turn() -> SquadronPosition:
    """The position in the match on the page in which seat 2 must take for the third time."""
    steps = walk(GAME, SHOWN, 3, SEED, 1_000).steps
    [state] = [step.state for step in steps if isinstance(step.state, SquadronPosition) and step.turn == 17]
    return state


def test_the_position_on_the_page_is_its_third_turn() -> None:
    [shown] = blocks(PAGE, "text position")
    state = third_turn()
    assert state.to_act() == (2,)
    assert state.text(2) + "\n" == shown


def test_the_view_on_the_page_is_that_of_the_same_turn() -> None:
    view = third_turn().view(2)
    kinds = {line.split(" ")[0] for line in view} | {"out"}
    shown = {cells[1].strip("`") for cells in rows(*kinds)}
    assert {line for line in view if line.split(" ")[0] != "holds"} <= shown
    assert "holds 3 6 Blenheim.2" in shown
    assert "holds 3 6 Blenheim.2" in view


def test_every_line_that_a_bot_may_be_told_stands_on_the_page() -> None:
    told = {
        " ".join(record.line.split(" ")[:1])
        for seats in (3, 12)
        for record in play_out(GAME, SquadronOptions(battles=2), seats, 1, fails).records
        if isinstance(record, Event)
    }
    assert told == {
        *("battle", "hand", "deck", "stack", "took", "drew", "laid", "captured", "returned"),
        *("ended", "scored", "undone", "out"),
    }
    assert {cells[0].strip("`").split(" ")[0] for cells in rows(*told)} == told


def fails(state: object, seat: int, chance: object) -> str:
    """Plays random moves, but a wrong answer when seat 2 has taken something in the second battle."""
    assert isinstance(state, SquadronPosition)
    if seat == 2 and state.battle.number == 2 and state.question(2) == "act":
        return "nonsense"
    return at_random(state, seat, chance)  # type: ignore[arg-type]


def test_the_options_are_announced_as_on_the_page() -> None:
    shown = [cells[1].rstrip(" |").strip("`") for cells in rows("option")]
    assert tuple(shown) == tuple(f"option {line}" for line in GAME.announce(SquadronOptions()))


def test_the_options_on_the_page_are_the_default_ones() -> None:
    [shown] = blocks(PAGE, "toml")
    assert msgspec.convert(tomllib.loads(shown)["options"], SquadronOptions) == SquadronOptions()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"goal": 0}, ">= 1"),
        ({"goal": 1_000_001}, "<= 1000000"),
        ({"battles": 0}, ">= 1"),
        ({"battles": 1_001}, "<= 1000"),
        ({"turns": 0}, ">= 1"),
        ({"turns": 1_001}, "<= 1000"),
        ({"turns": "many"}, "Expected `int`"),
        ({"battle": 1}, "unknown field `battle`"),
    ],
)
def test_wrong_options_are_refused(written: object, words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert(written, SquadronOptions)


def test_the_types_on_the_page_are_those_of_the_deck() -> None:
    for kind, codes in AIRCRAFT.items():
        [listed] = re.findall(rf"^\| {kind} \| (`.*) \|$", PAGE, re.MULTILINE)
        assert tuple(re.findall("`(.*?)`", listed)) == codes
    assert len(KIND) == 31


def test_the_squadrons_on_the_page_are_squadrons() -> None:
    shown = re.findall(r"^\| `([^`]*)` \| (\w+, \w+) \|$", PAGE, re.MULTILINE)
    assert len(shown) == 3
    for text, kind in shown:
        cards = in_order(text.split(" "))
        assert flaw(cards) == ""
        assert str(KIND[cards[0].partition(".")[0]]) == kind


def test_the_answers_on_the_page_are_of_the_right_form() -> None:
    ways = [cells[1].strip("`").split("` or `") for cells in rows("take")]
    assert ways == [["take deck", "take stack COUNT"]]
    tables = {2: ["B17.1-3", "Do26.1-3"]}
    for hand, act in (
        ("ME110.1 ME110.2 K2 P40.2 N97.1", rows("act")[0][2].rstrip(" |").strip("`")),
        ("ME110.1 ME110.2 K2 P40.2 N97.1", "act return p40.2 lay K2 ME110.1 ME110.2"),
        ("Spit.1 Spit.2", blocks(PAGE, "text")[0].splitlines()[0]),
        ("Spit.1 Spit.2 Spit.3", blocks(PAGE, "text")[0].splitlines()[1]),
        ("P39.1 P39.2 P39.3 I16.2 K1 K4 B17.2", blocks(PAGE, "text")[0].splitlines()[2]),
    ):
        *held, last = hand.split(" ")
        state = position(" ".join(held), "F2A.1", tables=tables, deck=last, take=0)
        assert isinstance(state.check(1, act), str), act
        assert act in PAGE


@pytest.mark.parametrize(
    ("taken", "said", "move"),
    [(None, "take DECK", "take deck"), (0, "act RETURN spit.1", "act return Spit.1")],
)
def test_capital_letters_do_not_matter_behind_the_first_word(taken: int | None, said: str, move: str) -> None:
    assert "All words except the first may be in capital or small letters." in PAGE
    assert position("Spit.1 Spit.2", deck="P40.1", take=taken).check(1, said) == move


def test_to_return_nothing_is_illegal_as_the_page_says() -> None:
    assert "or if it returns no card although the hand still has a card" in PAGE
    assert isinstance(position("Spit.1", deck="P40.1", take=0).check(1, "act"), Illegal)


def test_a_fault_is_told_as_the_page_says() -> None:
    """`undone` comes before `out`, and only if a card was taken. If one seat is left, nothing is scored."""
    to_take = position("Spit.1", "F2A.1", "F2A.2")
    to_act, _ = to_take.play({1: "take deck"}, Seeded(1))
    for state, told in ((to_take, ["out 1"]), (to_act, ["undone 1", "out 1"])):
        after, events = state.forfeit((1,), Seeded(1))
        assert [event.line for event in events] == told
        assert (after.battle.deck, after.battle.stack) == (to_take.battle.deck, to_take.battle.stack)
    _, events = position("Spit.1", "F2A.1").forfeit((1,), Seeded(1))
    assert [event.line for event in events] == ["out 1"]
    assert "No line `ended` or `scored` follows." in PAGE


def test_every_ruling_says_how_firm_it_is() -> None:
    rulings = re.findall(r"^\d+\. .*$", PAGE.partition("## Rulings")[2], re.MULTILINE)
    assert len(rulings) == 15
    assert all(
        re.search(r"\*(Given|Source|Derived|Decided|given|source|derived|decided)\*", each)
        for each in rulings
    )


def test_the_text_for_all_shows_every_hand() -> None:
    drawn = third_turn().text()
    assert "Your hand" not in drawn
    for hand in third_turn().battle.hands:
        assert all(card in drawn for card in hand)


def test_a_text_says_who_is_out() -> None:
    state, _ = third_turn().forfeit((2,), Seeded(1))
    assert "Seat 2            0 points   out of the war" in state.text(1)
