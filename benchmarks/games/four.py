"""The rules of connect four, the trivial game of the benchmarks."""

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
"""The distance in bits between two neighbours in a row. The extra bit above each column keeps a line from
continuing in the next column."""
BOTTOM = {f"drop {column + 1}": 1 << STRIDE * column for column in range(COLUMNS)}
"""The lowest cell of the column of each move."""
TOP = {move: cell << ROWS - 1 for move, cell in BOTTOM.items()}
ALL_FULL = sum((TOP[move] << 1) - cell for move, cell in BOTTOM.items())


# All events of dropped discs, by seat and move. There are few of them, so they are made here once.
TOLD = tuple({move: (Event(f"dropped {seat} {move[5:]}"),) for move in BOTTOM} for seat in range(3))


class Position(State, frozen=True):
    """The discs of the seat on turn, the discs of the other seat, the number of the seat on turn, and the
    winner. The last two are 0 if there is none.

    Discs are numbers in which each cell of the board is a bit: column after column, each column from its
    lowest cell."""

    own: int = 0
    other: int = 0
    seat: int = 1
    winner: int = 0

    def to_act(self) -> tuple[int, ...]:
        return (self.seat,) if self.seat else ()

    def question(self, seat: int) -> str:
        return "drop"

    def legal(self, seat: int) -> Iterator[str]:
        return (move for move, top in TOP.items() if not (self.own | self.other) & top)

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        if said not in TOP:
            return Malformed(f"`drop COLUMN` is due, with a column from 1 to {COLUMNS}; it said {said!r}")
        return Illegal(f"column {said[5:]} is full") if (self.own | self.other) & TOP[said] else said

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[Position, Events]:
        seat = self.seat
        move = moves[seat]
        filled = self.own | self.other
        # The addition carries up the column to its first free cell.
        disc = filled + BOTTOM[move] & ~filled
        own = self.own | disc
        if own.bit_count() < 4:  # Fewer than four discs make no line.
            return Position(self.other, own, 3 - seat), TOLD[seat][move]
        # A line of four consists of two pairs of neighbours; the second pair is two steps after the first. A
        # step is 1 bit up the column, 7 bits (STRIDE) along the row, and 6 or 8 bits along the diagonals.
        up, across, falling, rising = own & own >> 1, own & own >> 7, own & own >> 6, own & own >> 8
        if up & up >> 2 or across & across >> 14 or falling & falling >> 12 or rising & rising >> 16:
            return Position(own, self.other, 0, seat), TOLD[seat][move]
        return Position(self.other, own, 0 if filled | disc == ALL_FULL else 3 - seat), TOLD[seat][move]

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
        first, second = (self.other, self.own) if 2 in (self.seat, self.winner) else (self.own, self.other)
        return "1" if first >> place & 1 else "2" if second >> place & 1 else "."


class Four(Game):
    """The rules of connect four."""

    name = "four"
    title = "Connect four"
    seats = (2, 2)

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[Position, Events]:
        return Position(), ()


GAME = Four()
