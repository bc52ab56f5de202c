"""Defines the scene of Biplane: planes, shots, and the cards that the viewer knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from harness.games.biplane.board import AHEAD, ONWARD, REPEATS, TREE, YELLOW
from harness.games.biplane.sky import shot_steps, space
from harness.report.scenes import REFEREE, Changes, Scene, Standing


class BiplaneScene(Scene):
    """The keys of the picture: `tree`, `turn` (the number of the turn), `on` (the seat that acts), `shots`,
    `deck`, `passes`, `discards`, and

        owners       the seat that fired each of the shots
        flown        the shots that have just flown: for each, its seat, its card, the place where it was, the
                     place where it is now or where it hit a plane, "" if it is gone
        aim          the last shot fired: the place where it is now, "" if it is gone; and the seat whose
                     plane it hit at once, 0 if it hit none
        flight       the flight of this turn: the seat, and each place from the first to the last
        crash        the last plane lost in this turn: seat, place, reason, whether the plane flew into
                     what destroyed it, and the causes; None if no plane was lost. If shots hit
                     it, the causes are the seat, the turn and the card of each shot. In a crash, the
                     cause is the other seat, with 0 and ""

    These keys are for each seat, with seat 1 as an example:

        plane 1      the place of its plane, "" if the plane is lost
        lost 1       the number of planes that it has lost
        why 1        the reason why it lost its last plane
        out 1        its Maneuver that lies face up
        revealed 1   the card that it revealed last
        placed 1     the hand from which it placed its next card
        next 1       its next card, if the viewer knows the card
        permanent 1  the cards of its permanent hand, including those on the table; None if unknown
        temporary 1  the cards of its temporary hand, including those on the table; None if unknown
        drawn 1      the number of temporary cards in its hand
        seen 1       the cards of its permanent hand that all seats have seen
    """

    standing = Standing("lost", "planes lost", fewer=True)
    quiet = frozenset(("hand", "deck", "shown", "placed", "shots"))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._now: Changes = self.opening()
        self._answers: dict[int, str] = {}
        self._tabled: set[str] = set()
        """Temporary cards that were revealed and are on the table."""
        self._shots = _Shots(self.options.tree, shot_steps(seats))
        self._respawned: list[str] = []
        """If the last line was `respawn`: the card in this line, which was drawn for a lost plane."""

    def opening(self) -> Changes:
        picture: Changes = {"tree": self.options.tree, "turn": 0, "on": 0, "shots": [], "deck": 0}
        picture |= {"passes": 0, "discards": [], "owners": [], "flown": [], "flight": [], "crash": None}
        picture["aim"] = ["", 0]
        for seat in range(1, self.seats + 1):
            texts = ("plane", "why", "out", "revealed", "placed", "next")
            picture |= {f"{word} {seat}": "" for word in texts}
            picture |= {f"lost {seat}": 0, f"drawn {seat}": 0, f"seen {seat}": [f"S{seat}"]}
            picture |= {f"permanent {seat}": None, f"temporary {seat}": None}
        return picture

    def said(self, seat: int, text: str) -> Changes:
        """Keeps the answer. If a seat places a card, only the answer names this card, and no event does.

        A later event says that the answer was accepted.
        """
        self._answers[seat] = text.upper()
        return {}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        word, *words = line.split(" ")
        if word != "lost":  # At `lost`, the page still shows the flight of the shot that hit the plane.
            self._shots.flown = []
        changes = self._of_all(word, words, to)
        if changes is None:
            changes = self._of_seat(word, int(words[0]), words[1:]) if words else {}
        self._respawned = words[1:] if word == "respawn" else []
        changes |= {key: value for key, value in self._shots.drawn().items() if value != self._now[key]}
        self._now |= changes
        return changes

    def _of_all(self, word: str, words: list[str], to: Sequence[int] | None) -> Changes | None:
        match word, words:
            case "hand", cards if to:
                return {f"permanent {to[0]}": cards, f"temporary {to[0]}": []}
            case "deck", [count]:
                return {"deck": int(count)}
            case "turn", [number, seat]:
                flight = [int(seat), place] if (place := self._now[f"plane {seat}"]) else []
                self._shots.begin(int(number), self._planes())
                began: Changes = {"turn": int(number), "on": int(seat), f"why {seat}": ""}
                return began | {"flight": flight, "crash": None}
            case "shots", _:
                return {}  # The line repeats what follows from the lines before it.
            case "pass", [number, count]:
                left = {} if count == "0" else {"discards": self._respawned}
                return {"passes": int(number), "deck": int(count), **left}
        return None

    def _of_seat(self, word: str, seat: int, words: list[str]) -> Changes:
        now = self._now
        match word, words:
            case "plane", [place]:
                return self._came(seat, place)
            case (("moved" | "turned"), [place]):
                if word == "moved":
                    self._shots.meet(place)
                return {f"plane {seat}": place, "flight": [*(now["flight"] or [seat]), place]}
            case "lost", [why]:
                return self._lost(seat, why)
            case "respawn", [card]:
                return {"deck": now["deck"] - 1, "discards": [*now["discards"], card]}
            case "shown", cards:
                return {f"seen {seat}": [f"S{seat}", *cards]}
            case "revealed", [card]:
                return self._revealed(seat, card)
            case "drew", _:
                return self._drew(seat, words)
            case "discarded", cards:
                return self._discarded(seat, cards)
            case "fired", [card]:
                aim = self._shots.fire(seat, card, now[f"plane {seat}"], self._planes())
                return self._seen(seat, card) | {"aim": list(aim)}
            case "placed", [hand]:
                return self._placed(seat, hand)
        return {}

    # -- planes

    def _planes(self) -> dict[str, int]:
        """Returns the space of each plane on the board, with the seat of the plane."""
        places = ((self._now[f"plane {seat}"], seat) for seat in range(1, self.seats + 1))
        return {space(place): seat for place, seat in places if place}

    def _came(self, seat: int, place: str) -> Changes:
        """Puts a plane on the board. If the seat has just lost a plane before the flight of its turn, the
        flight begins at the place of the new plane."""
        now = self._now
        changes: Changes = {f"plane {seat}": place}
        if now["flight"][:1] == [seat] and len(now["flight"]) == 2:
            changes["flight"] = [seat, place]
        self._shots.move({**self._planes(), space(place): seat})
        return changes

    def _lost(self, seat: int, why: str) -> Changes:
        """Counts a lost plane, and keeps the causes of the loss."""
        now, place = self._now, self._now[f"plane {seat}"]
        causes = self._shots.hits if why == "shot" else []
        if why == "crash":
            causes = [[self._met(seat, place), 0, ""]]
        # The first two items of `flight` are the seat and the place where the flight began.
        flew = seat == now["on"] and (why != "shot" or len(now["flight"]) > 2)
        changes: Changes = {f"plane {seat}": "", f"lost {seat}": now[f"lost {seat}"] + 1, f"why {seat}": why}
        return changes | {"crash": [seat, place, why, flew, causes]}

    def _met(self, seat: int, place: str) -> int:
        """Returns the other seat in a crash of two planes. The first plane that is lost is the plane of the
        seat on turn. When the second plane is lost, the first plane is not on the board any more."""
        if seat != self._now["on"]:
            return int(self._now["on"])
        there = (other for other in range(1, self.seats + 1) if other != seat)
        return next(other for other in there if space(self._now[f"plane {other}"]) == space(place))

    # -- cards

    def _revealed(self, seat: int, card: str) -> Changes:
        """Shows a revealed card. A Maneuver replaces the card that lies face up. A Repeat does not."""
        changes: Changes = {f"revealed {seat}": card, f"next {seat}": "", f"placed {seat}": ""}
        if card not in REPEATS:
            changes[f"out {seat}"] = card
        if self._now[f"placed {seat}"] == "permanent":
            return changes | self._seen(seat, card)
        self._tabled.add(card)
        return changes

    def _drew(self, seat: int, words: list[str]) -> Changes:
        """Counts a drawn card. The referee gets two lines for each card, and only the line with the card's
        name counts."""
        if self.viewer == REFEREE and not words:
            return {}
        changes: Changes = {f"drawn {seat}": self._now[f"drawn {seat}"] + 1, "deck": self._now["deck"] - 1}
        if words:
            changes[f"temporary {seat}"] = [*self._now[f"temporary {seat}"], *words]
        return changes

    def _discarded(self, seat: int, cards: list[str]) -> Changes:
        """Removes discarded cards. During the set-up, the discarded cards are permanent cards. Later they are
        temporary cards in the hand or on the table."""
        now, gone = self._now, set(cards)
        changes: Changes = {"discards": [*now["discards"], *cards]}
        hand = "temporary" if now["turn"] else "permanent"
        if now[f"{hand} {seat}"] is not None:
            changes[f"{hand} {seat}"] = [card for card in now[f"{hand} {seat}"] if card not in gone]
        changes[f"seen {seat}"] = [card for card in now[f"seen {seat}"] if card not in gone]
        if now["turn"]:
            changes[f"drawn {seat}"] = now[f"drawn {seat}"] - len(gone - self._tabled)
            self._tabled -= gone
        return changes

    def _placed(self, seat: int, hand: str) -> Changes:
        now = self._now
        changes: Changes = {f"placed {seat}": hand}
        if hand == "temporary":
            changes[f"drawn {seat}"] = now[f"drawn {seat}"] - 1
        word, _, card = self._answers.get(seat, "").partition(" ")
        if word == "PLACE":
            changes[f"next {seat}"] = card
            if hand == "temporary":
                changes[f"temporary {seat}"] = [each for each in now[f"temporary {seat}"] if each != card]
        elif hand == "open":
            changes[f"next {seat}"] = now[f"revealed {seat}"]
        return changes

    def _seen(self, seat: int, card: str) -> Changes:
        """Adds a card of the permanent hand that all seats have now seen."""
        seen = self._now[f"seen {seat}"]
        return {} if card in seen else {f"seen {seat}": [*seen, card]}


class _Shot(NamedTuple):
    """A shot: its place with its colour (such as `E8RY`), the seat that fired it, the turn, and the card."""

    place: str
    seat: int
    turn: int
    card: str


class _Shots:
    """Follows all shots, the oldest first. The lines of a match say where shots are, but not who fired
    them."""

    def __init__(self, tree: bool, steps: int) -> None:
        self._tree, self._steps = tree, steps
        self._flying: list[_Shot] = []
        self._turn = 0
        self._moved = 0
        """The number of shots that have made their steps of this turn."""
        self.hits: list[list[Any]] = []
        """The shots of the last hit: for each shot, its seat, its turn and its card."""
        self.flown: list[list[Any]] = []
        """The shots that have just flown, in the form of the key `flown` of the picture."""

    def drawn(self) -> Changes:
        """Returns the keys of the picture that say where the shots are."""
        places = [shot.place for shot in self._flying]
        return {"shots": places, "owners": [shot.seat for shot in self._flying], "flown": self.flown}

    def begin(self, turn: int, planes: Mapping[str, int]) -> None:
        """Begins a turn: all shots move."""
        self._turn, self._moved = turn, 0
        self.move(planes)

    def move(self, planes: Mapping[str, int]) -> None:
        """Moves the shots that have not moved in this turn. Stops when a shot hits a plane. `planes` has the
        seat of the plane in each space."""
        struck = 0
        while self._moved < len(self._flying) and not struck:
            shot = self._flying[self._moved]
            end, struck = self._fly(self._moved, self._steps, planes)
            self._moved += bool(end and not struck)
            self.flown.append([shot.seat, shot.card, shot.place[:-1], end])

    def fire(self, seat: int, card: str, start: str, planes: Mapping[str, int]) -> tuple[str, int]:
        """Puts a new shot on the space ahead of the plane's place `start`. Returns the place of the shot
        after its step ("" if it is gone), and the seat whose plane it hits (0 if it hits none)."""
        end = AHEAD[start]
        if not end or self._stopped(end):
            return "", 0
        self._flying.append(_Shot(end + YELLOW, seat, self._turn, card))
        struck = self._struck(-1, planes)
        if not struck:
            end, struck = self._fly(-1, 1, planes)
        self._moved = len(self._flying)
        self.flown = [[seat, card, start, end]]
        return "" if struck else end, struck

    def meet(self, place: str) -> None:
        """Removes the shots in the space that a plane has entered: they hit this plane."""
        there = [shot for shot in self._flying if shot.place[:-2] == space(place)]
        self.hits = [list(shot[1:]) for shot in there]
        self._flying = [shot for shot in self._flying if shot not in there]
        self._moved = len(self._flying)

    def _fly(self, index: int, steps: int, planes: Mapping[str, int]) -> tuple[str, int]:
        """Moves a shot by this number of steps. Returns its last place ("" if the shot has left the board or
        hit the tree), and the seat whose plane it hits (0 if it hits none). After a hit, the shot is
        removed."""
        for _ in range(steps):
            shot = self._flying[index]
            onward = ONWARD[shot.place]
            if not onward or self._stopped(onward[:-1]):
                del self._flying[index]
                return "", 0
            self._flying[index] = shot._replace(place=onward)
            if struck := self._struck(index, planes):
                return onward[:-1], struck
        return self._flying[index].place[:-1], 0

    def _struck(self, index: int, planes: Mapping[str, int]) -> int:
        """If a plane is in the space of this shot, removes the shot. Returns the seat of the plane, or 0."""
        shot = self._flying[index]
        struck = planes.get(shot.place[:-2], 0)
        if struck:
            del self._flying[index]
            self.hits = [list(shot[1:])]
        return struck

    def _stopped(self, place: str) -> bool:
        return self._tree and space(place) == TREE


SCENE = BiplaneScene
