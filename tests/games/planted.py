"""Broken variants of Tiny, each with the law that it breaks and words of the reason."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from math import inf
from typing import Any, ClassVar, NamedTuple

import msgspec

from harness.chance import Chance, ReadBack, Recorded
from harness.cli.templates.game.tiny import Tiny, TinyState
from harness.events import Event
from harness.games import Events, Game, State, Stopped
from harness.model import Illegal, Malformed, Outcome


class Planted(Tiny):
    """Tiny, but its positions are of this other class."""

    def __init__(self, kind: type[TinyState]) -> None:
        self.kind = kind

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().start(options, seats, chance)
        return self.kind(*msgspec.structs.astuple(table)), told


class Fault(NamedTuple):
    """A broken game, the law that it breaks, and words of the message about it."""

    game: Game
    law: str
    reason: str


FAULTS: dict[str, Fault] = {}


def breaks(law: str, reason: str) -> Any:
    """Registers a fault: a class of positions, or the class of a whole game."""

    def register(kind: type[Any]) -> type[Any]:
        game = Planted(kind) if issubclass(kind, TinyState) else kind()
        FAULTS[kind.__name__] = Fault(game, law, reason)
        return kind

    return register


# -- how it describes itself, and whether it can be played -----------------------------------------


@breaks("game", "the name 'Tiny!' must consist of")
class Misnamed(Tiny):
    name = "Tiny!"


@breaks("game", "raises ValidationError: Expected `int` >= 1")
class TooBrief(Tiny):
    brief: ClassVar[dict[str, Any]] = {"rounds": 0}


@breaks("game", "the title is empty")
class Untitled(Tiny):
    title = ""


@breaks("game", "secret_chance is 'yes', not True or False")
class Undecided(Tiny):
    secret_chance = "yes"  # type: ignore[assignment]


@breaks("game", "worth_is_rank is 1, not True or False")
class Unsure(Tiny):
    worth_is_rank = 1  # type: ignore[assignment]


@breaks("game", "order is 'points', not one of rank, score, wins, rating")
class Disordered(Tiny):
    order = "points"  # type: ignore[assignment]


@breaks("game", "are not the smallest and the largest number")
class Upside(Tiny):
    seats = (4, 2)


@breaks("game", "do not contain each of 2 seats once")
class OneSided(Tiny):
    def sides(self, options: Any, seats: int) -> tuple[tuple[int, ...], ...]:
        return ((1,),)


@breaks("game", "a warning for 2 seats is empty")
class Mumbling(Tiny):
    def warnings(self, options: Any, seats: int) -> tuple[str, ...]:
        return ("",)


@breaks("plays", "not a tuple of different seats in order")
class Unordered(TinyState, frozen=True):
    def to_act(self) -> tuple[int, ...]:
        return tuple(reversed(super().to_act()))


@breaks("plays", "not a tuple of different seats in order")
class FromZero(TinyState, frozen=True):
    def to_act(self) -> tuple[int, ...]:
        return tuple(seat - 1 for seat in super().to_act())


@breaks("plays", "there is an outcome: enough")
class Early(TinyState, frozen=True):
    def outcome(self) -> Outcome | None:
        return Outcome((1,) * len(self.coins), self.scores(), "enough")


@breaks("plays", "nobody must act, but there is no outcome")
class Open(TinyState, frozen=True):
    def outcome(self) -> Outcome | None:
        return None


@breaks("plays", "it has not ended after 40 turns")
class Endless(TinyState, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return msgspec.structs.replace(table, rounds=self.rounds), told


@breaks("plays", "raises ZeroDivisionError")
class Crashing(TinyState, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return table, (*told, Event(f"share {6 // table.rounds}"))


# -- moves -----------------------------------------------------------------------------------------


@breaks("legal", "`check` rejects seat 1's legal move 'bid 5': it has")
class Generous(TinyState, frozen=True):
    def legal(self, seat: int) -> Iterator[str]:
        return iter([*super().legal(seat), f"bid {self.coins[seat - 1] + 1}"])

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        return ("bid 0",)


@breaks("legal", "has one move twice")
class Twice(TinyState, frozen=True):
    def legal(self, seat: int) -> Iterator[str]:
        return iter(["bid 0", *super().legal(seat)])


@breaks("legal", "is empty")
class Empty(TinyState, frozen=True):
    def legal(self, seat: int) -> Iterator[str]:
        return iter(())

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        return ("bid 0",)


@breaks("legal", "is not canonical: 'bid 0'")
class Padded(TinyState, frozen=True):
    def legal(self, seat: int) -> Iterator[str]:
        return iter(["bid 00"])


@breaks("legal", "does not begin with the word of its question")
class Wordy(TinyState, frozen=True):
    def question(self, seat: int) -> str:
        return "offer"


@breaks("legal", "`some` draws 0")
class Nothing(TinyState, frozen=True):
    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        return ("bid 0",) if stream == f"seat {seat}" else ()


@breaks("legal", "which is not in the complete list")
class Stray(TinyState, frozen=True):
    def legal(self, seat: int) -> Iterator[str]:
        return iter(["bid 0"])

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        return (f"bid {self.coins[seat - 1]}",)


@breaks("others", "which is not in the complete list")
class Lenient(TinyState, frozen=True):
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        verdict = super().check(seat, said)
        return said if isinstance(verdict, Illegal) else verdict


@breaks("others", "without a reason")
class Curt(TinyState, frozen=True):
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        verdict = super().check(seat, said)
        return Illegal("") if isinstance(verdict, Illegal) else verdict


@breaks("others", "raises ValueError")
class Trusting(TinyState, frozen=True):
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        coins = int(said.removeprefix("bid "))
        return f"bid {coins}" if 0 <= coins <= self.coins[seat - 1] else Illegal("too much")


@breaks("others", "`check` returns None")
class Silent(TinyState, frozen=True):
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        verdict = super().check(seat, said)
        return verdict if isinstance(verdict, str) else None  # type: ignore[return-value]


@breaks("others", "raises KeyError")
class Unplayable(TinyState, frozen=True):
    def complete(self, seat: int) -> bool:
        return False

    def legal(self, seat: int) -> Iterator[str]:
        return iter(["bid 0"])

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        worth = {0: 0}
        return super().play({seat: f"bid {worth[int(move[4:])]}" for seat, move in moves.items()}, chance)


# -- values ----------------------------------------------------------------------------------------


@breaks("immutable", "Listed.coins is a list, which can change")
class Listed(TinyState, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return msgspec.structs.replace(table, coins=list(table.coins)), told


class _Counting(TinyState, frozen=True):
    count: ClassVar[list[int]] = [0]

    def counted(self) -> int:
        self.count[0] += 1
        return self.count[0]


@breaks("pure", "the turn has other events")
class Counting(_Counting, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return table, (*told, Event(f"count {self.counted()}"))


@breaks("pure", "leads to another position")
class Drifting(_Counting, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return msgspec.structs.replace(table, coins=(self.counted(), *table.coins[1:])), told


@breaks("pure", "draws other chance")
class Straying(_Counting, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        chance.roll(f"throw {self.counted()}", 6)
        return super().play(moves, chance)


# -- outcomes --------------------------------------------------------------------------------------


class _Ranked(TinyState, frozen=True):
    def ranked(self) -> tuple[tuple[float, ...], tuple[float, ...], str]:
        raise NotImplementedError

    def outcome(self) -> Outcome | None:
        return None if self.rounds else Outcome(*self.ranked())


@breaks("ranks", "do not add up")
class AllFirst(_Ranked, frozen=True):
    def ranked(self) -> tuple[tuple[float, ...], tuple[float, ...], str]:
        return (1,) * len(self.coins), self.scores(), "all win"


@breaks("ranks", "seats, but ranks")
class Unranked(_Ranked, frozen=True):
    def ranked(self) -> tuple[tuple[float, ...], tuple[float, ...], str]:
        return (1,), self.scores(), "who else"


@breaks("ranks", "that is no number from")
class Boundless(_Ranked, frozen=True):
    def ranked(self) -> tuple[tuple[float, ...], tuple[float, ...], str]:
        return tuple(range(1, len(self.coins) + 1)), (float("inf"),) * len(self.coins), "all rich"


@breaks("ranks", "has no reason")
class Unreasoned(_Ranked, frozen=True):
    def ranked(self) -> tuple[tuple[float, ...], tuple[float, ...], str]:
        return tuple(range(1, len(self.coins) + 1)), self.scores(), ""


@breaks("ranks", "other scores than the last position")
class Rescored(_Ranked, frozen=True):
    def ranked(self) -> tuple[tuple[float, ...], tuple[float, ...], str]:
        return tuple(range(1, len(self.coins) + 1)), (-1,) * len(self.coins), "all poor"


@breaks("faults", "they are not last")
class Forgiving(TinyState, frozen=True):
    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        others = tuple(seat for seat in self.to_act() if seat not in offenders)
        return Stopped(self, others), ()


@breaks("faults", "they are asked again")
class Patient(TinyState, frozen=True):
    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        return self, ()


@breaks("faults", "the others are not level")
class Biased(TinyState, frozen=True):
    def keys(self) -> tuple[int, ...]:
        return tuple(range(len(self.coins)))


@breaks("faults", "they are not last")
class Lonely(TinyState, frozen=True):
    """A seat that commits a fault does not bid again; the others play a last round."""

    gone: tuple[int, ...] = ()

    def to_act(self) -> tuple[int, ...]:
        return tuple(seat for seat in super().to_act() if seat not in self.gone)

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        gone = Event(f"gone {' '.join(map(str, offenders))}")
        return msgspec.structs.replace(self, gone=(*self.gone, *offenders)), (gone,)

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        if not self.gone:
            return super().play(moves, chance)
        return msgspec.structs.replace(self, rounds=0), (Event("done"), Event(self.all_secrets()))


@breaks("faults", "the match is over, but after a fault of (1,) it goes on")
class Restarting(TinyState, frozen=True):
    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        if self.rounds:
            return super().forfeit(offenders, chance)
        return msgspec.structs.replace(self, rounds=1), ()


@breaks("faults", "they are not last")
class Indulgent(TinyState, frozen=True):
    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        return super().forfeit(offenders, chance) if self.rounds else (self, ())


# -- lines and texts -------------------------------------------------------------------------------


class _Saying(TinyState, frozen=True):
    line: ClassVar[str]
    to: ClassVar[tuple[int, ...] | None] = None

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return table, (*told, Event(self.line, self.to))


@breaks("lines", "'two  spaces' is not ASCII words")
class Spaced(_Saying, frozen=True):
    line = "two  spaces"


@breaks("lines", "is not ASCII words")
class Suited(_Saying, frozen=True):
    line = "card \u2660"


@breaks("lines", "is not ASCII words")
class Commenting(_Saying, frozen=True):
    line = "# a comment"


@breaks("lines", "does not fit 32 bits")
class Huge(_Saying, frozen=True):
    line = "total 2147483648"


@breaks("lines", "begins like another kind of line")
class Asking(_Saying, frozen=True):
    line = "bid 2"


@breaks("lines", "begins like another kind of line")
class Ending(_Saying, frozen=True):
    line = "over"


@breaks("lines", "not seats in order")
class Whispering(_Saying, frozen=True):
    line = "psst"
    to = (1, 9)


@breaks("lines", "the question begins with 'move', a word of the protocol")
class Moving(TinyState, frozen=True):
    def question(self, seat: int) -> str:
        return "move"

    def legal(self, seat: int) -> Iterator[str]:
        return (f"move {move[4:]}" for move in super().legal(seat))

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        verdict = super().check(seat, f"bid {said.removeprefix('move ')}")
        return f"move {verdict[4:]}" if isinstance(verdict, str) else verdict


@breaks("texts", "is 81 columns wide")
class Wide(TinyState, frozen=True):
    def text(self, seat: int | None = None) -> str:
        return "-" * 81


@breaks("texts", "the text for all is empty")
class Blank(TinyState, frozen=True):
    def text(self, seat: int | None = None) -> str:
        return super().text(seat) if seat else ""


@breaks("texts", "has control characters")
class Coloured(TinyState, frozen=True):
    def text(self, seat: int | None = None) -> str:
        return "\x1b[31mred"


@breaks("texts", "raises ZeroDivisionError")
class Undrawn(TinyState, frozen=True):
    def text(self, seat: int | None = None) -> str:
        return str(1 // self.rounds)


# -- guesses ---------------------------------------------------------------------------------------


@breaks("worth", "but the guess (inf, ")
class Hoping(TinyState, frozen=True):
    def worth(self) -> tuple[float, ...]:
        return (inf,) * len(self.secrets)


@breaks("worth", "seats, but the guess (0.0,)")
class Halfway(TinyState, frozen=True):
    def worth(self) -> tuple[float, ...]:
        return (0.0,)


@breaks("worth", "the unit 'points\\x1b' is not printable")
class Blinking(TinyState, frozen=True):
    unit = "points\x1b"


# -- secrets ---------------------------------------------------------------------------------------


@breaks("hidden", "view depends on what is hidden from it")
class Baring(TinyState, frozen=True):
    def view(self, seat: int) -> tuple[str, ...]:
        return (*super().view(seat), self.all_secrets())


@breaks("hidden", "text depends on what is hidden from it")
class Sketching(TinyState, frozen=True):
    def text(self, seat: int | None = None) -> str:
        return self.all_secrets()


@breaks("hidden", "question depends on what is hidden from it")
class Hinting(TinyState, frozen=True):
    def question(self, seat: int) -> str:
        return f"bid {max(self.secrets)}"


@breaks("hidden", "list of legal moves depends on what is hidden from it")
class Sorting(TinyState, frozen=True):
    def legal(self, seat: int) -> Iterator[str]:
        moves = list(super().legal(seat))
        return iter(moves if sum(self.secrets) % 2 else moves[::-1])


@breaks("hidden", "depends on what is hidden from it: Malformed(reason='secrets ")
class Chatting(TinyState, frozen=True):
    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        verdict = super().check(seat, said)
        return Malformed(self.all_secrets()) if isinstance(verdict, Malformed) else verdict


@breaks("hidden", "reads something that its view does not show: 'sum ")
class Summing(TinyState, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return table, (*told, Event(f"sum {sum(self.secrets)}"))


@breaks("hidden", "reads something that its view does not show: 'secret ")
class Loud(Tiny):
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().start(options, seats, chance)
        return table, tuple(Event(f"secret {place} {event.line}") for place, event in enumerate(told))


@breaks("hidden", "view shows something that no event told it: 'secret ")
class Untold(Tiny):
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        return super().start(options, seats, chance)[0], ()


@breaks("hidden", "`alike` depends on what is hidden from seat")
class Shifting(TinyState, frozen=True):
    def alike(self, seat: int, chance: Chance) -> TinyState:
        own = self.secrets[seat - 1]
        shift = chance.roll("alike", 6)
        moved = [(secret + shift) % 6 + 1 for secret in self.secrets]
        secrets = (*moved[: seat - 1], own, *moved[seat:])
        return msgspec.structs.replace(self, secrets=secrets) if self.rounds else self


@breaks("hidden", "`alike` says that nothing is hidden")
class Unhidden(TinyState, frozen=True):
    alike = State.alike  # type: ignore[assignment]


# -- the same again --------------------------------------------------------------------------------


@breaks("seed", "played again with the same seed")
class Lucky(Tiny):
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().start(options, seats, chance)
        return table, (*told, Event(f"luck {int(random.random() * 1e9)}"))


def verified(chance: Chance) -> bool:
    """Whether somebody looks."""
    return isinstance(chance, Recorded) and isinstance(chance._source, ReadBack)


@breaks("log", "the match has other records")
class TwoFaced(TinyState, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().play(moves, chance)
        return (table, told[:1]) if verified(chance) else (table, told)


@breaks("log", "but the rules draw 'more'")
class Drawing(Tiny):
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        if verified(chance):
            chance.roll("more", 6)
        return super().start(options, seats, chance)


@breaks("pure", "draws less from chance")
class Saving(TinyState, frozen=True):
    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[TinyState, Events]:
        played = super().play(moves, chance)
        if not verified(chance):
            chance.roll("more", 6)
        return played


@breaks("elsewhere", "plays other matches by the same seeds")
class Hashed(Tiny):
    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        table, told = super().start(options, seats, chance)
        return table, (*told, Event(f"hash {hash('tiny') % 1_000_000_007}"))


@breaks("elsewhere", "another process cannot play it: KeyError: 'here'")
class Homebound(Tiny):
    places: ClassVar[dict[str, int]] = {"here": 0} if "pytest" in sys.modules else {}

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[TinyState, Events]:
        return super().start(options, seats + self.places["here"], chance)
