"""Tests the tables of Biplane: the board, all its places and maneuvers, and the deck."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.games.biplane.board import (
    AHEAD,
    DECK,
    LOOPS,
    MANEUVERS,
    NAMES,
    ONWARD,
    REPEATS,
    SHOOTS,
    UNLABELLED,
    Maneuver,
    flies,
    flight,
    landing,
)
from tests.games.biplane.positions import flown, pilot

BOARD: dict[str, Any] = json.loads(Path(__file__).with_name("board.json").read_text())
STATES: dict[str, dict[str, Any]] = {
    state.replace(":", ""): leads for state, leads in BOARD["states"].items()
}
CARD_OF = {maneuver: card for card, maneuver in MANEUVERS.items()}


def led(place: str, maneuver: Maneuver) -> list[str]:
    """The places on the way of this Maneuver, by the file of the board; "" stands for the ground."""
    way: list[str] = []
    loops = maneuver.sense and STATES[place][maneuver.sense]
    for _ in range(maneuver.spaces if loops or not maneuver.sense else 1):
        leads = STATES[place]
        ahead = leads[maneuver.sense] if loops else leads["ahead"]
        if ahead is None:
            return [*way, "" if place[0] == "A" else f"{place[:-1]}D"]
        place = "".join(ahead) if loops else ahead + place[-1]
        way.append(place)
    return way


# -- the board -------------------------------------------------------------------------------------


def test_the_board_has_the_places_of_its_file() -> None:
    assert AHEAD.keys() == STATES.keys()
    assert {place[:-1] for place in AHEAD} == set(BOARD["nodes"])


def test_tracks_and_loops_lead_where_the_file_says() -> None:
    for place, leads in STATES.items():
        assert AHEAD[place] == (leads["ahead"] + place[-1] if leads["ahead"] else "")
        for sense, quarters in LOOPS.items():
            assert quarters.get(place) == ("".join(leads[sense]) if leads[sense] else None), place


def test_there_are_18_loops_each_flown_in_both_senses_from_4_spaces() -> None:
    assert [len(quarters) for quarters in LOOPS.values()] == [18 * 4, 18 * 4]
    for quarters in LOOPS.values():
        for place in quarters:
            around = [place]
            while len(around) < 5:
                around.append(quarters[around[-1]])
            assert around[4] == place
            assert len(set(around)) == 4


@pytest.mark.parametrize("maneuver", CARD_OF, ids=[maneuver.name for maneuver in CARD_OF])
def test_a_maneuver_goes_from_every_place_as_the_file_says(maneuver: Maneuver) -> None:
    for place, leads in STATES.items():
        way = led(place, maneuver)
        assert flight(maneuver, place) == way
        assert flies(maneuver, place) == (not maneuver.sense or leads[maneuver.sense] is not None)
        _, told = flown(pilot(place, CARD_OF[maneuver]), pilot("A3R" if place[0] in "EFG" else "G3R"))
        went = [line.split()[2] for line in told if line.startswith(("moved 1", "turned 1"))]
        assert went == [step for step in way if step], place
        assert ("lost 1 ground" in told) == (way[-1] == "")


def test_going_back_from_where_one_came_from_is_the_same_track() -> None:
    back = {"R": "L", "L": "R", "U": "D", "D": "U"}
    for place, ahead in AHEAD.items():
        if ahead:
            assert AHEAD[ahead[:-1] + back[ahead[-1]]] == place[:-1] + back[place[-1]]


@pytest.mark.parametrize(("sense", "other"), [("CW", "CCW"), ("CCW", "CW")])
def test_a_loop_flown_backwards_goes_round_the_other_way(sense: str, other: str) -> None:
    back = {"R": "L", "L": "R", "U": "D", "D": "U"}
    for place, led_to in LOOPS[sense].items():
        assert LOOPS[other][led_to[:-1] + back[led_to[-1]]] == place[:-1] + back[place[-1]]


# -- shots -----------------------------------------------------------------------------------------


def test_a_shot_flies_straight_and_past_the_seam_once() -> None:
    for place, leads in STATES.items():
        ahead, yellow, orange = leads["ahead"], ONWARD[place + "Y"], ONWARD[place + "O"]
        if ahead is None:
            assert (yellow, orange) == ("", ""), place
        elif abs(int(ahead[1:]) - int(place[1:-1])) == 11:
            assert (yellow, orange) == (f"{ahead}{place[-1]}O", ""), place
        else:
            assert (yellow, orange) == (f"{ahead}{place[-1]}Y", f"{ahead}{place[-1]}O"), place


# -- the deck --------------------------------------------------------------------------------------


def test_the_deck_is_the_one_of_the_rules() -> None:
    rules = """
        straight 1: A1 A2 A3 A4 A5 A6
        straight 2: A7 A8 A9 A10 A11 A12 C1 C2 C3 C4 C5 C6
        straight 3: C7 C8 C9 C10 C11 C12
        90 CW: E1 E2 E3 E4 E5 E6
        180 CW: E7 E8 E9 E10 E11 E12
        90 CCW: G1 G2 G3 G4 G5 G6
        180 CCW: G7 G8 G9 G10 G11 G12
        repeat: A2U A4U A6U A8U A10U A12U B4U B10U
        shoot: S1 S2 S3 S4 B2U B6U B8U B12U
    """
    lines = [line.strip().split(": ") for line in rules.strip().splitlines()]
    assert {card: name for name, cards in lines for card in cards.split()} == NAMES
    assert len(DECK) == len(set(DECK)) == 64
    assert (len(MANEUVERS), len(REPEATS), len(SHOOTS)) == (48, 8, 8)


def test_every_even_space_of_rows_a_and_b_has_one_card_that_says_up() -> None:
    up = [card.removesuffix("U") for card in DECK if card.endswith("U")]
    assert sorted(up) == sorted(f"{row}{column}" for row in "AB" for column in range(2, 13, 2))


def test_every_labelled_card_names_a_place_and_every_space_of_four_rows_has_one() -> None:
    places = {card: landing(card, tree=False) for card in DECK if card not in UNLABELLED}
    assert set(places.values()) <= set(AHEAD)
    assert {place[:-1] for place in places.values()} >= {node for node in BOARD["nodes"] if node[0] in "ACEG"}


@pytest.mark.parametrize(
    ("card", "without", "beside"),
    [
        ("C7", "C7R", "C7R"),
        ("B8U", "B8U", "B8U"),
        ("S3", "", ""),
        ("A1", "A1R", "A1R"),
        ("A2", "A2R", "A8R"),
        ("A5", "A5R", "A11R"),
        ("A6", "A6R", "A12R"),
        ("A2U", "A2U", "A8U"),
        ("A6U", "A6U", "A12U"),
        ("A7", "A7R", ""),
        ("A8", "A8R", "A8R"),
        ("A12U", "A12U", "A12U"),
        ("C2", "C2R", "C2R"),
    ],
)
def test_a_label_says_where_a_plane_comes_back_with_the_tree_and_without(
    card: str, without: str, beside: str
) -> None:
    assert landing(card, tree=False) == without
    assert landing(card, tree=True) == beside
