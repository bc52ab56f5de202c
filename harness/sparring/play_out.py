"""Plays random moves from a position."""

from __future__ import annotations

from harness.chance import Chance
from harness.games import State


def played_out(state: State, chance: Chance, most: int | None = None) -> State:
    """Returns the position after random moves to the end of the match, or after `most` steps of random moves
    if the match is longer."""
    steps = 0
    # In a game that draws step by step (`Chance.stepwise`), nobody acts in some positions before the end.
    while ((acting := state.to_act()) or state.outcome() is None) and steps != most:
        moves = {seat: state.some(seat, 1, chance, "move")[0] for seat in acting}
        state, _ = state.play(moves, chance)
        steps += 1
    return state
