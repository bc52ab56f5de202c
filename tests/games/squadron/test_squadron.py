"""Tests the rules of Squadron Scramble: the worked examples on its page and its rulings."""

import pytest

from harness.chance import Scripted, Seeded
from harness.games.squadron import GAME, SquadronOptions, SquadronPosition
from harness.games.squadron.battle import HAND
from harness.games.squadron.cards import DECK, IN_HAND, TYPE, WILD, Squadron, flaw, in_order
from tests.games.squadron.tables import (
    DEFAULT,
    WHOLE,
    after,
    cards,
    everywhere,
    lines,
    position,
    refused,
    said,
    squadron,
)

UNUSED = Seeded(0)


def dealt(seats: int, seed: int = 1, options: SquadronOptions = DEFAULT) -> SquadronPosition:
    return GAME.start(options, seats, Seeded(seed))[0]


def points(state: SquadronPosition) -> list[int]:
    """The points that the battle would give to each seat now."""
    return [state.battle.points(seat) for seat in range(1, len(state.totals) + 1)]


# -- the worked examples ---------------------------------------------------------------------------


def test_example_1_four_players_have_seven_cards_each_and_the_deck_has_71() -> None:
    battle = dealt(4).battle
    assert [len(hand) for hand in battle.hands] == [7, 7, 7, 7]
    assert len(battle.stack) == 1
    assert len(battle.deck) == 71
    assert everywhere(battle) == WHOLE


@pytest.mark.parametrize(
    ("text", "kind", "worth"),
    [
        ("P39.1 P39.2 P39.3", "fighters, allies", 15),
        ("Do26.1 Do26.3 V", "bombers, axis", 30),
        ("I16.2 K1 K4", "fighters, allies", 15),
    ],
)
def test_example_2_squadrons(text: str, kind: str, worth: int) -> None:
    assert flaw(cards(text)) == ""
    assert (str(squadron(text).kind), squadron(text).worth()) == (kind, worth)
    state = after(position(f"{text} F4F.1"), "take deck")
    assert after(state, f"act lay {text} return F4F.1").battle.tables[0] == (squadron(text),)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("V K1 K2", "at least one aircraft"),
        ("ME109.1 ME110.1 K2", "ME109 and ME110 do not fly in one squadron"),
        ("P39.1 P39.2", "has 3 cards, not 2"),
        ("P39.1 P39.2 P39.3 K1", "has 3 cards, not 4"),
    ],
)
def test_example_2_what_is_no_squadron(text: str, reason: str) -> None:
    assert reason in flaw(cards(text))
    assert reason in refused(after(position(f"{text} F4F.1"), "take deck"), f"act lay {text} return F4F.1")


def test_example_3_the_top_of_the_stack_is_taken_and_one_card_returned_on_top() -> None:
    state = position("Spit.1 Spit.2", stack="K1 He111.2 B17.1")
    taken, told = said(state, "take stack 2")
    assert lines(told) == ["took 1 stack 2"]
    assert taken.battle.hand(1) == cards("Spit.1 Spit.2 He111.2 K1")
    assert taken.battle.left()[1] == ("B17.1",)
    assert after(taken, "act return Spit.1").battle.stack == ("Spit.1", "B17.1")
    for count in (0, 4):
        assert refused(state, f"take stack {count}") == (
            f"the stack has 3, so 1 to 3 of it can be taken, not {count}"
        )
    assert (
        refused(position("Spit.1"), "take stack 2") == "the stack has 1, so only 1 of it can be taken, not 2"
    )


def attacked() -> SquadronPosition:
    """A position: seat 2 laid a squadron of bombers, seat 1 has shot it down, and seat 3 is on turn."""
    state = position(
        "ME109.1 ME109.2 K3 P40.1", "F2A.1", "FW190.1-3 P40.2", tables={2: ["B17.1-3"]}, stack="KI001.1"
    )
    state = after(state, "take deck", "act lay ME109.1 ME109.2 K3 attack B17.1 return P40.1")
    return after(state, "take deck", "act return F2A.1")


def test_example_4_bombers_that_were_shot_down_move_and_count_for_the_attacker() -> None:
    state = attacked()
    assert state.battle.tables == (
        (squadron("ME109.1 ME109.2 K3"), squadron("!B17.1-3")),
        (),
        (),
    )
    assert [sum(each.worth() for each in table) for table in state.battle.tables] == [45, 0, 0]


def test_example_4_what_was_captured_is_safe_for_good() -> None:
    state = after(attacked(), "take deck")
    reason = refused(state, "act lay FW190.1 FW190.2 FW190.3 attack B17.1 return P40.2")
    assert reason == "FW190.1 FW190.2 FW190.3: the squadron of B17.1 was captured before"


TABLES = {
    1: ["Stirling.1-3", "FW190.1-3"],
    2: ["B17.1-3", "Do26.1-3", "A20.1-3", "ME110.1-3"],
}


@pytest.mark.parametrize(
    ("hand", "act", "reason"),
    [
        (
            "Spit.1-3",
            "lay Spit.1 Spit.2 Spit.3 attack B17.1",
            "fighters, allies, do not attack bombers, allies",
        ),
        ("SM82.1-3", "lay SM82.1 SM82.2 SM82.3 attack B17.1", "bombers, axis, do not attack bombers, allies"),
        (
            "ME109.1-3",
            "lay ME109.1 ME109.2 ME109.3 attack Stirling.1",
            "the squadron of Stirling.1 is its own",
        ),
        ("Spit.1-3", "lay Spit.1 Spit.2 Spit.3 attack ME110.1", "do not attack fighters, axis"),
        ("Spit.1-3", "lay Spit.1 Spit.2 Spit.3 attack He111.1", "no squadron with He111.1 on any table"),
        ("N97.1-3 SM82.3", "lay N97.1 N97.2 N97.3 attack SM82.3", "no squadron with SM82.3 on any table"),
        (
            "ME109.1-3 M96.1-3",
            "lay ME109.1 ME109.2 ME109.3 attack B17.1 lay M96.1 M96.2 M96.3 attack B17.2",
            "the squadron of B17.1 is attacked twice",
        ),
        ("F4F.1", "lay FW190.1 FW190.2 FW190.3 attack B17.1", "FW190.1 is not in its hand"),
    ],
)
def test_example_5_illegal_attacks(hand: str, act: str, reason: str) -> None:
    state = position(f"{hand} P40.1", "F2A.1", tables=TABLES, deck="KI99.1 KI99.2", take=0)
    assert reason in refused(state, f"act {act} return P40.1")


def test_example_5_one_squadron_does_not_attack_two() -> None:
    state = position("ME109.1-3 P40.1", "F2A.1", tables=TABLES, take=0)
    act = "act lay ME109.1 ME109.2 ME109.3 attack B17.1 attack A20.1 return P40.1"
    assert "`attack A20.1` has no place there" in str(state.check(1, act))


def test_example_6_tables_count_and_hands_cost() -> None:
    state = position(
        "Hurricane.1 Wellington.2 Wellington.3 K5",
        "B24.1 B24.2 P40.1",
        tables={1: ["P39.1-3", "Do26.1-3", "!B17.1-3"]},
    )
    assert points(state) == [50, -25]


def test_example_7_whoever_lays_all_or_returns_the_last_card_ends_the_battle() -> None:
    state = position("Spit.1-3", stack="He111.1", options=SquadronOptions(battles=1))
    over, told = said(after(state, "take stack 1"), "act lay Spit.1 Spit.2 Spit.3 return He111.1")
    assert lines(told)[:3] == ["laid 1 Spit.1 Spit.2 Spit.3", "returned 1 He111.1", "ended 1 hand"]
    assert over.to_act() == ()

    state = position("Spit.1 Spit.2", stack="Spit.3", options=SquadronOptions(battles=1))
    over, told = said(after(state, "take stack 1"), "act lay Spit.1 Spit.2 Spit.3")
    assert lines(told)[:2] == ["laid 1 Spit.1 Spit.2 Spit.3", "ended 1 hand"]
    assert over.totals == (15, -5, -5, -5)


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [((240, 250, 10), (1, 2, 3)), ((235, 250, 10), (1.5, 1.5, 3)), ((234, 0, 0), None)],
)
def test_example_8_a_war_is_over_when_a_battle_brings_a_total_to_250(
    totals: tuple[int, ...], ranks: tuple[float, ...] | None
) -> None:
    """Seat 1 wins the battle with 15 points; the others hold wild cards, which cost nothing."""
    state = position("Spit.1 Spit.2", "K1", "K2", stack="Spit.3", totals=totals)
    state = after(state, "take stack 1", "act lay Spit.1 Spit.2 Spit.3")
    outcome = state.outcome()
    assert (outcome and outcome.ranks) == ranks
    if outcome:
        assert outcome.reason == "a total has reached 250"
        assert outcome.scores == (totals[0] + 15, *totals[1:])
    else:
        assert (state.battle.number, state.totals) == (2, (249, 0, 0))


# -- the rulings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 15))
def test_ruling_1_as_many_play_as_the_deck_deals_to(seats: int) -> None:
    battle = dealt(seats).battle
    assert everywhere(battle) == WHOLE
    assert {len(hand) for hand in battle.hands} == {HAND}
    assert len(battle.deck) == 99 - HAND * seats
    assert GAME.unfit(DEFAULT, seats) == ""


@pytest.mark.parametrize("seats", [1, 15])
def test_ruling_1_no_other_number_plays(seats: int) -> None:
    assert GAME.unfit(DEFAULT, seats) == "Squadron Scramble is for 2 to 14"


def test_ruling_2_chance_draws_who_begins_and_the_others_follow_in_order() -> None:
    assert {dealt(3, seed).battle.seat for seed in range(20)} == {1, 2, 3}
    state, order = dealt(3), []
    for _ in range(6):
        order.append(state.battle.seat)
        state = after(state, "take deck", state_return(state))
    first = order[0]
    assert order == [(first - 1 + turn) % 3 + 1 for turn in range(6)]


def state_return(state: SquadronPosition) -> str:
    """An answer that returns the first card of the hand to the stack, whatever was drawn."""
    return f"act return {state.battle.hands[state.battle.seat - 1][0]}"


def test_ruling_3_a_turn_is_two_questions_and_the_drawn_card_is_known_for_the_second() -> None:
    state = position("Spit.1 Spit.2", deck="Spit.3 F4F.1")
    assert state.question(1) == "take"
    state, told = said(state, "take deck")
    assert [(event.line, event.to) for event in told] == [("took 1 deck", None), ("drew Spit.3", (1,))]
    assert (state.to_act(), state.question(1)) == ((1,), "act")
    assert "hand Spit.1 Spit.2 Spit.3" in state.view(1)
    assert after(state, "act return Spit.3").battle.deck == ("F4F.1",)


def test_ruling_4_any_subset_may_be_laid_and_a_type_twice() -> None:
    state = position("I16.1 I16.2 K1 K2 K3 P40.1 P40.2 P40.3", deck="B17.1", take=0)
    for act in (
        "act return B17.1",
        "act lay P40.1 P40.2 P40.3 return B17.1",
        "act lay I16.1 K1 K2 return B17.1",
        "act lay I16.1 I16.2 K1 return K2",
    ):
        assert state.check(1, act) == act
    with_both = "act lay P40.1 P40.2 P40.3 lay I16.1 K1 K2 return B17.1"
    assert state.check(1, with_both) == "act lay P40.1 P40.2 P40.3 lay I16.1 K1 K2 return B17.1"
    twice = position("I16.1 I16.2 K1 K2 K3 K4 P40.1", take=0)
    assert after(twice, "act lay I16.1 K1 K2 lay I16.2 K3 K4 return P40.1").battle.tables[0] == (
        squadron("I16.1 K1 K2"),
        squadron("I16.2 K3 K4"),
    )


def test_ruling_5_each_fighter_squadron_of_a_turn_may_shoot_down_one() -> None:
    state = position(
        "Spit.1-3 P40.1 K1 K2 F4F.1", "F2A.1", "A17.1", tables={2: ["Do26.1-3"], 3: ["SM82.1 K3 K4"]}, take=0
    )
    acted, told = said(
        state, "act lay Spit.1 Spit.2 Spit.3 attack SM82.1 lay P40.1 K1 K2 attack Do26.1 return F4F.1"
    )
    assert lines(told) == [
        "laid 1 P40.1 K1 K2",
        "captured 1 2 Do26.1 Do26.2 Do26.3",
        "laid 1 Spit.1 Spit.2 Spit.3",
        "captured 1 3 SM82.1 K3 K4",
        "returned 1 F4F.1",
    ]
    assert acted.battle.tables[1:] == ((), ())
    assert [each.captured for each in acted.battle.tables[0]] == [False, True, False, True]
    assert acted.battle.points(1) == 15 + 30 + 15 + 30 - left(acted, 1)


def left(state: SquadronPosition, seat: int) -> int:
    return sum(IN_HAND.get(card, 0) for card in state.battle.hands[seat - 1])


def test_ruling_5_a_target_goes_by_any_of_its_cards_and_is_told_by_its_first() -> None:
    state = position("ME109.1-3 P40.1", "F2A.1", tables={2: ["B17.1 B17.3 K2"]}, take=0)
    for card in ("B17.1", "B17.3", "K2", "k2"):
        said_so = f"act lay ME109.1 ME109.2 ME109.3 attack {card} return P40.1"
        assert state.check(1, said_so) == "act lay ME109.1 ME109.2 ME109.3 attack B17.1 return P40.1"


@pytest.mark.parametrize("card", ["K1", "B17.1", "F4F.1"])
def test_ruling_6_a_wild_card_or_one_just_taken_may_be_returned(card: str) -> None:
    state = after(position("K1 F4F.1", deck="B17.1 B17.2", stack="B17.3"), "take deck", f"act return {card}")
    assert state.battle.stack == (card, "B17.3")


def test_ruling_8_an_empty_deck_is_made_of_the_whole_stack() -> None:
    state = position("Spit.1 F4F.1", deck="P40.1", stack="B17.1 B17.2")
    shuffled = Scripted({"battle 1 shuffle 1": cards("B17.2 Spit.1 B17.1")}, UNUSED)
    state = after(state, "take deck")
    state, told = state.play({1: "act return Spit.1"}, shuffled)
    assert lines(told) == ["returned 1 Spit.1", "deck 2", "stack B17.2"]
    assert (state.battle.deck, state.battle.stack) == (cards("Spit.1 B17.1"), cards("B17.2"))
    assert (state.battle.seat, state.battle.shuffles) == (2, 1)


def test_ruling_8_with_fewer_than_three_cards_on_the_stack_the_battle_is_over() -> None:
    state = position("Spit.1 F4F.1", deck="P40.1", stack="B17.1", options=SquadronOptions(battles=1))
    state, told = said(after(state, "take deck"), "act return Spit.1")
    assert "ended 1 cards" in lines(told)
    assert state.to_act() == ()


def test_ruling_8_is_not_looked_at_while_the_deck_has_a_card() -> None:
    state = position("Spit.1 F4F.1", deck="P40.1", stack="B17.1")
    state = after(state, "take stack 1", "act return Spit.1")
    assert (state.battle.deck, state.battle.stack) == (("P40.1",), ("Spit.1",))


def test_ruling_9_a_battle_ends_after_100_turns_for_each_who_began_it() -> None:
    for turn, goes_on in ((398, True), (399, False)):
        state = position("Spit.1 F4F.1", turn=turn, options=SquadronOptions(battles=1))
        state, told = said(after(state, "take deck"), "act return Spit.1")
        assert bool(state.to_act()) == goes_on
        assert ("ended 1 turns" in lines(told)) != goes_on


def test_ruling_9_the_cap_of_a_battle_counts_those_who_began_it() -> None:
    state = dealt(4, options=SquadronOptions(turns=2))
    assert state.battle.most_turns == 8
    state, _ = state.forfeit((state.battle.seat,), UNUSED)
    assert state.battle.most_turns == 8
    while state.battle.number == 1:
        state = after(state, "take deck", state_return(state))
    assert state.battle.most_turns == 6


def test_ruling_9_a_war_ends_after_20_battles_and_the_most_points_win() -> None:
    state = position("Spit.1")
    for number, goes_on in ((19, True), (20, False)):
        state = position("Spit.1 Spit.2", "F4F.1", stack="Spit.3", totals=(-30, -20), number=number)
        state = after(state, "take stack 1", "act lay Spit.1 Spit.2 Spit.3")
        assert bool(state.to_act()) == goes_on
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.scores) == ((1, 2), (-15, -25))
    assert outcome.reason == "the last battle is over"


def test_ruling_10_totals_add_up_over_battles_and_may_fall() -> None:
    state = position("Spit.1 Spit.2", "B17.1 B17.2", stack="Spit.3", totals=(100, 20))
    state, told = said(after(state, "take stack 1"), "act lay Spit.1 Spit.2 Spit.3")
    assert lines(told)[1:5] == ["ended 1 hand", "scored 1 15 115", "scored 2 -20 0", lines(told)[4]]
    assert lines(told)[4] == f"battle 2 {state.battle.seat}"
    assert (state.totals, state.battle.number, state.battle.turn) == ((115, 0), 2, 0)
    assert everywhere(state.battle) == WHOLE


@pytest.mark.parametrize("take", ["take deck", "take stack 2"])
def test_ruling_11_the_turn_of_an_offender_is_undone(take: str) -> None:
    state = position("Spit.1 F4F.1", "P40.1 F2A.1", "B17.1", stack="B24.1 B24.2 B24.3", turn=7)
    midway = after(state, take)
    rest, told = midway.forfeit((1,), UNUSED)
    assert lines(told) == ["undone 1", "out 1"]
    assert rest.battle.deck == state.battle.deck
    assert rest.battle.stack == state.battle.stack
    assert (rest.battle.turn, rest.to_act(), rest.question(2)) == (7, (2,), "take")
    assert rest.battle.hands == ((), *state.battle.hands[1:])


def test_ruling_11_before_it_has_taken_there_is_nothing_to_undo() -> None:
    rest, told = position("Spit.1 F4F.1", "P40.1", "B17.1").forfeit((1,), UNUSED)
    assert lines(told) == ["out 1"]
    assert rest.battle.playing == (2, 3)


def test_ruling_11_what_the_offender_had_is_gone_but_what_others_captured_stays() -> None:
    state = position(
        "P40.1 P40.2", "K1 K2", "Spit.1-3 F4F.1", tables={1: ["Do26.1-3", "!B17.1-3"], 2: ["!A17.1-3"]}
    )
    rest, _ = state.forfeit((1,), UNUSED)
    assert rest.battle.tables == ((), (squadron("!A17.1-3"),), ())
    assert set(everywhere(rest.battle)).isdisjoint(cards("P40.1 P40.2 Do26.1-3 B17.1-3"))
    rest = after(rest, "take deck", "act return K1", "take deck")
    reason = refused(rest, "act lay Spit.1 Spit.2 Spit.3 attack Do26.1 return F4F.1")
    assert reason.endswith("there is no squadron with Do26.1 on any table")


def test_ruling_11_ruling_8_is_not_looked_at_when_a_turn_is_undone() -> None:
    state = position("Spit.1 F4F.1", "P40.1", "B17.1", deck="A20.1", stack="A20.2")
    rest, _ = after(state, "take deck").forfeit((1,), UNUSED)
    assert (rest.battle.deck, rest.battle.stack) == (("A20.1",), ("A20.2",))
    assert rest.to_act() == (2,)


def test_ruling_11_the_next_battle_deals_all_cards_to_those_still_in() -> None:
    state = position("P40.1 P40.2", "Spit.1 Spit.2", "B17.1", stack="Spit.3")
    state, _ = state.forfeit((1,), UNUSED)
    state = after(state, "take stack 1", "act lay Spit.1 Spit.2 Spit.3")
    assert state.battle.number == 2
    assert [len(hand) for hand in state.battle.hands] == [0, 7, 7]
    assert everywhere(state.battle) == WHOLE
    assert state.battle.seat in (2, 3)
    assert state.totals == (0, 15, -10)


def test_ruling_11_the_last_player_wins_and_the_battle_is_not_scored() -> None:
    state = position("P40.1", "P40.2", "P40.3", tables={3: ["Do26.1-3"]}, totals=(90, 80, -70))
    state, _ = state.forfeit((1,), UNUSED)
    state, told = after(state, "take deck").forfeit((2,), UNUSED)
    assert lines(told) == ["undone 2", "out 2"]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ranks == (3, 2, 1)
    assert outcome.scores == (90, 80, -70)
    assert outcome.reason == "one player is left"


def test_ruling_11_offenders_of_one_moment_share_the_last_places() -> None:
    state, told = dealt(4).forfeit((2, 4), UNUSED)
    assert lines(told) == ["out 2", "out 4"]
    assert state.battle.playing == (1, 3)
    state, _ = state.forfeit((state.battle.seat,), UNUSED)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.ranks[1], outcome.ranks[3]) == (3.5, 3.5)
    assert sorted(outcome.ranks) == [1, 2, 3.5, 3.5]


def test_ruling_11_when_all_are_out_at_once_nobody_wins() -> None:
    state, _ = dealt(3).forfeit((1, 2, 3), UNUSED)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.reason) == ((2, 2, 2), "no player is left")


def test_ruling_11_who_is_found_out_at_the_end_is_above_who_left_earlier() -> None:
    state = position(
        "P40.1 P40.2", "Spit.1 Spit.2", "B17.1", stack="Spit.3", options=SquadronOptions(battles=1)
    )
    state, _ = state.forfeit((1,), UNUSED)
    state = after(state, "take stack 1", "act lay Spit.1 Spit.2 Spit.3")
    ended = state.outcome()
    assert ended is not None
    state, told = state.forfeit((2,), UNUSED)
    assert lines(told) == ["out 2"]
    assert state.to_act() == ()
    outcome = state.outcome()
    assert outcome is not None
    assert (ended.ranks, outcome.ranks) == ((3, 1, 2), (3, 2, 1))
    assert (outcome.scores, outcome.reason) == (ended.scores, ended.reason)


def test_ruling_11_all_may_be_found_out_at_the_end() -> None:
    state = position("Spit.1 Spit.2", "B17.1", stack="Spit.3", options=SquadronOptions(battles=1))
    state = after(state, "take stack 1", "act lay Spit.1 Spit.2 Spit.3")
    state, _ = state.forfeit((1, 2), UNUSED)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.ranks, outcome.reason) == ((1.5, 1.5), "the last battle is over")


def test_ruling_11_a_seat_that_is_out_is_never_asked_again_whoever_was_to_begin() -> None:
    for seed in range(8):
        state = dealt(3, seed)
        state, _ = state.forfeit((1,), UNUSED)
        for _ in range(4):
            assert state.battle.seat in (2, 3)
            state = after(state, "take deck", state_return(state))


def test_ruling_12_a_view_holds_all_that_a_player_knows() -> None:
    state = position(
        "Spit.1 F4F.1", "P40.1 P40.2", "K1", tables={2: ["B17.1-3", "!Do26.1-3"]}, stack="A20.1 A20.2 A20.3"
    )
    state = after(state, "take stack 2", "act return F4F.1", "take deck")
    state, _ = state.forfeit((2,), UNUSED)
    state = after(state, "take deck")
    assert state.view(1) == (
        "battle 1",
        "turn 3 1 300",
        "totals 0 0 0",
        "out 2",
        "deck 5",
        "stack F4F.1 A20.3",
        "holds 1 3 A20.1 A20.2",
        "holds 3 2",
        "hand Spit.1 A20.1 A20.2",
    )
    assert state.view(3)[-1] == "hand M96.1 K1"


def test_ruling_12_squadrons_are_seen_with_their_owner_and_whether_they_were_captured() -> None:
    view = attacked().view(2)
    assert "table 1 own ME109.1 ME109.2 K3" in view
    assert "table 1 captured B17.1 B17.2 B17.3" in view


def test_ruling_13_an_act_that_empties_the_hand_still_attacks_and_nothing_is_shuffled() -> None:
    state = position(
        "Spit.1 Spit.2 Spit.3",
        "K1",
        tables={2: ["Do26.1-3"]},
        deck="B24.1",
        stack="A20.1 A20.2",
        turn=199,
        options=SquadronOptions(battles=1),
    )
    over, told = said(after(state, "take deck"), "act lay Spit.1 Spit.2 Spit.3 attack Do26.3 return B24.1")
    assert lines(told)[-3:] == ["ended 1 hand", "scored 1 45 45", "scored 2 0 0"]
    assert over.battle.shuffles == 0


def test_ruling_13_too_small_a_stack_comes_before_the_cap_and_the_cap_before_a_shuffle() -> None:
    one = SquadronOptions(battles=1)
    state = position("Spit.1 F4F.1", "K1", deck="B24.1", stack="A20.1", turn=199, options=one)
    assert "ended 1 cards" in lines(said(after(state, "take deck"), "act return Spit.1")[1])
    state = position("Spit.1 F4F.1", "K1", deck="B24.1", stack="A20.1 A20.2", turn=199, options=one)
    assert "ended 1 turns" in lines(said(after(state, "take deck"), "act return Spit.1")[1])


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("act lay I16.1 K1 K2 lay P40.1 P40.2 K1 return B17.1", "K1 is named twice"),
        ("act lay I16.1 K1 K2 return K1", "K1 is named twice"),
        ("act lay I16.1 I16.1 K1 return K2", "I16.1 is named twice"),
        ("act return Spit.1", "Spit.1 is not in its hand"),
        ("act lay I16.1 K1 K3 return B17.1", "K3 is not in its hand"),
        ("act lay I16.1 K1 K2", "return a card: the hand is not empty"),
        ("act", "return a card: the hand is not empty"),
    ],
)
def test_ruling_14_each_card_is_in_the_hand_and_named_once(act: str, reason: str) -> None:
    state = position("I16.1 K1 K2 P40.1 P40.2", deck="B17.1", take=0)
    assert refused(state, act) == reason


def test_ruling_14_with_an_empty_hand_no_card_can_be_returned() -> None:
    state = position("I16.1 K1", deck="K2", take=0)
    assert state.check(1, "act lay I16.1 K1 K2") == "act lay I16.1 K1 K2"
    assert refused(state, "act lay I16.1 K1 K2 return K2") == "K2 is named twice"
    assert refused(state, "act lay I16.1 K1 K2 return KI001.1") == "KI001.1 is not in its hand"


@pytest.mark.parametrize("seats", range(2, 15))
def test_ruling_15_a_plan_for_more_than_12_is_warned(seats: int) -> None:
    warned = " ".join(GAME.warnings(DEFAULT, seats))
    assert bool(warned) == (seats > 12)
    if warned:
        assert f"{seats} hands leave a deck of {99 - 7 * seats} card" in warned


# -- the cards and the deal ------------------------------------------------------------------------


def test_the_deck_has_a_hundred_cards() -> None:
    assert len(set(DECK)) == len(DECK) == 100
    assert len(TYPE) == 93
    assert len(WILD) == 7


def test_the_deal_is_blocks_of_the_shuffle_then_the_stack_then_the_deck() -> None:
    luck = Scripted({"battle 1 deck": DECK, "battle 1 first": 2}, UNUSED)
    state, told = GAME.start(DEFAULT, 3, luck)
    assert state.battle.hands == (DECK[:7], DECK[7:14], DECK[14:21])
    assert state.battle.stack == DECK[21:22]
    assert state.battle.deck == DECK[22:]
    assert lines(told)[0] == "battle 1 2"
    assert [event.to for event in told] == [None, (1,), (2,), (3,), None, None]
    assert lines(told)[-2:] == ["deck 78", f"stack {DECK[21]}"]


def test_each_battle_has_luck_of_its_own() -> None:
    state = position("Spit.1 Spit.2", "F4F.1", stack="Spit.3")
    midway = after(state, "take stack 1")
    act = {1: "act lay Spit.1 Spit.2 Spit.3"}
    one, _ = midway.play(act, Scripted({"battle 2 deck": DECK, "battle 2 first": 2}, UNUSED))
    assert one.battle.hands == (DECK[:7], DECK[7:14])
    assert one.battle.seat == 2


def test_worth_is_that_of_the_aircraft_whatever_the_wild_cards() -> None:
    assert Squadron(in_order(cards("K1 V Do26.2"))) == Squadron(cards("Do26.2 K1 V"))
    assert squadron("K1 V Do26.2").worth() == 30
