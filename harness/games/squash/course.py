"""Plays Evil Squash from one choice to the next: throws, arrows, bounces, squashes and cards."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from harness.games import Chance, Event, Events
from harness.games.squash.board import Leads

T = TypeVar("T")

SIDES = 6
KINDS = ("bounce", "squash")


class CardCounts(NamedTuple):
    """The number of cards of each kind."""

    bounce: int = 0
    squash: int = 0

    def kinds(self) -> tuple[str, ...]:
        """The kinds with at least one card."""
        return tuple([kind for kind, count in zip(KINDS, self, strict=True) if count])

    def plus(self, kind: str, count: int) -> CardCounts:
        """The counts with `count` more cards of this kind."""
        return CardCounts(self.bounce + count * (kind == "bounce"), self.squash + count * (kind == "squash"))


class SquashRules(NamedTuple):
    """The rules of one match: where each square leads, the script of the dice (empty: chance), the maximum of
    turns, and whether a bounce throw squashes off the board."""

    leads: Leads
    script: tuple[int, ...]
    turns: int
    off_board: bool


class SquashTable(msgspec.Struct, frozen=True, gc=False):
    """The situation: squares and cards by seat (no cards in the basic game), and the seat on turn.

    `dice` are all throws of the match; `earlier` is the number of throws before this turn. The last throw led
    to the square `to`. `over` says why the match ended, if it did.
    """

    squares: tuple[int, ...]
    hands: tuple[CardCounts, ...]
    played: tuple[CardCounts, ...]
    seat: int = 1
    turn: int = 1
    dice: tuple[int, ...] = ()
    earlier: int = 0
    to: int = 0
    over: str = ""

    def landing(self) -> tuple[int, int, int]:
        """The seat that the last throw hit, on which square, and the square that the mover leaves."""
        return self.squares.index(self.to) + 1, self.to, self.squares[self.seat - 1]

    def thrown(self) -> str:
        """The line that tells the last throw."""
        return f"throw {self.seat} {self.dice[-1]} {self.to}"


class SquashCourse:
    """A match in progress: the table now, and the events since the last choice."""

    def __init__(self, table: SquashTable, rules: SquashRules, chance: Chance) -> None:
        self.table = table
        self._rules = rules
        self._chance = chance
        self._told: list[Event] = []

    def on(self) -> tuple[SquashTable, Events]:
        """Throws until a seat has a choice or the match is over; returns the table then, and the events."""
        while not self.table.over and not self._throw_freely():
            pass
        return self.table, tuple(self._told)

    def land(self, kind: str) -> None:
        """The seat on turn bounces on or squashes the seat that its free throw hit."""
        victim, _, left = self.table.landing()
        if kind == "bounce":
            self._bounce(victim)
        else:
            self._squash(victim, left)

    def _throw_freely(self) -> bool:
        """Throws from the marker's square; True if the seat then has a choice."""
        table = self.table
        if not self._throw(table.squares[table.seat - 1]):
            self._rest()
            return False
        kinds = self._kinds()
        if len(kinds) == 1:
            self.land(kinds[0])
        elif not kinds:
            self._stay()
        return len(kinds) > 1

    def _bounce(self, victim: int) -> None:
        self._act("bounce", victim)
        other = self._throw(self.table.to)
        if not other:
            self._rest()
        elif "squash" in self._kinds():
            self._squash(other, 0 if self._rules.off_board else self._left())
        else:
            self._stay()

    def _squash(self, victim: int, onto: int) -> None:
        """The mover takes the square, and the victim goes to the square `onto`."""
        self._act("squash", victim)
        self._put(self.table.seat, self.table.to)
        self._put(victim, onto)
        self._end_turn()

    def _stay(self) -> None:
        self._tell(f"stay {self.table.seat}")
        self._end_turn()

    def _rest(self) -> None:
        """The marker ends on an empty square. A six there gives another throw."""
        table, most = self.table, self._rules.turns
        self._put(table.seat, table.to)
        if table.to == self._rules.leads[-1]:
            self._end(f"seat {table.seat} reached square {table.to}")
        elif table.dice[-1] < SIDES:
            self._end_turn()
        elif len(table.dice) - table.earlier >= most:
            self._end(f"throw {most} of one turn was the last")

    def _end_turn(self) -> None:
        table = self.table
        if table.turn >= self._rules.turns:
            self._end(f"turn {table.turn} was the last")
        else:
            seat = table.seat % len(table.squares) + 1
            self.table = replace(table, seat=seat, turn=table.turn + 1, earlier=len(table.dice))

    # -- small steps

    def _throw(self, start: int) -> int:
        """Throws from this square; returns the seat whose marker is where that leads (0: nobody's)."""
        table, script, throw = self.table, self._rules.script, len(self.table.dice)
        die = script[throw % len(script)] if script else self._chance.roll(f"throw {throw + 1}", SIDES)
        self.table = replace(table, dice=(*table.dice, die), to=self._rules.leads[start + die])
        self._tell(self.table.thrown())
        return self._there()

    def _there(self) -> int:
        for seat, square in enumerate(self.table.squares, start=1):
            if square == self.table.to and seat != self.table.seat:
                return seat
        return 0

    def _left(self) -> int:
        return self.table.squares[self.table.seat - 1]

    def _kinds(self) -> tuple[str, ...]:
        """What the seat on turn can do to another marker."""
        return self.table.hands[self.table.seat - 1].kinds() if self.table.hands else KINDS

    def _act(self, kind: str, victim: int) -> None:
        """Tells the action; with cards it costs one."""
        table = self.table
        self._tell(f"{kind} {table.seat} {victim}")
        if table.hands:
            hands = _with(table.hands, table.seat, table.hands[table.seat - 1].plus(kind, -1))
            played = _with(table.played, table.seat, table.played[table.seat - 1].plus(kind, 1))
            self.table = replace(table, hands=hands, played=played)

    def _put(self, seat: int, square: int) -> None:
        self.table = replace(self.table, squares=_with(self.table.squares, seat, square))
        self._tell(f"at {seat} {square}")

    def _end(self, why: str) -> None:
        self.table = replace(self.table, over=why)

    def _tell(self, line: str) -> None:
        self._told.append(Event(line))


def _with(items: tuple[T, ...], seat: int, item: T) -> tuple[T, ...]:
    """The items with another value for this seat."""
    return (*items[: seat - 1], item, *items[seat:])
