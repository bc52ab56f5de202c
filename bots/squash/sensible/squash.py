"""Everything an Evil Squash bot in Python needs except ideas: it reads messages, keeps the board, answers.

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
        self.off_board = False  # whether a bounce throw sends the marker that it hits off the board

    def hear(self, words: list[str]) -> None:
        """Reads one option; ignores those that change no choice."""
        match words:
            case ["board", squares, _]:
                self.last = int(squares)
            case ["arrow", base, to]:
                self.arrows[int(base)] = int(to)
            case ["bounce_squash", where]:
                self.off_board = where == "off-board"

    def throws(self, square: int) -> list[int]:
        """Where each throw leads from this square; the last square is the limit."""
        return [min(self.arrows.get(square + die, square + die), self.last) for die in range(1, 7)]


class Hit(NamedTuple):
    """The seat that was hit, the square where it was, and the square that our marker came from."""

    victim: int
    square: int
    left: int


class Table:
    """One match as one seat sees it. `hear` takes each line about what happened."""

    def __init__(self, rules: Rules, seat: int, seats: int) -> None:
        self.rules = rules
        self.seat = seat
        self.squares = dict.fromkeys(range(1, seats + 1), 0)
        self.hand: dict[str, int] | None = None  # its cards of each kind; None in the basic game

    def hear(self, words: list[str]) -> None:
        """Reads one event; ignores lines that change nothing here."""
        match words:
            case ["at", seat, square]:
                self.squares[int(seat)] = int(square)
            case ["hand", bounces, squashes]:
                self.hand = {"bounce": int(bounces), "squash": int(squashes)}
            case ["bounce" | "squash" as kind, seat, _] if self.hand and int(seat) == self.seat:
                self.hand[kind] -= 1


def converse(choose: Callable[[Table, Hit, Random], str]) -> None:
    """Plays match after match until the harness says `bye`. `choose` says "bounce" or "squash"; its random
    numbers come from the seed of each match, so that a match can be played again."""
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
                rules = Rules()  # the next match sends its own
                say("ready")
            case ["land", _, _, *hit]:
                say(f"land {choose(table, Hit(*map(int, hit)), random)}")
            case ["bye"]:
                return
            case _:
                table.hear(words)


def say(line: str) -> None:
    """Sends a line. Without the flush it stays in a buffer, and the harness does not get it."""
    print(line, flush=True)
