"""The scene of Sevens: hands, table, total, points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.games.sevens.cards import DECK
from harness.report.scenes import Changes, Scene


class SevensScene(Scene):
    """Keys: `value A`, `reward div`, `hand 1` (the cards, if they are known), `count 1`, `points 1`,
    `card 0` (seat or 0, card, value, points) ... , `cards` (how many of these), `total`."""

    quiet = frozenset(("value", "reward", "hand", "table"))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._hands: dict[int, list[str]] = {}
        self._counts = [(len(DECK) - 1) // seats] * (seats + 1)
        self._points = [0] * (seats + 1)
        self._cards = self._total = 0

    def opening(self) -> Changes:
        seats = range(1, self.seats + 1)
        counts = {f"count {seat}": self._counts[seat] for seat in seats}
        return {"cards": 0, "total": 0, **counts, **{f"points {seat}": 0 for seat in seats}}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        match line.split(" "):
            case ["value", symbol, first, second]:
                return {f"value {symbol}": [int(first), int(second)]}
            case ["reward", kind, points]:
                return {f"reward {kind}": int(points)}
            case ["hand", *cards] if to:
                self._hands[to[0]] = cards
                return {f"hand {to[0]}": cards}
            case ["table", card, value]:
                return self._placed(0, card, int(value), 0)
            case ["played", seat, card, value, points]:
                return self._played(int(seat), card, int(value), int(points))
        return {}

    def _played(self, seat: int, card: str, value: int, points: int) -> Changes:
        self._counts[seat] -= 1
        self._points[seat] += points
        changes = self._placed(seat, card, value, points)
        changes |= {f"count {seat}": self._counts[seat], f"points {seat}": self._points[seat]}
        if seat in self._hands:
            self._hands[seat] = [each for each in self._hands[seat] if each != card]
            changes[f"hand {seat}"] = self._hands[seat]
        return changes

    def _placed(self, seat: int, card: str, value: int, points: int) -> Changes:
        self._cards += 1
        self._total += value
        placed = [seat, card, value, points]
        return {f"card {self._cards - 1}": placed, "cards": self._cards, "total": self._total}


SCENE = SevensScene
