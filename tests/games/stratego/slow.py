"""Stratego written a second time, slowly and from the rules alone; it shares no code with the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

Square: TypeAlias = tuple[int, int]

STRENGTH = {"1": 9, "2": 8, "3": 7, "4": 6, "5": 5, "6": 4, "7": 3, "8": 2, "9": 1, "S": 0}
ALL_SQUARES = [(row, column) for row in range(1, 11) for column in range(1, 11)]


class Slow(NamedTuple):
    """A position: the pieces as (square, seat, sign), the left columns of the zones, the side to move, both
    caps, all plies so far, the plies since the last collision, and how the match ended ("" if it goes on)."""

    pieces: frozenset[tuple[Square, int, str]]
    zones: Square
    mover: int
    caps: Square
    plies: int = 0
    quiet: int = 0
    ended: str = ""

    def at(self, square: Square) -> tuple[int, str] | None:
        """The seat and the sign of the piece on this square."""
        return next(((seat, sign) for place, seat, sign in self.pieces if place == square), None)

    def open_square(self, square: Square) -> bool:
        """Whether this square is on the board and in no zone."""
        row, column = square
        in_zone = row in (5, 6) and any(column - left in (0, 1) for left in self.zones)
        return 1 <= row <= 10 and 1 <= column <= 10 and not in_zone

    def may(self, start: Square, end: Square) -> bool:
        """Whether the side to move may go from `start` to `end`: the rules for one pair of squares."""
        up, right = end[0] - start[0], end[1] - start[1]
        if (up == 0) == (right == 0):
            return False
        own, other = self.at(start), self.at(end)
        length = max(abs(up), abs(right))
        if own is None or own[0] != self.mover or own[1] in "FB" or (length > 1 and own[1] != "9"):
            return False
        if not self.open_square(end) or (other is not None and other[0] == self.mover):
            return False
        between = [(start[0] + up * n // length, start[1] + right * n // length) for n in range(1, length)]
        return all(self.open_square(square) and self.at(square) is None for square in between)

    def moves(self) -> tuple[tuple[Square, Square], ...]:
        """All legal moves of the side to move."""
        return moves_of(self)

    def moved(self, start: Square, end: Square) -> Slow:
        """The position after one ply, with `ended` set if this ply ends the match."""
        [own] = [piece for piece in self.pieces if piece[0] == start]
        rest, met = self.pieces - {own}, self.at(end)
        quiet, flag = self.quiet + 1, False
        arrives = {(end, own[1], own[2])}
        if met is not None:
            quiet, flag = 0, met[1] == "F"
            rest -= {(end, *met)}
            arrives = {(end, *piece) for piece in survivors((own[1], own[2]), met)}
        position = Slow(rest | arrives, self.zones, 3 - self.mover, self.caps, self.plies + 1, quiet)
        return position._replace(ended=f"{self.mover} has the Flag" if flag else position.end())

    def end(self) -> str:
        """How the match has ended, if no Flag was taken; "" if it goes on."""
        if not self.moves():
            return f"{self.mover} cannot move"
        if self.quiet >= self.caps[0]:
            return "quiet"
        return "plies" if self.plies >= self.caps[1] else ""

    def unforced(self) -> Slow:
        """The position after all forced moves, which nobody is asked for."""
        position = self
        while not position.ended and len(position.moves()) == 1:
            position = position.moved(*position.moves()[0])
        return position

    def leaves(self, depth: int) -> Counter[str]:
        """The number of lines of play with `depth` questions, by how they end ("" if they go on)."""
        if depth == 0 or self.ended:
            return Counter([self.ended])
        counts: Counter[str] = Counter()
        for move in self.moves():
            counts += self.moved(*move).unforced().leaves(depth - 1)
        return counts


@cache
def moves_of(position: Slow) -> tuple[tuple[Square, Square], ...]:
    """All legal moves, found by a check of every pair of squares."""
    starts = sorted(place for place, seat, _ in position.pieces if seat == position.mover)
    return tuple((start, end) for start in starts for end in ALL_SQUARES if position.may(start, end))


def survivors(attacker: tuple[int, str], defender: tuple[int, str]) -> Iterator[tuple[int, str]]:
    """The piece that is left after a collision, if any."""
    one, other = attacker[1], defender[1]
    if other == "F":
        yield attacker
    elif other == "B":
        yield from [attacker] if one == "8" else []
    elif (one, other) == ("S", "1"):
        yield attacker
    elif STRENGTH[one] != STRENGTH[other]:
        yield attacker if STRENGTH[one] > STRENGTH[other] else defender
