"""Defines the rules of Stratego: set-ups, plies and the end of a match. stratego.md explains the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from harness.games import (
    Chance,
    Event,
    Events,
    Game,
    Illegal,
    InputError,
    Malformed,
    Options,
    Outcome,
    Seeded,
    State,
    Stopped,
    ranks,
)
from harness.games.stratego import army as armies
from harness.games.stratego import board as boards
from harness.games.stratego import drawing as drawing
from harness.games.stratego import marches as marches
from harness.games.stratego.army import ALL, FLAG, SIGNS, WHOLE, WORTH
from harness.games.stratego.board import CODE, SHOWN, SIDE, SQUARES
from harness.games.stratego.drawing import COLOUR

LAYOUTS = tuple((left, right) for left in range(1, 8) for right in range(left + 2, 10))
STANDARD = (3, 7)
SEEDS = 2**31 - 1
ROW = 0.1
"""The worth of each row that a piece has marched towards the enemy. Without this worth, the pieces of two
careful players never meet."""
LISTED = 8
"""The number of set-ups that `legal` lists."""
SAMPLED = 16
"""The maximum number of set-ups in a sample. The number is small because each set-up takes long to draw, and
a few set-ups are enough to test a bot or the game."""
HELP = (
    '"random": drawn for each deal; "standard": columns 3-4 and 7-8; or the left columns of the two blocks, '
    "1 to 9, at least 2 apart, as [1, 9]"
)

Column: TypeAlias = Annotated[int, Meta(ge=1, le=9)]
Cap: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000)]


class StrategoOptions(Options, frozen=True):
    """The options of Stratego."""

    zones: Annotated[
        Literal["random", "standard"] | tuple[Column, Column],
        Meta(description=HELP),
    ] = "random"
    quiet: Annotated[
        Cap, Meta(description="the match is a draw after this many plies in a row without a collision")
    ] = 400
    plies: Annotated[Cap, Meta(description="the match is a draw after this many plies in all")] = 3_000


class StrategoRules(NamedTuple):
    """The rules of one match: the left column of each zone (a block that no piece can enter), and the maximum
    numbers of plies."""

    zones: tuple[int, int]
    quiet: int
    plies: int

    def line(self) -> str:
        """Returns the line of the event that tells the players the zones."""
        return f"zones {self.zones[0]} {self.zones[1]}"


class StrategoSetUp(State, frozen=True):
    """A position in which both seats set up their pieces, and neither seat sees the pieces of the other
    seat."""

    rules: StrategoRules

    def to_act(self) -> tuple[int, ...]:
        return (1, 2)

    def question(self, seat: int) -> str:
        return "setup"

    def legal(self, seat: int) -> Iterator[str]:
        return (armies.drawn(seat, Seeded(number)) for number in range(LISTED))

    def complete(self, seat: int) -> bool:
        return False

    def some(self, seat: int, count: int, chance: Chance, stream: str) -> tuple[str, ...]:
        """Draws set-ups with a seed. The seed is one roll of `chance`. So the log contains one number, not
        hundreds of shuffles."""
        luck = Seeded(chance.roll(stream, SEEDS))
        return tuple([armies.drawn(seat, luck) for _ in range(min(count, SAMPLED))])

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        return armies.read(seat, said)

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[StrategoBattle, Events]:
        board = boards.laid_out(self.rules.zones, [armies.standing(moves[seat]) for seat in (1, 2)])
        told = tuple(Event(boards.army(board, seat, other), (other,)) for other in (1, 2) for seat in (1, 2))
        battle, more = StrategoBattle(self.rules, board).settled()
        return battle, (*told, *more)

    def scores(self) -> tuple[int, ...]:
        return (0, 0)

    def worth(self) -> tuple[float, ...]:
        """Returns 0 for both seats, because all zones are as good for one seat as for the other."""
        return (0.0, 0.0)

    def view(self, seat: int) -> tuple[str, ...]:
        return (self.rules.line(),)

    def text(self, seat: int | None = None) -> str:
        board = boards.laid_out(self.rules.zones)
        how = drawing.how_to_set_up(seat) if seat else "Both sides set up."
        return f"{drawing.board(board, seat, drawing.allowed())}\n\n{how}"

    def alike(self, seat: int, chance: Chance) -> StrategoSetUp:
        """Returns this position, because nothing is hidden yet."""
        return self

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        return Forfeited(self, offenders), ()


class StrategoBattle(State, frozen=True):
    """A position after the set-up. `seat` is the seat on turn, or 0 if the match is over. `plies` counts all
    plies, and `quiet` counts the plies since the last collision. When the match is over, `winner` is the seat
    that won, or 0 for a draw."""

    ahead: ClassVar[int] = 4
    unit: ClassVar[str] = "points of captured pieces"

    rules: StrategoRules
    board: bytes
    seat: int = 1
    plies: int = 0
    quiet: int = 0
    last: tuple[str, ...] = ()
    captured: tuple[bytes, bytes] = (b"", b"")
    winner: int = 0
    reason: str = ""

    def to_act(self) -> tuple[int, ...]:
        return (self.seat,) if self.seat else ()

    def question(self, seat: int) -> str:
        return "march"

    def legal(self, seat: int) -> list[str]:
        return marches.listed(self.board, seat)

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        return marches.read(self.board, seat, said)

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[StrategoBattle, Events]:
        return self.after(*marches.PLIES[moves[self.seat]]).settled()

    def after(self, start: int, end: int) -> StrategoBattle:
        """Returns the position after one ply. In this method only the capture of a Flag ends the match. The
        method `settled` checks all other reasons for an end."""
        seat, other = self.seat, 3 - self.seat
        board = bytearray(self.board)
        piece, met = board[start], board[end]
        board[start], board[end] = boards.FREE, piece
        marched = f"marched {seat} {boards.TOLD[start]} {boards.TOLD[end]}"
        if not met:
            plies, quiet = self.plies + 1, self.quiet + 1
            return StrategoBattle(self.rules, bytes(board), other, plies, quiet, (marched,), self.captured)
        attacker, defender = piece & CODE, met & CODE
        left = boards.remaining(attacker, defender)
        winner = 0 if not left else seat if left == attacker else other
        board[end] = left | SIDE[winner] | SHOWN if winner else boards.FREE
        lost = {seat: b"" if winner == seat else bytes([attacker])}
        lost[other] = b"" if winner == other else bytes([defender])
        captured = (self.captured[0] + lost[1], self.captured[1] + lost[2])
        last = (marched, f"collision {SIGNS[attacker]} {SIGNS[defender]} {winner}")
        battle = StrategoBattle(self.rules, bytes(board), other, self.plies + 1, 0, last, captured)
        return battle.over(seat, f"{_who(seat)} took the Flag") if defender == FLAG else battle

    def over(self, winner: int, reason: str) -> StrategoBattle:
        """Returns a copy of this position in which the match is over."""
        return replace(self, seat=0, winner=winner, reason=reason)

    def settled(self) -> tuple[StrategoBattle, Events]:
        """Ends the match if a rule says that it is over. If a seat has only one legal ply, plays this ply
        without a question. Returns the position and the events."""
        battle, told = self, [*self.last]
        while battle.seat:
            movable = marches.movable(battle.board, battle.seat)
            if not movable:
                battle = battle.over(3 - battle.seat, f"{_who(battle.seat)} had no legal move")
            elif battle.quiet >= battle.rules.quiet:
                battle = battle.over(0, f"{battle.quiet} plies in a row without a collision")
            elif battle.plies >= battle.rules.plies:
                battle = battle.over(0, f"{battle.plies} plies in all")
            elif movable == 1 and len(only := marches.listed(battle.board, battle.seat)) == 1:
                battle = battle.after(*marches.PLIES[only[0]])
                told += battle.last
            else:
                break
        return battle, tuple([Event(line) for line in told])

    def scores(self) -> tuple[int | float, ...]:
        if self.seat:
            return (0, 0)
        return _won(self.winner)

    def outcome(self) -> Outcome | None:
        return None if self.seat else Outcome(ranks(self.scores()), self.scores(), self.reason)

    def worth(self) -> tuple[float, ...]:
        """Returns a number for each seat: a little for each row that its pieces have marched towards the
        enemy, minus the worth of each piece that it has lost. When a seat has lost the match, the worth of a
        whole army is subtracted too."""
        lost = [sum([WORTH[code] for code in codes]) for codes in self.captured]
        if self.winner:
            lost[2 - self.winner] += WHOLE
        rows = boards.marched(self.board)
        return ROW * rows[0] - lost[0], ROW * rows[1] - lost[1]

    def view(self, seat: int) -> tuple[str, ...]:
        return (
            self.rules.line(),
            *(boards.army(self.board, each, seat) for each in (1, 2)),
            f"shown{boards.rows(self.board, boards.SEEN[seat])}",
            *(" ".join(("captured", str(each), *self.gone(each))) for each in (1, 2)),
            f"plies {self.plies}",
            f"quiet {self.quiet}",
            *self.last,
        )

    def gone(self, seat: int) -> list[str]:
        """Returns the signs of the pieces that this seat lost, the strongest first."""
        return [SIGNS[code] for code in sorted(self.captured[seat - 1])]

    def text(self, seat: int | None = None) -> str:
        rules, ply, quiet = self.rules, self.plies, self.quiet
        return "\n".join(
            (
                drawing.board(self.board, seat, drawing.losses(self.captured)),
                "",
                drawing.legend(seat),
                "",
                drawing.ply(self.last),
                f"Ply {ply} of {rules.plies}; {quiet} of {rules.quiet} without a collision.",
                f"{COLOUR[self.seat].capitalize()} is on turn." if self.seat else f"Over: {self.reason}.",
            )
        )

    def alike(self, seat: int, chance: Chance) -> StrategoBattle:
        """Puts a random piece in the place of each hidden piece of the enemy. The random pieces come from a
        complete army without the pieces that this seat has seen. The Flag is always among them, unless it was
        captured."""
        side = SIDE[3 - seat]
        enemies = [place for place in SQUARES if self.board[place] & side]
        hidden = [place for place in enemies if not self.board[place] & SHOWN]
        unseen = list(ALL)
        for code in self.captured[2 - seat]:
            unseen.remove(code)
        for place in set(enemies) - set(hidden):
            unseen.remove(self.board[place] & CODE)
        flags = unseen.count(FLAG)
        others = [code for code in unseen if code != FLAG]
        drawn = chance.sample("alike", others, len(hidden) - flags)
        board = bytearray(self.board)
        for place, code in zip(hidden, chance.shuffle("alike", [*drawn, *[FLAG] * flags]), strict=True):
            board[place] = code | side
        return replace(self, board=bytes(board))

    def forfeit(self, offenders: tuple[int, ...], chance: Chance) -> tuple[State, Events]:
        return Forfeited(self, offenders), ()


class Forfeited(Stopped, frozen=True):
    """A match that a fault ended. The opponent wins; after faults of both seats the match is a draw."""

    def scores(self) -> tuple[int | float, ...]:
        return _won(0 if len(self.offenders) == 2 else 3 - self.offenders[0])


class Stratego(Game):
    """The rules of Stratego. Seat 1 is red, seat 2 is blue."""

    name = "stratego"
    title = "Stratego"
    seats = (2, 2)
    options = StrategoOptions
    brief: ClassVar[Mapping[str, Any]] = {"quiet": 40, "plies": 120}

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[StrategoSetUp, Events]:
        rules = StrategoRules(_zones(options.zones, chance), options.quiet, options.plies)
        return StrategoSetUp(rules), (Event(rules.line()),)


GAME = Stratego()


def _zones(chosen: str | tuple[int, int], chance: Chance) -> tuple[int, int]:
    if chosen == "random":
        return LAYOUTS[chance.roll("zones", len(LAYOUTS)) - 1]
    left, right = STANDARD if isinstance(chosen, str) else sorted(chosen)
    if right - left < 2:
        raise InputError(
            f"zones: the blocks at columns {left} and {right} overlap: these columns must be at least 2 apart"
        )
    return left, right


def _won(winner: int) -> tuple[int | float, ...]:
    return (int(winner == 1), int(winner == 2)) if winner else (0.5, 0.5)


def _who(seat: int) -> str:
    return f"{COLOUR[seat]} (seat {seat})"
