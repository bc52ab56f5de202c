"""Defines the rules of Sevens. sevens.md explains the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import force_setattr

from harness.games import Chance, Event, Events, Game, Illegal, Malformed, Options, Outcome, State, ranks
from harness.games.sevens.cards import (
    DECK,
    KIND,
    OTHER_COLOUR,
    PLACE,
    SAID,
    SUITS,
    SYMBOLS,
    T0,
    Cards,
    Parameters,
    announced,
    book,
    drawn,
    in_order,
    values_by_kind,
)

NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
AHEAD = range(0, 500, 17)
"""The totals with which `worth` computes its guess, as distances from the present total."""
HELP = (
    '"random": drawn for each deal; "T0": a fixed set; or a table with two values, 1 to 99, for each of '
    "A 2 3 4 5 6 7 8 9 T J Q K, and with div, digit and both, -99 to 99"
)


class SevensOptions(Options, frozen=True):
    """The options of Sevens."""

    parameters: Annotated[Literal["random", "T0"] | Parameters, Meta(description=HELP)] = "random"


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A card on the table, the seat that played it (0 for the dealer), its value, and the points that it
    earned."""

    seat: int
    card: str
    value: int
    points: int

    def line(self) -> str:
        """Returns the line that tells the players about this card."""
        if not self.seat:
            return f"table {self.card} {self.value}"
        return f"played {self.seat} {self.card} {self.value} {self.points}"


class SevensPosition(State, frozen=True):
    """A position of Sevens. `table` ends with the card that was played last. `seat` is 0 if no seat is on
    turn."""

    # Every position asks the seat on turn for a move. So each new position computes the legal moves, and only
    # once: `legal` lists these moves, and `check` looks for the answer among them.

    ahead: ClassVar[int] = 4
    unit: ClassVar[str] = "points"

    parameters: Parameters
    hands: tuple[Cards, ...]
    table: tuple[Placed, ...]
    total: int
    points: tuple[int, ...]
    seat: int
    moves: tuple[str, ...] = ()
    """The legal moves, computed from the other fields."""

    def __post_init__(self) -> None:
        force_setattr(self, "moves", self._moves() if self.seat else ())

    def to_act(self) -> tuple[int, ...]:
        return (self.seat,) if self.seat else ()

    def question(self, seat: int) -> str:
        return "play"

    def playable(self, seat: int) -> Cards:
        """Returns the cards that this seat may play: all its cards that do not have the colour of the last
        card. If the seat has no such card, it may play the cards that do not have the suit of the last card.
        If the seat has no card of another suit either, it may play all its cards."""
        hand, last = self.hands[seat - 1], self.table[-1].card[1]
        other_colour = tuple(filter(OTHER_COLOUR[last].__contains__, hand))
        return other_colour or tuple([card for card in hand if card[1] != last]) or hand

    def _moves(self) -> tuple[str, ...]:
        total, (values, rewards) = self.total, book(self.parameters)
        moves = []
        for card in self.playable(self.seat):
            said = SAID[card]
            for value in values[card[0]]:
                moves.append(said[value] + rewards[KIND[total + value]])
        return tuple(moves)

    def legal(self, seat: int) -> tuple[str, ...]:
        return self.moves

    def check(self, seat: int, said: str) -> str | Malformed | Illegal:
        if said in self.moves:
            return said
        words = said.split(" ")
        if len(words) != 4 or words[0] != "play":
            return Malformed(f"`play CARD VALUE CLAIM` is due, as `play 5D 5 -3`; it said {said!r}")
        card = words[1].upper()
        if card not in PLACE:
            return Malformed(f"a card is one of {SYMBOLS}, then one of {SUITS}; it said {words[1]!r}")
        for word in words[2:]:
            if not NUMBER.fullmatch(word):
                return Malformed(f"value and claim are whole numbers; it said {word!r}")
        value, claim = int(words[2]), int(words[3])
        move = f"play {card} {value} {claim}"
        return move if move in self.moves else Illegal(self._fault(seat, card, value, claim))

    def _fault(self, seat: int, card: str, value: int, claim: int) -> str:
        """Returns the reason why this is not a legal move."""
        if card not in (playable := self.playable(seat)):
            if card not in self.hands[seat - 1]:
                return f"{card} is not in its hand"
            last = self.table[-1].card
            kind = "colour" if playable[0] in OTHER_COLOUR[last[1]] else "suit"
            return f"{card} may not follow {last}: it holds a card of another {kind}, {playable[0]}"
        if value not in (values := self.parameters.pair(card)):
            return f"{card} counts {' or '.join(map(str, dict.fromkeys(values)))}, not {value}"
        due = self.parameters.reward(self.total + value)
        return f"{card} as {value} makes {self.total + value}, which earns {due}, not {claim}"

    def play(self, moves: Mapping[int, str], chance: Chance) -> tuple[SevensPosition, Events]:
        seat = self.seat
        _, card, value, claim = moves[seat].split(" ")
        placed = Placed(seat, card, int(value), int(claim))
        hands, points = list(self.hands), list(self.points)
        hand = hands[seat - 1]
        place = hand.index(card)
        hands[seat - 1] = hand[:place] + hand[place + 1 :]
        points[seat - 1] += placed.points
        then = seat % len(hands) + 1
        table, total = (*self.table, placed), self.total + placed.value
        then = then if hands[then - 1] else 0
        position = SevensPosition(self.parameters, tuple(hands), table, total, tuple(points), then)
        return position, (Event(placed.line()),)

    def scores(self) -> tuple[int, ...]:
        return self.points

    def outcome(self) -> Outcome | None:
        return None if self.seat else Outcome(ranks(self.points), self.points, "all cards are played")

    def worth(self) -> tuple[float, ...]:
        """Returns the points of each seat, plus a guess of the points to come. The guess adds the same number
        for each card in the hand. To get this number, the function takes some totals, finds the best reward
        that a card of this hand can earn at each total, and computes the mean of these rewards."""
        (values, _), rewards = book(self.parameters), self.parameters.rewards()
        best_first = sorted(range(len(rewards)), key=rewards.__getitem__, reverse=True)
        fits = [values_by_kind(self.total + step) for step in AHEAD]
        found = []
        for points, hand in zip(self.points, self.hands, strict=True):
            held = sum({1 << value for card in hand for value in values[card[0]]})
            best = 0
            for fit in fits if held else ():
                for kind in best_first:
                    if fit[kind] & held:
                        best += rewards[kind]
                        break
            found.append(points + len(hand) * best / len(fits))
        return tuple(found)

    def view(self, seat: int) -> tuple[str, ...]:
        return (
            *announced(self.parameters),
            *(placed.line() for placed in self.table),
            _hand(self.hands[seat - 1]),
            f"total {self.total}",
            f"scores {' '.join(map(str, self.points))}",
        )

    def alike(self, seat: int, chance: Chance) -> SevensPosition:
        """Shuffles the cards of the other hands and deals them again."""
        own = self.hands[seat - 1]
        unseen = in_order([card for hand in self.hands if hand is not own for card in hand])
        cards = iter(chance.shuffle("alike", unseen))
        hands = [hand if hand is own else in_order([next(cards) for _ in hand]) for hand in self.hands]
        return msgspec.structs.replace(self, hands=tuple(hands))

    def text(self, seat: int | None = None) -> str:
        rewards, values, last = self.parameters, self.parameters.values(), self.table[-8:]
        names = ["you" if place == seat else str(place) for place in range(1, len(self.points) + 1)]
        marked = [f"*{name}" if place == self.seat else name for place, name in enumerate(names, 1)]
        return "\n".join(
            (
                _row("Card", SYMBOLS, 5),
                _row("counts", [str(first) for first, _ in values], 5),
                _row("or", ["" if first == second else str(second) for first, second in values], 5),
                f"A total divisible by 7 earns {rewards.div:+d}, with a 7 in it {rewards.digit:+d}, "
                f"with both {rewards.both:+d}.\n",
                _row("Table", [placed.card for placed in last], 7)
                + f"   {len(self.table)} card{'s' * (len(self.table) > 1)}",
                _row("counts", [str(placed.value) for placed in last], 7) + f"   total {self.total}\n",
                *(self._hands() if seat is None else self._hand(seat)),
                "",
                _row("Seat", marked, 6) + ("   * is to play" if self.seat else ""),
                _row("Points", [str(points) for points in self.points], 6),
            )
        )

    def _hands(self) -> Iterator[str]:
        for seat, hand in enumerate(self.hands, start=1):
            held = [(suit, [card[0] for card in hand if card[1] == suit]) for suit in SUITS]
            suits = [" ".join((suit, *symbols)) for suit, symbols in held if symbols]
            yield f"Seat {seat}  {'   '.join(suits) or 'no cards'}"

    def _hand(self, seat: int) -> Iterator[str]:
        playable = self.playable(seat) if seat == self.seat else ()
        yield f"Your hand, [ ] marks what may go on {self.table[-1].card}:" if playable else "Your hand:"
        for suit in SUITS:
            cards = [card for card in self.hands[seat - 1] if card[1] == suit]
            if cards:
                yield "".join(f" [{card}]" if card in playable else f"  {card} " for card in cards).rstrip()


class Sevens(Game):
    """The rules of Sevens."""

    name = "sevens"
    title = "Sevens"
    seats = (2, 9)
    order = "rank"
    options = SevensOptions

    def start(self, options: Any, seats: int, chance: Chance) -> tuple[SevensPosition, Events]:
        """Deals equal blocks of the deck to the seats, seat 1 first, and the rest to the table."""
        chosen = options.parameters
        if not isinstance(chosen, Parameters):
            chosen = T0 if chosen == "T0" else drawn(chance)
        each = (len(DECK) - 1) // seats
        order = chance.shuffle("deal", DECK)
        hands = tuple(in_order(order[first : first + each]) for first in range(0, seats * each, each))
        table = tuple(Placed(0, card, chosen.pair(card)[0], 0) for card in order[seats * each :])
        total = sum(placed.value for placed in table)
        told = (
            *(Event(line) for line in announced(chosen)),
            *(Event(_hand(hand), (seat,)) for seat, hand in enumerate(hands, start=1)),
            *(Event(placed.line()) for placed in table),
        )
        return SevensPosition(chosen, hands, table, total, (0,) * seats, 1), told

    def announce(self, options: Any) -> tuple[str, ...]:
        """Returns the line that says how the parameters are chosen. The events of the deal contain the values
        of the parameters."""
        chosen = options.parameters
        return (f"parameters {'table' if isinstance(chosen, Parameters) else chosen}",)


GAME = Sevens()


def _hand(cards: Cards) -> str:
    return " ".join(("hand", *cards))


def _row(label: str, cells: Iterable[str], width: int) -> str:
    return f"{label:<8}" + "".join([f"{cell:>{width}}" for cell in cells])
