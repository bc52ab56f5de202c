"""Owns the rules of connect four, the trivial game of the benchmarks; knows no bot, no clock and no log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness.chance import Chance
from harness.events import Event
from harness.games import Events, Game, State
from harness.model import Illegal, Malformed, Outcome, ranks

COLUMNS = 7
ROWS = 6
STRIDE = ROWS + 1
"""Bits from a cell to the next in its row: a bit over each column keeps lines from going round the edge."""
DIRECTIONS = (1, STRIDE, STRIDE - 1, STRIDE + 1)
ALL_FULL = sum(((1 << ROWS) - 1) << STRIDE * column for column in range(COLUMNS))
MOVES = {f"drop {column + 1}": STRIDE * column for column in range(COLUMNS)}
"""Each move, and the bit of the lowest cell of its column."""


class Position(State, frozen=True):
    """The discs of each seat (a bit for a cell, from below, column after column); who is on turn, if any."""

    discs: tuple[int, int] = (0, 0)
    seat: int = 1
    winner: int = 0

    def to_act(self) -> tuple[int, ...]:
        return (self.seat,) if self.seat else ()

    def question(self, seat: int) -> str:
        return "drop"

    def legal(self, seat: int) -> Iterator[str]:
        return (move for move in MOVES if not self._full(move))

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        if said not in MOVES:
            return Malformed(f"`drop COLUMN` is due, with a column from 1 to {COLUMNS}; it said {said!r}")
        return Illegal(f"column {said[5:]} is full") if self._full(said) else said

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Position, Events]:
        seat, (first, second) = self.seat, self.discs
        move = moves[seat]
        filled = first | second
        # The carry runs up the column to its first free cell.
        disc = (filled + (1 << MOVES[move])) & ~filled
        discs = (first | disc, second) if seat == 1 else (first, second | disc)
        told = (Event(f"dropped {seat} {move[5:]}"),)
        if _connected(discs[seat - 1]):
            return Position(discs, 0, seat), told
        return Position(discs, 0 if filled | disc == ALL_FULL else 3 - seat), told

    def scores(self) -> tuple[int, ...]:
        return (int(self.winner == 1), int(self.winner == 2))

    def outcome(self) -> Outcome | None:
        if self.seat:
            return None
        reason = f"seat {self.winner} connected four" if self.winner else "the board is full"
        return Outcome(ranks(self.scores()), self.scores(), reason)

    def view(self, seat: int) -> tuple[str, ...]:
        return tuple(f"row {row}" for row in self.text().splitlines())

    def text(self, seat: int | None = None) -> str:
        return "\n".join(
            "".join(self._cell(STRIDE * column + row) for column in range(COLUMNS))
            for row in reversed(range(ROWS))
        )

    def _cell(self, place: int) -> str:
        first, second = self.discs
        return "1" if first >> place & 1 else "2" if second >> place & 1 else "."

    def _full(self, move: str) -> bool:
        return bool((self.discs[0] | self.discs[1]) >> MOVES[move] + ROWS - 1 & 1)


def _connected(discs: int) -> bool:
    """Whether four of these discs stand in a line."""
    for step in DIRECTIONS:
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class Four(Game):
    """The rules of connect four."""

    name = "four"
    title = "Connect four"
    seats = (2, 2)

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Position, Events]:
        return Position(), ()


GAME = Four()
