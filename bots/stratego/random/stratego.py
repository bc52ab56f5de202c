"""Helps Stratego bots in Python: reads messages, records the board, finds legal moves, sends answers.

A bot uses only files of its own folder, so each Stratego bot in Python has a copy of this file. The bot does
not ask the harness for legal moves, because this file finds them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple, TypeAlias

Square: TypeAlias = tuple[int, int]
"""A row and a column, each from 1 to 10."""

MOST = dict(zip("123456789SFB", (1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 1, 6), strict=True))
"""The number of each piece in an army: digits are ranks (a lower digit is stronger), then Spy, Flag,
Bombs."""
ARMY = "".join(sign * most for sign, most in MOST.items())
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Move(NamedTuple):
    """A move of a piece from one square to another."""

    start: Square
    end: Square


class Attack(NamedTuple):
    """The square where a move ended, whether the move was ours, and whether the attack can reveal a hidden
    enemy."""

    square: Square
    ours: bool
    hidden: bool


class Board:
    """One match as one seat sees it. `hear` reads each event."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.own: dict[Square, str] = {}
        self.enemy: dict[Square, str] = {}  # "?" for a piece that we have not seen
        self.moved: set[Square] = set()  # enemies that have moved: they are no Flag and no Bomb
        self.unseen = Counter(ARMY)  # what the enemy's hidden pieces can be
        self.zones: set[Square] = set()
        self.rows = range(1, 5) if seat == 1 else range(10, 6, -1)  # for the set-up, back row first
        self.attack = Attack((0, 0), True, False)

    def hear(self, words: list[str]) -> None:
        """Reads one event, and ignores lines that are not about the board."""
        match words:
            case ["zones", *columns]:
                for left in map(int, columns):
                    self.zones |= {(row, column) for row in (5, 6) for column in (left, left + 1)}
            case ["army", seat, *rows]:
                army = self.own if int(seat) == self.seat else self.enemy
                for row, squares in (word.split(":") for word in rows):
                    signs = enumerate(squares, start=1)
                    army.update({(int(row), column): sign for column, sign in signs if sign != "."})
            case ["marched", seat, row, column, to_row, to_column]:
                move = Move((int(row), int(column)), (int(to_row), int(to_column)))
                self.march(move, int(seat) == self.seat)
            case ["collision", attacker, defender, left]:
                self.collide(attacker, defender, int(left))

    def march(self, move: Move, ours: bool) -> None:
        """Makes a move. After an attack both pieces are off the board until an event says which piece is
        left."""
        start, end = move
        movers, others = (self.own, self.enemy) if ours else (self.enemy, self.own)
        sign, met = movers.pop(start), others.pop(end, "")
        if not ours:
            self.moved.discard(start)
            self.moved.add(end)
            if sign == "?" and abs(start[0] - end[0]) + abs(start[1] - end[1]) > 1:
                sign = "9"  # only a Scout goes this far
                self.unseen[sign] -= 1
        self.attack = Attack(end, ours, "?" in (sign, met))
        if not met:
            movers[end] = sign

    def collide(self, attacker: str, defender: str, left: int) -> None:
        """Ends an attack: the piece of the seat `left` is now on the square; 0 means that no piece is
        left."""
        square, ours, hidden = self.attack
        own, enemy = (attacker, defender) if ours else (defender, attacker)
        self.unseen[enemy] -= hidden
        if left == self.seat:
            self.own[square] = own
        elif left:
            self.enemy[square] = enemy
        if left != 3 - self.seat:
            self.moved.discard(square)

    def moves(self) -> list[Move]:
        """Every legal move."""
        return [Move(start, end) for start, sign in self.own.items() for end in self.reach(start, sign)]

    def reach(self, start: Square, sign: str) -> Iterator[Square]:
        """The squares that our piece may go to."""
        for down, right in STEPS if sign not in "FB" else ():
            end = start
            while True:
                end = (end[0] + down, end[1] + right)
                if not (1 <= end[0] <= 10 and 1 <= end[1] <= 10) or end in self.zones or end in self.own:
                    break
                yield end
                if sign != "9" or end in self.enemy:
                    break


SetUp: TypeAlias = Callable[[Board, Random], dict[Square, str]]
Choose: TypeAlias = Callable[[Board, Random], Move]


def converse(set_up: SetUp, choose: Choose) -> None:
    """Plays match after match until the harness says `bye`. Random numbers come from the seed of the match,
    so a match can be repeated."""
    board, random = Board(1), Random(1)
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                say("hello 1")
            case ["new", _, seat, _, seed]:
                board, random = Board(int(seat)), Random(int(seed))
                say("ready")
            case ["setup", *_]:
                army = set_up(board, random)
                squares = {
                    row: "".join(army.get((row, column), ".") for column in range(1, 11))
                    for row in board.rows
                }
                say(" ".join(["setup", *(f"{row}:{signs}" for row, signs in squares.items())]))
            case ["march", *_]:
                (row, column), (to_row, to_column) = choose(board, random)
                say(f"march {row} {column} {to_row} {to_column}")
            case ["bye"]:
                return
            case _:
                board.hear(words)


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)
