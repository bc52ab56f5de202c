"""Defines the contract of a game: Game, its State, and its Options."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from harness.chance import Chance
from harness.events import Event
from harness.model import Illegal, Malformed, Number, Outcome, demoted, ranks

Events: TypeAlias = tuple[Event, ...]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's options: a typed table with defaults. Each field's `msgspec.Meta` has its bounds and help."""

    def settled(self, folder: Path) -> Self:
        """These options, with the contents of each file that they name instead of its path, so that the
        record needs no other file. Paths are relative to this folder. Raises InputError."""
        return self


class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    pass


# A value that never changes is never part of a reference cycle, so the garbage collector need not look at it.
class State(msgspec.Struct, frozen=True, gc=False, metaclass=_AbstractStruct):
    """A position of a match: an immutable value. Seats are numbered from 1.

    Lines (events, questions, moves and views) are ASCII words with one space between them. Numbers are
    decimal and fit 32 bits with a sign. A move is a whole answer: it begins with the word of its question.
    """

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats that are asked now: several if they act at once, none when the match is over."""

    @abstractmethod
    def question(self, seat: int) -> str:
        """The question for this seat: one word, and further words if needed."""

    @abstractmethod
    def legal(self, seat: int) -> Iterable[str]:
        """The legal moves as canonical texts, lazily. Never empty for a seat that is asked now.

        If `complete` is False, these are only some moves that are easy to list, at least one.
        """

    def complete(self, seat: int) -> bool:
        """Whether `legal` lists every legal move of this kind of question."""
        return True

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        """At least one and at most `count` legal moves, drawn by chance. A game overrides this if its list is
        too long to go through."""
        return chance.sample(stream, tuple(self.legal(seat)), count)

    @abstractmethod
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        """The canonical text of the move in `said`, which may be any text; or why it is no legal move."""

    @abstractmethod
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        """The position after these canonical moves, one for each seat in `to_act`, and what happened."""

    @abstractmethod
    def scores(self) -> tuple[Number, ...]:
        """The game's own score for each seat, now."""

    @abstractmethod
    def view(self, seat: int) -> tuple[str, ...]:
        """Everything that this seat may know of the position, as lines of the protocol."""

    @abstractmethod
    def text(self, seat: int | None = None) -> str:
        """The position drawn for people: as this seat may see it, or everything if the seat is None."""

    def alike(self, seat: int, chance: Chance) -> State:
        """Another position that looks the same to this seat: chance draws again what the seat has not seen.

        The conformance kit (`harness.testing`) finds leaks with it. By default nothing is hidden.
        """
        return self

    def outcome(self) -> Outcome | None:
        """The outcome when the match is over, before that None. By default the highest score is best."""
        if self.to_act():
            return None
        return Outcome(ranks(self.scores()), self.scores(), "the end of the game")

    def keys(self) -> tuple[Number, ...]:
        """If a fault stops the match here, the other seats are ranked by these keys, highest best."""
        return self.scores()

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        """The position after a fault of these seats, which were asked. By default the match stops here."""
        return Stopped(self, offenders), ()


class Stopped(State, frozen=True):
    """A match that faults stopped: the offenders share the last places (docs/rulings.md, ruling 3)."""

    last: State
    offenders: tuple[int, ...]

    def to_act(self) -> tuple[int, ...]:
        return ()

    def question(self, seat: int) -> str:
        raise LookupError("nobody is asked when the match is over")

    def legal(self, seat: int) -> Iterable[str]:
        return ()

    def check(self, seat: int, said: str) -> Illegal:
        return Illegal("the match is over")

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        raise LookupError("nothing is played when the match is over")

    def scores(self) -> tuple[Number, ...]:
        return self.last.scores()

    def view(self, seat: int) -> tuple[str, ...]:
        return self.last.view(seat)

    def text(self, seat: int | None = None) -> str:
        return self.last.text(seat)

    def alike(self, seat: int, chance: Chance) -> Stopped:
        return Stopped(self.last.alike(seat, chance), self.offenders)

    def outcome(self) -> Outcome:
        seats = " and ".join(map(str, self.offenders))
        return Outcome(
            demoted(self.last.keys(), self.offenders),
            self.scores(),
            f"a fault of seat {seats} stopped the match",
        )


class Game(metaclass=ABCMeta):
    """The rules of a game, without any position."""

    name: ClassVar[str]
    """The stem of its module or package. Plans and the protocol use this name."""
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """Increase it when a change of the rules would judge a match on record differently."""
    seats: ClassVar[tuple[int, int]]
    """The smallest and the largest number of seats."""
    options: ClassVar[type[Options]] = Options
    brief: ClassVar[Mapping[str, Any]] = {}
    """Options that make matches of random moves short, if they are long by default. The conformance kit uses
    them if it is given none."""

    @abstractmethod
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[State, Events]:
        """The first position, and the events that tell the seats about it. Raises InputError if these options
        do not fit this number of seats."""

    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        """The alliances: the seats of each side. By default each seat is its own side."""
        return tuple([(seat,) for seat in range(1, seats + 1)])

    def unfit(self, options: Any, seats: int) -> str:
        """Why this number of seats cannot play with these options, in words; "" if it can."""
        least, most = self.seats
        return "" if least <= seats <= most else f"{self.title} is for {least} to {most}"

    def announce(self, options: Any) -> tuple[str, ...]:
        """The options as lines "NAME VALUE ..." for the players: all that a bot needs to know of them."""
        return tuple([f"{name} {_plain(value)}" for name, value in msgspec.to_builtins(options).items()])

    def warnings(self, options: Any, seats: int) -> tuple[str, ...]:
        """Warnings for a person who plans a tournament with these options."""
        return ()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value)) if value else "none"
    return str(value)
