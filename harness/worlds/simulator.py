"""Plays a game inside a Python program, without processes and clocks, for training and search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from harness.chance import Chance, Seeded, bot_seed, derived
from harness.errors import InputError
from harness.games import Events, Game, State, find
from harness.model import Limits, Number, Outcome
from harness.protocol.function_bot import FunctionTurn

MOST_LEGAL = 256
"""The maximum number of legal moves in a list. If there are more moves, the list is a random sample of them,
as in the lists that bots get."""


class Simulator:
    """A simulator that plays one match of a game at a time. Seats are numbered from 1.

    seat      the seat that acts now; None when the match is over
    outcome   ranks, scores and the reason when the match is over, or else None
    state     the position itself, with everything that is hidden; never show it to the player that you train
    """

    def __init__(self, game: Game, options: Any, seats: int) -> None:
        self.game = game
        self.options = options
        self.seats = seats
        told = (line.partition(" ") for line in game.announce(options))
        self._options = {name: value for name, _, value in told}
        self._match = 0
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begins a new match. The same seed and the same moves give the same match."""
        self._seed = seed
        self._match += 1
        self._chance: Chance = Seeded(seed)
        self._luck: Chance = Seeded(derived(seed, "samples"))
        self._heard: list[list[str]] = [[] for _ in range(self.seats)]
        self._moves: dict[int, str] = {}
        state, told = self.game.start(self.options, self.seats, self._chance)
        self._next(state, told)

    def _next(self, state: State, told: Events) -> None:
        self.state = state
        for event in told:
            for seat in event.to or range(1, self.seats + 1):
                self._heard[seat - 1].append(event.line)
        self._waiting = [*state.to_act()]
        self._moves = {}

    @property
    def seat(self) -> int | None:
        """The seat that acts now. Seats that act at the same time come one after another. None of these seats
        receives an event before all of them have moved."""
        return self._waiting[0] if self._waiting else None

    @property
    def outcome(self) -> Outcome | None:
        """The ranks, the scores and the reason when the match is over; before that, None."""
        return self.state.outcome()

    @property
    def scores(self) -> tuple[Number, ...]:
        """The present score of each seat. The reward of a step is the change of the score."""
        return tuple(self.state.scores())

    def heard(self, seat: int) -> list[str]:
        """Returns the lines that this seat has received since the last call. A bot in this seat would read
        the same lines."""
        lines, self._heard[seat - 1] = self._heard[seat - 1], []
        return lines

    def view(self, seat: int) -> tuple[str, ...]:
        """Returns everything that this seat may know about the position, as lines."""
        return self.state.view(seat)

    def question(self) -> str:
        """Returns the question to the seat that acts now."""
        return self.state.question(self._acting())

    def legal(self) -> list[str]:
        """Returns the legal moves of the seat that acts now. Returns a sample of these moves if there are
        more than 256, or too many to list."""
        seat, moves = self._acting(), list[str]()
        if self.state.complete(seat):
            for move in self.state.legal(seat):
                moves.append(move)
                if len(moves) > MOST_LEGAL:
                    break
            else:
                return moves
        return list(self.state.some(seat, MOST_LEGAL, self._luck, "legal"))

    def turn(self) -> FunctionTurn:
        """Returns a FunctionTurn for the seat that acts now. The turn has the usual time limit. In a
        tournament, a bot that is a function would get the same turn. The `heard` of the turn has the lines
        that the seat has received since the last call of this method or of `heard`."""
        seat = self._acting()
        seed = bot_seed(self._seed, seat)
        told = (self.legal(), [*self.view(seat)], self.heard(seat))
        return FunctionTurn(*told, seat, self.seats, seed, self._match, self._options, Limits().move_ms, -1)

    def step(self, move: str) -> None:
        """Plays a move of the seat that acts now. Raises ValueError, with the reason, if the move is not
        legal."""
        seat = self._acting()
        verdict = self.state.check(seat, move)
        if not isinstance(verdict, str):
            raise ValueError(f"seat {seat}: {verdict.reason}")
        self._moves[seat] = verdict
        del self._waiting[0]
        if not self._waiting:
            self._next(*self.state.play(self._moves, self._chance))

    def _acting(self) -> int:
        if not self._waiting:
            raise ValueError("the match is over; `reset` begins another match")
        return self._waiting[0]


def env(
    game: str, seats: int | None = None, options: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()
) -> Simulator:
    """Returns a simulator of this game, for the training of programs. The simulator uses the same rules as a
    tournament. Defaults are in brackets.

    game     the name of a game, or the path of its file or folder
    seats    the number of seats [the smallest number that the game and its options allow]
    options  the options of the game, as the table [options] of a plan

    `env.reset(seed)` begins a match. While `env.seat` is not None, `env.heard(seat)` has the new lines for
    this seat, `env.legal()` has its moves, and `env.step(move)` plays one of them. When the match is over,
    `env.outcome` has ranks and scores.

    Raises InputError if there is no such game, or if the game cannot be played with these options and seats.
    """
    rules = find(game)
    try:
        chosen = msgspec.convert(dict(options), rules.options).settled(Path())
    except msgspec.ValidationError as error:
        raise InputError(f"options: {error}", rules.name) from None
    fewest, most = rules.seats
    possible = [number for number in range(fewest, most + 1) if not rules.unfit(chosen, number)]
    table = seats if seats is not None else (possible or [fewest])[0]
    if not fewest <= table <= most:
        raise InputError(f"{rules.name} has from {fewest} to {most} seats, not {table}", "seats")
    if reason := rules.unfit(chosen, table):
        raise InputError(reason, "seats")
    return Simulator(rules, chosen, table)
