"""Defines the scene of Biplane: planes, shots, and the cards that the viewer knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.games.biplane.board import COLUMNS, REPEATS, ROWS
from harness.report.scenes import REFEREE, Changes, Scene, Standing


class BiplaneScene(Scene):
    """The keys of the picture: `tree`, `turn` (the number of the turn), `on` (the seat that acts), `shots`,
    `deck`, `passes`, `discards`, and

        owners       the seat that fired each of the shots
        flight       the flight of this turn: the seat, and each place from the first to the last
        crash        the last plane lost in this turn: seat, place, reason; None if no plane was lost

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
    quiet = frozenset(("hand", "deck", "shown", "placed"))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._now: Changes = self.opening()
        self._answers: dict[int, str] = {}
        self._tabled: set[str] = set()
        """Temporary cards that were revealed and are on the table."""
        self._shooter = 0
        """The seat in the last line if this line is `fired`, and 0 otherwise."""
        self._respawned: list[str] = []
        """The card in the last line if this line is `respawn`: it was drawn for a lost plane."""

    def opening(self) -> Changes:
        picture: Changes = {"tree": self.options.tree, "turn": 0, "on": 0, "shots": [], "deck": 0}
        picture |= {"passes": 0, "discards": [], "owners": [], "flight": [], "crash": None}
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
        changes = self._of_all(word, words, to)
        if changes is None and words:
            changes = self._of_seat(word, int(words[0]), words[1:])
        self._respawned = words[1:] if word == "respawn" else []
        self._shooter = int(words[0]) if word == "fired" else 0
        self._now |= changes or {}
        return changes or {}

    def _of_all(self, word: str, words: list[str], to: Sequence[int] | None) -> Changes | None:
        match word, words:
            case "hand", cards if to:
                return {f"permanent {to[0]}": cards, f"temporary {to[0]}": []}
            case "deck", [count]:
                return {"deck": int(count)}
            case "turn", [number, seat]:
                flight = [int(seat), place] if (place := self._now[f"plane {seat}"]) else []
                return {
                    "turn": int(number),
                    "on": int(seat),
                    f"why {seat}": "",
                    "flight": flight,
                    "crash": None,
                }
            case "shots", shots:
                return {"shots": shots, "owners": self._owners(shots)}
            case "pass", [number, count]:
                left = {} if count == "0" else {"discards": self._respawned}
                return {"passes": int(number), "deck": int(count), **left}
        return None

    def _of_seat(self, word: str, seat: int, words: list[str]) -> Changes:
        now = self._now
        match word, words:
            case "plane", [place]:
                return {f"plane {seat}": place}
            case (("moved" | "turned"), [place]):
                return {f"plane {seat}": place, "flight": [*(now["flight"] or [seat]), place]}
            case "lost", [why]:
                crash = {"crash": [seat, now[f"plane {seat}"], why]}
                return {
                    f"plane {seat}": "",
                    f"lost {seat}": now[f"lost {seat}"] + 1,
                    f"why {seat}": why,
                } | crash
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
                return self._seen(seat, card)
            case "placed", [hand]:
                return self._placed(seat, hand)
        return {}

    def _owners(self, shots: list[str]) -> list[int]:
        """Returns the seats that fired these shots. Shots keep their directions and their order."""
        before, owners = list(zip(self._now["shots"], self._now["owners"], strict=True)), []
        for shot in shots:
            while before and not _follows(before[0][0], shot):
                before.pop(0)
            owners.append(before.pop(0)[1] if before else self._shooter)
        return owners

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


MOST_STEPS = 3
"""The most steps that a shot moves at once."""


def _follows(before: str, after: str) -> bool:
    """Returns whether a shot that was at `before` can be at `after` now.

    A shot moves straight ahead, and does not change from orange to yellow.
    """
    (row, column, facing, colour), (to_row, to_column, to_facing, to_colour) = map(_parts, (before, after))
    if facing != to_facing or (colour == "O" and to_colour == "Y"):
        return False
    down, across = (row - to_row, (to_column - column) % COLUMNS)
    if facing in "LR":
        return down == 0 and (across if facing == "R" else -across % COLUMNS) <= MOST_STEPS
    return across == 0 and 0 <= (down if facing == "D" else -down) <= MOST_STEPS


def _parts(shot: str) -> tuple[int, int, str, str]:
    return ROWS.index(shot[0]), int(shot[1:-2]), shot[-2], shot[-1]


SCENE = BiplaneScene
