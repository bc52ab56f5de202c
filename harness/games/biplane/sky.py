"""Defines the parts of a Biplane position, and the cards that a seat may use in this position. The numbers of
rulings are those of biplane.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from harness.games.biplane.board import FLYING, MANEUVERS, REPEATING, SHOOTING

Cards: TypeAlias = tuple[str, ...]
MOST_SHOTS = 14


# An immutable value is never part of a reference cycle, so the garbage collector can skip it.
class Pilot(msgspec.Struct, frozen=True, gc=False):
    """A seat's plane, losses and cards.

    `kept` has all cards of the permanent hand, also those that are on the table now. At first `kept` has all
    cards that were dealt to the seat. Then the seat chooses `keeps` of these cards, and `kept` has only the
    chosen cards. A card of `kept` is in the hand unless it is on the table or `used` in this flight. A card
    on the table that is not in `kept` came from the temporary hand.
    """

    keeps: int
    kept: Cards
    place: str
    """The place of the plane, or "" off the board. A plane is off the board only if the match ends before a
    lost plane respawns."""
    seen: Cards = ()
    """The cards of `kept` that all seats have seen."""
    temporary: Cards = ()
    losses: int = 0
    out: str = ""
    """The Maneuver face up on the table."""
    down: str = ""
    """The card placed for the next turn. The card is face down, unless it is the `open` card."""
    revealed: str = ""
    """The card that was revealed last."""
    used: Cards = ()
    """The Repeat and Shoots of the permanent hand that were used in this flight. After the flight, these
    cards return to the hand."""

    @property
    def permanent(self) -> Cards:
        """The permanent cards that the player has in hand now. The other permanent cards lie on the table."""
        out, down, used = self.out, self.down, self.used
        return tuple([card for card in self.kept if card != out and card != down and card not in used])

    @property
    def hand(self) -> Cards:
        """The cards of `permanent` and `used` together. Other seats learn the number of these cards. They do
        not learn the number of cards in `permanent`, because that number would show whether a flight is
        over."""
        return tuple([card for card in self.kept if card not in (self.out, self.down)])

    @property
    def open(self) -> str:
        """The revealed Repeat from the temporary hand, or "" if there is none. This Repeat stays on
        the table until another card is placed."""
        card = self.revealed
        return card if card in REPEATING and card not in self.kept and self.down in ("", card) else ""

    @property
    def placed(self) -> str:
        """The hand from which the card for the next turn comes ("permanent" or "temporary"), or "open" if
        this card is the open Repeat."""
        if self.down == self.open:
            return "open"
        return "permanent" if self.down in self.kept else "temporary"

    def limit(self) -> int:
        """Returns the maximum size of the temporary hand: one card for each Repeat, including the open
        Repeat."""
        return len(REPEATING.intersection((*self.kept, *self.temporary, self.open)))

    def shoots(self) -> Cards:
        """Returns the Shoot cards in both hands, without the used cards. A Shoot is never on the table."""
        cards, used = (*self.kept, *self.temporary), self.used
        return tuple([card for card in cards if card in SHOOTING and card not in used])

    def next_cards(self) -> Cards:
        """Returns the cards that may be placed if the place of the plane does not matter: all Maneuvers, and
        also all Repeats if a Maneuver lies face up on the table. The open Repeat is one of these Repeats."""
        cards = (*self.permanent, *self.temporary, self.open)
        return tuple([card for card in cards if card in MANEUVERS or (self.out and card in REPEATING)])

    def placeable(self) -> Cards:
        """Returns the cards of `next_cards` that can fly from the plane's place. If none of them can fly,
        returns all cards of `next_cards` (ruling 3). A Repeat can fly if the Maneuver on the table can
        fly."""
        flying = FLYING[self.place]
        again = self.out in flying
        cards = (*self.permanent, *self.temporary, self.open)
        fit = [card for card in cards if card in flying or (again and card in REPEATING)]
        return tuple(fit) or self.next_cards()


class Sky(msgspec.Struct, frozen=True, kw_only=True):
    """The planes, shots and cards of a position. `deck` begins with the card that is drawn next,
    and `shots` begins with the oldest shot.

    `turn` counts the turns of all seats and is 0 in the set-up. The seat `seat` is on turn. `asked` is the
    first word of the next question, or "" when the match is over. `left` is the number of spaces that the
    plane must still fly in its present flight.
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
        """Returns this seat's pilot."""
        return self.pilots[seat - 1]


def space(place: str) -> str:
    """Returns the space of a place. A place is a space with a facing, for example "G5R"."""
    return place[:-1]


def kinds(cards: Sequence[str]) -> int:
    """Returns the number of different kinds of Maneuver among these cards."""
    return len({MANEUVERS[card] for card in cards if card in MANEUVERS})


def shot_steps(seats: int) -> int:
    """Returns the number of steps that each shot makes before a turn, in a match of this many seats."""
    return 3 if seats == 2 else 2
