"""Defines the scene of Squadron Scramble: hands, stack, tables, totals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from harness.games.squadron.battle import HAND
from harness.games.squadron.cards import KIND, TYPE, in_order
from harness.games.squadron.cards import ON_TABLE as WORTH
from harness.report.scenes import TOP, Changes, Scene, Standing, changed

Cards = tuple[str, ...]


class SquadronScene(Scene):
    """The keys of the picture:

        kinds     the category and the alliance of each type
        battle    the number of the battle
        ended     the reason why the battle ended, "" before its end
        deck      the number of cards in the deck
        stack     the cards of the stack, the top card first
        turn      the seat whose turn it is

    These keys are for each seat, with seat 1 as an example:

        hand 1    the cards in its hand, if the viewer knows them
        count 1   the number of cards in its hand
        seen 1    the cards in its hand that all seats saw it take
        table 1   its squadrons; each is a list: true if it was captured, and then its cards
        total 1   its points in all battles that are over
        stands 1  its total and the points of its squadrons on the table
        out 1     true if it has left the war
        scored 1  its points in this battle, None before its end
    """

    standing = Standing("stands", "points")
    quiet = frozenset(("battle", "hand", "deck", "stack"))

    def __init__(self, options: Any, seats: int, viewer: int) -> None:
        super().__init__(options, seats, viewer)
        self._now: Changes = self.opening()
        self._before: Changes = {}

    def opening(self) -> Changes:
        kinds = {code: [kind.category, kind.alliance] for code, kind in KIND.items()}
        picture: Changes = {"kinds": kinds, "battle": 0, "ended": "", "deck": 0, "stack": [], "turn": 0}
        for seat in range(1, self.seats + 1):
            picture |= self._bare(seat) | {f"total {seat}": 0, f"out {seat}": False, f"scored {seat}": None}
            picture |= {f"stands {seat}": 0}
        return picture

    @staticmethod
    def _bare(seat: int) -> Changes:
        return {f"hand {seat}": None, f"count {seat}": 0, f"seen {seat}": [], f"table {seat}": []}

    def hear(self, line: str, to: Sequence[int] | None) -> Changes:
        changes = self._changes(line.split(" "), to)
        changes |= self._standings(changes)
        self._now = changed(self._now, changes)
        return changes

    def _standings(self, changes: Changes) -> Changes:
        """Computes the standings of the seats that get a new table or a new total. A total already includes
        the points of the table."""
        stands: Changes = {}
        for seat in range(1, self.seats + 1):
            if (total := changes.get(f"total {seat}")) is not None:
                stands[f"stands {seat}"] = total
            elif (table := changes.get(f"table {seat}")) is not None:
                worth = sum(WORTH[KIND[TYPE[cards[0]]].category] for _, *cards in table)
                stands[f"stands {seat}"] = self._now[f"total {seat}"] + worth
        return stands

    def _changes(self, words: list[str], to: Sequence[int] | None) -> Changes:
        match words:
            case ["battle", number, seat]:
                return self._begun(int(number), int(seat))
            case ["hand", *cards] if to:
                return {f"hand {to[0]}": cards}
            case ["deck", count]:
                return {"deck": int(count)}
            case ["stack", *cards]:
                return {"stack": cards}
            case ["drew", card] if to:
                return self._added(to[0], [card], seen=False)
            case ["ended", _, why]:
                return {"ended": why}
            case ["scored", seat, points, total]:
                return {f"scored {seat}": int(points), f"total {seat}": int(total)}
            case ["out", seat]:
                return self._bare(int(seat)) | {f"out {seat}": True}
            case ["undone", _]:
                return self._before
            case [word, seat, *rest]:
                return self._turn(word, int(seat), rest)
        return {}

    def _begun(self, number: int, seat: int) -> Changes:
        changes: Changes = {"battle": number, "ended": "", "turn": seat}
        for other in range(1, self.seats + 1):
            out = self._now[f"out {other}"]
            changes |= self._bare(other) | {f"count {other}": 0 if out else HAND, f"scored {other}": None}
        return changes

    # -- the actions of a seat in its turn

    def _turn(self, word: str, seat: int, words: list[str]) -> Changes:
        now = self._now
        match word, words:
            case "took", ["deck"]:
                self._remember(seat)
                return {"turn": seat, "deck": now["deck"] - 1, f"count {seat}": now[f"count {seat}"] + 1}
            case "took", ["stack", number]:
                self._remember(seat)
                taken = now["stack"][: int(number)]
                count = {f"count {seat}": now[f"count {seat}"] + len(taken)}
                return {
                    "turn": seat,
                    f"stack{TOP}": [len(taken)],
                    **count,
                    **self._added(seat, taken, seen=True),
                }
            case "laid", cards:
                table = {f"table {seat}": [*now[f"table {seat}"], [False, *cards]]}
                return table | self._gone(seat, cards)
            case "captured", [owner, *cards]:
                kept = [squadron for squadron in now[f"table {owner}"] if squadron[1:] != cards]
                mine = [*now[f"table {seat}"], [True, *cards]]
                return {f"table {owner}": kept, f"table {seat}": mine}
            case "returned", [card]:
                return {f"stack{TOP}": [0, card], **self._gone(seat, [card])}
        return {}

    def _remember(self, seat: int) -> None:
        """Keeps the picture before this turn, because a fault undoes the turn."""
        keys = ("deck", "stack", f"count {seat}", f"hand {seat}", f"seen {seat}")
        self._before = {key: self._now[key] for key in keys}

    def _added(self, seat: int, cards: Iterable[str], seen: bool) -> Changes:
        keys = [f"hand {seat}"] if self._now[f"hand {seat}"] is not None else []
        keys += [f"seen {seat}"] if seen else []
        return {key: list(in_order((*self._now[key], *cards))) for key in keys}

    def _gone(self, seat: int, cards: Iterable[str]) -> Changes:
        gone = set(cards)
        changes: Changes = {f"count {seat}": self._now[f"count {seat}"] - len(gone)}
        for key in (f"hand {seat}", f"seen {seat}"):
            if self._now[key] is not None:
                changes[key] = [card for card in self._now[key] if card not in gone]
        return changes


SCENE = SquadronScene
