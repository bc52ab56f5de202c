"""Biplane written a second time, from the rules and as one long story; it shares no code with the game.

It is slow. It keeps everything in lists and in one table of the zones of all cards, and reads the board from
board.json. Its lines and questions must be the same as those of the game.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from harness.chance import Chance

BOARD: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("board.json").read_text())["states"]
LABELS = [f"{row}{column}" for row in "ACEG" for column in range(1, 13)]
REPEATS = ["A2U", "A4U", "A6U", "A8U", "A10U", "A12U", "B4U", "B10U"]
SHOOTS = ["S1", "S2", "S3", "S4", "B2U", "B6U", "B8U", "B12U"]
ALL = LABELS + REPEATS + SHOOTS


class Ask(NamedTuple):
    """A question that awaits its answer."""

    seat: int
    question: str
    moves: tuple[str, ...]


Story = Generator[Ask, str, None]


class TheEnd(Exception):
    """Raised when the last card of the last pass is taken."""


def kind(label: str) -> str:
    """The kind of a card: what the card with this label does."""
    if label in REPEATS:
        return "repeat"
    if label in SHOOTS:
        return "shoot"
    row, column = label[0], int(label[1:])
    early = column <= 6
    if row == "A":
        return "1" if early else "2"
    if row == "C":
        return "2" if early else "3"
    return ("90 " if early else "180 ") + ("CW" if row == "E" else "CCW")


def is_maneuver(label: str) -> bool:
    return kind(label) not in ("repeat", "shoot")


def different(cards: Sequence[str]) -> int:
    return len({kind(card) for card in cards if is_maneuver(card)})


class Plane:
    """A plane: its space and its direction. Both are empty while the plane is off the board."""

    def __init__(self, node: str) -> None:
        self.node, self.facing = node, "R"
        self.score = 0

    def state(self) -> dict[str, Any]:
        return BOARD[f"{self.node}:{self.facing}"]


class Shot:
    """A shot in the air."""

    def __init__(self, node: str, facing: str) -> None:
        self.node, self.facing, self.colour = node, facing, "Y"


class Slow:
    """A match. `story` plays it, and `lines` has the lines so far, each with the seats that get it."""

    def __init__(
        self,
        seats: int,
        chance: Chance,
        alliance: str = "",
        skill: int = 0,
        tree: bool = False,
        turns: int = 500,
    ) -> None:
        self.seats, self.chance, self.tree, self.cap = seats, chance, tree, turns
        starts = {2: "E5 C5", 3: "G5 E5 C5", 4: "G5 E5 C5 A5"}[seats]
        if alliance == "two-on-one":
            starts = "G5 E10 C5"
        if alliance == "two-on-two" and tree:
            starts = "G3 E9 C3 A9"
        self.planes = {seat: Plane(node) for seat, node in enumerate(starts.split(), start=1)}
        self.size = dict.fromkeys(self.planes, 4 + skill)
        if alliance == "two-on-one":
            self.size[2] += 1
        self.zone: dict[str, tuple[str, int]] = {}
        self.temporary: dict[int, list[str]] = {seat: [] for seat in self.planes}
        self.permanent: dict[int, list[str]] = {}
        self.deck: list[str] = []
        self.discards: list[str] = []
        self.shots: list[Shot] = []
        self.shown_shots = ""
        self.passes = 0
        self.lines: list[tuple[str, tuple[int, ...] | None]] = []

    # -- words

    def tell(self, line: str, to: tuple[int, ...] | None = None) -> None:
        self.lines.append((line, to))

    def tell_shots(self) -> None:
        shots = " ".join(["shots"] + [f"{shot.node}{shot.facing}{shot.colour}" for shot in self.shots])
        if shots != (self.shown_shots or "shots"):
            self.tell(shots)
        self.shown_shots = shots

    def at(self, zone: str, seat: int) -> list[str]:
        """The cards in this zone of this seat, in the order of the deck's list."""
        return [card for card in ALL if self.zone.get(card) == (zone, seat)]

    def one(self, zone: str, seat: int) -> str:
        return (*self.at(zone, seat), "")[0]

    def discard(self, seat: int, cards: Sequence[str]) -> None:
        for card in cards:
            del self.zone[card]
            self.discards.append(card)
            if card in self.temporary[seat]:
                self.temporary[seat].remove(card)
        self.tell(f"discarded {seat} {' '.join(cards)}")

    # -- the set-up

    def deal(self) -> None:
        while True:
            repeats = self.chance.shuffle("repeats", REPEATS)
            hands = {seat: [repeats[seat - 1], f"S{seat}"] for seat in self.planes}
            gone = [card for hand in hands.values() for card in hand]
            self.deck = list(self.chance.shuffle("deal", [card for card in ALL if card not in gone]))
            random: dict[int, list[str]] = {}
            for seat in self.planes:
                random[seat], self.deck = self.deck[: self.size[seat]], self.deck[self.size[seat] :]
            poor = [seat for seat in self.planes if different(random[seat]) < self.size[seat] - 2]
            if self.redrawn(random, poor):
                break
        for seat, plane in self.planes.items():
            hand = sorted(hands[seat] + random[seat], key=ALL.index)
            self.zone.update(dict.fromkeys(hand, ("dealt", seat)))
            self.tell(f"plane {seat} {plane.node}R")
            if seat in poor:
                self.tell(f"shown {seat} {' '.join(random[seat])}")
            self.tell(f"hand {' '.join(hand)}", (seat,))
        self.tell(f"deck {len(self.deck)}")

    def redrawn(self, random: dict[int, list[str]], poor: list[int]) -> bool:
        """Lets the seats in `poor` draw the cards that they lack. Returns false if the deck has only one
        card left before they have enough."""
        for seat in poor:
            while different(random[seat]) < self.size[seat] - 2:
                if len(self.deck) == 1:
                    return False
                random[seat].append(self.deck.pop(0))
        return True

    def set_up(self) -> Story:
        self.deal()
        chosen: dict[int, list[str]] = {}
        for seat, size in self.size.items():
            hands = [
                " ".join(hand)
                for hand in combinations(self.at("dealt", seat), size)
                if different(hand) >= size - 2
            ]
            answer = yield Ask(seat, f"keep {size} {size - 2}", tuple(f"keep {hand}" for hand in hands))
            chosen[seat] = answer.split()[1:]
        for seat, kept in chosen.items():
            rest = [card for card in self.at("dealt", seat) if card not in kept]
            self.permanent[seat] = kept
            self.zone.update(dict.fromkeys(kept, ("hand", seat)))
            self.discard(seat, rest)
        first: dict[int, str] = {}
        for seat in self.planes:
            maneuvers = [card for card in self.at("hand", seat) if is_maneuver(card)]
            first[seat] = yield from self.chosen_next(seat, maneuvers)
        for seat, card in first.items():
            self.zone[card] = ("down", seat)
            self.tell(f"placed {seat} permanent")

    # -- the turns

    def story(self) -> Story:
        """The whole match."""
        try:
            yield from self.set_up()
            for turn in range(1, self.cap + 1):
                seat = (turn - 1) % self.seats + 1
                self.tell(f"turn {turn} {seat}")
                yield from self.take_turn(seat)
        except TheEnd:
            return

    def take_turn(self, seat: int) -> Story:
        for shot in list(self.shots):
            for _ in range(3 if self.seats == 2 else 2):
                if shot in self.shots:
                    self.shot_steps(shot)
        self.tell_shots()
        card = self.one("down", seat)
        self.tell(f"revealed {seat} {card}")
        if is_maneuver(card):
            self.change_maneuver(seat, card)
        else:
            self.zone[card] = ("open", seat)
            yield from self.repeat(seat)
        yield from self.fly(seat)
        for used in [*self.at("used", seat), *self.at("open", seat)]:
            if used in self.permanent[seat]:
                self.zone[used] = ("hand", seat)
        yield from self.place(seat)

    def change_maneuver(self, seat: int, card: str) -> None:
        old = self.one("out", seat)
        self.zone[card] = ("out", seat)
        if old in self.permanent[seat]:
            self.zone[old] = ("hand", seat)
        elif old:
            self.discard(seat, [old])

    def repeat(self, seat: int) -> Story:
        card = self.deck.pop(0)
        self.tell(f"drew {seat} {card}", (seat,))
        self.tell(f"drew {seat}", tuple(other for other in self.planes if other != seat))
        self.zone[card] = ("temporary", seat)
        self.temporary[seat].append(card)
        if not self.deck:
            self.new_deck()
        while True:
            mine = [card for card, (_, owner) in self.zone.items() if owner == seat]
            limit = sum(card in REPEATS for card in mine)
            if len(self.temporary[seat]) <= limit:
                return
            moves = tuple(f"discard {card}" for card in self.temporary[seat])
            answer = yield Ask(seat, f"discard {limit}", moves)
            self.discard(seat, answer.split()[1:])

    def fly(self, seat: int) -> Story:
        plane, maneuver = self.planes[seat], kind(self.one("out", seat))
        degrees, _, sense = maneuver.partition(" ")
        if sense and plane.state()[sense]:
            steps = [sense] * (int(degrees) // 90)
        else:
            steps = ["ahead"] * (1 if sense else int(maneuver))
        while steps:
            way = steps.pop(0)
            if not self.plane_steps(seat, way):
                return
            weapons = [card for card in self.at("hand", seat) if card in SHOOTS]
            weapons += [card for card in self.temporary[seat] if card in SHOOTS]
            if weapons and len(self.shots) < 14:
                moves = ("shoot no", *(f"shoot {card}" for card in weapons))
                answer = yield Ask(seat, f"shoot {len(steps)}", moves)
                if answer != "shoot no":
                    self.shoot(seat, answer.split()[1])

    def plane_steps(self, seat: int, way: str) -> bool:
        """Moves the plane by one step. Returns whether it is in another space now and not destroyed."""
        plane = self.planes[seat]
        if way == "ahead" and plane.state()["ahead"] is None:
            if plane.node[0] == "G":
                plane.facing = "D"
                self.tell(f"turned {seat} {plane.node}D")
            else:
                self.lost(seat, "ground")
                self.respawn(seat)
            return False
        if way == "ahead":
            plane.node = plane.state()["ahead"]
        else:
            plane.node, plane.facing = plane.state()[way]
        self.tell(f"moved {seat} {plane.node}{plane.facing}")
        for other, met in self.planes.items():
            if other != seat and met.node == plane.node:
                self.lost(seat, "crash")
                self.lost(other, "crash")
                self.respawn(seat)
                self.respawn(other)
                return False
        if self.tree and plane.node == "A7":
            self.lost(seat, "tree")
            self.respawn(seat)
            return False
        hits = [shot for shot in self.shots if shot.node == plane.node]
        if hits:
            for shot in hits:
                self.shots.remove(shot)
            self.lost(seat, "shot")
            self.respawn(seat)
        return not hits

    def place(self, seat: int) -> Story:
        hand = self.at("hand", seat) + self.temporary[seat] + self.at("open", seat)
        card = yield from self.chosen_next(seat, [card for card in hand if card not in SHOOTS])
        opened = self.one("open", seat)
        if card == opened:
            self.tell(f"placed {seat} open")
        elif card in self.temporary[seat]:
            self.temporary[seat].remove(card)
            self.tell(f"placed {seat} temporary")
        else:
            self.tell(f"placed {seat} permanent")
        self.zone[card] = ("down", seat)
        if opened and card != opened:
            self.discard(seat, [opened])

    def chosen_next(self, seat: int, cards: list[str]) -> Generator[Ask, str, str]:
        def flyable(card: str) -> bool:
            maneuver = kind(self.one("out", seat) if card in REPEATS else card)
            sense = maneuver.partition(" ")[2]
            return not sense or self.planes[seat].state()[sense] is not None

        fit = [card for card in cards if flyable(card)] or cards
        answer = yield Ask(seat, "place", tuple(f"place {card}" for card in fit))
        return answer.split()[1]

    # -- shots and losses

    def shoot(self, seat: int, card: str) -> None:
        plane = self.planes[seat]
        self.tell(f"fired {seat} {card}")
        if card in self.permanent[seat]:
            self.zone[card] = ("used", seat)
        else:
            self.discard(seat, [card])
        node = plane.state()["ahead"]
        if node is not None and not (self.tree and node == "A7"):
            shot = Shot(node, plane.facing)
            self.shots.append(shot)
            self.shot_hits(shot)
            if shot in self.shots:
                self.shot_steps(shot)
        self.tell_shots()

    def shot_steps(self, shot: Shot) -> None:
        ahead = BOARD[f"{shot.node}:{shot.facing}"]["ahead"]
        seam = {shot.node[1:], (ahead or "")[1:]} == {"1", "12"}
        if ahead is None or (seam and shot.colour == "O") or (self.tree and ahead == "A7"):
            self.shots.remove(shot)
            return
        shot.node = ahead
        if seam:
            shot.colour = "O"
        self.shot_hits(shot)

    def shot_hits(self, shot: Shot) -> None:
        for seat, plane in self.planes.items():
            if plane.node == shot.node:
                self.shots.remove(shot)
                self.lost(seat, "shot")
                self.respawn(seat)
                return

    def lost(self, seat: int, why: str) -> None:
        self.planes[seat].node = self.planes[seat].facing = ""
        self.planes[seat].score += 1
        self.tell(f"lost {seat} {why}")
        self.tell_shots()

    def respawn(self, seat: int) -> None:
        plane = self.planes[seat]
        while not plane.node:
            card = self.deck.pop(0)
            self.tell(f"respawn {seat} {card}")
            if not self.deck:
                self.new_deck()
            self.discards.append(card)
            node = card.removesuffix("U")
            if self.tree and node in ["A2", "A3", "A4", "A5", "A6"]:
                node = f"A{int(node[1:]) + 6}"
            elif self.tree and node == "A7":
                continue
            taken = [plane.node for plane in self.planes.values()] + [shot.node for shot in self.shots]
            if card[0] != "S" and node not in taken:
                plane.node, plane.facing = node, "U" if card.endswith("U") else "R"
        self.tell(f"plane {seat} {plane.node}{plane.facing}")

    def new_deck(self) -> None:
        self.passes += 1
        if self.passes == self.seats:
            self.tell(f"pass {self.passes} 0")
            raise TheEnd
        self.deck = list(self.chance.shuffle(f"pass {self.passes}", self.discards))
        self.discards = []
        self.tell(f"pass {self.passes} {len(self.deck)}")
