"""Defines the scene of Evil Squash: markers, throws, bounces, squashes, cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.games.squash import EACH
from harness.games.squash.course import KINDS
from harness.report.scenes import Changes, Scene, Standing


class SquashScene(Scene):
    """The keys of the picture, with seat 1 as an example:

        squares   the number of squares
        columns   the number of columns
        arrows    each arrow: the square of its base, and the square to which it leads
        at 1      the square of the marker
        throw     the last throw: seat, die, the square to which it leads, the square from which it leads
        act       the action after the throw: action, seat, other seat; None before the action

    The variant with cards has more keys:

        hand 1    the numbers of bounce and squash cards in the hand, if the viewer knows them
        left 1    the number of cards in the hand
        played 1  the numbers of bounce and squash cards that the seat has played
    """

    standing = Standing("at", "square")
    quiet = frozenset(("hand",))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._cards = options.variant == "cards"
        self._hands: dict[int, list[int]] = {}
        self._played = {seat: [0, 0] for seat in range(1, seats + 1)}
        self._at = dict.fromkeys(range(1, seats + 1), 0)

    def opening(self) -> Changes:
        board, seats = self.options.chosen(), range(1, self.seats + 1)
        picture: Changes = {
            "squares": board.squares,
            "columns": board.columns,
            "arrows": [[arrow.base, arrow.to] for arrow in board.arrows],
            **{f"at {seat}": 0 for seat in seats},
        }
        if self._cards:
            picture |= {f"left {seat}": EACH for seat in seats}
            picture |= {f"played {seat}": [0, 0] for seat in seats}
        return picture

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        match line.split(" "):
            case ["hand", bounce, squash] if to:
                self._hands[to[0]] = [int(bounce), int(squash)]
                return {f"hand {to[0]}": self._hands[to[0]]}
            case ["throw", seat, die, square]:
                return {"throw": [int(seat), int(die), int(square), self._at[int(seat)]], "act": None}
            case ["at", seat, square]:
                self._at[int(seat)] = int(square)
                return {f"at {seat}": int(square)}
            case ["stay", seat]:
                return {"act": ["stay", int(seat), 0]}
            case [("bounce" | "squash") as kind, seat, victim]:
                return {"act": [kind, int(seat), int(victim)], **self._paid(kind, int(seat))}
        return {}

    def _paid(self, kind: str, seat: int) -> Changes:
        """Removes the card that a bounce or a squash costs in the variant with cards."""
        if not self._cards:
            return {}
        place = KINDS.index(kind)
        self._played[seat] = _more(self._played[seat], place, 1)
        left = EACH - sum(self._played[seat])
        changes: Changes = {f"played {seat}": self._played[seat], f"left {seat}": left}
        if seat in self._hands:
            self._hands[seat] = _more(self._hands[seat], place, -1)
            changes[f"hand {seat}"] = self._hands[seat]
        return changes


def _more(counts: list[int], place: int, by: int) -> list[int]:
    return [count + by * (place == other) for other, count in enumerate(counts)]


SCENE = SquashScene
