"""Tests the rulings of Biplane, number by number."""

import pytest

from harness.chance import Recorded, Scripted, Seeded
from harness.events import Drawn
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.board import DECK, REPEATS, UNLABELLED
from harness.model import Illegal, Outcome
from tests.games.biplane.positions import (
    FREE,
    LUCK,
    around,
    dealt,
    flown,
    legal,
    moved,
    pilot,
    places,
    play,
    sky,
)


def test_ruling_1_the_second_b10_up_is_b12_and_shoots() -> None:
    state = sky(pilot("E5R", kept="A1 B12U"), pilot("A9L"), asked="shoot", left=0)
    assert legal(state) == ["no", "B12U"]


def test_ruling_3_without_a_card_that_flies_any_maneuver_or_repeat_may_be_placed() -> None:
    state = sky(pilot("E6R", kept="E1 G8 A2U S1", out="G1"), pilot("A9L"))
    assert legal(state) == ["E1", "G8", "A2U"]


def test_ruling_3_a_repeat_flies_if_the_maneuver_lying_out_does() -> None:
    assert legal(sky(pilot("E6R", kept="E1 A2U", out="A4"), pilot("A9L"))) == ["A2U"]
    assert legal(sky(pilot("E5R", kept="E1 A2U", out="G1"), pilot("A9L"))) == ["E1", "A2U"]
    assert legal(sky(pilot("G5R", kept="E1 A2U", out="G1"), pilot("A9L"))) == ["E1"]


def test_ruling_3_a_straight_flies_into_the_ground_too() -> None:
    assert legal(sky(pilot("A4D", kept="C7 E1"), pilot("A9L"))) == ["C7"]


def test_ruling_3_the_repeat_just_used_counts_as_in_hand() -> None:
    for kept, temporary in (("A1 A2U", False), ("A1", True)):
        state, _ = flown(pilot("E5R", "A2U", kept=kept, out="G1", temporary_down=temporary))
        assert "A2U" in legal(state)


def test_ruling_3_the_first_card_is_a_maneuver_that_flies() -> None:
    pilots = [pilot(place, kept="E1 G1 A2U S1", out="") for place in ("G5R", "E10R")]
    state = sky(*pilots, turn=0, seat=0)
    assert list(state.legal(1)) == ["place E1"]
    assert list(state.legal(2)) == ["place E1", "place G1"]
    assert state.check(2, "place A2U") == Illegal(
        "A2U (repeat) is not placed for a turn; the first card is a Maneuver"
    )


@pytest.mark.parametrize("card", ["E7", "A2U"])
def test_ruling_4_an_impossible_loop_is_flown_as_one_space_and_still_is_the_maneuver(card: str) -> None:
    state, told = flown(pilot("E6R", card, kept="A2U E7 A1", out="E7"))
    assert moved(told) == ["E7R"]
    assert state.pilot(1).out == "E7"
    assert legal(state) == ["A2U", "A1"] if card == "E7" else ["A1", "A2U"]


def test_ruling_4_an_impossible_loop_flown_straight_meets_ground_and_ceiling() -> None:
    assert "lost 1 ground" in flown(pilot("A6D", "E7"))[1]
    assert "turned 1 G6D" in flown(pilot("G6U", "G7"))[1]


def test_ruling_5_each_seat_gets_a_repeat_an_unlabelled_shoot_and_four_cards() -> None:
    state, told = GAME.start(FREE, 2, dealt("A1 A7 E1 S3 C7 G1 G7 B2U"))
    assert [event.line for event in told] == [
        *("plane 1 E5R", "hand A1 A7 E1 A2U S1 S3", "plane 2 C5R", "hand C7 G1 G7 A4U S2 B2U", "deck 52"),
    ]
    assert [event.to for event in told if event.line.startswith("hand")] == [(1,), (2,)]
    assert state.to_act() == (1, 2)
    assert state.question(1) == "keep 4 2"


def test_ruling_5_whoever_lacks_kinds_shows_its_cards_and_draws_openly() -> None:
    state, told = GAME.start(FREE, 2, dealt("A1 A7 E1 S3 C7 C8 B2U A6U C9 S4 G1 E2"))
    lines = [event.line for event in told if event.to is None]
    assert lines == ["plane 1 E5R", "plane 2 C5R", "shown 2 C7 C8 B2U A6U C9 S4 G1", "deck 49"]
    assert state.pilot(2).kept == ("C7", "C8", "C9", "G1", "A4U", "A6U", "S2", "S4", "B2U")
    assert state.deck[0] == "E2"


def test_ruling_5_two_lacking_seats_draw_in_seat_order() -> None:
    _, told = GAME.start(FREE, 2, dealt("A1 A2 A3 A4 C7 C8 C9 C10 E1 E2"))
    assert [event.line for event in told if event.line.startswith("shown")] == [
        "shown 1 A1 A2 A3 A4 E1",
        "shown 2 C7 C8 C9 C10 E2",
    ]


def test_ruling_5_if_the_set_up_would_take_the_last_card_all_is_dealt_anew() -> None:
    # With skill 2 each seat needs four kinds of Maneuvers. Seat 3 is dealt four, and seats 1 and 2 soon draw
    # the rest. Seat 4 has only straight ones, and the only loop left is the last card of the deck.
    dealt_to_4 = "E2 E3 E4 E5 E6 E8  E9 E10 E11 E12 G2 G3  E1 E7 G1 G7 G8 G9  A1 A2 A7 A8 C7 C8"
    drawn_by_1_and_2 = "G4 G5 G6 G10  G11 A3"
    first = f"{dealt_to_4} {drawn_by_1_and_2}".split()
    rest = [card for card in DECK if card not in (*first, *REPEATS[:4], *UNLABELLED, "G12")]
    drawn = list[Drawn]()
    luck = Recorded(dealt(" ".join((*first, *rest, "G12")), 4), drawn.append)
    state, told = GAME.start(BiplaneOptions(skill=2), 4, luck)
    assert [record.stream for record in drawn] == ["repeats", "deal", "repeats", "deal"]
    assert len([event for event in told if event.line.startswith("hand")]) == 4
    assert len(state.deck) > 1


def test_ruling_5_seats_keep_at_the_same_time_and_show_the_rest_in_order() -> None:
    state, _ = GAME.start(FREE, 2, dealt("A1 A7 E1 S3 C7 G1 G7 B2U"))
    moves = {1: "keep A1 A7 A2U S1", 2: "keep C7 G1 G7 S2"}
    state, told = state.play(moves, LUCK)
    assert [event.line for event in told] == ["discarded 1 E1 S3", "discarded 2 A4U B2U"]
    assert state.to_act() == (1, 2)
    assert state.question(2) == "place"
    state, told = state.play({1: "place A7", 2: "place C7"}, LUCK)
    assert [event.line for event in told][:4] == [
        "placed 1 permanent",
        "placed 2 permanent",
        "turn 1 1",
        "revealed 1 A7",
    ]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("keep A1 A7 S1", "4 cards are kept, not 3"),
        ("keep A1 A7 E1 S1 S3", "4 cards are kept, not 5"),
        ("keep A1 A7 A7 S1", "A7 is there twice"),
        ("keep A1 A7 S1 S2", "S2 was not dealt to it"),
        ("keep A1 A2U S1 S3", "2 kinds of Maneuver must be among the cards kept, not 1"),
    ],
)
def test_ruling_5_what_may_not_be_kept(said: str, reason: str) -> None:
    state, _ = GAME.start(FREE, 2, dealt("A1 A7 E1 S3 C7 G1 G7 B2U"))
    assert state.check(1, said) == Illegal(reason)


def test_ruling_6_seat_1_begins_and_the_others_follow_facing_right() -> None:
    state: BiplanePosition = GAME.start(FREE, 4, Seeded(3))[0]
    assert places(state) == ["G5R", "E5R", "C5R", "A5R"]
    seats = []
    for _ in range(60):
        state, _ = state.play({seat: next(iter(state.legal(seat))) for seat in state.to_act()}, LUCK)
        if state.asked == "place" and state.turn:
            seats.append(state.seat)
    assert seats[:9] == [1, 2, 3, 4, 1, 2, 3, 4, 1]


def test_ruling_7_shots_move_before_the_card_is_revealed() -> None:
    _, told = flown(pilot("E5R", "A1"), shots="C2RY", deck="A12 S1")
    assert told == ["shots C5RY", "revealed 1 A1", "moved 1 E6R"]


def test_ruling_7_a_card_drawn_by_repeat_can_be_used_at_once() -> None:
    state, told = flown(pilot("E5R", "A2U", kept="A1 A2U"), deck="B2U C1")
    assert legal(state) == ["no", "B2U"]
    state, told = play(state, "shoot B2U")
    assert told == ["fired 1 B2U", "discarded 1 B2U", "shots E8RY"]


def test_ruling_8_the_old_maneuver_goes_when_a_maneuver_is_revealed() -> None:
    state, told = flown(pilot("E5R", "A1", out="C9", temporary_out=True))
    assert told[:2] == ["revealed 1 A1", "discarded 1 C9"]
    assert state.discards[-1] == "C9"
    state, told = flown(pilot("E5R", "A1", out="A4", kept="A1 A4 A7 S1"), said=("shoot no",))
    assert "A4" in legal(state)
    assert told == ["revealed 1 A1", "moved 1 E6R"]


def test_ruling_8_a_repeat_leaves_the_old_maneuver_where_it_is() -> None:
    state, told = flown(pilot("E5R", "A2U", kept="A2U A1", out="C9", temporary_out=True))
    assert state.pilot(1).out == "C9"
    assert not [line for line in told if line.startswith("discarded")]
    assert moved(told) == ["E6R", "E7R", "E8R"]


def test_ruling_9_the_limit_is_counted_anew_before_each_discard() -> None:
    # The revealed A2U and the temporary A4U count for the limit, which is 2. Without the A4U the limit is 1.
    first = pilot("E5R", "A2U", kept="A2U A1", temporary="A4U C1")
    state, _ = flown(first, deck="C2 C3")
    assert state.question(1) == "discard 2"
    assert play(state, "discard C1")[0].asked == "place"
    state, _ = play(state, "discard A4U")
    assert state.question(1) == "discard 1"
    assert legal(state) == ["C1", "C2"]
    state, _ = play(state, "discard C2")
    assert state.pilot(1).temporary == ("C1",)


def test_ruling_9_a_temporary_repeat_that_was_revealed_counts_too() -> None:
    state, _ = flown(pilot("E5R", "A2U", temporary_down=True, temporary="C1"), deck="C2 C3")
    assert state.question(1) == "discard 1"
    state, _ = flown(pilot("E5R", "A2U", temporary_down=True), deck="C2 C3")
    assert state.asked == "place"


def test_ruling_9_the_limit_matters_at_a_repeat_alone() -> None:
    state, _ = flown(pilot("E5R", "A1", temporary="C1 C2 C3"))
    assert state.asked == "place"


def test_ruling_10_a_temporary_repeat_stays_openly_or_is_discarded() -> None:
    state, _ = flown(pilot("E5R", "A2U", temporary_down=True), pilot("A9L", "A7"))
    assert "A2U" in legal(state)
    stays, told = play(state, "place A2U")
    assert told[0] == "placed 1 open"
    assert stays.pilot(1).open == "A2U"
    assert "placed 1 open" in stays.view(2)
    goes, told = play(state, "place A7")
    assert told[:2] == ["placed 1 permanent", "discarded 1 A2U"]
    assert goes.pilot(1).open == ""
    assert goes.discards[-1] == "A2U"


def test_ruling_10_a_repeat_that_stayed_can_stay_again() -> None:
    state, _ = flown(pilot("E1R", "A2U", temporary_down=True))
    for _ in range(3):
        state, told = around(state, "place A2U")
        assert told[0] == "placed 1 open"
        assert "revealed 1 A2U" in told
        if state.asked == "discard":
            state, _ = play(state, f"discard {legal(state)[0]}")
    assert state.pilot(1).open == "A2U"


def test_ruling_11_a_permanent_shoot_is_back_before_the_next_card_is_placed() -> None:
    state, told = flown(pilot("E5R", "C7", kept="A1 S1"), said=("shoot S1",))
    assert "discarded 1 S1" not in told
    assert state.asked == "place"  # no second Shoot, so no second question
    assert state.pilot(1).permanent == ("A1", "S1", "A4")


def test_ruling_11_one_shoot_for_each_space_entered_even_on_a_loop() -> None:
    state, told = flown(pilot("E5R", "G7", kept="A1 S1 B2U"), said=("shoot S1", "shoot B2U"))
    assert told[1:] == ["moved 1 F6U", "fired 1 S1", "moved 1 G5L", "fired 1 B2U", "shots G3LY"]
    assert state.asked == "place"


def test_ruling_11_no_shot_after_the_turn_at_the_top() -> None:
    state, told = flown(pilot("F6U", "A7", kept="A1 S1"), said=("shoot no",))
    assert told[1:] == ["moved 1 G6U", "turned 1 G6D"]
    assert state.asked == "place"


def test_ruling_12_the_placing_of_a_shot_never_changes_its_colour_but_its_step_does() -> None:
    assert flown(pilot("E11R", "A1", kept="S1"), said=("shoot S1",))[0].shots == ("E2RY",)
    assert flown(pilot("E10R", "A1", kept="S1"), said=("shoot S1",))[0].shots == ("E1RO",)
    assert flown(pilot("E3L", "A1", kept="S1"), said=("shoot S1",))[0].shots == ("E12LO",)


def test_ruling_12_a_shot_that_hits_on_its_placing_goes_no_further() -> None:
    three = (pilot("E5R", "A1", kept="S1"), pilot("E7R"), pilot("E8R"))
    state, _ = flown(*three, said=("shoot S1",))
    assert state.scores() == (0, 1, 0)
    assert state.shots == ()
    state, _ = flown(three[0], pilot("G1R"), three[2], said=("shoot S1",))
    assert state.scores() == (0, 0, 1)


@pytest.mark.parametrize("count", [13, 14])
def test_ruling_12_with_14_shots_nobody_may_shoot(count: int) -> None:
    shots = " ".join(["G2RY"] * count)
    state, _ = flown(pilot("E5R", "A1", kept="S1"), shots=shots)
    assert state.asked == ("shoot" if count == 13 else "place")
    state, _ = flown(pilot("F6U", "A1", kept="S1"), shots=shots)
    assert state.asked == ("shoot" if count == 13 else "place")


@pytest.mark.parametrize(("seats", "after"), [(2, "C5RY"), (3, "C4RY"), (4, "C4RY")])
def test_ruling_13_shots_move_three_steps_with_two_players_else_two(seats: int, after: str) -> None:
    others = [pilot(f"G{3 * seat}R") for seat in range(1, seats)]
    assert flown(pilot("E5R", "A1"), *others, shots="C2RY")[0].shots == (after,)


def test_ruling_13_the_oldest_shot_makes_all_its_steps_first_and_a_plane_can_be_hit_twice() -> None:
    _, told = flown(pilot("E5R", "A1"), shots="E3RY C1RY", deck="C3 G9 S1")
    assert told[:7] == [
        *("lost 1 shot", "shots C1RY", "respawn 1 C3", "plane 1 C3R"),
        *("lost 1 shot", "shots", "respawn 1 G9"),
    ]


def test_ruling_13_nobody_comes_back_where_a_later_shot_still_stands() -> None:
    _, told = flown(pilot("E5R", "A1"), shots="E3RY C1RY", deck="C1 A4U S1")
    assert told[2:5] == ["respawn 1 C1", "respawn 1 A4U", "plane 1 A4U"]


def test_ruling_14_a_plane_among_several_shots_is_lost_once_and_all_of_them_are_gone() -> None:
    state, told = flown(pilot("E5R", "A1"), shots="E9LY G9LY E9LO B6UY", deck="G9 S1")
    assert told[0] == "shots E6LY G6LY E6LO E6UY"
    assert told[2:5] == ["moved 1 E6R", "lost 1 shot", "shots G6LY"]
    assert state.scores() == (1, 0)


def test_ruling_15_who_loses_its_plane_keeps_all_its_cards_and_places_from_the_new_space() -> None:
    state, told = flown(pilot("A4D", "C7", kept="A1 E1 S1", temporary="C1"), deck="E5 S2 S3")
    assert told[1:] == ["lost 1 ground", "respawn 1 E5", "plane 1 E5R"]
    assert state.asked == "place"
    assert legal(state) == ["A1", "E1", "A4", "C1"]
    assert state.pilot(1).out == "C7"


def test_ruling_15_allies_hit_and_crash_each_other() -> None:
    state, _ = flown(
        *(pilot("E5R", "A1", kept="S1"), pilot("A1R"), pilot("E7R"), pilot("C9R")),
        said=("shoot S1",),
        sides=((1, 3), (2, 4)),
    )
    assert state.scores() == (0, 0, 1, 0)


def test_ruling_18_a_deck_that_runs_out_is_made_of_the_discards_without_the_card_just_drawn() -> None:
    luck = Scripted({"pass 1": ["C9", "G12"]}, LUCK)
    state, told = flown(pilot("A4D", "A1"), deck="C3", discards=("G12", "C9"), chance=luck)
    assert told[1:] == ["lost 1 ground", "respawn 1 C3", "pass 1 2", "plane 1 C3R"]
    assert state.deck == ("C9", "G12")
    assert state.discards == ("C3",)
    assert state.passes == 1


def test_ruling_18_a_card_drawn_by_repeat_does_not_go_back_either() -> None:
    state, told = flown(pilot("E5R", "A2U", kept="A2U A1"), deck="C3", discards=("G12", "C9"))
    assert told[1] == "pass 1 2"
    assert sorted(state.deck) == ["C9", "G12"]
    assert state.pilot(1).temporary == ("C3",)


def test_ruling_19_after_the_last_turn_nobody_flies_any_more() -> None:
    state = sky(pilot("E5R", "A1"), pilot("A9L"), turn=6, seat=2, turns=6, shots="C2RY")
    state, told = play(state, "place A1")
    assert told == ["placed 2 permanent"]
    assert state.shots == ("C2RY",)
    assert state.outcome() == Outcome((1.5, 1.5), (0, 0), "6 turns are played")


def test_ruling_21_a_drawn_card_is_told_to_its_owner_alone() -> None:
    before = sky(pilot("E5R", "A2U", kept="A2U A1"), pilot("A9L"), turn=2, seat=2)
    _, told = before.play({2: "place A1"}, LUCK)
    drew = [event for event in told if event.line.startswith("drew")]
    assert [(event.line, event.to) for event in drew] == [("drew 1 C1", (1,)), ("drew 1", (2,))]


def test_ruling_21_a_view_holds_its_own_cards_and_of_others_what_was_seen() -> None:
    first = pilot("E5R", kept="A1 A7 S1", temporary="C1", seen="A7 S1", revealed="A4")
    state = sky(first, pilot("A9L", "A7", losses=2, seen="A4", revealed="A4"), shots="C2RY", turn=3)
    public = (
        *("turn 3 1", "scores 0 2", "shots C2RY", "deck 6", "passes 0", "discards G12"),
        *("plane 1 E5R", "hands 1 3 1", "seen 1 A7 S1", "out 1 A4", "revealed 1 A4"),
        *("plane 2 A9L", "hands 2 2 0", "seen 2 A4", "out 2 A4", "revealed 2 A4", "placed 2 permanent"),
    )
    assert state.view(1) == (*public, "permanent A1 A7 S1", "temporary C1")
    assert state.view(2) == (*public, "permanent A1 C7", "temporary", "next A7")
