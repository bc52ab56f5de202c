"""Defines one battle of Squadron Scramble: the places of all cards, and the effects of each turn. Rulings
have the same numbers here as in squadron.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import force_setattr, replace

from harness.games import Chance, Event, Events
from harness.games.squadron.acts import Act, Tables, found
from harness.games.squadron.cards import DECK, KIND, ON_TABLE, TYPE, Cards, Squadron, in_order, left_in_hand

T = TypeVar("T")

HAND = 7
WORTH_OF_WILD = 10.0
PART = (0.0, 0.0, 0.4, 1.0)
"""A guess of how much aircraft of one type in a hand are worth, as a part of the points of a whole squadron.
The index is the number of these aircraft.
"""
FEWEST_TO_SHUFFLE = 3
"""The minimum number of cards in a stack that becomes a new deck (ruling 8)."""


class Battle(msgspec.Struct, frozen=True, gc=False):
    """The position of a battle before a question. In `deck` and in `stack`, the first card is on top.

    The seat `seat` is on turn. `take` is None before this seat takes cards, and 0 after it took the top card
    of the deck. Otherwise `take` is the number of cards that the seat took from the stack. The taken cards
    stay in `deck` or `stack` until the turn is complete. So a turn that a fault interrupts changes nothing
    (ruling 11).
    """

    number: int
    most_turns: int
    playing: tuple[int, ...]
    """The seats that are still in the war."""
    seat: int
    hands: tuple[Cards, ...]
    seen: tuple[Cards, ...]
    """For each seat, the cards in its hand that all players saw this seat take."""
    tables: Tables
    deck: Cards
    stack: Cards
    turn: int = 0
    """The number of complete turns."""
    shuffles: int = 0
    take: int | None = None
    held: Cards = ()
    """The hand of the seat on turn, with the cards that it took in this turn. Before the seat takes cards,
    `held` is empty. `held` is computed from the other fields. It is stored, so that its cards are sorted only
    once."""

    def __post_init__(self) -> None:
        took = self.take is not None
        force_setattr(self, "held", in_order((*self.hands[self.seat - 1], *self.taken())) if took else ())

    def taken(self) -> Cards:
        """Returns the cards taken in this turn."""
        return self.deck[:1] if self.take == 0 else self.stack[: self.take or 0]

    def hand(self, seat: int) -> Cards:
        """Returns the cards in this seat's hand now."""
        return self.held if self.take is not None and seat == self.seat else self.hands[seat - 1]

    def known(self, seat: int) -> Cards:
        """Returns the cards in this seat's hand that all players saw the seat take."""
        seen = self.seen[seat - 1]
        return in_order((*seen, *self.taken())) if self.take and seat == self.seat else seen

    def left(self) -> tuple[Cards, Cards]:
        """Returns the deck and the stack without the cards taken in this turn."""
        return (self.deck[1:], self.stack) if self.take == 0 else (self.deck, self.stack[self.take or 0 :])

    def points(self, seat: int) -> int:
        """Returns the points of this seat if the battle ends now."""
        return sum(squadron.worth() for squadron in self.tables[seat - 1]) - left_in_hand(self.hand(seat))

    def worth(self, seat: int) -> float:
        """Guesses the points of this seat at the end of the battle, from its tables and its hand."""
        found = float(sum(squadron.worth() for squadron in self.tables[seat - 1]))
        hand = self.hand(seat)
        copies = Counter(TYPE[card] for card in hand if card in TYPE)
        found += WORTH_OF_WILD * (len(hand) - copies.total())
        for code, count in copies.items():
            found += PART[count] * ON_TABLE[KIND[code].category]
        return found

    def after(self, seat: int) -> int:
        """Returns the seat that is on turn after `seat`."""
        for other in self.playing:
            if other > seat:
                return other
        return self.playing[0]

    # -- changes

    def took(self, count: int) -> tuple[Battle, Events]:
        """Plays the first half of a turn: takes `count` cards of the stack, or the top card of the deck if
        `count` is 0."""
        if count:
            return replace(self, take=count), (Event(f"took {self.seat} stack {count}"),)
        told = Event(f"took {self.seat} deck"), Event(f"drew {self.deck[0]}", (self.seat,))
        return replace(self, take=0), told

    def acted(self, act: Act) -> tuple[Battle, list[Event]]:
        """Plays a legal act, the second half of a turn. `seat` stays the same."""
        seat, named = self.seat, act.named()
        deck, stack = self.left()
        tables, told = self._laid(act)
        if act.back:
            stack = (act.back, *stack)
            told.append(Event(f"returned {seat} {act.back}"))
        hands = put(self.hands, seat, without(self.hand(seat), named))
        seen = put(self.seen, seat, without(self.known(seat), named))
        turn = self.turn + 1
        return replace(
            self, turn=turn, hands=hands, seen=seen, tables=tables, deck=deck, stack=stack, take=None
        ), told

    def _laid(self, act: Act) -> tuple[Tables, list[Event]]:
        """Lays the squadrons of the act and moves the captured squadrons (ruling 5). Returns the new
        tables and the events."""
        seat, tables = self.seat, self.tables
        told: list[Event] = []
        for cards, target in act.lays:
            tables = put(tables, seat, (*tables[seat - 1], Squadron(cards)))
            told.append(Event(f"laid {seat} {' '.join(cards)}"))
            if target:
                owner, prey = found(target, tables)
                tables = put(tables, owner, without(tables[owner - 1], (prey,)))
                tables = put(tables, seat, (*tables[seat - 1], Squadron(prey.cards, captured=True)))
                told.append(Event(f"captured {seat} {owner} {' '.join(prey.cards)}"))
        return tables, told

    def end(self) -> str:
        """Returns the reason why the battle ends after this turn; "" if it continues (rulings 7 to 9 and
        13)."""
        if not self.hands[self.seat - 1]:
            return "hand"
        if not self.deck and len(self.stack) < FEWEST_TO_SHUFFLE:
            return "cards"
        return "turns" if self.turn == self.most_turns else ""

    def passed(self, chance: Chance) -> tuple[Battle, Events]:
        """Begins the next seat's turn. If the deck is empty, the stack becomes the new deck (ruling 8)."""
        battle = replace(self, seat=self.after(self.seat))
        if self.deck:
            return battle, ()
        shuffles = self.shuffles + 1
        top, *deck = chance.shuffle(f"battle {self.number} shuffle {shuffles}", self.stack)
        battle = replace(battle, shuffles=shuffles, deck=tuple(deck), stack=(top,))
        return battle, battle.lying()

    def lying(self) -> Events:
        """Returns the events that describe a new deck and a new stack."""
        return Event(f"deck {len(self.deck)}"), Event(f"stack {' '.join(self.stack)}")

    def left_by(self, offenders: Collection[int]) -> Battle:
        """Undoes the current turn, and removes the offenders and their cards (ruling 11). At least one seat
        must stay."""
        hands, seen, tables = self.hands, self.seen, self.tables
        for seat in offenders:
            hands, seen, tables = put(hands, seat, ()), put(seen, seat, ()), put(tables, seat, ())
        rest = replace(
            self,
            playing=without(self.playing, offenders),
            hands=hands,
            seen=seen,
            tables=tables,
            take=None,
        )
        return replace(rest, seat=rest.after(self.seat)) if self.seat in offenders else rest

    def alike(self, seat: int, chance: Chance) -> Battle:
        """Makes another random battle that looks the same to this seat. Shuffles the deck together with the
        unseen cards of other hands. If the deck was made from the stack, all players know which cards are in
        the deck. Then only the deck is shuffled."""
        known = self.deck[:1] if self.take == 0 and seat == self.seat else ()
        hidden = list(self.deck[len(known) :])
        others = [other for other in self.playing if other != seat and not self.shuffles]
        for other in others:
            hidden += without(self.hands[other - 1], self.seen[other - 1])
        pool, hands = chance.shuffle("alike", in_order(hidden)), self.hands
        for other in others:
            seen = self.seen[other - 1]
            count = len(self.hands[other - 1]) - len(seen)
            hands = put(hands, other, in_order((*seen, *pool[:count])))
            pool = pool[count:]
        return replace(self, hands=hands, deck=(*known, *pool))


def dealt(
    number: int, playing: tuple[int, ...], seats: int, turns: int, chance: Chance
) -> tuple[Battle, Events]:
    """Deals a new battle: HAND cards to each player, one card to the stack, and the rest to the deck.

    The battle ends at the latest when each player has had `turns` turns.
    """
    cards = chance.shuffle(f"battle {number} deck", DECK)
    first = playing[chance.roll(f"battle {number} first", len(playing)) - 1]
    hands: tuple[Cards, ...] = ((),) * seats
    for place, seat in enumerate(playing):
        hands = put(hands, seat, in_order(cards[place * HAND : (place + 1) * HAND]))
    rest = cards[len(playing) * HAND :]
    none: tuple[tuple[()], ...] = ((),) * seats
    battle = Battle(number, turns * len(playing), playing, first, hands, none, none, rest[1:], rest[:1])
    told = (
        Event(f"battle {number} {first}"),
        *(Event(f"hand {' '.join(hands[seat - 1])}", (seat,)) for seat in playing),
        *battle.lying(),
    )
    return battle, told


def put(all_seats: tuple[T, ...], seat: int, one: T) -> tuple[T, ...]:
    """Returns a copy of `all_seats` with the value `one` for this seat."""
    return (*all_seats[: seat - 1], one, *all_seats[seat:])


def without(items: Sequence[T], some: Collection[T]) -> tuple[T, ...]:
    """Returns the items that are not in `some`."""
    return tuple([item for item in items if item not in some])
