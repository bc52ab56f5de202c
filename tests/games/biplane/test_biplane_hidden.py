"""Tests what is hidden in Biplane, and that no card is ever lost or doubled."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.chance import Seeded, derived
from harness.games.biplane import GAME, BiplaneOptions, BiplanePosition
from harness.games.biplane.board import DECK, MANEUVERS, REPEATS
from harness.testing import at_random
from tests.games.biplane.positions import LUCK, pilot, sky

VARIANTS = [
    (BiplaneOptions(), 2),
    (BiplaneOptions("two-on-one", 1), 3),
    (BiplaneOptions("two-on-two", 2, True), 4),
]


def positions(options: BiplaneOptions, seats: int, seed: int) -> Iterator[BiplanePosition]:
    """All positions of a match of random movers."""
    luck, movers = Seeded(seed), Seeded(derived(seed, "movers"))
    state, _ = GAME.start(options, seats, luck)
    yield state
    while acting := state.to_act():
        state, _ = state.play({seat: at_random(state, seat, movers) for seat in acting}, luck)
        yield state


def redrawn(state: BiplanePosition, seat: int, seed: int) -> BiplanePosition:
    """A position with other hidden cards, which looks the same to this seat."""
    other = state.alike(seat, Seeded(seed))
    assert other is not None
    return other


def everywhere(state: BiplanePosition) -> list[str]:
    """All cards of this position, wherever they are."""
    cards = [*state.deck, *state.discards]
    for each in state.pilots:
        laid = dict.fromkeys(
            card for card in (each.out, each.down, each.open) if card and card not in each.kept
        )
        cards += (*each.kept, *each.temporary, *laid)
    return sorted(cards)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("options", "seats"), VARIANTS)
def test_no_card_is_lost_or_doubled_and_no_two_things_are_in_one_space(
    options: BiplaneOptions, seats: int, seed: int
) -> None:
    for state in positions(options, seats, seed):
        assert everywhere(state) == sorted(DECK)
        assert len(state.shots) <= 14
        flying = [each.place[:-1] for each in state.pilots if each.place]
        shots = {shot[:-2] for shot in state.shots}
        assert len(set(flying)) == len(flying)
        assert not shots & set(flying)
        assert not state.tree or "A7" not in (*flying, *shots)


@settings(max_examples=15)
@given(st.sampled_from(VARIANTS), st.integers(0, 99), st.data())
def test_what_looks_alike_to_a_seat_differs_in_hidden_cards_alone(
    variant: tuple[BiplaneOptions, int], seed: int, data: st.DataObject
) -> None:
    state = data.draw(st.sampled_from(list(positions(*variant, seed))))
    for seat in range(1, variant[1] + 1):
        other = redrawn(state, seat, seed)
        assert everywhere(other) == everywhere(state)
        assert other.pilot(seat) == state.pilot(seat)
        assert other.view(seat) == state.view(seat)
        assert other.text(seat) == state.text(seat)
        for each in other.pilots:
            assert not each.down or each.down in MANEUVERS or each.down in REPEATS


def test_hidden_cards_are_all_that_others_hold_and_have_not_shown() -> None:
    second = pilot("A9L", "A7", kept="A1 A7 C7 S2", temporary="C9 E1", seen="A4 S2", out="A4")
    state = sky(pilot("E5R", kept="G1 G2"), second)
    others = [redrawn(state, 1, seed).pilot(2) for seed in range(200)]
    seen = {card for each in others for card in each.kept} & {*second.kept}
    assert {"A4", "S2"} <= seen
    assert all({"A4", "S2"} <= {*each.kept} for each in others)
    for field in ("kept", "temporary", "down"):
        assert len({getattr(each, field) for each in others}) > 40
    unseen = {*DECK} - {"A4", "S2", "G1", "G2", "G12"}
    assert {card for each in others for card in each.temporary} == unseen


def test_which_card_of_a_hand_that_all_have_seen_lies_face_down_is_hidden() -> None:
    second = pilot("A9L", "A7", kept="A1 A7 C7 S2", seen="A1 A7 C7 S2 A4", out="A4")
    state = sky(pilot("E5R"), second)
    others = [redrawn(state, 1, seed).pilot(2).down for seed in range(30)]
    assert set(others) == {"A1", "A7", "C7"}


@pytest.mark.parametrize("seat", [1, 2])
def test_in_the_set_up_every_seat_is_known_to_hold_its_own_unlabelled_shoot(seat: int) -> None:
    state, _ = GAME.start(BiplaneOptions(), 2, LUCK)
    for seed in range(30):
        other = redrawn(state, 3 - seat, seed).pilot(seat)
        assert f"S{seat}" in other.kept
        assert {*other.kept} & {*REPEATS}
