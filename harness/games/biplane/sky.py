"""The parts of a Biplane position, and what a seat may do with its cards in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from harness.games.biplane.board import FLYING, MANEUVERS, REPEATING, SHOOTING

Cards: TypeAlias = tuple[str, ...]
MOST_SHOTS = 14


# As in State: what never changes is never part of a reference cycle.
class Pilot(msgspec.Struct, frozen=True, gc=False):
    """A seat's plane, losses and cards.

    `kept` is the permanent hand, wherever its cards are now (before the seat has chosen `keeps` cards, all
    cards dealt to it). A card of `kept` is in the hand unless it is on the table or `used` in this flight.
    A card on the table that is not in `kept` came from the temporary hand.
    """

    keeps: int
    kept: Cards
    place: str
    """"" if the plane is off the board: only when the match ends between a loss and its respawn."""
    seen: Cards = ()
    """The cards of `kept` that all have seen."""
    temporary: Cards = ()
    losses: int = 0
    out: str = ""
    """The Maneuver that lies open on the table."""
    down: str = ""
    """The card placed for the next turn: face down, unless it is the `open` card."""
    revealed: str = ""
    """The last revealed card."""
    used: Cards = ()
    """A Repeat and Shoots of the permanent hand: they return to it when the flight is over."""

    @property
    def permanent(self) -> Cards:
        """The cards of the permanent hand that are in the hand now."""
        out, down, used = self.out, self.down, self.used
        return tuple([card for card in self.kept if card != out and card != down and card not in used])

    @property
    def hand(self) -> Cards:
        """The same with the used cards, because the others need not know whether a flight is over."""
        return tuple([card for card in self.kept if card not in (self.out, self.down)])

    @property
    def open(self) -> str:
        """The revealed temporary Repeat: it stays on the table until another card is placed."""
        card = self.revealed
        return card if card in REPEATING and card not in self.kept and self.down in ("", card) else ""

    @property
    def placed(self) -> str:
        """Where the card for the next turn comes from: a hand, or "open" for the open Repeat."""
        if self.down == self.open:
            return "open"
        return "permanent" if self.down in self.kept else "temporary"

    def limit(self) -> int:
        """The maximum size of the temporary hand: one card for each Repeat, with the one just revealed."""
        return len(REPEATING.intersection((*self.kept, *self.temporary, self.open)))

    def shoots(self) -> Cards:
        """The Shoot cards in both hands. A Shoot is never on the table."""
        cards, used = (*self.kept, *self.temporary), self.used
        return tuple([card for card in cards if card in SHOOTING and card not in used])

    def next_cards(self) -> Cards:
        """The cards that may be placed for the next turn because of their kind: no Shoot, and no Repeat if no
        Maneuver is on the table. The Repeat just used counts as in hand, returned or open."""
        cards = (*self.permanent, *self.temporary, self.open)
        return tuple([card for card in cards if card in MANEUVERS or (self.out and card in REPEATING)])

    def placeable(self) -> Cards:
        """The cards that may be placed: of `next_cards` those that can fly from here (a Repeat can if the
        Maneuver on the table can); if none can, all (ruling 3)."""
        flying = FLYING[self.place]
        again = self.out in flying
        cards = (*self.permanent, *self.temporary, self.open)
        fit = [card for card in cards if card in flying or (again and card in REPEATING)]
        return tuple(fit) or self.next_cards()


class Sky(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the air and on the table. The deck has its next card first, the shots the oldest first.

    `turn` counts the turns of all seats, 0 in the set-up; `seat` is on turn. `asked` is the word of the next
    question, "" when the match is over; `left` is the number of spaces left in a flight.
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
        """This seat's pilot."""
        return self.pilots[seat - 1]


def space(place: str) -> str:
    """The space of a place, without the facing."""
    return place[:-1]


def kinds(cards: Sequence[str]) -> int:
    """The number of different kinds of Maneuver among these cards."""
    return len({MANEUVERS[card] for card in cards if card in MANEUVERS})


def shot_steps(seats: int) -> int:
    """The steps of each shot before a turn, with this number of players."""
    return 3 if seats == 2 else 2
