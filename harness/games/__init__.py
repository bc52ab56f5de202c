"""Owns the contract of a game (two nouns, Game and State) and where games are found; knows no single game.

A game is one module, `harness/games/x.py` with its page `x.md` beside it, or one package, `harness/games/x/`
with its page `x.md` inside; either has a `GAME`. Another distribution adds a game by an entry point of the
group `harness.games` that names its `GAME`; a plan may also name a game by the path of its file or folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, ClassVar, Self, TypeAlias

import msgspec

from harness.chance import Chance, Scripted, Seeded
from harness.errors import InputError
from harness.events import Event
from harness.model import Illegal, Malformed, Number, Outcome, demoted, ranks

# All that a game's file needs, so that it imports from here alone.
# fmt: off
__all__ = [
    "Chance", "Event", "Events", "Game", "Illegal", "InputError", "Malformed", "Number", "Options",
    "Outcome", "Scripted", "Seeded", "State", "Stopped", "demoted", "find", "is_path", "names", "ranks",
]
# fmt: on

Events: TypeAlias = tuple[Event, ...]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game's options: a typed table with defaults. Bounds and help stand in each field's `msgspec.Meta`."""

    def settled(self, folder: Path) -> Self:
        """These options with what they name read from its file, once: what is put on record is whole.

        Paths go from this folder. Raises InputError in plain words.
        """
        return self


class _AbstractStruct(msgspec.StructMeta, ABCMeta):
    pass


# What never changes is never part of a cycle: the search for those passes over positions.
class State(msgspec.Struct, frozen=True, gc=False, metaclass=_AbstractStruct):
    """A position of a match: an immutable value. Seats are numbered from 1.

    Lines (of events, questions, moves and views) are ASCII, words parted by one space, numbers decimal and
    within 32 bits signed. A move is a whole answer: it begins with the word of the question it answers.
    """

    @abstractmethod
    def to_act(self) -> tuple[int, ...]:
        """The seats that are asked now: several for a simultaneous turn, none when the match is over."""

    @abstractmethod
    def question(self, seat: int) -> str:
        """What this seat is asked: a word, with further words where the question needs them."""

    @abstractmethod
    def legal(self, seat: int) -> Iterable[str]:
        """The legal moves in their canonical texts, lazily. Never empty for a seat that is to act.

        Where `complete` says no, these are only some that are easy to list, at least one.
        """

    def complete(self, seat: int) -> bool:
        """Whether `legal` lists every legal move for this kind of question."""
        return True

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        """At most `count` legal moves drawn by chance, never none. A game whose list is too long to walk
        through draws them in a way of its own."""
        return chance.sample(stream, tuple(self.legal(seat)), count)

    @abstractmethod
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        """The canonical text of the move that was said, or why it is none."""

    @abstractmethod
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[State, Events]:
        """The position after these canonical moves, one for each seat to act, and what happened."""

    @abstractmethod
    def scores(self) -> tuple[Number, ...]:
        """The game's own score for each seat, now."""

    @abstractmethod
    def view(self, seat: int) -> tuple[str, ...]:
        """All that this seat may know of the position, as lines of the protocol."""

    @abstractmethod
    def text(self, seat: int | None = None) -> str:
        """The position drawn for a person: as this seat may see it, or whole."""

    def alike(self, seat: int, chance: Chance) -> State:
        """A position that this seat cannot tell from this one: what it has not been shown is drawn anew.

        The conformance kit (`harness.testing`) finds leaks with it. By default nothing is hidden.
        """
        return self

    def outcome(self) -> Outcome | None:
        """The outcome when the match is over, None before. By default the highest score is best."""
        if self.to_act():
            return None
        return Outcome(ranks(self.scores()), self.scores(), "the end of the game")

    def keys(self) -> tuple[Number, ...]:
        """By what the other seats are ranked when a fault stops the match here, highest best."""
        return self.scores()

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        """The position after a fault of these seats that were to act. By default the match stops here."""
        return Stopped(self, offenders), ()


class Stopped(State, frozen=True):
    """A match that faults stopped: the offenders share the last places (rules/README, ruling 3)."""

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
    """The stem of its module or package; how plans and the protocol name it."""
    title: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised when a change of the rules would judge a match on record differently."""
    seats: ClassVar[tuple[int, int]]
    """The fewest and the most seats it can be played with."""
    options: ClassVar[type[Options]] = Options
    brief: ClassVar[Mapping[str, Any]] = {}
    """Options by which a match of random movers is short, where by default it would be long: the conformance
    kit plays by them when it is told none."""

    @abstractmethod
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[State, Events]:
        """The first position, and what the seats are told of it. Raises InputError where these options
        do not go with this number of seats."""

    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        """The alliances: the seats of each side. By default every seat is a side of its own."""
        return tuple([(seat,) for seat in range(1, seats + 1)])

    def unfit(self, options: Any, seats: int) -> str:
        """Why it cannot be played by so many with these options, in words; "" where it can."""
        least, most = self.seats
        return "" if least <= seats <= most else f"{self.title} is for {least} to {most}"

    def announce(self, options: Any) -> tuple[str, ...]:
        """The options as lines "NAME VALUE ..." for the players, all that a bot needs to play by them."""
        return tuple([f"{name} {_plain(value)}" for name, value in msgspec.to_builtins(options).items()])

    def warnings(self, options: Any, seats: int) -> tuple[str, ...]:
        """What a person who plans a tournament with these options should know."""
        return ()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value)) if value else "none"
    return str(value)


def names() -> tuple[str, ...]:
    """The names of all games that can be found, in order."""
    own = {module.name for module in iter_modules(__path__) if not module.name.startswith("_")}
    return tuple(sorted(own | {point.name for point in entry_points(group="harness.games")}))


def find(name: str) -> Game:
    """The game of this name, or in the file or folder of this path. Raises InputError in plain words."""
    if is_path(name):
        return _from_path(Path(name))
    own = {module.name for module in iter_modules(__path__)}
    if name in own and not name.startswith("_"):
        return _game_of(importlib.import_module(f"{__name__}.{name}"), name)
    for point in entry_points(group="harness.games", name=name):
        return _from_entry_point(point)
    near = get_close_matches(name, names(), 1)
    hint = f"did you mean {near[0]!r}?" if near else "there are " + ", ".join(names())
    raise InputError(f"no game is called {name!r}: {hint}")


def _from_entry_point(point: EntryPoint) -> Game:
    where = f"game {point.name!r}"
    try:
        game = point.load()
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise InputError(f"the entry point {point.value!r} does not load: {what}", where) from error
    if not isinstance(game, Game):
        raise InputError(f"the entry point {point.value!r} is no Game", where)
    return game


def is_path(name: str) -> bool:
    """Whether this is the path of a game's file or folder, not its name."""
    return name.endswith(".py") or "/" in name


def _from_path(path: Path) -> Game:
    try:
        file = path / "__init__.py" if path.is_dir() else path
        if not file.is_file():
            what = f"file of a game: {file.name} is not in it" if file != path else "file or folder of a game"
            raise InputError(f"there is no such {what}", str(path))
    except OSError as error:
        raise InputError(f"this cannot be read: {error.strerror}", str(path)) from None
    module_name = f"harness_game_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    if spec is None or spec.loader is None:
        raise InputError("this is no Python file: the path of a game ends in .py, or is a folder", str(path))
    _forget(module_name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        _forget(module_name)
        raise InputError(f"the game does not load: {type(error).__name__}: {error}", str(path)) from error
    return _game_of(module, str(path))


def _forget(module_name: str) -> None:
    """Unload this module and what is in it: another folder of the same name has files of its own."""
    for loaded in [*sys.modules]:
        if loaded == module_name or loaded.startswith(f"{module_name}."):
            del sys.modules[loaded]


def _game_of(module: Any, where: str) -> Game:
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise InputError("a game's file holds its rules as GAME, an instance of harness.games.Game", where)
    return game
