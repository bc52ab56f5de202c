"""Defines the rules of Evil Squash. squash.md explains the rules. course.py plays a match from one choice of
a player to the next choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from harness.games import Chance, Event, Events, Game, Malformed, Number, Options, Outcome, State, ranks
from harness.games.squash.board import DEFAULT, SquashBoard, read_board
from harness.games.squash.course import KINDS, SIDES, CardCounts, SquashCourse, SquashRules, SquashTable
from harness.games.squash.worth import worth

OF_A_KIND = 8
DECK = KINDS * OF_A_KIND
EACH = 4
ANSWERS = tuple(f"land {kind}" for kind in KINDS)
BOARD = (
    "\"default\": this project's own; or the path of a board's file; or a table with squares, columns and "
    "arrows (each with base, to and colour)"
)

Die: TypeAlias = Annotated[int, Meta(ge=1, le=SIDES)]


class SquashOptions(Options, frozen=True):
    """The options of Evil Squash."""

    variant: Annotated[
        Literal["basic", "cards"],
        Meta(description='"cards": each bounce and each squash costs a card of its kind'),
    ] = "basic"
    bounce_squash: Annotated[
        Literal["origin", "off-board"],
        Meta(
            description="where a bounce throw sends the marker that it hits: the mover's square, or off board"
        ),
    ] = "origin"
    board: Annotated[str | SquashBoard, Meta(description=BOARD)] = DEFAULT
    dice: Annotated[
        tuple[Die, ...],
        Meta(
            max_length=1_000, description="the throws of each match, repeated without end; []: random throws"
        ),
    ] = ()
    turns: Annotated[
        int,
        Meta(ge=1, le=10_000, description="a match has at most this many turns of all players together"),
    ] = 500

    def settled(self, folder: Path) -> SquashOptions:
        return replace(self, board=self.chosen(folder))

    def chosen(self, folder: Path = Path()) -> SquashBoard:
        """Returns the chosen board. Raises InputError if the file does not contain a board."""
        return self.board if isinstance(self.board, SquashBoard) else read_board(self.board, folder)


class SquashPosition(State, frozen=True):
    """A position in which the seat on turn has hit another marker and must choose between bounce and squash,
    or in which the match is over.

    `answered` says whether any seat has made a choice in this match. `between` is true only between two
    throws, where no seat has a choice (see `State.worth`).
    """

    ahead: ClassVar[int] = 0
    unit: ClassVar[str] = "ranks"

    board: SquashBoard
    rules: SquashRules
    table: SquashTable
    answered: bool = False
    between: bool = False

    def to_act(self) -> tuple[int, ...]:
        return () if self.table.over or self.between else (self.table.seat,)

    def question(self, seat: int) -> str:
        return _line("land", self.table.landing())

    def legal(self, seat: int) -> tuple[str, ...]:
        return ANSWERS

    def check(self, seat: int, said: str) -> str | Malformed:
        move = said.lower() if said.isascii() else said
        return move if move in ANSWERS else Malformed(f"`{'` or `'.join(ANSWERS)}` is due; it said {said!r}")

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[SquashPosition, Events]:
        course = SquashCourse(self.table, self.rules, chance)
        if not self.between:
            course.land(moves[self.table.seat].removeprefix("land "))
        table, told = course.on()
        return SquashPosition(self.board, self.rules, table, True, course.between), told

    def scores(self) -> tuple[int, ...]:
        return self.table.squares

    def outcome(self) -> Outcome | None:
        squares, why = self.table.squares, self.table.over
        return Outcome(ranks(squares), squares, why) if why else None

    def keys(self) -> tuple[Number, ...]:
        """Returns the square of each seat's marker. Before any seat has made a choice, every key is 0,
        because until then the squares are only luck."""
        return self.table.squares if self.answered else (0,) * len(self.table.squares)

    def worth(self) -> tuple[float, ...]:
        return worth(self.table, self.rules.leads, bool(self.to_act()))

    def view(self, seat: int) -> tuple[str, ...]:
        table = self.table
        return (
            f"turn {table.turn} {table.seat}",
            _line("dice", table.dice),
            *(f"at {place} {square}" for place, square in enumerate(table.squares, start=1)),
            *(_line("played", (place, *cards)) for place, cards in enumerate(table.played, 1)),
            *((_line("hand", table.hands[seat - 1]),) if table.hands else ()),
            table.thrown(),
        )

    def alike(self, seat: int, chance: Chance) -> SquashPosition:
        """Deals the hands of the other seats again, from the cards that this seat has not seen."""
        hands = self.table.hands
        if not hands:
            return self
        unseen: list[str] = []
        for place, kind in enumerate(KINDS):
            seen = hands[seat - 1][place] + sum(cards[place] for cards in self.table.played)
            unseen += [kind] * (OF_A_KIND - seen)
        deck = iter(chance.shuffle("alike", unseen))
        drawn = tuple(
            hand if place == seat else _counted(islice(deck, sum(hand)))
            for place, hand in enumerate(hands, 1)
        )
        return replace(self, table=replace(self.table, hands=drawn))

    def text(self, seat: int | None = None) -> str:
        table = self.table
        names = ["you" if place == seat else str(place) for place in range(1, len(table.squares) + 1)]
        marked = [f"*{name}" if place == table.seat else name for place, name in enumerate(names, start=1)]
        markers = {square: f"[{name}]" for square, name in zip(table.squares, names, strict=True)}
        return "\n".join(
            (
                *self.board.drawn(markers),
                "",
                *((f"The match is over: {table.over}.",) if table.over else self._choice(seat)),
                "",
                _row("Seat", marked) + ("" if table.over else "   * is asked"),
                _row("Square", table.squares),
                *(self._cards(seat) if table.hands else ()),
            )
        )

    def _choice(self, seat: int | None) -> Iterator[str]:
        table = self.table
        victim, square, left = table.landing()
        mover = "You" if table.seat == seat else f"Seat {table.seat}"
        other = "you" if victim == seat else f"seat {victim}"
        yield f"Turn {table.turn}. {mover} threw {table.dice[-1]} and hit {other} on square {square}."
        yield f"  bounce   throws again, from {square}"
        yield f"  squash   takes {square} and puts {other} on {left}, the square just left"

    def _cards(self, seat: int | None) -> Iterator[str]:
        table = self.table
        yield _row("Cards left", [sum(hand) for hand in table.hands])
        for place, kind in enumerate(KINDS):
            yield _row(f"{kind.capitalize()} played", [cards[place] for cards in table.played])
        for place, hand in enumerate(table.hands, start=1):
            if seat in (None, place):
                holds = "You hold" if seat else f"Seat {place} holds"
                yield f"{holds} {hand.bounce} Bounce and {hand.squash} Squash."


class Squash(Game):
    """The rules of Evil Squash."""

    name = "squash"
    title = "Evil Squash"
    seats = (2, 4)
    worth_is_rank = True
    options = SquashOptions

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[SquashPosition, Events]:
        """Puts all markers off the board, and throws the die until a seat must choose."""
        board = options.chosen()
        rules = SquashRules(board.leads(), options.dice, options.turns, options.bounce_squash == "off-board")
        hands: tuple[CardCounts, ...] = ()
        if options.variant == "cards":
            deck = chance.shuffle("deal", DECK)
            hands = tuple(_counted(deck[EACH * seat : EACH * (seat + 1)]) for seat in range(seats))
        dealt = tuple(Event(_line("hand", hand), (seat,)) for seat, hand in enumerate(hands, start=1))
        table = SquashTable((0,) * seats, hands, (CardCounts(),) * len(hands))
        course = SquashCourse(table, rules, chance)
        table, told = course.on()
        return SquashPosition(board, rules, table, between=course.between), (*dealt, *told)

    def announce(self, options: Any) -> tuple[str, ...]:
        """Returns the options as lines. The lines about the board have its size and its arrows."""
        return (
            f"variant {options.variant}",
            f"bounce_squash {options.bounce_squash}",
            _line("dice", options.dice or ("chance",)),
            f"turns {options.turns}",
            *options.chosen().announced(),
        )

    def warnings(self, options: Any, seats: int) -> tuple[str, ...]:
        """Warns if luck decides nearly everything, or if the options fix the throws of the die."""
        said = []
        if seats == 2 and options.variant == "basic":
            said.append(
                "the basic game for two is nearly all luck: perfect play wins 51.55 % against a random bot"
            )
        if options.dice:
            said.append("the dice are scripted: every match has the same throws, and the bots know them")
        return tuple(said)


GAME = Squash()


def _counted(cards: Iterable[str]) -> CardCounts:
    held = list(cards)
    return CardCounts(held.count("bounce"), held.count("squash"))


def _line(word: str, values: Iterable[object]) -> str:
    return " ".join((word, *map(str, values)))


def _row(label: str, cells: Iterable[object]) -> str:
    return f"{label:<14}" + "".join([f"{cell:>6}" for cell in cells])
