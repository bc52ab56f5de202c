"""Plays the iterated prisoner's dilemma, as in the tournaments of the library Axelrod (see dilemma.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from harness.games import Chance, Event, Events, Game, Malformed, Options, State

MOVES = ("act C", "act D")
SHOWN = 12
"""The text of a position shows at most this number of turns, namely the last turns."""
Turns: TypeAlias = Annotated[
    int, Meta(ge=1, le=10_000, description="the number of turns; both players know it")
]
Points: TypeAlias = Annotated[int, Meta(ge=-1_000, le=1_000)]


class DilemmaOptions(Options, frozen=True):
    """The options: the number of turns, and the points of a turn."""

    turns: Turns = 200
    reward: Annotated[Points, Meta(description="the points of each player if both cooperate")] = 3
    sucker: Annotated[Points, Meta(description="the points of a player if only this player cooperates")] = 0
    temptation: Annotated[Points, Meta(description="the points of a player if only this player defects")] = 5
    punishment: Annotated[Points, Meta(description="the points of each player if both defect")] = 1


class DilemmaState(State, frozen=True):
    """A position: the moves of both players so far, and their points."""

    options: DilemmaOptions
    moves: tuple[str, str] = ("", "")
    points: tuple[int, int] = (0, 0)

    def to_act(self) -> tuple[int, ...]:
        return (1, 2) if len(self.moves[0]) < self.options.turns else ()

    def question(self, seat: int) -> str:
        return "act"

    def legal(self, seat: int) -> tuple[str, ...]:
        return MOVES

    def check(self, seat: int, said: str) -> str | Malformed:
        return said if said in MOVES else Malformed(f"expected `act C` or `act D`, not {said!r}")

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[DilemmaState, Events]:
        one, other = (moves[seat].removeprefix("act ") for seat in (1, 2))
        points = self.points[0] + self._pay(one, other), self.points[1] + self._pay(other, one)
        both = self.moves[0] + one, self.moves[1] + other
        return replace(self, moves=both, points=points), (Event(f"played {one} {other}"),)

    def _pay(self, own: str, other: str) -> int:
        options = self.options
        if own == "C":
            return options.reward if other == "C" else options.sucker
        return options.temptation if other == "C" else options.punishment

    def scores(self) -> tuple[int, ...]:
        return self.points

    def view(self, seat: int) -> tuple[str, ...]:
        said = (f"moves {place} {moves}" for place, moves in enumerate(self.moves, start=1) if moves)
        return (*said, f"points {self.points[0]} {self.points[1]}")

    def text(self, seat: int | None = None) -> str:
        turn = f"turn {len(self.moves[0])} of {self.options.turns}"
        rows = (
            f"seat {place}: {' '.join(moves[-SHOWN:]) or '-'}   ({points} points)"
            for place, (moves, points) in enumerate(zip(self.moves, self.points, strict=True), start=1)
        )
        return "\n".join((turn, *rows))


class Dilemma(Game):
    """The rules of the iterated prisoner's dilemma."""

    name = "dilemma"
    title = "The Prisoner's Dilemma"
    seats = (2, 2)
    options = DilemmaOptions
    secret_chance = False
    brief: ClassVar[dict[str, Any]] = {"turns": 10}

    def start(self, options: DilemmaOptions, seats: int, chance: Chance) -> tuple[DilemmaState, Events]:
        return DilemmaState(options), ()


GAME = Dilemma()
