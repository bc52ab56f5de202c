"""Helps Squadron Scramble bots in Python: reads messages and sends answers.

A bot uses only files of its own folder, so each Squadron Scramble bot in Python has a copy of this file. The
bot asks for the state with each question, so it can ignore events.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple

LAID = {"fighters": 15, "bombers": 30}
"""The points of a squadron on the table."""
HELD = {"fighters": 5, "bombers": 10}
"""The points that a player loses for each aircraft that is left in the hand."""


class Kind(NamedTuple):
    """The kind of an aircraft: its alliance ("allies" or "axis") and its category ("fighters" or
    "bombers")."""

    alliance: str
    category: str


class Squadron(NamedTuple):
    """Three cards on a table, aircraft first."""

    owner: int
    captured: bool
    cards: tuple[str, ...]


class Lay(NamedTuple):
    """Three cards to lay, and the squadron that they attack; None if they attack no squadron."""

    cards: Sequence[str]
    target: Squadron | None = None


class Act(NamedTuple):
    """The squadrons to lay, and the card to return; "" if the bot returns no card."""

    lays: Sequence[Lay]
    back: str


class Table:
    """A battle as one seat sees it. `hear` reads each line of the state."""

    def __init__(self, seat: int, kinds: dict[str, Kind]) -> None:
        self.seat = seat
        self.kinds = kinds  # by type of aircraft
        self.hand: list[str] = []
        self.deck = 0  # its number of cards
        self.stack: list[str] = []  # the top card first
        self.sizes: dict[int, int] = {}  # the size of each hand, by seat, for players still in the war
        self.squadrons: list[Squadron] = []  # on all tables

    def hear(self, words: list[str]) -> None:
        """Reads one line, and ignores lines that these bots do not use."""
        match words:
            case ["battle", _]:
                self.sizes, self.squadrons = {}, []
            case ["deck", count]:
                self.deck = int(count)
            case ["stack", *cards]:
                self.stack = cards
            case ["holds", seat, size, *_]:
                self.sizes[int(seat)] = int(size)
            case ["table", owner, how, *cards]:
                self.squadrons.append(Squadron(int(owner), how == "captured", tuple(cards)))
            case ["hand", *cards]:
                self.hand = cards

    def type(self, card: str) -> str:
        """The type of this aircraft; "" for a wild card."""
        code = card.partition(".")[0]
        return code if code in self.kinds else ""

    def kind(self, cards: Iterable[str]) -> Kind:
        """The kind of the aircraft among these cards."""
        return next(self.kinds[code] for code in map(self.type, cards) if code)

    def targets(self, kind: Kind) -> list[Squadron]:
        """The squadrons that a squadron of this kind may attack."""
        if kind.category != "fighters":
            return []
        prey = Kind("axis" if kind.alliance == "allies" else "allies", "bombers")
        others = [each for each in self.squadrons if each.owner != self.seat and not each.captured]
        return [each for each in others if self.kind(each.cards) == prey]


def converse(take: Callable[[Table, Random], int], act: Callable[[Table, Random], Act]) -> None:
    """Plays match after match until the harness says `bye`.

    `take` returns the number of cards to take from the stack, or 0 for the deck; `act` returns the act. Both
    get random numbers from the seed of the match, so a match can be repeated.
    """
    kinds: dict[str, Kind] = {}
    table, random = Table(1, kinds), Random(1)
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["hello", *_]:
                say("hello 1 state")
            case ["option", name, *types] if name.endswith(("-fighters", "-bombers")):
                alliance, _, category = name.partition("-")
                kinds.update(dict.fromkeys(types, Kind(alliance, category)))
            case ["new", _, seat, _, seed]:
                table, random = Table(int(seat), kinds), Random(int(seed))
                say("ready")
            case ["state", *rest]:
                table.hear(rest)
            case ["take", *_]:
                count = take(table, random)
                say(f"take stack {count}" if count else "take deck")
            case ["act", *_]:
                say(said(act(table, random)))
            case ["bye"]:
                return


def said(act: Act) -> str:
    """The line that answers the question `act`."""
    words = ["act"]
    for cards, target in act.lays:
        words += ["lay", *cards, *(["attack", target.cards[0]] if target else [])]
    return " ".join([*words, *(["return", act.back] if act.back else [])])


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)
