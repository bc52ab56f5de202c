"""Owns one battle of Squadron Scramble, what lies where and what a turn does; knows no war and no answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

import msgspec
from msgspec.structs import force_setattr, replace

from harness.games import Chance, Event, Events
from harness.games.squadron.acts import Act, Tables, found
from harness.games.squadron.cards import DECK, Cards, Squadron, in_order, left_in_hand

T = TypeVar("T")

HAND = 7
FEWEST_TO_SHUFFLE = 3
"""A smaller stack makes no deck (ruling 8)."""


class Battle(msgspec.Struct, frozen=True, gc=False):
    """A battle between two questions.

    Deck and stack have their top card first. `seat` is on turn, and `take` says what it took: 0 the card of
    the deck, else so many of the stack, None while it has not. What it took stays where it is until the turn
    is complete: so a turn that is broken off leaves no trace (ruling 11).
    """

    number: int
    most_turns: int
    playing: tuple[int, ...]
    """The seats that are in the war."""
    seat: int
    hands: tuple[Cards, ...]
    seen: tuple[Cards, ...]
    """The cards of each hand that all have seen it take."""
    tables: Tables
    deck: Cards
    stack: Cards
    turn: int = 0
    """How many turns are complete."""
    shuffles: int = 0
    take: int | None = None
    held: Cards = ()
    """What the seat on turn holds with what it took, once it has: put in order once, for it follows from the
    rest."""

    def __post_init__(self) -> None:
        took = self.take is not None
        force_setattr(self, "held", in_order((*self.hands[self.seat - 1], *self.taken())) if took else ())

    def taken(self) -> Cards:
        """What was taken in this turn."""
        return self.deck[:1] if self.take == 0 else self.stack[: self.take or 0]

    def hand(self, seat: int) -> Cards:
        """The cards that this seat holds now."""
        return self.held if self.take is not None and seat == self.seat else self.hands[seat - 1]

    def known(self, seat: int) -> Cards:
        """Those that all have seen it take."""
        seen = self.seen[seat - 1]
        return in_order((*seen, *self.taken())) if self.take and seat == self.seat else seen

    def left(self) -> tuple[Cards, Cards]:
        """Deck and stack without what was taken."""
        return (self.deck[1:], self.stack) if self.take == 0 else (self.deck, self.stack[self.take or 0 :])

    def points(self, seat: int) -> int:
        """What the battle brings this seat if it ends now."""
        return sum(squadron.worth() for squadron in self.tables[seat - 1]) - left_in_hand(self.hand(seat))

    def after(self, seat: int) -> int:
        """Whose turn comes next."""
        for other in self.playing:
            if other > seat:
                return other
        return self.playing[0]

    # -- what changes it

    def took(self, count: int) -> tuple[Battle, Events]:
        """The first half of a turn: so many of the stack, or the card of the deck."""
        if count:
            return replace(self, take=count), (Event(f"took {self.seat} stack {count}"),)
        told = Event(f"took {self.seat} deck"), Event(f"drew {self.deck[0]}", (self.seat,))
        return replace(self, take=0), told

    def acted(self, act: Act) -> tuple[Battle, list[Event]]:
        """The second half, a legal one; it is still the same seat's turn."""
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
        """The tables when squadrons have been laid and have attacked (ruling 5)."""
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
        """Why the battle is over after this turn; "" if it goes on (rulings 7, 8, 9 and 13)."""
        if not self.hands[self.seat - 1]:
            return "hand"
        if not self.deck and len(self.stack) < FEWEST_TO_SHUFFLE:
            return "cards"
        return "turns" if self.turn == self.most_turns else ""

    def passed(self, chance: Chance) -> tuple[Battle, Events]:
        """The next seat's turn; an empty deck is made of the stack first (ruling 8)."""
        battle = replace(self, seat=self.after(self.seat))
        if self.deck:
            return battle, ()
        shuffles = self.shuffles + 1
        top, *deck = chance.shuffle(f"battle {self.number} shuffle {shuffles}", self.stack)
        battle = replace(battle, shuffles=shuffles, deck=tuple(deck), stack=(top,))
        return battle, battle.lying()

    def lying(self) -> Events:
        """How deck and stack are told, when they lie there anew."""
        return Event(f"deck {len(self.deck)}"), Event(f"stack {' '.join(self.stack)}")

    def left_by(self, offenders: Collection[int]) -> Battle:
        """The turn undone, and these out with all that they have (ruling 11). Somebody must be left."""
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
        """One that this seat cannot tell from this: the deck, and the cards of others that nobody has seen,
        are drawn anew; once the stack, which all have seen, is in the deck, the deck by itself."""
        known = self.deck[:1] if self.take == 0 and seat == self.seat else ()
        hidden = list(self.deck[len(known) :])
        others = [other for other in self.playing if other != seat and not self.shuffles]
        for other in others:
            hidden += without(self.hands[other - 1], self.seen[other - 1])
        pool, hands = chance.shuffle("alike", hidden), self.hands
        for other in others:
            seen = self.seen[other - 1]
            count = len(self.hands[other - 1]) - len(seen)
            hands = put(hands, other, in_order((*seen, *pool[:count])))
            pool = pool[count:]
        return replace(self, hands=hands, deck=(*known, *pool))


def dealt(
    number: int, playing: tuple[int, ...], seats: int, turns: int, chance: Chance
) -> tuple[Battle, Events]:
    """A new battle: blocks of the shuffle for those who play, in order, then the stack's card, then the deck.

    It ends after `turns` for each of them, all together.
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
    """The same with another value for this seat."""
    return (*all_seats[: seat - 1], one, *all_seats[seat:])


def without(items: Sequence[T], some: Collection[T]) -> tuple[T, ...]:
    """The items that are not among these."""
    return tuple([item for item in items if item not in some])
