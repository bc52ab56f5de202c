"""Owns one random match as a chain of positions, for the laws to look at; knows no referee and no law."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from harness.chance import Chance, Recorded, Seeded, derived
from harness.events import Chance as Chanced
from harness.games import Events, Game, State
from harness.testing.playing import at_random


class Breach(Exception):
    """A law does not hold: the reason in plain words, and the turn where it shows (0: the deal)."""

    def __init__(self, reason: str, turn: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.turn = turn


class Step(NamedTuple):
    """One turn: where it began, what was played, what chance yielded, where it led, what was told."""

    turn: int
    state: State
    moves: Mapping[int, str]
    drawn: tuple[Chanced, ...]
    after: State
    told: Events


class Walk(NamedTuple):
    """A match of random movers from its deal to its end; decided by the seed."""

    game: Game
    options: Any
    seats: int
    seed: int
    drawn: tuple[Chanced, ...]
    first: State
    told: Events
    steps: tuple[Step, ...]

    @property
    def last(self) -> State:
        """The position when all is over."""
        return self.steps[-1].after if self.steps else self.first

    def everyone(self) -> range:
        """All seats."""
        return range(1, self.seats + 1)

    def some(self, most: int) -> tuple[Step, ...]:
        """At most so many steps, evenly spread, the first and the last among them."""
        count = len(self.steps)
        if count <= most:
            return self.steps
        return tuple(self.steps[place * (count - 1) // (most - 1)] for place in range(most))

    def luck(self, law: str) -> Chance:
        """Chance for the eyes of one law."""
        return Seeded(derived(self.seed, law))


def walk(game: Game, options: Any, seats: int, seed: int, most_turns: int) -> Walk:
    """A whole match. Raises Breach where nobody could play it, and whatever the game raises."""
    chance, drawn = Seeded(seed), list[Chanced]()
    first, told = game.start(options, seats, Recorded(chance, drawn.append))
    steps = tuple(onward(first, seats, chance, Seeded(derived(seed, "movers")), most_turns))
    return Walk(game, options, seats, seed, tuple(drawn), first, told, steps)


def onward(state: State, seats: int, chance: Chance, movers: Chance, most_turns: int) -> Iterator[Step]:
    """The turns of random movers from a position to the end of the match. Raises Breach."""
    for turn in count(1):
        acting = _acting(state, seats, turn)
        if not acting:
            return
        if turn > most_turns:
            raise Breach(f"it has not ended after {most_turns} turns", turn)
        moves = {seat: at_random(state, seat, movers) for seat in acting}
        drawn: list[Chanced] = []
        after, told = state.play(moves, Recorded(chance, drawn.append))
        yield Step(turn, state, moves, tuple(drawn), after, told)
        state = after


def _acting(state: State, seats: int, turn: int) -> tuple[int, ...]:
    """The seats to act, if position and outcome agree with them."""
    acting = state.to_act()
    if acting != tuple(sorted({*acting} & {*range(1, seats + 1)})):
        raise Breach(f"to_act gives {acting!r}, which is no tuple of different seats in order", turn)
    outcome = state.outcome()
    if acting and outcome is not None:
        raise Breach(f"seats {acting} are to act, but there is an outcome: {outcome.reason}", turn)
    if not acting and outcome is None:
        raise Breach("nobody is to act, but there is no outcome", turn)
    return acting
