"""Plays one match of random moves and keeps all its positions. Then the conformance kit checks whether these
positions obey the laws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from harness.chance import Chance, Recorded, Seeded, derived
from harness.events import Drawn
from harness.games import Events, Game, State
from harness.testing.playing import at_random


class Breach(Exception):
    """A broken law: the reason in plain words, and the turn in which the game broke it (0 means the deal)."""

    def __init__(self, reason: str, turn: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.turn = turn


class Untested(Breach):
    """A law that could not be tested in this match. The kit raises this exception only if no other test finds
    that the match breaks the law."""


class Step(NamedTuple):
    """One turn: the position before the turn, the moves, the random values, the position after the turn, and
    the events."""

    turn: int
    state: State
    moves: Mapping[int, str]
    drawn: tuple[Drawn, ...]
    after: State
    told: Events


class Walk(NamedTuple):
    """A match of random moves from its deal to its end. The seed decides everything in this match."""

    game: Game
    options: Any
    seats: int
    seed: int
    drawn: tuple[Drawn, ...]
    first: State
    told: Events
    steps: tuple[Step, ...]

    @property
    def last(self) -> State:
        """The position at the end of the match."""
        return self.steps[-1].after if self.steps else self.first

    def everyone(self) -> range:
        """Returns the numbers of all seats."""
        return range(1, self.seats + 1)

    def some(self, most: int) -> tuple[Step, ...]:
        """Returns at most `most` steps, evenly spread over the match, including the first and the last."""
        count = len(self.steps)
        if count <= most:
            return self.steps
        return tuple(self.steps[place * (count - 1) // (most - 1)] for place in range(most))

    def luck(self, law: str) -> Chance:
        """Returns a Chance object, which provides random values for the checks of one law."""
        return Seeded(derived(self.seed, law))


def walk(game: Game, options: Any, seats: int, seed: int, most_turns: int) -> Walk:
    """Plays a whole match. Raises Breach if the match cannot be played to its end. Errors of the game are not
    caught."""
    chance, drawn = Seeded(seed), list[Drawn]()
    first, told = game.start(options, seats, Recorded(chance, drawn.append))
    steps = tuple(onward(first, seats, chance, Seeded(derived(seed, "movers")), most_turns))
    return Walk(game, options, seats, seed, tuple(drawn), first, told, steps)


def onward(state: State, seats: int, chance: Chance, movers: Chance, most_turns: int) -> Iterator[Step]:
    """Yields turns of random moves, from a position to the end of the match. Raises Breach if the match does
    not end, or if the parts of a position contradict each other."""
    for turn in count(1):
        acting = _acting(state, seats, turn)
        if not acting:
            return
        if turn > most_turns:
            raise Breach(f"it has not ended after {most_turns} turns", turn)
        moves = {seat: at_random(state, seat, movers) for seat in acting}
        drawn: list[Drawn] = []
        after, told = state.play(moves, Recorded(chance, drawn.append))
        yield Step(turn, state, moves, tuple(drawn), after, told)
        state = after


def _acting(state: State, seats: int, turn: int) -> tuple[int, ...]:
    """Returns the seats that act in this position (`to_act`). Raises Breach if these seats contradict the
    outcome: in a match that is over, no seat acts."""
    acting = state.to_act()
    if acting != tuple(sorted({*acting} & {*range(1, seats + 1)})):
        raise Breach(f"`to_act` gives {acting!r}, not a tuple of different seats in order", turn)
    outcome = state.outcome()
    if acting and outcome is not None:
        raise Breach(f"seats {acting} must act, but there is an outcome: {outcome.reason}", turn)
    if not acting and outcome is None:
        raise Breach("nobody must act, but there is no outcome", turn)
    return acting
