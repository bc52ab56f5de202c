"""A Biplane bot that computes where its plane and the shots will be, and shoots at planes that cannot escape.

The bot assumes that the other planes stay where they are. With each question, the harness sends the bot the
state (`state`) and the legal answers (`legal`). So the bot need not remember anything between questions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from random import Random
from typing import NamedTuple, TypeAlias

FACINGS = {"R": (0, 1), "U": (1, 0), "L": (0, -1), "D": (-1, 0)}
STRAIGHT, CCW, CW = 0, 1, -1
MANEUVERS = {"A": (STRAIGHT, 1, 2), "C": (STRAIGHT, 2, 3), "E": (CW, 1, 2), "G": (CCW, 1, 2)}
"""For each row letter of a card's label: the card's direction, its number of spaces if the column is 1 to 6,
and its number of spaces if the column is 7 to 12."""
SHOOTS = ("S1", "S2", "S3", "S4", "B2U", "B6U", "B8U", "B12U")
Space: TypeAlias = tuple[int, int]
"""The row, counted from 0, and the column, counted from 1."""
TREE: Space = (0, 7)


class Place(NamedTuple):
    """A space and a facing."""

    row: int
    column: int
    up: int
    right: int

    @property
    def space(self) -> Space:
        return self.row, self.column

    def step(self, sense: int = STRAIGHT) -> Place | None:
        """The plane's next place: straight ahead, or after a quarter of a loop; None if this place is not on
        the board."""
        up, right = self.up, self.right
        row, column = self.row + up, self.column + right
        if sense:
            up, right = sense * self.right, -sense * self.up
            if self.row + up not in (1, 3, 5) or (self.column + right) % 2 == 0:
                return None
            row, column = row + up, column + right
        return Place(row, (column - 1) % 12 + 1, up, right) if 0 <= row <= 6 else None

    def flight(self, card: str) -> Iterator[Place | None]:
        """Yields the places that a plane reaches by a Maneuver; None is the ground. At the ceiling the plane
        only turns."""
        sense, count = maneuver(card)
        if sense and not self.step(sense):
            sense, count = STRAIGHT, 1
        place: Place | None = self
        while place and count:
            top = place.row == 6 and place.up == 1
            place, count = (place._replace(up=-1), 1) if top else (place.step(sense), count)
            yield place
            count -= 1

    def line(self, orange: bool = False) -> Iterator[Space]:
        """Yields the spaces that a shot from here enters. It passes from column 12 to 1, or from 1 to 12,
        only once."""
        place = self.step()
        while place:
            past = place.column == (1 if place.right == 1 else 12) and place.right != 0
            if past and orange:
                return
            orange = orange or past
            yield place.space
            place = place.step()


class Table:
    """The state, read from the lines of `state`, and the legal answers."""

    def __init__(self, seat: int, seats: int, together: bool, tree: bool) -> None:
        self.seat, self.seats, self.tree = seat, seats, tree
        self.enemies = [other for other in range(1, seats + 1) if other != seat]
        if together:  # seats 1 and 3 are allies
            self.enemies = [other for other in self.enemies if (other - seat) % 2]
        self.steps = 3 if seats == 2 else 2
        self.planes: dict[int, Place] = {}
        self.shots: list[list[Space]] = []  # the spaces that each shot will enter
        self.out = ""
        self.moves: list[str] = []

    def hear(self, words: list[str]) -> None:
        match words:
            case ["legal", *_]:
                self.moves = []
            case ["move", *answer]:
                self.moves.append(" ".join(answer))
            case ["state", "shots", *shots]:
                self.shots = [list(place_named(shot[:-1]).line(shot[-1] == "O")) for shot in shots]
            case ["state", "plane", seat, place]:
                self.planes[int(seat)] = place_named(place)
            case ["state", "out", seat, card] if int(seat) == self.seat:
                self.out = card

    def merit(self, move: str, left: int) -> float:
        """The value of this answer for the bot."""
        word, *cards = move.split()
        if word == "keep":
            return self.keeping(cards)
        if word == "place":
            return self.placing(cards[0])
        if word == "discard":
            return -worth(cards[0])
        return (cards != ["no"]) if self.hits(left) else (cards == ["no"])

    def keeping(self, cards: list[str]) -> float:
        """The value of a hand. A Shoot counts most, then each kind of Maneuver, then a Repeat."""
        worths = [worth(card) for card in cards]
        return len({maneuver(card) for card in cards if not worth(card)}) + 3 * (1 in worths) + (2 in worths)

    def hits(self, left: int) -> bool:
        """Whether a shot from here hits an enemy before the enemy's plane can fly away, and does not hit the
        bot's own plane."""
        for distance, space in enumerate(self.planes[self.seat].line(), start=1):
            for seat, place in self.planes.items():
                if place.space == space and seat != self.seat:
                    turns = (seat - self.seat) % self.seats
                    into_it = left >= 2 and distance > 2 and maneuver(self.out)[0] == STRAIGHT
                    return seat in self.enemies and distance <= 2 + turns * self.steps and not into_it
        return False

    def placing(self, card: str) -> float:
        """The value of placing this card: the bot's plane must avoid shots, and should end behind enemy
        planes."""
        until = self.steps * self.seats  # how far the shots fly until then
        there = {way[until - 1] for way in self.shots if len(way) >= until}
        if self.tree:
            there.add(TREE)
        passing = {space for way in self.shots for space in way[until : 2 * until]}
        planes = {place.space: seat for seat, place in self.planes.items() if seat != self.seat}
        end = here = self.planes[self.seat]
        for place in here.flight(self.out if worth(card) else card):
            if place is None or place.space in there:
                return -10
            if place.space in planes and place.space != here.space:
                return -3 if planes[place.space] in self.enemies else -10
            end = place
        before_it = sum(self.planes[enemy].space in self.reach(end) for enemy in self.enemies)
        behind_it = sum(end.space in self.reach(self.planes[enemy]) for enemy in self.enemies)
        return 3 * before_it - 2 * behind_it - 8 * (end.space in passing)

    def reach(self, place: Place) -> list[Space]:
        """The spaces that a shot from here passes before the next plane flies."""
        return list(place.line())[: 2 + self.steps]


def place_named(name: str) -> Place:
    return Place("ABCDEFG".index(name[0]), int(name[1:-1]), *FACINGS[name[-1]])


def maneuver(card: str) -> tuple[int, int]:
    """The direction of a Maneuver (STRAIGHT, CW or CCW), and its number of spaces."""
    sense, few, many = MANEUVERS[card[0]]
    return sense, many if int(card[1:]) > 6 else few


def worth(card: str) -> int:
    """The value of a card of the temporary hand: a Repeat has the highest value, a Maneuver the lowest."""
    return 1 if card in SHOOTS else 2 if card[-1] == "U" else 0


def main() -> None:
    options, random, table = dict[str, str](), Random(1), Table(1, 2, False, False)
    for line in sys.stdin:
        match line.split():
            case ["hello", *_]:
                say("hello 1 legal state")
            case ["option", name, value]:
                options[name] = value
            case ["new", _, seat, seats, seed]:
                together = options.get("alliance", "free-for-all") != "free-for-all"
                table = Table(int(seat), int(seats), together, options.get("tree") == "yes")
                random = Random(int(seed))
                say("ready")
            case ["keep" | "place" | "discard" | "shoot", _, _, *more]:
                left = int(more[0]) if more else 0
                say(max(table.moves, key=lambda move: table.merit(move, left) + random.random()))
            case ["bye"]:
                return
            case words:
                table.hear(words)


def say(line: str) -> None:
    """Sends a line. Without the flush the line stays in a buffer, and the harness does not get it."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
