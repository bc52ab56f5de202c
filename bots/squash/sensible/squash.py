"""Helps Evil Squash bots in Python: reads messages, records the positions, sends answers.

A bot uses only files of its own folder, so each Evil Squash bot here has a copy of this file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import NamedTuple


class Rules:
    """The rules of a match, from its options."""

    def __init__(self) -> None:
        self.last = 64
        self.arrows: dict[int, int] = {}
        self.off_board = False  # whether a marker hit by a bounce throw leaves the board

    def hear(self, words: list[str]) -> None:
        """Reads one option, and ignores options that do not matter for a choice."""
        match words:
            case ["board", squares, _]:
                self.last = int(squares)
            case ["arrow", base, to]:
                self.arrows[int(base)] = int(to)
            case ["bounce_squash", where]:
                self.off_board = where == "off-board"

    def throws(self, square: int) -> list[int]:
        """The squares where the throws 1 to 6 lead from this square. No throw leads beyond the last
        square."""
        return [min(self.arrows.get(square + die, square + die), self.last) for die in range(1, 7)]


class Hit(NamedTuple):
    """A hit: the seat that was hit, the square of its marker, and the square that our marker came from."""

    victim: int
    square: int
    left: int


class Table:
    """One match as one seat sees it. `hear` reads each event."""

    def __init__(self, rules: Rules, seat: int, seats: int) -> None:
        self.rules = rules
        self.seat = seat
        self.squares = dict.fromkeys(range(1, seats + 1), 0)
        self.hand: dict[str, int] | None = None  # number of cards by kind; None in the basic game

    def hear(self, words: list[str]) -> None:
        """Reads one event, and ignores lines that change nothing here."""
        match words:
            case ["at", seat, square]:
                self.squares[int(seat)] = int(square)
            case ["hand", bounces, squashes]:
                self.hand = {"bounce": int(bounces), "squash": int(squashes)}
            case ["bounce" | "squash" as kind, seat, _] if self.hand and int(seat) == self.seat:
                self.hand[kind] -= 1


def converse(choose: Callable[[Table, Hit, Random], str]) -> None:
    """Plays match after match until the harness says `bye`. `choose` returns "bounce" or "squash". It gets
    random numbers from the seed of the match, so a match can be repeated."""
    rules = Rules()
    table, random = Table(rules, 1, 2), Random(1)
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                say("hello 1")
            case ["option", *option]:
                rules.hear(option)
            case ["new", _, seat, seats, seed]:
                table, random = Table(rules, int(seat), int(seats)), Random(int(seed))
                rules = Rules()  # the next match sends its own options
                say("ready")
            case ["land", _, _, *hit]:
                say(f"land {choose(table, Hit(*map(int, hit)), random)}")
            case ["bye"]:
                return
            case _:
                table.hear(words)


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)
