"""Owns what happens in the air of Biplane: moves, hits, crashes, respawns; knows no order of play."""

from __future__ import annotations

from typing import Any

import msgspec

from harness.chance import Chance
from harness.events import Event
from harness.games._biplane_board import AHEAD, LOOPS, MANEUVERS, ONWARD, TREE, YELLOW, landing
from harness.games._biplane_sky import Cards, Pilot, Sky, space


class RanOut(Exception):
    """The deck has run out for the last time: the match is over at once, and nothing more is resolved."""


class Air:
    """Planes, shots, cards and what was told, as a turn changes them; seats are numbered from 1."""

    def __init__(self, sky: Sky, chance: Chance) -> None:
        self.chance = chance
        self.tree = sky.tree
        self.pilots = list(sky.pilots)
        self.deck = sky.deck
        self.discards = list(sky.discards)
        self.shots = list(sky.shots)
        self.passes = sky.passes
        self.told: list[Event] = []
        self.shots_told = sky.shots

    def tell(self, line: str, *to: int) -> None:
        """To these seats, or to all."""
        self.told.append(Event(line, to or None))

    def tell_shots(self) -> None:
        """All shots, if they are others than was told last."""
        if (shots := tuple(self.shots)) != self.shots_told:
            self.tell(" ".join(("shots", *shots)))
            self.shots_told = shots

    def pilot(self, seat: int) -> Pilot:
        """That of this seat, now."""
        return self.pilots[seat - 1]

    def change(self, seat: int, **fields: Any) -> None:
        """Gives the seat's pilot other values."""
        self.pilots[seat - 1] = msgspec.structs.replace(self.pilots[seat - 1], **fields)

    # -- cards

    def take(self) -> str:
        """The next card of the deck; `refill` must follow when it has been told."""
        card, self.deck = self.deck[0], self.deck[1:]
        return card

    def refill(self) -> None:
        """A deck whose last card was taken is made anew of the discards, for all passes but the last."""
        if self.deck:
            return
        self.passes += 1
        last = self.passes == len(self.pilots)
        if not last:
            self.deck = self.chance.shuffle(f"pass {self.passes}", self.discards)
            self.discards = []
        self.tell(f"pass {self.passes} {len(self.deck)}")
        if last:
            raise RanOut

    def discard(self, seat: int, cards: Cards) -> None:
        """Where all see them."""
        self.discards += cards
        self.tell(" ".join(("discarded", str(seat), *cards)))

    # -- planes

    def step(self, seat: int) -> bool:
        """The next space of the maneuver that lies out; whether the plane entered it and is still there.

        A loop that does not begin here is flown as one space straight ahead (ruling 4).
        """
        place = self.pilot(seat).place
        sense = MANEUVERS[self.pilot(seat).out].sense
        ahead = (sense and LOOPS[sense].get(place)) or AHEAD[place]
        if ahead:
            return self.enter(seat, ahead)
        if place[-1] == "D":
            self.lose(seat, "ground")
            self.respawn(seat)
        else:
            self.change(seat, place=space(place) + "D")
            self.tell(f"turned {seat} {self.pilot(seat).place}")
        return False

    def enter(self, seat: int, place: str) -> bool:
        """Moves the plane there; whether it got through."""
        met = self.plane_in(space(place))
        self.change(seat, place=place)
        self.tell(f"moved {seat} {place}")
        if met:
            self.lose(seat, "crash")
            self.lose(met, "crash")
            self.respawn(seat)
            self.respawn(met)
        elif self.in_tree(place):
            self.lose(seat, "tree")
            self.respawn(seat)
        elif self.shot_in(space(place)):
            self.shots = [shot for shot in self.shots if shot[:-2] != space(place)]
            self.lose(seat, "shot")
            self.respawn(seat)
        else:
            return True
        return False

    def lose(self, seat: int, why: str) -> None:
        """The plane leaves the board, and the seat's score rises."""
        self.change(seat, place="", losses=self.pilot(seat).losses + 1)
        self.tell(f"lost {seat} {why}")
        self.tell_shots()

    def respawn(self, seat: int) -> None:
        """Draws until a card names a free space, and puts the plane there."""
        place = ""
        while not place:
            card = self.take()
            self.tell(f"respawn {seat} {card}")
            try:
                self.refill()
            finally:
                self.discards.append(card)
            place = self.free(landing(card, self.tree))
        self.change(seat, place=place)
        self.tell(f"plane {seat} {place}")

    def free(self, place: str) -> str:
        """The place, if neither a plane nor a shot is in its space."""
        return "" if self.plane_in(space(place)) or self.shot_in(space(place)) else place

    def plane_in(self, where: str) -> int:
        """The seat whose plane is in this space; 0 if there is none."""
        for seat, pilot in enumerate(self.pilots, start=1):
            if pilot.place[:-1] == where:
                return seat
        return 0

    def in_tree(self, place: str) -> bool:
        """Whether the tree stands there."""
        return self.tree and space(place) == TREE

    # -- shots

    def shot_in(self, where: str) -> bool:
        """Whether a shot is in this space."""
        return any(shot[:-2] == where for shot in self.shots)

    def move_shots(self, steps: int) -> None:
        """Each shot all its steps, the oldest first."""
        index = 0
        while index < len(self.shots):
            if self.flown_on(index, steps):
                index += 1

    def fire(self, place: str) -> None:
        """A new shot is put there, which may be off the board; if it hits nobody it makes one step."""
        if place and not self.in_tree(place):
            self.shots.append(place + YELLOW)
            newest = len(self.shots) - 1
            if not self.strikes(newest):
                self.flown_on(newest, 1)

    def flown_on(self, index: int, steps: int) -> bool:
        """Moves a shot so many steps; whether it is still on the board."""
        for _ in range(steps):
            shot = ONWARD[self.shots[index]]
            if not shot or self.in_tree(shot[:-1]):
                del self.shots[index]
                return False
            self.shots[index] = shot
            if self.strikes(index):
                return False
        return True

    def strikes(self, index: int) -> bool:
        """Whether a plane is in the space of this shot: then that is lost, and the shot is gone."""
        seat = self.plane_in(self.shots[index][:-2])
        if seat:
            del self.shots[index]
            self.lose(seat, "shot")
            self.respawn(seat)
        return bool(seat)
