"""Tests whole wars of Squadron Scramble: the kit, play with faults, and hidden cards."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.chance import Chance, Seeded, derived
from harness.events import Event, Fault
from harness.games import State
from harness.games.squadron import GAME, SquadronOptions, SquadronPosition
from harness.model import Reply
from harness.testing import assert_conforms, at_random, play_out
from tests.games.squadron.tables import WHOLE, cards, everywhere, position

SHORT = SquadronOptions(battles=2, turns=15)


@pytest.mark.parametrize(("seats", "options"), [(2, SquadronOptions()), (14, SquadronOptions())])
def test_the_kit_passes_with_the_options_left_alone(seats: int, options: SquadronOptions) -> None:
    assert_conforms(GAME, options, seats, matches=1)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (4, SquadronOptions(goal=40, battles=2, turns=20)),
        (6, SquadronOptions(goal=1, battles=2, turns=9)),
        (3, SquadronOptions(goal=1_000_000, battles=1, turns=1)),
    ],
)
def test_the_kit_passes_with_other_caps(seats: int, options: SquadronOptions) -> None:
    assert_conforms(GAME, options, seats, matches=3)


def positions(
    seats: int, seed: int, most: int, faults: frozenset[int] = frozenset()
) -> Iterator[SquadronPosition]:
    """The positions of random play. At the questions with the numbers `faults`, the seat commits a fault."""
    chance, movers = Seeded(seed), Seeded(derived(seed, "movers"))
    state: State = GAME.start(SHORT, seats, chance)[0]
    for number in range(most):
        assert isinstance(state, SquadronPosition)
        yield state
        if not state.to_act():
            return
        [seat] = state.to_act()
        if number in faults:
            state, _ = state.forfeit((seat,), chance)
        else:
            state, _ = state.play({seat: at_random(state, seat, movers)}, chance)


FAULTS = st.frozensets(st.integers(0, 150), max_size=4)


@settings(max_examples=40)
@given(st.integers(2, 14), st.integers(0, 999), FAULTS)
def test_no_card_is_ever_lost_or_made(seats: int, seed: int, faults: frozenset[int]) -> None:
    before: list[str] = []
    battle = (0, 0)
    for state in positions(seats, seed, 400, faults):
        there = everywhere(state.battle)
        assert len(set(there)) == len(there)
        if (state.battle.number, len(state.battle.playing)) == battle:
            assert there == before
        elif state.battle.number != battle[0]:
            assert there == WHOLE
        else:
            assert set(there) < set(before)
        before, battle = there, (state.battle.number, len(state.battle.playing))


@settings(max_examples=40)
@given(st.integers(2, 14), st.integers(0, 999), FAULTS)
def test_a_turn_always_finds_something_to_take_and_something_to_choose(
    seats: int, seed: int, faults: frozenset[int]
) -> None:
    for state in positions(seats, seed, 400, faults):
        if state.to_act():
            battle = state.battle
            assert battle.seat in battle.playing
            assert battle.deck
            assert battle.stack
            assert all(battle.hands[seat - 1] for seat in battle.playing)


@settings(max_examples=30)
@given(st.integers(2, 14), st.integers(0, 99), st.frozensets(st.integers(1, 60), max_size=14))
def test_offenders_are_out_and_the_war_goes_on_without_them(
    seats: int, seed: int, errors: frozenset[int]
) -> None:
    war_with_errors(seats, seed, errors)


def war_with_errors(seats: int, seed: int, errors: frozenset[int]) -> None:
    """Plays a war. At the questions with the numbers `errors`, the answer is a fault."""
    erred: list[int] = []
    asked = 0

    def choose(state: State, seat: int, chance: Chance) -> str | Reply:
        nonlocal asked
        asked += 1
        assert seat not in erred
        if asked not in errors:
            return at_random(state, seat, chance)
        erred.append(seat)
        return Reply("nonsense")

    played = play_out(GAME, SHORT, seats, seed, choose)
    events = [record.line.split() for record in played.records if isinstance(record, Event)]
    assert [fault.seat for fault in played.records if isinstance(fault, Fault)] == erred
    assert [int(words[1]) for words in events if words[0] == "out"] == erred
    assert [played.outcome.ranks[seat - 1] for seat in erred] == [*range(seats, seats - len(erred), -1)]
    assert (played.outcome.reason == "one player is left") == (len(erred) == seats - 1)


# -- what a seat may not know ----------------------------------------------------------------------


def lines_to(seat: int, told: tuple[Event, ...]) -> list[str]:
    return [event.line for event in told if event.to is None or seat in event.to]


@settings(max_examples=12)
@given(st.integers(2, 14), st.integers(0, 999), FAULTS)
def test_positions_that_differ_in_what_a_seat_may_not_know_look_the_same_to_it(
    seats: int, seed: int, faults: frozenset[int]
) -> None:
    all_look_the_same(seats, seed, faults)


def all_look_the_same(seats: int, seed: int, faults: frozenset[int] = frozenset()) -> None:
    """For some positions, compares what each seat sees with its view of another position that must look
    equal."""
    luck = Seeded(derived(seed, "hidden"))
    for number, state in enumerate(positions(seats, seed, 300, faults)):
        if number % 7 or not state.to_act():
            continue
        [acting] = state.to_act()
        for seat in range(1, seats + 1):
            other = state.alike(seat, luck)
            assert other.view(seat) == state.view(seat)
            assert other.text(seat) == state.text(seat)
            assert other.question(acting) == state.question(acting)
            for move in state.some(acting, 5, luck, "moves"):
                if seat == acting:
                    assert other.check(seat, move) == move
                if other.check(acting, move) == move:
                    same_news(state, other, seat, acting, move)


def same_news(state: SquadronPosition, other: SquadronPosition, seat: int, acting: int, move: str) -> None:
    """Checks that the seat gets the same lines in both positions, except the card that it draws itself."""
    if seat == acting and move == "take deck":
        return
    here, there = (each.play({acting: move}, Seeded(1)) for each in (state, other))
    if here[0].battle.number == state.battle.number and here[0].to_act():
        assert lines_to(seat, there[1]) == lines_to(seat, here[1])
        assert there[0].view(seat) == here[0].view(seat)


def test_what_is_alike_differs_in_all_that_is_hidden_and_in_nothing_else() -> None:
    state = GAME.start(SHORT, 3, Seeded(1))[0]
    seen = {hand for seed in range(5) for hand in state.alike(1, Seeded(seed)).battle.hands[1:]}
    assert len(seen) == 10
    other = state.alike(1, Seeded(1)).battle
    assert other.hands[0] == state.battle.hands[0]
    assert other.deck != state.battle.deck
    assert everywhere(other) == WHOLE


def test_what_all_have_seen_a_player_take_stays_in_its_hand() -> None:
    state = position("Spit.1 F4F.1", "K1 K2 K3 P40.1", stack="A20.1 A20.2 A20.3")
    state = state.play({1: "take stack 2"}, Seeded(1))[0]
    state = state.play({1: "act return F4F.1"}, Seeded(1))[0]
    for seed in range(10):
        hand = state.alike(2, Seeded(seed)).battle.hands[0]
        assert {*cards("A20.1 A20.2")} <= {*hand}
    assert "holds 1 3 A20.1 A20.2" in state.view(2)


def test_a_card_that_a_player_drew_is_known_to_it_alone() -> None:
    state = position("Spit.1 F4F.1", "P40.1").play({1: "take deck"}, Seeded(1))[0]
    assert {state.alike(1, Seeded(seed)).battle.deck[0] for seed in range(9)} == {"M96.1"}
    assert len({state.alike(2, Seeded(seed)).battle.deck[0] for seed in range(9)}) > 1


def test_when_the_stack_was_shuffled_all_know_what_the_deck_is_made_of() -> None:
    state = position("Spit.1 F4F.1", "P40.1", deck="K1", stack="B17.1 B17.2 B17.3")
    state = state.play({1: "take deck"}, Seeded(1))[0]
    state = state.play({1: "act return K1"}, Seeded(1))[0]
    assert state.battle.shuffles == 1
    for seed in range(9):
        other = state.alike(2, Seeded(seed)).battle
        assert sorted(other.deck) == sorted(state.battle.deck)
        assert other.hands == state.battle.hands
