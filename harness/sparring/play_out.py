"""Plays random moves from a position."""

from __future__ import annotations

from harness.chance import Chance
from harness.games import State


def played_out(state: State, chance: Chance, most: int | None = None) -> State:
    """Plays random moves until the match ends, but at most `most` steps. Returns the last position."""
    steps = 0
    # If chance comes step by step (`Chance.stepwise`), there are positions before the end in which no seat
    # acts.
    while ((acting := state.to_act()) or state.outcome() is None) and steps != most:
        moves = {seat: state.some(seat, 1, chance, "move")[0] for seat in acting}
        state, _ = state.play(moves, chance)
        steps += 1
    return state
