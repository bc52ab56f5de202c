"""Carries out what happens in the air in Biplane: moves, hits, crashes and respawns. turn.py decides their
order. Rulings have the same numbers here as in biplane.md."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from harness.games import Chance, Event
from harness.games.biplane.board import LEADS, MANEUVERS, ONWARD, TREE, YELLOW, landing
from harness.games.biplane.sky import Cards, Pilot, Sky, space


class RanOut(Exception):
    """The signal that the deck ran out for the last time. The match then ends at once."""


class Air:
    """A position that changes during a turn, and the events so far. Seats are numbered from 1."""

    def __init__(self, sky: Sky, chance: Chance) -> None:
        self.chance = chance
        self.tree = sky.tree
        self.pilots = list(sky.pilots)
        self.spaces = [pilot.place[:-1] for pilot in sky.pilots]
        """The space of each plane, in the order of the seats."""
        self.deck, self.discards = sky.deck, sky.discards
        self.shots = list(sky.shots)
        self.passes = sky.passes
        self.turns, self.turn, self.seat = sky.turns, sky.turn, sky.seat
        self.asked, self.left = sky.asked, sky.left
        self.told: list[Event] = []
        self.shots_told = sky.shots

    def tell(self, line: str, to: tuple[int, ...] | None = None) -> None:
        """Adds an event for the seats `to`, or for all seats."""
        self.told.append(Event(line, to))

    def tell_shots(self) -> None:
        """Adds an event with all shots if they have changed since the last such event."""
        if (shots := tuple(self.shots)) != self.shots_told:
            self.tell(" ".join(("shots", *shots)))
            self.shots_told = shots

    def pilot(self, seat: int) -> Pilot:
        """Returns the present pilot of this seat."""
        return self.pilots[seat - 1]

    def change(self, seat: int, **fields: Any) -> Pilot:
        """Changes fields of the seat's pilot. To change the place, use `put`."""
        self.pilots[seat - 1] = pilot = replace(self.pilots[seat - 1], **fields)
        return pilot

    def put(self, seat: int, place: str) -> None:
        """Puts the seat's plane in this place. The place "" is off the board."""
        self.pilots[seat - 1] = replace(self.pilots[seat - 1], place=place)
        self.spaces[seat - 1] = place[:-1]

    # -- cards

    def take(self) -> str:
        """Takes the next card of the deck. The caller adds the event with this card, then calls `refill`."""
        card, self.deck = self.deck[0], self.deck[1:]
        return card

    def refill(self) -> None:
        """If the deck is empty, ends the *pass* (one use of the whole deck), and makes a new deck from the
        discards. Raises RanOut after the last pass of the match."""
        if self.deck:
            return
        self.passes += 1
        last = self.passes == len(self.pilots)
        if not last:
            self.deck = self.chance.shuffle(f"pass {self.passes}", self.discards)
            self.discards = ()
        self.tell(f"pass {self.passes} {len(self.deck)}")
        if last:
            raise RanOut

    def discard(self, seat: int, cards: Cards) -> None:
        """Puts cards on the discards. All seats see these cards."""
        self.discards += cards
        self.tell(" ".join(("discarded", str(seat), *cards)))

    # -- planes

    def step(self, seat: int) -> bool:
        """Flies one space of the seat's maneuver. Returns whether the plane can fly on.

        If the maneuver is a loop that does not begin in the plane's place, the plane flies one space straight
        ahead instead (ruling 4).
        """
        pilot = self.pilots[seat - 1]
        place = pilot.place
        ahead = LEADS[MANEUVERS[pilot.out].sense][place]
        if ahead:
            return self.enter(seat, ahead)
        if place[-1] == "D":
            self.lose(seat, "ground")
            self.respawn(seat)
        else:
            place = space(place) + "D"
            self.put(seat, place)
            self.tell(f"turned {seat} {place}")
        return False

    def enter(self, seat: int, place: str) -> bool:
        """Moves the plane to this place. Returns whether the plane survives."""
        where = place[:-1]
        met = self.plane_in(where)
        self.put(seat, place)
        self.tell(f"moved {seat} {place}")
        if met:
            self.lose(seat, "crash")
            self.lose(met, "crash")
            self.respawn(seat)
            self.respawn(met)
        elif self.in_tree(where):
            self.lose(seat, "tree")
            self.respawn(seat)
        elif self.shot_in(where):
            self.shots = [shot for shot in self.shots if shot[:-2] != where]
            self.lose(seat, "shot")
            self.respawn(seat)
        else:
            return True
        return False

    def lose(self, seat: int, why: str) -> None:
        """Takes the seat's plane off the board and adds a loss."""
        self.put(seat, "")
        self.change(seat, losses=self.pilot(seat).losses + 1)
        self.tell(f"lost {seat} {why}")
        self.tell_shots()

    def respawn(self, seat: int) -> None:
        """Draws cards until a card names a free space, and puts the plane in that space."""
        place = ""
        while not place:
            card = self.take()
            self.tell(f"respawn {seat} {card}")
            try:
                self.refill()
            finally:
                self.discards += (card,)
            place = self.free(landing(card, self.tree))
        self.put(seat, place)
        self.tell(f"plane {seat} {place}")

    def free(self, place: str) -> str:
        """Returns the place if its space has no plane and no shot, else ""."""
        return "" if self.plane_in(space(place)) or self.shot_in(space(place)) else place

    def plane_in(self, where: str) -> int:
        """Returns the seat of the plane in this space; 0 if there is no plane."""
        return self.spaces.index(where) + 1 if where in self.spaces else 0

    def in_tree(self, where: str) -> bool:
        """Returns whether the tree is in this space."""
        return self.tree and where == TREE

    # -- shots

    def shot_in(self, where: str) -> bool:
        """Returns whether a shot is in this space."""
        return where in [shot[:-2] for shot in self.shots]

    def move_shots(self, steps: int) -> None:
        """Moves the shots one after the other, the oldest first. Each shot makes all its steps before the
        next shot moves."""
        index = 0
        while index < len(self.shots):
            if self.flown_on(index, steps):
                index += 1

    def fire(self, place: str) -> None:
        """Puts a new shot in this place, unless the place is "" or has the tree. If the shot hits no plane in
        this place, the shot makes one step."""
        if place and not self.in_tree(space(place)):
            self.shots.append(place + YELLOW)
            newest = len(self.shots) - 1
            if not self.strikes(newest):
                self.flown_on(newest, 1)

    def flown_on(self, index: int, steps: int) -> bool:
        """Moves the shot with this index by `steps`. Returns whether the shot is still on the board."""
        shots, planes = self.shots, self.spaces
        for _ in range(steps):
            shots[index] = shot = ONWARD[shots[index]]
            where = shot[:-2]
            if not shot or self.in_tree(where):
                del shots[index]
                return False
            if where in planes and self.strikes(index):
                return False
        return True

    def strikes(self, index: int) -> bool:
        """If there is a plane in the space of this shot, removes the plane and the shot. Returns whether
        there was a plane."""
        seat = self.plane_in(self.shots[index][:-2])
        if seat:
            del self.shots[index]
            self.lose(seat, "shot")
            self.respawn(seat)
        return bool(seat)
