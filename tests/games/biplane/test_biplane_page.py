"""Tests the page of Biplane: it shows what is really played."""

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from harness.chance import Seeded, derived
from harness.events import Event
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.board import LOOPS, NAMES, SHOOTS
from harness.model import Illegal
from harness.testing import at_random, heard, play_out
from tests.games.biplane.positions import FREE, flown, pilot, play, sky
from tests.games.pages import blocks

PAGE = (Path(__file__).parents[3] / "harness" / "games" / "biplane" / "biplane.md").read_text()
SEED = 286


def rows(heading: str) -> list[list[str]]:
    """The rows of the tables under this heading, as lists of cells. The header rows are left out."""
    under = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in under.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def shown_position() -> BiplanePosition:
    """The position that the page shows: it is at the gap in the match on the page."""
    luck, movers = Seeded(SEED), Seeded(derived(SEED, "movers"))
    state, _ = GAME.start(FREE, 2, luck)
    while (state.turn, state.asked) != (3, "place"):
        moves = {seat: at_random(state, seat, movers) for seat in state.to_act()}
        state, _ = state.play(moves, luck)
    return state


def test_the_match_on_the_page_is_one_that_is_played() -> None:
    lines = heard(GAME, FREE, 1, 2, SEED)
    [shown] = blocks(PAGE, "text match")
    beginning, end = (part.splitlines() for part in shown.split("...\n"))
    assert lines[: len(beginning)] == beginning
    assert lines[-len(end) :] == end


def test_position_and_state_on_the_page_are_those_at_the_gap() -> None:
    [drawing], [state] = blocks(PAGE, "text position"), blocks(PAGE, "text state")
    assert shown_position().text(1) + "\n" == drawing
    assert list(shown_position().view(1)) == state.splitlines()


def test_the_board_on_the_page_is_the_one_that_is_drawn() -> None:
    [shown] = blocks(PAGE, "text board")
    assert sky(pilot(""), pilot("")).text().startswith(shown)
    assert shown.count("+") == 66


def test_the_options_on_the_page_are_the_defaults() -> None:
    [text] = blocks(PAGE, "toml")
    options = tomllib.loads(text)["options"]
    assert msgspec.convert(options, BiplaneOptions) == BiplaneOptions()
    assert set(options) == set(BiplaneOptions.__struct_fields__)
    for option in GAME.announce(BiplaneOptions()):
        assert f"`option {option}`" in PAGE


def test_the_loops_on_the_page_are_those_of_the_board() -> None:
    for place, left, right in [
        row for row in rows("The board") if re.fullmatch("`[A-G][0-9]+[RLUD]`", row[0])
    ]:
        for sense, cell in (("CCW", left), ("CW", right)):
            led = LOOPS[sense].get(place.strip("`"))
            assert cell == (f"`{led}`" if led else "no circle")


def test_the_cards_on_the_page_are_those_of_the_deck() -> None:
    told: dict[str, str] = {}
    for name, _, labels, count in rows("The cards")[1:]:
        named = re.findall("`([A-Z0-9]+)`", labels)
        if " to " in labels and name != "shoot":
            pairs = re.findall("`([A-Z])([0-9]+)` to `[A-Z]([0-9]+)`", labels)
            named = [f"{row}{n}" for row, first, last in pairs for n in range(int(first), int(last) + 1)]
        elif name == "shoot":
            named = list(SHOOTS)
        assert int(count) == len(named)
        told.update(dict.fromkeys(named, name))
    assert told == NAMES


def test_every_line_that_is_ever_told_stands_on_the_page() -> None:
    told = {row[0].strip("`").split()[0] for row in rows("What a bot reads") if row[0].startswith("`")}
    seen, viewed = set(), set()
    for seed in range(5):
        for record in play_out(GAME, BiplaneOptions(tree=True), 3, seed).records:
            if isinstance(record, Event):
                seen.add(record.line.split()[0])
    viewed = {line.split()[0] for line in shown_position().view(1)}
    assert seen - {"shown"} <= told
    assert viewed <= told


def test_left_counts_the_steps_not_yet_flown_as_the_page_says() -> None:
    assert "LEFT is the number of steps that the plane still has to fly in its maneuver. The flight" in PAGE
    at_the_top, _ = flown(pilot("E6U", "C7", kept="A1 S1"))
    assert at_the_top.question(1) == "shoot 2"
    _, told = flown(pilot("E6U", "C7", kept="A1 S1"), said=("shoot no", "shoot no"))
    assert told[1:] == ["moved 1 F6U", "moved 1 G6U", "turned 1 G6D"]
    near_the_ground, _ = flown(pilot("C6D", "C7", kept="A1 S1"))
    assert near_the_ground.question(1) == "shoot 2"
    _, told = flown(pilot("C6D", "C7", kept="A1 S1"), said=("shoot no", "shoot no"))
    assert told[1:4] == ["moved 1 B6D", "moved 1 A6D", "lost 1 ground"]


def test_what_may_be_placed_and_discarded_is_as_the_page_says() -> None:
    assert "The Maneuver that lies out is not in the hand." in PAGE
    state, _ = flown(pilot("E5R", "A7", kept="A1 A2U S1"), said=("shoot no", "shoot no"))
    assert isinstance(state.check(1, "place A7"), Illegal)
    assert "Maneuver that its plane can fly from its place, the first card must be such a Maneuver." in PAGE
    first = sky(pilot("G5R", kept="E1 G1 A2U S1", out=""), pilot("E5R"), turn=0, seat=0)
    assert list(first.legal(1)) == ["place E1"]
    assert "plus the Repeat just revealed, which lies on the table" in PAGE
    drawn, _ = flown(
        pilot("E5R", "A2U", kept="A1", out="A4", temporary="G7 G8", temporary_down=True), deck="C1 C2 C3"
    )
    assert drawn.question(1) == "discard 1"
    assert "discard A2U" not in list(drawn.legal(1))
    assert "To leave an open Repeat as your next card, name its label." in PAGE
    _, told = play(drawn, "discard G7", "discard G8", "place A2U")
    assert "placed 1 open" in told


@pytest.mark.parametrize("word", ["keep", "place", "discard", "shoot"])
def test_every_question_stands_on_the_page(word: str) -> None:
    questions = {
        row[0].strip("`").split()[0] for row in rows("What a bot is asked") if row[0].startswith("`")
    }
    assert word in questions
