"""Defines the contract of a game: Game, its State, and its Options."""

from __future__ import annotations

import re
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from harness.chance import Chance
from harness.events import Event
from harness.model import Illegal, Limits, Malformed, Number, Outcome, demoted, ranks

Events: TypeAlias = tuple[Event, ...]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game: fields with types and defaults. `msgspec.Meta` gives a field its bounds and
    help."""

    def settled(self, folder: Path) -> Self:
        """A copy in which the contents of each named file replace its path, so the record needs no other
        file. Paths are relative to `folder`. Raises InputError."""
        return self


class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    pass


# An immutable value is never part of a reference cycle, so the garbage collector can skip it.
class State(msgspec.Struct, frozen=True, gc=False, metaclass=_AbstractStruct):
    """A position of a match: an immutable value. Seats are numbered from 1.

    Lines (events, questions, moves and views) are ASCII words with one space between them. Numbers are
    decimal and fit into a signed 32-bit integer. A move is a complete answer: it begins with the first word
    of its question.
    """

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats that must answer now: several if they act at once, no seat when the match is over."""

    @abstractmethod
    def question(self, seat: int) -> str:
        """The question for this seat: one word, and more words if the game needs them."""

    @abstractmethod
    def legal(self, seat: int) -> Iterable[str]:
        """The legal moves as canonical texts; a generator can save time. A seat in `to_act` has at least one.

        If `complete` returns False, the list has only some of the legal moves.
        """

    def complete(self, seat: int) -> bool:
        """Whether `legal` lists every legal move for a question of this kind."""
        return True

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        """Draws at least one and at most `count` legal moves by chance. A game overrides this method if its
        list of moves is too long to read."""
        return chance.sample(stream, tuple(self.legal(seat)), count)

    @abstractmethod
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        """The canonical text of the move in `said`, or the reason why it is not legal. `said` may be any
        text of printable ASCII characters: other answers are malformed in every game."""

    @abstractmethod
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        """Plays one canonical move for each seat in `to_act`; returns the next position and the events."""

    @abstractmethod
    def scores(self) -> tuple[Number, ...]:
        """The present score of each seat, by the rules of the game."""

    @abstractmethod
    def view(self, seat: int) -> tuple[str, ...]:
        """Everything that this seat may know about the position, as lines of the protocol."""

    @abstractmethod
    def text(self, seat: int | None = None) -> str:
        """A drawing for people. It shows what this seat may see, or everything if `seat` is None."""

    def alike(self, seat: int, chance: Chance) -> State | None:
        """Another position that looks the same to this seat: chance draws everything hidden again.

        The conformance kit (`harness.testing`) uses it to find leaks. By default nothing is hidden. A game
        that cannot draw such a position returns None; the kit then says that secrets were not tested.
        """
        return self

    def outcome(self) -> Outcome | None:
        """The outcome if the match is over, else None. By default the highest score is best."""
        if self.to_act():
            return None
        return Outcome(ranks(self.scores()), self.scores(), "the end of the game")

    def keys(self) -> tuple[Number, ...]:
        """If there is a fault here, these keys rank the other seats; the highest key is best."""
        return self.scores()

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        """The position after a fault of these seats, and the events. By default the match stops.

        They are seats of `to_act`. If the match is over, they may be any seats, because some faults are found
        only at its end; then it must still be over.
        """
        return Stopped(self, offenders), ()


class Stopped(State, frozen=True):
    """A match that a fault stopped, or that was over when the fault was found. The `offenders` share the last
    places (docs/rulings.md, ruling 3)."""

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

    def alike(self, seat: int, chance: Chance) -> Stopped | None:
        last = self.last.alike(seat, chance)
        return None if last is None else Stopped(last, self.offenders)

    def outcome(self) -> Outcome:
        seats = " and ".join(map(str, self.offenders))
        return Outcome(
            demoted(self.last.keys(), self.offenders),
            self.scores(),
            f"a fault of seat {seats} stopped the match",
        )

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[Self, Events]:
        """Adds seats whose fault was found at the end; they share the last places with the others."""
        everybody = tuple(sorted({*self.offenders, *offenders}))
        return msgspec.structs.replace(self, offenders=everybody), ()


class Game(metaclass=ABCMeta):
    """The rules of a game, without any position."""

    name: ClassVar[str]
    """The name of its module or package, without `.py`. Plans and the protocol use this name."""
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """Increase it if changed rules give another result for a match on record."""
    seats: ClassVar[tuple[int, int]]
    """The smallest and the largest number of seats."""
    secret_chance: ClassVar[bool] = True
    """Whether a player must not know the chance of a match before: hidden cards, or dice still to be thrown.

    By default every match of a tournament then has a deal of its own. If it is False (say, a chess opening),
    each deal is played in every seat by default.
    """
    library: ClassVar[str] = ""
    """The library that has the rules, with its version, for example "chess 1.11.2"; the digest covers it."""
    options: ClassVar[type[Options]] = Options
    brief: ClassVar[Mapping[str, Any]] = {}
    """Options for short matches, if matches of random moves are long by default. The conformance kit uses
    them if its caller gives no options."""

    quiet: ClassVar[frozenset[str]] = frozenset()
    """The first words of lines that only repeat the position or the answers. If the page of a match shows the
    position as text, it leaves these lines out."""
    limits: ClassVar[Limits] = Limits()
    """The limits of a plan that does not set them, if the usual ones do not fit the programs of this game."""

    @abstractmethod
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[State, Events]:
        """The first position, and the events that describe it to the seats. Raises InputError if these
        options do not fit this number of seats."""

    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        """The alliances: the seats of each side. By default each seat is its own side."""
        return tuple([(seat,) for seat in range(1, seats + 1)])

    def unfit(self, options: Any, seats: int) -> str:
        """The reason why this number of seats cannot play with these options; "" if it can."""
        least, most = self.seats
        return "" if least <= seats <= most else f"{self.title} is for {least} to {most}"

    def announce(self, options: Any) -> tuple[str, ...]:
        """The options as lines "NAME VALUE ...". They tell a bot all that it needs to know about the
        options."""
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


# -- drawings of other programs ----------------------------------------------------------------------
#
# Turns a text of another program, such as a drawn board, into lines that the protocol allows.


WIDTH = 200
"""A longer line of the text becomes several lines."""
SPACES = re.compile(r"(?<= ) |^ | $")
LARGE = re.compile(r"[+-]?[0-9]{10,}")


def observed(word: str, text: str) -> tuple[str, ...]:
    """The text as lines that begin with `word`.

    In a drawn board spaces can be empty squares. So each space after a space, and at an end of a line,
    becomes `_`. A character outside ASCII becomes its escape. A number that does not fit into 32 bits gets a
    quotation mark. Empty lines are left out.
    """
    return tuple(f"{word} {part}" for line in text.splitlines() for part in _parts(plain(line)))


def plain(line: str) -> str:
    """One line of the text as words of ASCII with one space between them; "" if there is nothing in it."""
    if not line.strip():
        return ""
    line = line.replace("\t", " ").encode("ascii", "backslashreplace").decode()
    line = "".join(sign if " " <= sign <= "~" else f"\\x{ord(sign):02x}" for sign in line)
    line = SPACES.sub("_", line)
    return " ".join(f"'{part}" if LARGE.fullmatch(part) else part for part in line.split(" "))


def _parts(line: str) -> Iterator[str]:
    while line:
        cut = len(line) if len(line) <= WIDTH else line.rfind(" ", 0, WIDTH + 1)
        cut = cut if cut > 0 else WIDTH
        yield line[:cut]
        line = line[cut:].lstrip(" ")
