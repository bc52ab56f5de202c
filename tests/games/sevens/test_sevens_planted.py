"""Proves that the tests of Sevens can fail: a test finds each wrong rule that is planted here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from harness.chance import Chance, Scripted
from harness.events import Event
from harness.games import Events, sevens
from harness.games.sevens import Sevens, SevensOptions
from harness.games.sevens import SevensPosition as Position
from harness.games.sevens.cards import DECK, KIND, OTHER_COLOUR, Cards, Parameters, book
from harness.model import Illegal, Malformed, Outcome, ranks
from harness.testing import assert_conforms
from tests.games.sevens import test_sevens as rules
from tests.games.wrong_rules import Planted, Plantings

CHECK, PLAY, VIEW, START = Position.check, Position.play, Position.view, Sevens.start

PLANTED = Plantings()
planted = PLANTED.plant


def kit() -> None:
    """Runs the kit that checks every game."""
    assert_conforms(sevens.GAME, SevensOptions(), 3, matches=2)


def hands() -> None:
    rules.test_example_7_hands_are_equal_and_the_rest_lies_on_the_table(4, 12, 4)


# -- what earns what -------------------------------------------------------------------------------


@planted(sevens, "book", rules.test_example_4_a_total_with_both_properties_earns_the_third_reward_alone)
def both_rewards_add_up(terms: Parameters) -> tuple[Any, tuple[str, ...]]:
    return book(terms)[0], ("0", str(terms.div), str(terms.digit), str(terms.div + terms.digit))


@planted(sevens, "book", rules.test_example_5_the_player_chooses_between_the_two_values)
def a_card_counts_its_first_value_alone(terms: Parameters) -> tuple[Any, tuple[str, ...]]:
    values, rewards = book(terms)
    return {symbol: counts[:1] for symbol, counts in values.items()}, rewards


@planted(Position, "play", rules.test_example_3_with_only_the_suit_of_the_last_card_all_cards_are_legal)
def the_total_wraps_at_20(state: Position, moves: Mapping[int, str], chance: Chance) -> tuple[Any, Events]:
    then, told = PLAY(state, moves, chance)
    return msgspec.structs.replace(then, total=then.total % 20), told


@planted(Position, "play", rules.test_example_1_a_red_card_must_follow_the_nine_of_clubs)
def the_next_seat_earns_the_points(
    state: Position, moves: Mapping[int, str], chance: Chance
) -> tuple[Any, Events]:
    then, told = PLAY(state, moves, chance)
    return msgspec.structs.replace(then, points=(*then.points[1:], then.points[0])), told


PLANTED["the last digit alone is looked at for a 7"] = Planted(
    sevens,
    "KIND",
    tuple(kind if total % 10 == 7 else kind % 2 for total, kind in enumerate(KIND)),
    rules.test_example_4_a_total_with_both_properties_earns_the_third_reward_alone,
)

# -- what may follow what --------------------------------------------------------------------------


@planted(Position, "playable", rules.test_example_2_without_a_black_card_the_other_red_suit_follows)
def without_the_other_colour_all_is_playable(state: Position, seat: int) -> Cards:
    hand, colour = state.hands[seat - 1], OTHER_COLOUR[state.table[-1].card[1]]
    return tuple(card for card in hand if card in colour) or hand


@planted(Position, "playable", rules.test_example_3_with_only_the_suit_of_the_last_card_all_cards_are_legal)
def without_another_suit_the_first_card_alone_is_playable(state: Position, seat: int) -> Cards:
    hand, last = state.hands[seat - 1], state.table[-1].card[1]
    other = tuple(card for card in hand if card in OTHER_COLOUR[last])
    return other or tuple(card for card in hand if card[1] != last) or hand[:1]


@planted(Position, "playable", rules.test_example_6_the_first_player_is_bound_by_the_card_on_the_table)
def the_first_player_is_free(state: Position, seat: int) -> Cards:
    return state.hands[seat - 1]


@planted(Position, "legal", rules.test_equal_values_are_one_move)
def equal_values_are_two_moves(state: Position, seat: int) -> Iterator[str]:
    for card in state.playable(seat):
        for value in state.parameters.pair(card):
            yield f"play {card} {value} {state.parameters.reward(state.total + value)}"


@planted(
    Position,
    "check",
    lambda: rules.test_example_8_violations_are_illegal_and_say_why(*rules.WRONG_CLAIM),
)
def no_claim_is_looked_at(state: Position, seat: int, said: str) -> str | Malformed | Illegal:
    verdict = CHECK(state, seat, said)
    return said if isinstance(verdict, Illegal) and "earns" in verdict.reason else verdict


@planted(Position, "check", lambda: rules.test_a_move_has_one_canonical_text("play 5d 5 5"))
def a_move_is_kept_as_it_was_said(state: Position, seat: int, said: str) -> str | Malformed | Illegal:
    verdict = CHECK(state, seat, said)
    return said if isinstance(verdict, str) else verdict


# -- the deal, the order, the end ------------------------------------------------------------------


@planted(Sevens, "start", hands)
def a_card_less_is_dealt_to_each(
    game: Sevens, options: Any, seats: int, chance: Chance
) -> tuple[Position, Events]:
    state, told = START(game, options, seats, chance)
    return msgspec.structs.replace(state, hands=tuple(hand[1:] for hand in state.hands)), told


@planted(Sevens, "start", rules.test_the_deal_is_blocks_of_the_shuffle_with_its_last_card_last_on_the_table)
def the_table_is_dealt_before_the_hands(
    game: Sevens, options: Any, seats: int, chance: Chance
) -> tuple[Position, Events]:
    order = chance.shuffle("deal", DECK)
    rest = (len(DECK) - 1) // seats * seats
    return START(game, options, seats, Scripted({"deal": [*order[rest:], *order[:rest]]}, chance))


@planted(Sevens, "start", rules.test_a_dealt_card_counts_its_first_value_and_earns_nobody_points)
def dealt_cards_count_nothing(
    game: Sevens, options: Any, seats: int, chance: Chance
) -> tuple[Position, Events]:
    state, told = START(game, options, seats, chance)
    return msgspec.structs.replace(state, total=0), told


@planted(Position, "play", rules.test_seat_1_plays_first_and_the_others_follow_in_order)
def the_seats_go_round_the_other_way(
    state: Position, moves: Mapping[int, str], chance: Chance
) -> tuple[Any, Events]:
    then, told = PLAY(state, moves, chance)
    seat = (state.seat - 2) % len(state.hands) + 1
    return msgspec.structs.replace(then, seat=seat if then.hands[seat - 1] else 0), told


@planted(Position, "outcome", rules.test_ties_share_the_average_of_their_places)
def a_tie_goes_to_the_lower_seat(state: Position) -> Outcome | None:
    if state.seat:
        return None
    order = sorted(range(len(state.points)), key=lambda place: -state.points[place])
    return Outcome(ranks([-order.index(place) for place in range(len(order))]), state.points, "over")


# -- what is hidden --------------------------------------------------------------------------------


@planted(Sevens, "start", kit)
def every_hand_is_told_to_all(
    game: Sevens, options: Any, seats: int, chance: Chance
) -> tuple[Position, Events]:
    state, told = START(game, options, seats, chance)
    return state, tuple(Event(event.line) for event in told)


@planted(Position, "view", kit)
def a_view_shows_the_hand_of_the_next_seat(state: Position, seat: int) -> tuple[str, ...]:
    return VIEW(state, seat % len(state.hands) + 1)


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_rule_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, wrong, found_by = PLANTED[name]
    monkeypatch.setattr(owner, attribute, wrong)
    with pytest.raises(AssertionError):
        found_by()


def test_without_a_wrong_rule_nothing_is_found() -> None:
    for found_by in {each.found_by for each in PLANTED.values()}:
        found_by()
