"""Tests the worked examples on the page of Biplane, the form of its moves, and the page itself."""

import pytest

from harness.games.biplane import GAME, BiplaneOptions
from harness.model import Illegal, Malformed, Outcome
from harness.testing import assert_conforms
from tests.games.biplane.positions import FREE, around, dealt, flown, legal, moved, pilot, places, play, sky

# -- the worked examples ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "card", "way"),
    [
        ("E5R", "G1", ["F6U"]),
        ("E5R", "E1", ["D6D"]),
        ("E5L", "G1", ["D4D"]),
        ("E5L", "E1", ["F4U"]),
        ("E6R", "E1", ["E7R"]),
        ("G5R", "E7", ["F6D", "E5L"]),
        ("E1L", "E7", ["F12U", "G1R"]),
        ("A11R", "C7", ["A12R", "A1R", "A2R"]),
        ("E2L", "C7", ["E1L", "E12L", "E11L"]),
        ("G6D", "C7", ["F6D", "E6D", "D6D"]),
    ],
)
def test_examples_1_to_5_a_plane_flies_its_maneuver(place: str, card: str, way: list[str]) -> None:
    state, told = flown(pilot(place, card))
    assert moved(told) == way
    assert places(state)[0] == way[-1]


@pytest.mark.parametrize(("place", "card"), [("E6R", "E1"), ("G5R", "G1")])
def test_examples_2_and_3_a_loop_without_a_path_is_not_placed_beside_a_card_that_flies(
    place: str, card: str
) -> None:
    state = sky(pilot(place, kept=f"{card} A5 S1"), pilot("A9L"))
    assert legal(state) == ["A5"]
    assert isinstance(state.check(1, f"place {card}"), Illegal)


@pytest.mark.parametrize(
    ("place", "way"), [("F6U", ["moved 1 G6U", "turned 1 G6D"]), ("G6U", ["turned 1 G6D"])]
)
def test_example_5_at_the_ceiling_a_plane_turns_down_and_flies_no_further(place: str, way: list[str]) -> None:
    state, told = flown(pilot(place, "C7" if place == "G6U" else "A7"))
    assert told[1:] == way
    assert places(state)[0] == "G6D"


def test_example_5_who_entered_no_space_may_not_shoot() -> None:
    state, told = flown(pilot("G6U", "C7", kept="A2 S1"))
    assert (state.asked, told) == ("place", ["revealed 1 C7", "turned 1 G6D"])


@pytest.mark.parametrize(("card", "place"), [("C7", "C7R"), ("B8U", "B8U")])
def test_example_6_the_ground_costs_a_plane_and_the_rest_of_its_flight(card: str, place: str) -> None:
    state, told = flown(pilot("B4D", "C7"), deck=f"{card} S1")
    assert told[1:] == ["moved 1 A4D", "lost 1 ground", f"respawn 1 {card}", f"plane 1 {place}"]
    assert state.scores() == (1, 0)
    assert state.asked == "place"
    assert state.discards[-1] == card


@pytest.mark.parametrize(("card", "lost"), [("C7", True), ("A7", False)])
def test_example_7_a_plane_may_fly_into_its_own_shot(card: str, lost: bool) -> None:
    state, told = flown(pilot("E5R", card, kept="A2 S1"), said=("shoot S1",), deck="C3 S2")
    assert told[1:4] == ["moved 1 E6R", "fired 1 S1", "shots E8RY"]
    assert state.scores() == (lost, 0)
    assert state.shots == (() if lost else ("E8RY",))
    assert places(state)[0] == ("C3R" if lost else "E7R")
    assert ("lost 1 shot" in told) == lost


@pytest.mark.parametrize(("shot", "last"), [("F6UY", "G6R"), ("B8DY", "A8R")])
def test_example_8_shots_leave_the_board_at_the_top_and_at_the_bottom(shot: str, last: str) -> None:
    three = (pilot("E2R", "A1"), pilot("E4R"), pilot("E8R"))  # so a shot makes two steps
    assert flown(*three, shots=shot)[0].shots == ()
    _, told = flown(pilot("E2R", "A1"), pilot("E4R"), pilot(last), shots=shot)
    assert told[0] == "lost 3 shot"


def test_example_8_a_shot_at_the_ceiling_hits_there_or_is_gone() -> None:
    state, told = flown(pilot("E6U", "A1", kept="S1"), said=("shoot S1",))
    assert moved(told) == ["F6U"]
    assert state.shots == ()
    state, told = flown(pilot("E6U", "A1", kept="S1"), pilot("G6R"), said=("shoot S1",))
    assert told[2:] == ["fired 1 S1", "lost 2 shot", "respawn 2 C1", "plane 2 C1R"]
    assert state.shots == ()


def test_example_8_a_shot_over_the_ceiling_uses_the_card_and_nothing_else() -> None:
    state, told = flown(pilot("F6U", "A1", temporary="B2U"), said=("shoot B2U",))
    assert told[1:] == ["moved 1 G6U", "fired 1 B2U", "discarded 1 B2U"]
    assert state.shots == ()


def test_example_9_in_a_crash_both_planes_are_lost_and_the_moving_one_comes_back_first() -> None:
    state, told = flown(pilot("E5R", "A7"), pilot("E7R"), deck="C3 A4U S1")
    assert told[1:] == [
        *("moved 1 E6R", "moved 1 E7R", "lost 1 crash", "lost 2 crash"),
        *("respawn 1 C3", "plane 1 C3R", "respawn 2 A4U", "plane 2 A4U"),
    ]
    assert state.scores() == (1, 1)


def test_example_10_a_card_without_a_label_or_of_a_taken_space_is_drawn_in_vain() -> None:
    state, told = flown(pilot("A4D", "A1"), shots="E4RY", deck="S3 E7 B2U S4")
    assert state.shots == ("E7RY",)
    assert told[2:] == ["lost 1 ground", "respawn 1 S3", "respawn 1 E7", "respawn 1 B2U", "plane 1 B2U"]
    assert state.discards == ("G12", "S3", "E7", "B2U")


def test_example_11_repeats_fly_the_maneuver_again_and_draw_a_card_each() -> None:
    state, told = flown(pilot("E5R", "G1", kept="A2U A1 A7"))
    for drawn in (1, 2, 3):
        state, more = around(state, "place A2U")
        told += more
        if state.asked == "discard":
            state, more = play(state, f"discard {legal(state)[0]}")
            told += more
        assert len(state.deck) == 6 - drawn
    assert moved(told) == ["F6U", "G5L", "F4D", "E5R"]


def test_example_11_with_one_repeat_one_of_two_drawn_cards_must_go() -> None:
    state, _ = flown(pilot("E5R", "G1", kept="A2U A1 A7"), deck="C1 C2 C3")
    state, _ = around(state, "place A2U")
    assert (state.asked, state.pilot(1).temporary) == ("place", ("C1",))
    state, _ = around(state, "place A2U")
    assert (state.question(1), legal(state)) == ("discard 1", ["C1", "C2"])
    state, told = play(state, "discard C2")
    assert told[0] == "discarded 1 C2"
    assert state.pilot(1).temporary == ("C1",)
    assert places(state)[0] == "F4D"


def test_example_11_nothing_goes_where_the_drawn_card_was_played_or_is_a_repeat() -> None:
    state, _ = flown(pilot("E5R", "G1", kept="A2U A1 A7"), deck="C1 C2 C3")
    state, _ = around(state, "place A2U")
    state, _ = around(state, "place C1")
    state, _ = around(state, "place A2U")
    assert (state.asked, state.pilot(1).temporary) == ("place", ("C2",))
    state, _ = flown(pilot("E5R", "G1", kept="A2U A1 A7"), deck="A4U C2 C3")
    state, _ = around(state, "place A2U")
    state, _ = around(state, "place A2U")
    assert (state.asked, state.pilot(1).temporary) == ("place", ("A4U", "C2"))


def test_example_12_the_match_is_over_with_the_last_card_of_the_last_pass() -> None:
    state, told = flown(pilot("E5R", "A1", kept="S1"), pilot("E7R"), said=("shoot S1",), deck="C3", passes=1)
    assert told[1:] == ["moved 1 E6R", "fired 1 S1", "lost 2 shot", "respawn 2 C3", "pass 2 0"]
    assert state.to_act() == ()
    assert state.outcome() == Outcome((1, 2), (0, 1), "the deck has run out 2 times")
    assert places(state) == ["E6R", ""]


# -- the form of a move ----------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "move"), [("place a7", "place A7"), ("place A7", "place A7")])
def test_a_move_has_one_canonical_text(said: str, move: str) -> None:
    assert sky(pilot("E5R"), pilot("A9L")).check(1, said) == move


def test_kept_cards_are_named_in_any_order() -> None:
    state, _ = GAME.start(FREE, 2, dealt("A1 A7 E1 S3 C7 G1 G7 B2U"))
    assert state.check(1, "keep s1 a2u A7 A1") == "keep A1 A7 A2U S1"


@pytest.mark.parametrize("said", ["shoot NO", "shoot no", "shoot No"])
def test_no_is_no(said: str) -> None:
    state = sky(pilot("E5R", kept="A1 S1"), pilot("A9L"), asked="shoot")
    assert state.check(1, said) == "shoot no"


@pytest.mark.parametrize(
    ("asked", "said", "words"),
    [
        ("place", "", "`place CARD` is due"),
        ("place", "place", "`place CARD` is due"),
        ("place", "place A1 A7", "`place CARD` is due"),
        ("place", "place  A1", "`place CARD` is due"),
        ("place", "place A1 ", "`place CARD` is due"),
        ("place", "keep A1", "`place CARD` is due"),
        ("place", "place A13", "it said 'A13'"),
        ("place", "place A01", "it said 'A01'"),
        ("place", "place no", "it said 'no'"),
        ("place", "place \u0410\u0661", "it said '\u0410\u0661'"),
        ("discard", "discard", "`discard CARD` is due"),
        ("shoot", "shoot", "`shoot CARD` or `shoot no` is due"),
        ("shoot", "shoot S1 S2", "`shoot CARD` or `shoot no` is due"),
        ("keep", "keep", "`keep CARD ...` is due"),
        ("keep", "keep A1 A2 A3 X", "it said 'X'"),
    ],
)
def test_what_is_not_of_the_form_is_malformed(asked: str, said: str, words: str) -> None:
    verdict = sky(pilot("E5R", kept="A1 S1"), pilot("A9L"), asked=asked).check(1, said)
    assert isinstance(verdict, Malformed)
    assert words in verdict.reason


@pytest.mark.parametrize(
    ("asked", "said", "reason"),
    [
        ("place", "place A8", "A8 is not in its hand"),
        ("place", "place A4", "A4 lies out: a Repeat flies it again"),
        ("place", "place S1", "S1 (shoot) is not placed for a turn"),
        ("place", "place E1", "E1 (90 CW) does not fly from E6R, and A1 does"),
        ("discard", "discard A1", "A1 is not in its temporary hand"),
        ("shoot", "shoot A1", "A1 is no Shoot but straight 1"),
        ("shoot", "shoot B2U", "B2U was used in this flight already"),
        ("shoot", "shoot B8U", "B8U is not in its hand"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_its_reason(asked: str, said: str, reason: str) -> None:
    first = pilot("E6R", kept="A1 E1 S1 B2U", temporary="C1 C2", used=("B2U",))
    assert sky(first, pilot("A9L"), asked=asked).check(1, said) == Illegal(reason)


# -- the kit ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (BiplaneOptions("two-on-one"), 3),
        (BiplaneOptions("two-on-two"), 4),
        (BiplaneOptions(skill=1), 2),
        (BiplaneOptions(tree=True), 3),
        (BiplaneOptions("two-on-two", 2, True, 40), 4),
    ],
    ids=["two-on-one", "two-on-two", "skill", "tree", "all at once"],
)
def test_each_variant_keeps_the_laws_of_games(options: BiplaneOptions, seats: int) -> None:
    assert_conforms(GAME, options, seats, matches=2)
