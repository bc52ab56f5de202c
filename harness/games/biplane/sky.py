"""Owns what a position of Biplane holds and what a seat may do with its cards there; changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from harness.games.biplane.board import FLYING, MANEUVERS, REPEATING, SHOOTING

Cards: TypeAlias = tuple[str, ...]
MOST_SHOTS = 14


# As in State, what never changes is never part of a cycle.
class Pilot(msgspec.Struct, frozen=True, gc=False):
    """What is one seat's: its plane, its losses, its cards.

    `kept` is the permanent hand, wherever its cards are just now (until the seat has chosen `keeps` of them,
    all that it was dealt). Those that neither lie on the table nor are `used` in this flight are in the hand.
    A card that lies on the table and is not of `kept` came from the temporary hand.
    """

    keeps: int
    kept: Cards
    place: str
    """"" when the plane is off the board, which it is only when the match ends between loss and respawn."""
    seen: Cards = ()
    """Those of `kept` that all have seen."""
    temporary: Cards = ()
    losses: int = 0
    out: str = ""
    """The maneuver that lies out."""
    down: str = ""
    """The card that is placed for the next turn: face down, unless it is the `open` one."""
    revealed: str = ""
    """The card that was revealed last."""
    used: Cards = ()
    """A Repeat and Shoots of the permanent hand, which come back to it when the flight is over."""

    @property
    def permanent(self) -> Cards:
        """The cards of the permanent hand that are in the hand."""
        out, down, used = self.out, self.down, self.used
        return tuple([card for card in self.kept if card != out and card != down and card not in used])

    @property
    def hand(self) -> Cards:
        """The same with those that are used: the others need not know whether a flight is over."""
        return tuple([card for card in self.kept if card not in (self.out, self.down)])

    @property
    def open(self) -> str:
        """The temporary Repeat that was revealed, as long as it lies there: until another card is placed."""
        card = self.revealed
        return card if card in REPEATING and card not in self.kept and self.down in ("", card) else ""

    @property
    def placed(self) -> str:
        """The hand that the card for the next turn is from, or that it is the open Repeat."""
        if self.down == self.open:
            return "open"
        return "permanent" if self.down in self.kept else "temporary"

    def limit(self) -> int:
        """How many cards the temporary hand may hold: one for each Repeat, the one just revealed included."""
        return len(REPEATING.intersection((*self.kept, *self.temporary, self.open)))

    def shoots(self) -> Cards:
        """The Shoot cards in both hands. None ever lies on the table."""
        cards, used = (*self.kept, *self.temporary), self.used
        return tuple([card for card in cards if card in SHOOTING and card not in used])

    def next_cards(self) -> Cards:
        """What may be placed for the next turn by its kind: no Shoot, and no Repeat where nothing lies out.
        The Repeat just used, returned or lying open, counts as in hand."""
        cards = (*self.permanent, *self.temporary, self.open)
        return tuple([card for card in cards if card in MANEUVERS or (self.out and card in REPEATING)])

    def placeable(self) -> Cards:
        """What may be placed: of these cards those that fly from here, as a Repeat does if the maneuver that
        lies out does; if none does, any (ruling 3)."""
        flying = FLYING[self.place]
        again = self.out in flying
        cards = (*self.permanent, *self.temporary, self.open)
        fit = [card for card in cards if card in flying or (again and card in REPEATING)]
        return tuple(fit) or self.next_cards()


class Sky(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the air and on the table. The next card of the deck comes first, as does the oldest shot.

    `turn` counts the turns of all seats, 0 in the set-up; `seat` is whose turn it is. `asked` is the word of
    the question that is due, "" when the match is over; `left` counts the spaces of a flight still to come.
    """

    sides: tuple[tuple[int, ...], ...]
    tree: bool
    turns: int
    pilots: tuple[Pilot, ...]
    deck: Cards
    discards: Cards = ()
    shots: tuple[str, ...] = ()
    passes: int = 0
    turn: int = 0
    seat: int = 0
    asked: str = "keep"
    left: int = 0

    def pilot(self, seat: int) -> Pilot:
        """That of this seat."""
        return self.pilots[seat - 1]


def space(place: str) -> str:
    """The space of a place."""
    return place[:-1]


def kinds(cards: Sequence[str]) -> int:
    """How many different kinds of Maneuver are among these cards."""
    return len({MANEUVERS[card] for card in cards if card in MANEUVERS})


def shot_steps(seats: int) -> int:
    """How many steps each shot makes before a turn, with so many players."""
    return 3 if seats == 2 else 2
