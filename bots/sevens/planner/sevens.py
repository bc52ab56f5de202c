"""Helps Sevens bots in Python: reads messages, records the cards, finds legal moves, sends answers.

A bot uses only files of its own folder, so each Sevens bot here has a copy of this file. The bot does not ask
the harness for legal moves, because this file finds them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import NamedTuple

SYMBOLS = "A23456789TJQK"
SUITS = "CDHS"
RED = "DH"


class Move(NamedTuple):
    """A card, the value chosen for it, and the points that the player claims."""

    card: str
    value: int
    claim: int


class Played(NamedTuple):
    """A card on the table and the seat that played it; seat 0 is the dealer."""

    seat: int
    card: str
    value: int


class Table:
    """One match as one seat sees it. `hear` reads each event."""

    def __init__(self, seat: int, seats: int) -> None:
        self.seat = seat
        self.seats = seats
        self.values: dict[str, tuple[int, ...]] = {}  # by symbol, without equal values
        self.rewards: dict[str, int] = {}  # for "div", "digit" and "both"
        self.hand: list[str] = []
        self.played: list[Played] = []
        self.total = 0

    def hear(self, words: list[str]) -> None:
        """Reads one event, and ignores lines that are not about the cards."""
        match words:
            case ["value", symbol, first, second]:
                self.values[symbol] = tuple(sorted({int(first), int(second)}))
            case ["reward", kind, points]:
                self.rewards[kind] = int(points)
            case ["hand", *cards]:
                self.hand = cards
            case ["table", card, value]:
                self.put(0, card, int(value))
            case ["played", seat, card, value, _]:
                self.put(int(seat), card, int(value))

    def put(self, seat: int, card: str, value: int) -> None:
        """Puts a card on the table."""
        self.played.append(Played(seat, card, value))
        self.total += value
        if seat == self.seat:
            self.hand.remove(card)

    def reward(self, total: int) -> int:
        """The reward for a move that makes this total."""
        seven = "7" in str(total)
        if total % 7 == 0:
            return self.rewards["both" if seven else "div"]
        return self.rewards["digit"] if seven else 0

    def playable(self) -> list[str]:
        """The cards of the hand that the bot may play: cards of another colour than the last card; if there
        are none, cards of another suit; if there are none, all cards."""
        last = self.played[-1].card[1]
        return (
            [card for card in self.hand if (card[1] in RED) != (last in RED)]
            or [card for card in self.hand if card[1] != last]
            or self.hand
        )

    def moves(self) -> list[Move]:
        """Every legal move, with the right claim."""
        return [
            Move(card, value, self.reward(self.total + value))
            for card in self.playable()
            for value in self.values[card[0]]
        ]


def converse(choose: Callable[[Table, Random], Move]) -> None:
    """Plays match after match until the harness says `bye`. `choose` picks a move. It gets random numbers
    from the seed of the match, so a match can be repeated."""
    table, random = Table(1, 2), Random(1)
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                say("hello 1")
            case ["new", _, seat, seats, seed]:
                table, random = Table(int(seat), int(seats)), Random(int(seed))
                say("ready")
            case ["play", *_]:
                move = choose(table, random)
                say(f"play {move.card} {move.value} {move.claim}")
            case ["bye"]:
                return
            case _:
                table.hear(words)


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)
