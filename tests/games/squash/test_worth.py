"""Tests how Evil Squash guesses the worth of positions, and that a match can stop after each throw."""

import pytest

from harness.chance import Chance, Seeded
from harness.games.squash import GAME, SquashPosition
from harness.games.squash.worth import turns


class Stepwise(Seeded):
    stepwise = True


def end(chance: Chance, seats: int) -> tuple[SquashPosition, int]:
    """Plays a match in which all seats squash. Returns its end and the number of positions between two
    throws."""
    state, _ = GAME.start(GAME.options(), seats, chance)
    between = 0
    while state.outcome() is None:
        if not state.to_act():
            between += 1
        state, _ = state.play(dict.fromkeys(state.to_act(), "land squash"), chance)
    return state, between


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_is_the_same_if_it_stops_after_each_throw(seats: int) -> None:
    whole, none = end(Seeded(3), seats)
    stepwise, some = end(Stepwise(3), seats)
    assert whole == stepwise
    assert none == 0 < some


def test_at_the_end_a_position_is_worth_its_ranks() -> None:
    state, _ = end(Seeded(3), 3)
    outcome = state.outcome()
    assert outcome is not None
    assert state.worth() == tuple(-rank for rank in outcome.ranks)


def test_before_the_end_the_guessed_ranks_add_up_to_those_of_a_match() -> None:
    state, _ = GAME.start(GAME.options(), 4, Seeded(1))
    assert sum(state.worth()) == pytest.approx(-10)


def test_a_marker_needs_fewer_turns_from_the_last_squares() -> None:
    needed = turns(GAME.options().chosen().leads())
    assert needed[-1] == 0
    assert needed[0] > needed[32] > needed[60] > 1
