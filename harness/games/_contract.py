"""Defines the contract of a game: the classes Game, State and Options."""

from __future__ import annotations

import re
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from harness.chance import Chance
from harness.events import Event
from harness.model import Illegal, Limits, Malformed, Number, Order, Outcome, demoted, ranks

Events: TypeAlias = tuple[Event, ...]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game: fields with types and defaults. `msgspec.Meta` gives a field its bounds and its
    help text."""

    def settled(self, folder: Path) -> Self:
        """Returns a copy of the options. If an option is the path of a file, the copy has the contents of
        this file instead. So the record needs no other file. Paths are relative to `folder`. Raises
        InputError."""
        return self


class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    pass


# An immutable value is never part of a reference cycle, so the garbage collector can skip it.
class State(msgspec.Struct, frozen=True, gc=False, metaclass=_AbstractStruct):
    """A position of a match. It is an immutable value. Seats are numbered from 1.

    Lines (events, questions, moves and views) are ASCII words with one space between them. Numbers are
    decimal and fit into a signed 32-bit integer. A move is the complete line of an answer, so it begins with
    the first word of the question.
    """

    ahead: ClassVar[int] = 100
    """The number of steps of a sparring bot's play-out after a move. After these steps, `worth` guesses the
    result. Set a smaller number if this guess says more than further random moves would say. Then sparring
    bots are stronger and faster."""

    unit: ClassVar[str] = ""
    """The unit of the guess of `worth`, for example "points"."""

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """Returns the seats that must answer now. Several seats may act at the same time. When the match is
        over, no seat acts."""

    @abstractmethod
    def question(self, seat: int) -> str:
        """Returns the question for this seat: one word, and more words if the game needs them."""

    @abstractmethod
    def legal(self, seat: int) -> Iterable[str]:
        """Returns the legal moves as canonical texts. The method may be a generator, which saves time if the
        caller needs only the first moves. A seat in `to_act` has at least one legal move.

        If `complete` is False, `legal` returns only some of the legal moves.
        """

    def complete(self, seat: int) -> bool:
        """Returns whether `legal` lists every legal move of this seat."""
        return True

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        """Chooses at least one and at most `count` legal moves at random. A game overrides this method if it
        has too many moves to list."""
        return chance.sample(stream, tuple(self.legal(seat)), count)

    @abstractmethod
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        """Returns the canonical text of the move in `said`, or the reason why this move is not legal. `said`
        has only printable ASCII characters, because the harness itself rejects all other answers."""

    @abstractmethod
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        """Plays one canonical move for each seat in `to_act`. Returns the next position and the events."""

    @abstractmethod
    def scores(self) -> tuple[Number, ...]:
        """Returns the present score of each seat, by the rules of the game."""

    @abstractmethod
    def view(self, seat: int) -> tuple[str, ...]:
        """Returns everything that this seat may know about the position, as lines of the protocol."""

    @abstractmethod
    def text(self, seat: int | None = None) -> str:
        """Returns a drawing of the position for people. The drawing shows what this seat may see, or
        everything if `seat` is None."""

    def alike(self, seat: int, chance: Chance) -> State | None:
        """Returns another position that looks the same to this seat. Everything that this seat cannot see
        gets new random values. So the result depends only on what this seat sees, and on chance.

        The conformance kit (`harness.testing`) uses such positions to find out whether a seat can see hidden
        information. Sparring bots (`harness.sparring`) choose their moves in such positions. By default the
        method returns this position, which is right for a game that hides nothing. If a game cannot draw
        another position, the method returns None. Then the kit cannot test whether the game keeps its
        secrets, and reports this.
        """
        return self

    def outcome(self) -> Outcome | None:
        """Returns the outcome if the match is over, else None. By default the highest score is best."""
        if self.to_act():
            return None
        return Outcome(ranks(self.scores()), self.scores(), "the end of the game")

    def keys(self) -> tuple[Number, ...]:
        """Returns a number for each seat. The highest number is best, so a game in which a low score is good
        overrides this method. After a fault in this position, these numbers decide the ranks of the seats
        without a fault. At the end of two forks of a match, they say which fork is better for a seat."""
        return self.scores()

    def worth(self) -> tuple[float, ...]:
        """Returns, for each seat, a guess of how well the seat will do from this position. The guess may have
        any unit (`unit`). High numbers are good. The guess may use everything that is hidden.

        With `luck = "off"` in a plan, harness uses these guesses to subtract luck from the results. A bad
        guess does not make the results wrong, and a good guess makes them much more certain. By default the
        method returns (). Then harness makes its own guess: it plays random moves from the position to the
        end of the match.

        A sparring bot (`harness.sparring`) tries each move and then `ahead` more steps. It chooses the move
        after which these guesses give it the largest lead.

        If one call of `play` or `start` draws several times, a game can let harness measure the luck of each
        draw alone. If `chance.stepwise` is True, these two methods may return after each draw. In the
        position that they then return, no seat acts and there is no outcome. The harness calls
        `play({}, chance)` of this position to continue with the next draw.
        """
        return ()

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        """Returns the position after a fault of the `offenders`, and the events. By default the match stops.

        The offenders are seats of `to_act`. After the end of the match, any seat may be an offender, because
        some faults are found only then. For such offenders, the match must also be over in the returned
        position.
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

    def keys(self) -> tuple[Number, ...]:
        return self.last.keys()

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
        """Adds offenders, for faults that were found at the end of the match. All offenders share the last
        places."""
        everybody = tuple(sorted({*self.offenders, *offenders}))
        return msgspec.structs.replace(self, offenders=everybody), ()


class Game(metaclass=ABCMeta):
    """The rules of a game, without any position."""

    name: ClassVar[str]
    """The name of the game's module or package, without the ending `.py`. Plans and the protocol use this
    name.
    """
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """The version of the rules. Increase this number if a recorded match would have another result after a
    change of the rules."""
    seats: ClassVar[tuple[int, int]]
    """The smallest and the largest number of seats."""
    secret_chance: ClassVar[bool] = True
    """True if no player may know the random part of a match in advance, for example the cards or the dice.

    If the value is True, every match of a tournament has its own deal by default. If the value is False (for
    example because chance only draws a chess opening), each bot plays each deal in every seat by default.
    """
    worth_is_rank: ClassVar[bool] = False
    """True if `worth` of a state returns the rank that each seat can expect, with a minus sign. Then luck is
    measured in ranks too (`harness.judge.luck`), so harness can also test claims with results from which luck
    is subtracted. In such a game, a draw of chance counts as luck only if it has few outcomes, for example a
    throw of a die."""
    order: ClassVar[Order | None] = None
    """The number that decides the places of a tournament, as the document of the game says: "rank", "rating",
    "score" or "wins". None if the document names no number. A plan can choose another number."""
    library: ClassVar[str] = ""
    """The library that contains the rules, with its version, for example "chess 1.11.2". The digest of the
    rules covers this text too."""
    options: ClassVar[type[Options]] = Options
    brief: ClassVar[Mapping[str, Any]] = {}
    """Options that make matches short. A game sets these options if matches of random moves are long with the
    default options. The conformance kit uses these options if its caller gives no options."""

    quiet: ClassVar[frozenset[str]] = frozenset()
    """The first words of lines that only repeat the position or the answers. If the page of a match shows the
    position as text, the page leaves out the lines with these words."""
    limits: ClassVar[Limits] = Limits()
    """The limits that apply if a plan does not set them. A game changes them if the usual limits do not fit
    the programs that play the game."""

    @abstractmethod
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[State, Events]:
        """Returns the first position, and the events that tell the seats about this position. Raises
        InputError if these options do not fit this number of seats."""

    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        """Returns the seats of each side. Seats on the same side are allies. By default each side has one
        seat."""
        return tuple([(seat,) for seat in range(1, seats + 1)])

    def unfit(self, options: Any, seats: int) -> str:
        """Returns the reason why a match cannot have this number of seats with these options, or "" if it
        can."""
        least, most = self.seats
        return "" if least <= seats <= most else f"{self.title} is for {least} to {most}"

    def announce(self, options: Any) -> tuple[str, ...]:
        """Returns the options as lines "NAME VALUE ...". These lines tell a bot everything that it needs to
        know about the options."""
        return tuple([f"{name} {_plain(value)}" for name, value in msgspec.to_builtins(options).items()])

    def warnings(self, options: Any, seats: int) -> tuple[str, ...]:
        """Returns warnings for a person who plans a tournament with these options."""
        return ()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value)) if value else "none"
    return str(value)


# -- drawings of other programs ----------------------------------------------------------------------
#
# These functions turn the text of another program, such as a drawn board, into lines of the protocol.


WIDTH = 200
"""The maximum number of characters of the text in one line of the protocol. A longer line of the text becomes
several lines of the protocol."""
SPACES = re.compile(r"(?<= ) |^ | $")
LARGE = re.compile(r"[+-]?[0-9]{10,}")


def observed(word: str, text: str) -> tuple[str, ...]:
    """Returns the text as lines that begin with `word`.

    In a drawn board spaces can be empty squares. So each space after another space, and each space at the
    start or the end of a line, becomes `_`. An escape sequence replaces each character outside ASCII. A
    number with ten or more digits may not fit into 32 bits. So a quotation mark is put before such a number,
    and no bot reads it as a number. Empty lines are left out.
    """
    return tuple(f"{word} {part}" for line in text.splitlines() for part in _parts(plain(line)))


def plain(line: str) -> str:
    """Returns one line of a text as ASCII words with one space between them, or "" if the line is blank."""
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
