"""Defines the scenes of Sevens: the table, the total, the points, and the hands that a viewer knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.games.sevens.cards import DECK
from harness.report.scenes import Changes, Scene, Standing


class SevensTable(Scene):
    """The facts that all seats know. These are the keys of the picture; `A`, `div`, seat 1 and card 0 are
    examples:

    value A     the two values of the symbol A
    reward div  the points of the reward `div`
    count 1     the number of cards in the hand of seat 1
    points 1    the points of seat 1
    card 0      a card on the table: seat (0 if no seat played it), card, value, points
    cards       the number of cards on the table
    total       the sum of the values on the table
    """

    standing = Standing("points", "points")
    quiet = frozenset(("value", "reward", "hand", "table"))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._counts = [(len(DECK) - 1) // seats] * (seats + 1)
        self._points = [0] * (seats + 1)
        self._cards = self._total = 0

    def opening(self) -> Changes:
        seats = range(1, self.seats + 1)
        counts = {f"count {seat}": self._counts[seat] for seat in seats}
        return {"cards": 0, "total": 0, **counts, **{f"points {seat}": 0 for seat in seats}}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        match line.split(" "):
            case ["played", seat, card, value, points]:
                return self._played(int(seat), card, int(value), int(points))
            case ["value", symbol, first, second]:
                return {f"value {symbol}": [int(first), int(second)]}
            case ["reward", kind, points]:
                return {f"reward {kind}": int(points)}
            case ["table", card, value]:
                return self._placed(0, card, int(value), 0)
        return {}

    def _played(self, seat: int, card: str, value: int, points: int) -> Changes:
        self._counts[seat] -= 1
        self._points[seat] += points
        changes = self._placed(seat, card, value, points)
        return changes | {f"count {seat}": self._counts[seat], f"points {seat}": self._points[seat]}

    def _placed(self, seat: int, card: str, value: int, points: int) -> Changes:
        self._cards += 1
        self._total += value
        placed = [seat, card, value, points]
        return {f"card {self._cards - 1}": placed, "cards": self._cards, "total": self._total}


class SevensHands(Scene):
    """The facts that only some viewers know. For example, `hand 1` has the cards in the hand of seat 1."""

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._hands: dict[str, list[str]] = {}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        word, _, words = line.partition(" ")
        if word == "played":
            seat, card, _ = words.split(" ", 2)
            if seat in self._hands:
                self._hands[seat] = [each for each in self._hands[seat] if each != card]
                return {f"hand {seat}": self._hands[seat]}
        elif word == "hand" and to:
            self._hands[str(to[0])] = cards = words.split(" ")
            return {f"hand {to[0]}": cards}
        return {}


SHARED, SCENE = SevensTable, SevensHands
