"""Tests how Evil Squash is played: the worked examples on its page and its rulings."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.chance import Chance, Scripted, Seeded, derived
from harness.events import Drawn, Event
from harness.games import State
from harness.games.squash import GAME, SquashOptions, SquashPosition
from harness.model import Malformed
from harness.testing import assert_conforms, at_random, play_out
from tests.games.squash.examples import CARDS, EXAMPLES, UNUSED, VARIANTS, placed, trouble


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_turn_ends_as_the_rules_say(name: str) -> None:
    assert trouble(EXAMPLES[name]) == ""


@pytest.mark.parametrize("name", VARIANTS)
def test_each_variant_passes_the_kit(name: str) -> None:
    assert_conforms(GAME, VARIANTS[name], matches=6)


# -- the turns -------------------------------------------------------------------------------------


def said(position: SquashPosition, answer: str) -> tuple[SquashPosition, list[str]]:
    """The position after this answer of the seat that is asked, and the lines that all seats get."""
    after, told = position.play({position.table.seat: f"land {answer}"}, UNUSED)
    assert all(event.to is None for event in told)
    return after, [event.line for event in told]


def test_a_question_names_the_victim_the_square_and_the_square_just_left() -> None:
    position = placed((26, 8), (3,), seat=2)
    assert position.to_act() == (2,)
    assert position.question(2) == "land 1 26 8"
    assert list(position.legal(2)) == ["land bounce", "land squash"]


def test_a_squash_is_told_with_both_squares() -> None:
    assert said(placed((26, 8), (3,), seat=2), "squash")[1] == ["squash 2 1", "at 2 26", "at 1 8"]


def test_a_bounce_is_told_with_its_throw_and_what_comes_of_it() -> None:
    told = said(placed((12, 10, 15), (2, 3), seat=2), "bounce")[1]
    assert told == ["bounce 2 1", "throw 2 3 15", "squash 2 3", "at 2 15", "at 3 10"]


def test_who_cannot_move_is_told_to_stay() -> None:
    deck = ["squash"] * 8 + ["bounce"] * 8
    options = SquashOptions(variant="cards", dice=(2, 5, 2, 3), turns=3)
    _, told = GAME.start(options, 3, Scripted({"deal": deck}, UNUSED))
    assert lines(told)[3:] == [
        *("throw 1 2 2", "at 1 2", "throw 2 5 5", "at 2 5"),
        *("throw 3 2 2", "bounce 3 1", "throw 3 3 5", "stay 3"),
    ]


def test_turns_go_round_in_the_order_of_the_seats() -> None:
    _, told = GAME.start(SquashOptions(dice=(5, 4, 2, 1, 1, 3), turns=6), 4, UNUSED)
    seats = [line.split()[1] for line in lines(told) if line.startswith("throw")]
    assert seats == ["1", "2", "3", "4", "1", "2"]


def lines(told: tuple[Event, ...]) -> list[str]:
    return [event.line for event in told]


def test_a_turn_with_its_further_throws_counts_as_one() -> None:
    position, told = GAME.start(SquashOptions(dice=(6, 1, 2), turns=2), 2, UNUSED)
    assert position.table.dice == (6, 1, 2)
    assert position.table.over == "turn 2 was the last"
    assert lines(told)[-1] == "at 2 2"


def test_at_the_cap_all_are_ranked_by_square_and_ties_share() -> None:
    position, _ = GAME.start(SquashOptions(dice=(1, 2, 1), turns=2), 4, UNUSED)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (1, 2, 0, 0)
    assert outcome.ranks == (2, 1, 3.5, 3.5)
    assert outcome.reason == "turn 2 was the last"


def test_the_first_on_the_last_square_wins_and_the_others_are_ranked_by_square() -> None:
    outcome = placed((60, 7, 30 - 1, 7), (5,)).outcome()
    assert outcome is not None
    assert outcome.scores == (64, 7, 29, 7)
    assert outcome.ranks == (1, 3.5, 2, 3.5)
    assert outcome.reason == "seat 1 reached square 64"


def test_sixes_for_ever_are_cut_by_the_cap_counted_in_throws() -> None:
    board = {"squares": 100, "columns": 10, "arrows": [{"base": 18, "to": 6, "colour": "red"}]}
    options = msgspec.convert({"dice": [6], "turns": 40, "board": board}, SquashOptions)
    position, _ = GAME.start(options, 2, UNUSED)
    assert position.table.over == "throw 40 of one turn was the last"
    assert position.table.dice == (6,) * 40
    assert position.table.turn == 1


def test_a_script_begins_again_from_its_start() -> None:
    position, _ = GAME.start(SquashOptions(dice=(1, 2, 4), turns=7), 2, UNUSED)
    while position.to_act():
        position, _ = said(position, "squash")
    assert position.table.dice == ((1, 2, 4) * 20)[: len(position.table.dice)]
    assert len(position.table.dice) >= 7


def test_each_throw_has_a_stream_of_its_own_whatever_is_answered() -> None:
    def thrown(answer: str) -> list[Drawn]:
        played = play_out(GAME, seats=4, seed=5, choose=lambda state, seat, chance: f"land {answer}")
        return [record for record in played.records if isinstance(record, Drawn)]

    bounced, squashed = thrown("bounce"), thrown("squash")
    assert [record.stream for record in bounced] == [f"throw {throw}" for throw in range(1, len(bounced) + 1)]
    common = min(len(bounced), len(squashed))
    assert bounced[:common] == squashed[:common]
    assert len(bounced) != len(squashed)


def test_scripted_dice_draw_nothing_from_chance() -> None:
    records = play_out(GAME, VARIANTS["scripted dice"], 4).records
    assert not [record for record in records if isinstance(record, Drawn)]


def test_cards_are_dealt_four_to_each_seat_and_told_to_it_alone() -> None:
    deck = ["bounce"] * 6 + ["squash"] * 8 + ["bounce"] * 2
    options = SquashOptions(variant="cards", dice=(5, 4, 2, 1), turns=4)
    position, told = GAME.start(options, 4, Scripted({"deal": deck}, UNUSED))
    assert position.table.hands == ((4, 0), (2, 2), (0, 4), (2, 2))
    assert told[:4] == (
        Event("hand 4 0", (1,)),
        Event("hand 2 2", (2,)),
        Event("hand 0 4", (3,)),
        Event("hand 2 2", (4,)),
    )


def test_a_seat_is_asked_only_where_it_has_both_kinds() -> None:
    asked = []

    def choose(state: State, seat: int, chance: Chance) -> str:
        assert isinstance(state, SquashPosition)
        asked.append(state.table.hands[seat - 1].kinds())
        return at_random(state, seat, chance)

    for seed in range(40):
        play_out(GAME, CARDS, 4, seed, choose)
    assert len(asked) > 40
    assert set(asked) == {("bounce", "squash")}


def test_spent_cards_are_open_and_those_in_hand_are_not() -> None:
    position = placed((12, 10, 15), (2, 3), seat=2, hands=("BS", "BBSS", "BBBS"))
    after, _ = said(position, "bounce")
    assert after.view(1)[-6:] == (
        *("at 3 10", "played 1 0 0", "played 2 1 1", "played 3 0 0"),
        *("hand 1 1", "throw 2 3 15"),
    )


# -- faults ----------------------------------------------------------------------------------------


def test_a_fault_stops_the_match_with_the_offender_last_and_the_others_by_square() -> None:
    position = placed((40, 10, 12, 12 + 1), (2,), seat=2)
    answered = msgspec.structs.replace(position, answered=True)
    outcome = answered.forfeit((1,), UNUSED)[0].outcome()
    assert outcome is not None
    assert outcome.ranks == (4, 3, 2, 1)
    assert outcome.scores == (40, 10, 12, 13)


def test_a_fault_before_anybody_had_a_choice_leaves_the_others_level() -> None:
    outcome = placed((40, 10, 12, 13), (2,), seat=2).forfeit((2,), UNUSED)[0].outcome()
    assert outcome is not None
    assert outcome.ranks == (2, 4, 2, 2)


def test_after_a_choice_they_are_level_no_more() -> None:
    position = placed((12, 10, 0), (2, 4, 5, 1), seat=2, turn=1)
    after, _ = said(position, "bounce")
    assert position.keys() == (0, 0, 0)
    assert after.keys() == after.table.squares


@pytest.mark.parametrize("text", ["land bounce", "LAND BOUNCE", "Land Bounce"])
def test_an_answer_has_one_canonical_text(text: str) -> None:
    assert placed((12, 10), (2,), seat=2).check(2, text) == "land bounce"


@pytest.mark.parametrize(
    "text",
    ["", "land", "bounce", "land jump", "land  bounce", "land bounce ", "land bounce squash", "squash land",
     "land bounce\n", "land ſquash"],
)  # fmt: skip
def test_any_other_answer_is_malformed(text: str) -> None:
    verdict = placed((12, 10), (2,), seat=2).check(2, text)
    assert isinstance(verdict, Malformed)
    assert verdict.reason == f"`land bounce` or `land squash` is due; it said {text!r}"


# -- what a seat may know --------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 4))
def test_what_others_hold_changes_no_byte_of_what_a_seat_is_told(seed: int, seats: int, seat: int) -> None:
    """Compares two deals in which this seat has the same cards, as long as all seats answer the same."""
    seat = min(seat, seats)
    luck = Seeded(derived(seed, "alike"))
    chance = Seeded(seed)
    position, _ = GAME.start(CARDS, seats, chance)
    while position.to_act():
        other = position.alike(seat, luck)
        assert (position.view(seat), position.text(seat)) == (other.view(seat), other.text(seat))
        assert (position.to_act(), position.keys()) == (other.to_act(), other.keys())
        assert [sum(hand) for hand in position.table.hands] == [sum(hand) for hand in other.table.hands]
        mover = position.table.seat
        if mover == seat:
            assert position.question(seat) == other.question(seat)
        position, _ = position.play({mover: at_random(position, mover, luck)}, chance)


def test_an_alike_position_draws_other_hands_from_the_unseen_cards() -> None:
    position = placed((12, 10, 0), (2,), seat=2, hands=("BBSS", "BBBS", "BBSS"))
    hands = {position.alike(1, Seeded(seed)).table.hands for seed in range(200)}
    assert {own for own, *_ in hands} == {(2, 2)}
    assert {other for _, other, _ in hands} == {(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)}
    assert all(sum(cards[0] for cards in each) <= 8 for each in hands)
