"""Tests Sevens: its rulings, the worked examples on its page, and the page itself."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chance import Scripted, Seeded
from harness.games.sevens import AHEAD, GAME, Placed, SevensOptions, SevensPosition
from harness.games.sevens.cards import DECK, T0, Parameters
from harness.model import Illegal, Malformed
from harness.testing import heard
from tests.games.pages import blocks

PAGE = (Path(__file__).parents[3] / "harness" / "games" / "sevens" / "sevens.md").read_text()
FIXED = SevensOptions("T0")
UNUSED = Seeded(0)
WRONG_CLAIM = ("play 5D 5 0", "5D as 5 makes 14, which earns 5, not 0")


def position(hand: str, last: str, total: int, *others: str, points: tuple[int, ...] = ()) -> SevensPosition:
    """A position with the parameters T0 in which seat 1 has this hand, and must play on the card `last`."""
    hands = (tuple(hand.split()), *(tuple(other.split()) for other in others or ("2D",)))
    return SevensPosition(T0, hands, (Placed(0, last, 0, 0),), total, points or (0,) * len(hands), 1)


def legal_cards(state: SevensPosition) -> list[str]:
    return list(dict.fromkeys(move.split(" ")[1] for move in state.legal(1)))


def after(state: SevensPosition, move: str) -> SevensPosition:
    """The position after this move, which must be legal."""
    checked = state.check(state.seat, move)
    assert isinstance(checked, str), checked
    return state.play({state.seat: checked}, UNUSED)[0]


def deal(seats: int, seed: int = 1, options: SevensOptions = FIXED) -> SevensPosition:
    return GAME.start(options, seats, Seeded(seed))[0]


# -- the worked examples ---------------------------------------------------------------------------


def test_example_1_a_red_card_must_follow_the_nine_of_clubs() -> None:
    state = position("5D KS 2C", "9C", 9)
    assert list(state.legal(1)) == ["play 5D 5 5"]
    assert after(state, "play 5D 5 5").total == 14
    assert after(state, "play 5D 5 5").points == (5, 0)


def test_example_2_without_a_black_card_the_other_red_suit_follows() -> None:
    state = position("3H 8D", "5D", 14)
    assert list(state.legal(1)) == ["play 3H 3 -3"]
    assert after(state, "play 3H 3 -3").total == 17
    assert after(state, "play 3H 3 -3").points == (-3, 0)


def test_example_3_with_only_the_suit_of_the_last_card_all_cards_are_legal() -> None:
    state = position("9H JH", "3H", 17)
    assert list(state.legal(1)) == ["play 9H 9 0", "play JH 10 -3", "play JH 2 0"]
    assert [after(state, move).total for move in state.legal(1)] == [26, 27, 19]


def test_example_4_a_total_with_both_properties_earns_the_third_reward_alone() -> None:
    state = position("7S", "2H", 63)
    assert list(state.legal(1)) == ["play 7S 7 10"]
    assert after(state, "play 7S 7 10").total == 70


def test_example_5_the_player_chooses_between_the_two_values() -> None:
    state = position("AS", "2H", 69)
    assert list(state.legal(1)) == ["play AS 1 10", "play AS 11 0"]
    assert [after(state, move).total for move in state.legal(1)] == [70, 80]


def test_example_6_the_first_player_is_bound_by_the_card_on_the_table() -> None:
    state = position("4H 6D", "TH", 10)
    assert list(state.legal(1)) == ["play 6D 6 0"]
    assert after(state, "play 6D 6 0").total == 16


@pytest.mark.parametrize(
    ("seats", "each", "table"),
    [(2, 25, 2), (3, 17, 1), (4, 12, 4), (5, 10, 2), (6, 8, 4), (7, 7, 3), (8, 6, 4), (9, 5, 7)],
)
def test_example_7_hands_are_equal_and_the_rest_lies_on_the_table(seats: int, each: int, table: int) -> None:
    state = deal(seats)
    assert [len(hand) for hand in state.hands] == [each] * seats
    assert len(state.table) == table
    assert sorted([*sum(state.hands, ()), *(placed.card for placed in state.table)]) == sorted(DECK)
    assert f"| {each} |" in PAGE


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("play KS 10 0", "KS may not follow 9C: it holds a card of another colour, 5D"),
        ("play 5D 6 0", "5D counts 5, not 6"),
        WRONG_CLAIM,
        ("play 5D 5 -3", "5D as 5 makes 14, which earns 5, not -3"),
        ("play 4D 4 0", "4D is not in its hand"),
    ],
)
def test_example_8_violations_are_illegal_and_say_why(said: str, reason: str) -> None:
    assert position("5D KS 2C", "9C", 9).check(1, said) == Illegal(reason)


# -- the rulings -----------------------------------------------------------------------------------


def test_equal_values_are_one_move() -> None:
    assert list(position("2C", "2H", 1).legal(1)) == ["play 2C 2 0"]


def test_seat_1_plays_first_and_the_others_follow_in_order() -> None:
    state, order = deal(3), []
    while state.seat:
        order.append(state.seat)
        state = after(state, next(iter(state.legal(state.seat))))
    assert order == [1, 2, 3] * 17


def test_a_dealt_card_counts_its_first_value_and_earns_nobody_points() -> None:
    cards = [card for card in DECK if card not in ("JH", "KH", "7H", "AS")] + ["JH", "KH", "7H", "AS"]
    state, told = GAME.start(FIXED, 4, Scripted({"deal": cards}, UNUSED))
    assert [event.line for event in told[-4:]] == ["table JH 10", "table KH 10", "table 7H 7", "table AS 1"]
    assert state.total == 28
    assert state.points == (0, 0, 0, 0)


def test_the_deal_is_blocks_of_the_shuffle_with_its_last_card_last_on_the_table() -> None:
    state, _ = GAME.start(FIXED, 9, Scripted({"deal": DECK}, UNUSED))
    assert state.hands[0] == ("AC", "2C", "3C", "4C", "5C")
    assert state.hands[8] == ("2S", "3S", "4S", "5S", "6S")
    assert [placed.card for placed in state.table] == list(DECK[45:])


def test_a_punishment_must_be_claimed_too() -> None:
    state = position("3H 8D", "5D", 14)
    assert isinstance(state.check(1, "play 3H 3 0"), Illegal)
    assert state.check(1, "play 3H 3 -3") == "play 3H 3 -3"


def test_a_reward_of_nothing_is_claimed_as_nothing() -> None:
    free = msgspec.structs.replace(T0, div=0)
    state = msgspec.structs.replace(position("5D", "9C", 9), parameters=free)
    assert list(state.legal(1)) == ["play 5D 5 0"]


def test_a_fault_stops_the_match_with_the_offender_last_whatever_its_points() -> None:
    state = position("5D", "9C", 9, "6D", "7D", "8D", points=(12, 5, 5, -3))
    stopped, told = state.forfeit((1,), UNUSED)
    outcome = stopped.outcome()
    assert outcome is not None
    assert outcome.ranks == (4, 1.5, 1.5, 3)
    assert outcome.scores == (12, 5, 5, -3)
    assert stopped.to_act() == ()
    assert told == ()


def test_ties_share_the_average_of_their_places() -> None:
    state = msgspec.structs.replace(position("", "9C", 9, "", "", ""), points=(12, 5, 5, -3), seat=0)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ranks == (1, 2.5, 2.5, 4)
    assert outcome.reason == "all cards are played"


def test_a_seat_is_told_its_own_hand_alone_and_all_else() -> None:
    _, told = GAME.start(FIXED, 9, Seeded(1))
    hands = [event for event in told if event.line.startswith("hand ")]
    assert [event.to for event in hands] == [(seat,) for seat in range(1, 10)]
    assert all(event.to is None for event in told if event not in hands)


def test_a_view_holds_all_that_a_seat_was_told_and_the_scores() -> None:
    state = after(position("5D 2C", "9C", 9, "6D"), "play 5D 5 5")
    assert state.view(1)[:2] == ("value A 1 11", "value 2 2 2")
    assert state.view(1)[13:] == (
        *("reward div 5", "reward digit -3", "reward both 10"),
        *("table 9C 0", "played 1 5D 5 5", "hand 2C", "total 14", "scores 5 0"),
    )


def hands_and_last() -> st.SearchStrategy[tuple[list[str], str]]:
    cards = st.lists(st.sampled_from(DECK), min_size=2, max_size=26, unique=True)
    return cards.map(lambda drawn: (drawn[1:], drawn[0]))


def allowed(hand: list[str], last: str) -> Iterator[str]:
    """The legal cards, by the words of the rule: if there are cards of a better kind, worse kinds are
    forbidden."""

    def kind(card: str) -> int:
        black = (card[1] in "CS") == (last[1] in "CS")
        return 0 if not black else 1 if card[1] != last[1] else 2

    best = min(kind(card) for card in hand)
    return (card for card in hand if kind(card) == best)


@given(hands_and_last())
def test_a_player_on_turn_always_has_exactly_the_best_kind_of_card(drawn: tuple[list[str], str]) -> None:
    hand, last = drawn
    assert legal_cards(position(" ".join(hand), last, 5)) == list(allowed(hand, last)) != []


@given(st.integers(0, 5_148))
def test_a_reward_goes_by_division_and_digits(total: int) -> None:
    digits = [int(digit) for digit in str(total)]
    kind = ("", "div", "digit", "both")[(total // 7 * 7 == total) + 2 * (7 in digits)]
    assert T0.reward(total) == {"": 0, "div": 5, "digit": -3, "both": 10}[kind]


def leaves(state: SevensPosition, depth: int) -> int:
    """The number of ways to play the next `depth` moves."""
    if not depth or not state.seat:
        return 1
    return sum(leaves(after(state, move), depth - 1) for move in state.legal(state.seat))


@pytest.mark.parametrize(("seats", "counts"), [(2, (14, 168, 2112)), (9, (7, 42, 126, 252, 1008))])
def test_the_tree_of_moves_has_the_known_size(seats: int, counts: tuple[int, ...]) -> None:
    state = GAME.start(FIXED, seats, Scripted({"deal": DECK[::3] + DECK[1::3] + DECK[2::3]}, UNUSED))[0]
    assert tuple(leaves(state, depth) for depth in range(1, len(counts) + 1)) == counts


# -- the form of a move ----------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["play 5D 5 5", "play 5d 5 5", "play 5D +5 05", "play 5D 005 +5"])
def test_a_move_has_one_canonical_text(said: str) -> None:
    assert position("5D KS 2C", "9C", 9).check(1, said) == "play 5D 5 5"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("", "is due"),
        ("play", "is due"),
        ("play 5D 5", "is due"),
        ("play 5D 5 5 ", "is due"),
        ("play  5D 5 5", "is due"),
        ("claim 5D 5 5", "is due"),
        ("play D5 5 5", "it said 'D5'"),
        ("play 10D 10 5", "it said '10D'"),
        ("play 5D five 5", "it said 'five'"),
        ("play 5D 5 5.0", "it said '5.0'"),
        ("play 5D 5 \u0665", "it said '\u0665'"),
        ("play 5D 1_0 5", "it said '1_0'"),
        ("play 5D 5 1000000000", "it said '1000000000'"),
    ],
)
def test_what_is_not_of_the_form_is_malformed(said: str, words: str) -> None:
    verdict = position("5D KS 2C", "9C", 9).check(1, said)
    assert isinstance(verdict, Malformed)
    assert words in verdict.reason


def test_without_the_other_colour_the_reason_speaks_of_the_other_suit() -> None:
    verdict = position("3H 8D", "5D", 14).check(1, "play 8D 8 0")
    assert verdict == Illegal("8D may not follow 5D: it holds a card of another suit, 3H")


def test_the_reason_names_both_values() -> None:
    assert position("AS", "2H", 69).check(1, "play AS 2 0") == Illegal("AS counts 1 or 11, not 2")


# -- parameters ------------------------------------------------------------------------------------


def test_random_parameters_keep_their_bounds_and_meet_them() -> None:
    drawn = [deal(9, seed, SevensOptions()).parameters for seed in range(200)]
    values = {value for each in drawn for pair in each.values() for value in pair}
    rewards = {reward for each in drawn for reward in (each.div, each.digit, each.both)}
    equal = sum(first == second for each in drawn for first, second in each.values())
    assert values == set(range(1, 16))
    assert rewards == {*range(-10, 11)} - {0}
    assert 0.5 < equal / (200 * 13) < 0.57  # 1/2, and 1/15 of the other half


def test_the_deal_is_the_same_whatever_the_parameters_are() -> None:
    assert deal(4, 3).hands == deal(4, 3, SevensOptions()).hands


def options_of(text: str) -> SevensOptions:
    return msgspec.convert(tomllib.loads(text)["options"], SevensOptions)


def test_the_options_on_the_page_are_options() -> None:
    default, table = map(options_of, blocks(PAGE, "toml"))
    assert default == SevensOptions()
    assert table == SevensOptions(T0)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ({"parameters": "T1"}, "T1"),
        ({"parameters": {"A": [1, 11]}}, "missing required field `2`"),
        ({"parameters": {**msgspec.to_builtins(T0), "A": [0, 1]}}, ">= 1"),
        ({"parameters": {**msgspec.to_builtins(T0), "A": [1, 100]}}, "<= 99"),
        ({"parameters": {**msgspec.to_builtins(T0), "A": [1]}}, "length 2"),
        ({"parameters": {**msgspec.to_builtins(T0), "div": 100}}, "<= 99"),
        ({"parameters": {**msgspec.to_builtins(T0), "10": [1, 1]}}, "unknown field `10`"),
        ({"parametres": "T0"}, "unknown field `parametres`"),
    ],
)
def test_wrong_options_are_refused(written: object, words: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=words):
        msgspec.convert(written, SevensOptions)


def test_a_table_is_played_by() -> None:
    pairs = dict.fromkeys("A23456789TJQK", (99, 1))
    odd = msgspec.convert({**pairs, "div": -99, "digit": 99, "both": 0}, Parameters)
    state, told = GAME.start(SevensOptions(odd), 2, UNUSED)
    assert state.total == 198
    assert "value 2 99 1" in [event.line for event in told]
    assert "reward div -99" in [event.line for event in told]


@pytest.mark.parametrize(("parameters", "told"), [("random", "random"), ("T0", "T0"), (T0, "table")])
def test_it_announces_how_parameters_are_chosen(parameters: object, told: str) -> None:
    assert GAME.announce(msgspec.structs.replace(FIXED, parameters=parameters)) == (f"parameters {told}",)


# -- the page's examples ---------------------------------------------------------------------------


def test_the_match_on_the_page_is_one_that_is_played() -> None:
    lines = heard(GAME, FIXED, 2, 6, 1)
    [shown] = blocks(PAGE, "text match")
    beginning, end = (part.splitlines() for part in shown.split("...\n"))
    assert lines[: len(beginning)] == beginning
    assert lines[-len(end) :] == end


def test_the_position_on_the_page_is_the_one_after_its_first_move() -> None:
    [shown] = blocks(PAGE, "text position")
    assert after(deal(6), "play AD 11 0").text(2) + "\n" == shown


def test_a_text_for_all_shows_every_hand() -> None:
    drawn = deal(9).text()
    assert [line for line in drawn.split("\n") if line.startswith("Seat 1 ")] != []
    assert len(re.findall(r"^Seat \d ", drawn, re.MULTILINE)) == 9
    assert "Your hand" not in drawn


def test_a_text_for_a_seat_that_is_not_on_turn_marks_no_card() -> None:
    drawn = deal(6).text(2)
    assert "Your hand:" in drawn
    assert "[" not in drawn


def test_the_guess_counts_the_best_reward_at_each_total_up_to_the_highest() -> None:
    """With one card left, the guess also counts totals that no match can reach."""
    parameters = Parameters(*((99, 98),) * 13, 5, -3, 10)
    state = deal(2, options=SevensOptions(parameters))
    while sum(map(len, state.hands)) > 1:
        state = after(state, list(state.legal(state.seat))[-1 if state.seat == 1 else 0])
    rewards = {False: {False: 0, True: 5}, True: {False: -3, True: 10}}
    best = [
        max(
            rewards["7" in str(total)][total % 7 == 0]
            for total in (state.total + step + 98, state.total + step + 99)
        )
        for step in AHEAD
    ]
    own, other = state.seat - 1, 2 - state.seat
    assert state.worth()[own] == state.points[own] + sum(best) / len(best)
    assert state.worth()[other] == state.points[other]


def test_a_table_of_too_many_cards_shows_the_last_ones() -> None:
    state = deal(2)
    while len(state.table) < 20:
        state = after(state, next(iter(state.legal(state.seat))))
    assert "20 cards" in state.text(1)
    assert state.table[-1].card in state.text(1)
