"""Plays a turn of Biplane, from the answers to one question up to the next question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from harness.games import Chance, Events
from harness.games.biplane.air import Air, RanOut
from harness.games.biplane.board import AHEAD, FLYING, MANEUVERS
from harness.games.biplane.sky import MOST_SHOTS, Cards, Sky, shot_steps

AnySky = TypeVar("AnySky", bound=Sky)


def played(sky: AnySky, moves: Mapping[int, str], chance: Chance) -> tuple[AnySky, Events]:
    """Plays one move for each seat that was asked. Returns the next position and the events."""
    turn = BiplaneTurn(sky, chance)
    turn.answered(moves)
    after = replace(
        sky,
        pilots=tuple(turn.pilots),
        deck=turn.deck,
        discards=turn.discards,
        shots=tuple(turn.shots),
        passes=turn.passes,
        turn=turn.turn,
        seat=turn.seat,
        asked=turn.asked,
        left=turn.left,
    )
    return after, tuple(turn.told)


class BiplaneTurn(Air):
    """A turn in progress. The attributes of this object change while the answers are played, up to the next
    question."""

    def answered(self, moves: Mapping[int, str]) -> None:
        """Plays the answers and their consequences, up to the next question or the end of the match."""
        try:
            match self.asked:
                case "shoot":
                    self.shoot(self.seat, _card(moves[self.seat]))
                    self.fly()
                case "discard":
                    self.throw(self.seat, _card(moves[self.seat]))
                    self.thin_out()
                case "place":
                    for seat in sorted(moves):
                        self.place(seat, _card(moves[seat]))
                    self.begin()
                case "keep":
                    for seat in sorted(moves):
                        self.keep(seat, tuple(moves[seat].split(" ")[1:]))
                    self.asked = "place"
        except RanOut:
            self.asked, self.left = "", 0

    # -- answers

    def keep(self, seat: int, cards: Cards) -> None:
        """Makes these cards the permanent hand, and discards the other cards. All seats see the discarded
        cards."""
        pilot = self.pilot(seat)
        seen = tuple([card for card in pilot.seen if card in cards])
        self.change(seat, kept=cards, seen=seen)
        self.discard(seat, tuple([card for card in pilot.kept if card not in cards]))

    def place(self, seat: int, card: str) -> None:
        """Places the card for the next turn. A used Repeat of the temporary hand may lie open on the table.
        If the seat places another card, the new card is face down, and the open Repeat is discarded."""
        before = self.pilot(seat)
        opened = before.open
        pilot = self.change(seat, down=card, temporary=_without(before.temporary, card))
        self.tell(f"placed {seat} {pilot.placed}")
        if opened not in ("", card):
            self.discard(seat, (opened,))

    def throw(self, seat: int, card: str) -> None:
        """Discards a card of the temporary hand."""
        self.change(seat, temporary=_without(self.pilot(seat).temporary, card))
        self.discard(seat, (card,))

    def shoot(self, seat: int, card: str) -> None:
        """Shoots with this Shoot card; "no" means that the seat does not shoot."""
        if card == "no":
            return
        pilot = self.pilot(seat)
        self.tell(f"fired {seat} {card}")
        if card in pilot.kept:
            self.change(seat, used=(*pilot.used, card))
            self.show(seat, card)
        else:
            self.change(seat, temporary=_without(pilot.temporary, card))
            self.discard(seat, (card,))
        self.fire(AHEAD[pilot.place])
        self.tell_shots()

    # -- steps without a question

    def begin(self) -> None:
        """Begins the next turn, unless this was the last turn of the match."""
        self.asked = ""
        if self.turn < self.turns:
            self.turn += 1
            self.seat = self.seat % len(self.pilots) + 1
            self.tell(f"turn {self.turn} {self.seat}")
            self.move_shots(shot_steps(len(self.pilots)))
            self.tell_shots()
            self.reveal()

    def reveal(self) -> None:
        """Reveals the placed card. A Maneuver replaces the Maneuver on the table. With a Repeat, the plane
        flies the Maneuver on the table again."""
        seat, pilot = self.seat, self.pilot(self.seat)
        card = pilot.down
        self.tell(f"revealed {seat} {card}")
        self.show(seat, card)
        if card in MANEUVERS:
            self.change(seat, down="", revealed=card, out=card)
            if pilot.out and pilot.out not in pilot.kept:
                self.discard(seat, (pilot.out,))
            self.take_off()
        else:
            self.change(seat, down="", revealed=card, used=(card,) if card in pilot.kept else ())
            self.draw(seat)
            self.thin_out()

    def show(self, seat: int, card: str) -> None:
        """Records that all seats have seen this card, if the card belongs to the permanent hand."""
        pilot = self.pilot(seat)
        if card in pilot.kept and card not in pilot.seen:
            self.change(seat, seen=(*pilot.seen, card))

    def draw(self, seat: int) -> None:
        """Draws a card for the temporary hand."""
        card = self.take()
        others = tuple([other for other in range(1, len(self.pilots) + 1) if other != seat])
        self.tell(f"drew {seat} {card}", (seat,))
        self.tell(f"drew {seat}", others)
        self.change(seat, temporary=(*self.pilot(seat).temporary, card))
        self.refill()

    def thin_out(self) -> None:
        """Asks the seat to discard a card if its temporary hand is too large. If the hand is small enough,
        begins the flight."""
        pilot = self.pilot(self.seat)
        if len(pilot.temporary) > pilot.limit():
            self.asked = "discard"
        else:
            self.take_off()

    def take_off(self) -> None:
        """Begins the flight of the player on turn."""
        pilot = self.pilot(self.seat)
        self.left = MANEUVERS[pilot.out].spaces if pilot.out in FLYING[pilot.place] else 1
        self.fly()

    def fly(self) -> None:
        """Flies the plane space by space, until the seat may shoot or the flight ends."""
        seat = self.seat
        while self.left and self.step(seat):
            self.left -= 1
            if len(self.shots) < MOST_SHOTS and self.pilots[seat - 1].shoots():
                self.asked = "shoot"
                return
        self.land()

    def land(self) -> None:
        """Ends the flight: puts used cards back into the permanent hand, and asks for the next card."""
        if self.pilot(self.seat).used:
            self.change(self.seat, used=())
        self.left, self.asked = 0, "place"


def _without(cards: Cards, gone: str) -> Cards:
    return tuple([card for card in cards if card != gone]) if gone in cards else cards


def _card(move: str) -> str:
    """Returns the card that a canonical move names."""
    return move[move.index(" ") + 1 :]
