"""Plays Evil Squash from one choice of a player to the next choice: throws, arrows, bounces, squashes and
cards."""

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
        """Returns the kinds with at least one card."""
        return tuple([kind for kind, count in zip(KINDS, self, strict=True) if count])

    def plus(self, kind: str, count: int) -> CardCounts:
        """Returns a copy with `count` more cards of this kind."""
        return CardCounts(self.bounce + count * (kind == "bounce"), self.squash + count * (kind == "squash"))


class SquashRules(NamedTuple):
    """The rules of one match. A marker that comes to a square may have to move on along an arrow. For each
    square, `leads` has the square where the marker ends. `script` has fixed dice; it is empty if chance rolls
    the dice. `turns` is the maximum number of turns. If a bounce throw ends in a squash, `off_board` says
    whether the squashed marker goes off the board."""

    leads: Leads
    script: tuple[int, ...]
    turns: int
    off_board: bool


class SquashTable(msgspec.Struct, frozen=True, gc=False):
    """The position of a match: the squares and the cards of all seats, and the seat on turn. In the basic
    game there are no cards.

    `dice` has all throws of the match, and `earlier` is the number of throws before this turn. The last throw
    led to the square `to`. `over` is the reason why the match ended, or "" while it goes on.
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
        """Returns three numbers: the seat whose marker the last throw hit, the square of this marker, and the
        square where the marker of the player on turn still stands."""
        return self.squares.index(self.to) + 1, self.to, self.squares[self.seat - 1]

    def thrown(self) -> str:
        """Returns the line of the event for the last throw."""
        return f"throw {self.seat} {self.dice[-1]} {self.to}"


class SquashCourse:
    """A match in progress: the present table, and the events since the last choice."""

    def __init__(self, table: SquashTable, rules: SquashRules, chance: Chance) -> None:
        self.table = table
        self._rules = rules
        self._chance = chance
        self._told: list[Event] = []
        self._before = len(table.dice)
        self.between = False
        """True if the course stopped between two throws, because its chance is stepwise."""

    def on(self) -> tuple[SquashTable, Events]:
        """Throws until a seat must choose or the match is over. Returns the table and the events."""
        stepwise = self._chance.stepwise
        while not self.table.over and not self.between:
            if stepwise and len(self.table.dice) > self._before:
                self.between = True
            elif self._throw_freely():
                break
        return self.table, tuple(self._told)

    def land(self, kind: str) -> None:
        """The seat on turn has hit the marker of another seat. Plays the bounce or the squash of the seat
        on turn."""
        victim, _, left = self.table.landing()
        if kind == "bounce":
            self._bounce(victim)
        else:
            self._squash(victim, left)

    def _throw_freely(self) -> bool:
        """Plays a throw that is not a bounce throw: it begins at the square of the marker on turn. Returns
        whether the seat must choose."""
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
        """Moves the marker on turn to the square of the victim, and the victim to the square `onto`."""
        self._act("squash", victim)
        self._put(self.table.seat, self.table.to)
        self._put(victim, onto)
        self._end_turn()

    def _stay(self) -> None:
        self._tell(f"stay {self.table.seat}")
        self._end_turn()

    def _rest(self) -> None:
        """Puts the marker on the empty square that its throw reached. After a six, the seat stays on turn and
        throws again."""
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
        """Throws from the square `start`. Returns the seat that the throw hits, or 0 if it hits no seat."""
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
        """Returns the actions that the seat on turn can choose when it hits another marker."""
        return self.table.hands[self.table.seat - 1].kinds() if self.table.hands else KINDS

    def _act(self, kind: str, victim: int) -> None:
        """Adds the event for an action. In the game with cards, the seat pays a card for the action."""
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
    """Returns a copy of `items` with the value `item` for this seat."""
    return (*items[: seat - 1], item, *items[seat:])
