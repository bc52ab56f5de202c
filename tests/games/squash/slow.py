"""Evil Squash written a second time, in a slow and different way, to count trees; it imports no rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

Dice: TypeAlias = Sequence[int]


class Leaf(NamedTuple):
    """The position at the end of one way through the tree of throws and answers."""

    squares: tuple[int, ...]
    cards: tuple[str, ...]
    mover: int
    over: bool


class Slow(NamedTuple):
    """A position and the rules of its match. Squares are in a dictionary by seat; cards are letters B and
    S."""

    squares: dict[int, int]
    cards: dict[int, str]
    mover: int
    arrows: dict[int, int]
    last: int
    with_cards: bool = False
    off_board: bool = False
    turns_left: int = 1_000_000
    over: bool = False

    def but(self, **other: Any) -> Slow:
        return self._replace(**other)

    def moved(self, seat: int, square: int) -> Slow:
        return self.but(squares={**self.squares, seat: square})

    def spent(self, card: str) -> Slow:
        if not self.with_cards:
            return self
        return self.but(cards={**self.cards, self.mover: self.cards[self.mover].replace(card, "", 1)})

    def has(self, card: str) -> bool:
        return not self.with_cards or card in self.cards[self.mover]

    def destination(self, square: int, die: int) -> int:
        if square + die >= self.last:
            return self.last
        return self.arrows.get(square + die, square + die)

    def others_on(self, square: int) -> list[int]:
        return [seat for seat, where in self.squares.items() if seat != self.mover and where == square]

    def next_turn(self) -> Slow:
        if self.turns_left == 1:
            return self.but(turns_left=0, over=True)
        following = self.mover + 1 if self.mover + 1 in self.squares else 1
        return self.but(mover=following, turns_left=self.turns_left - 1)

    def arrived(self, square: int, die: int) -> Slow:
        """On an empty square."""
        there = self.moved(self.mover, square)
        if square == self.last:
            return there.but(over=True)
        return there if die == 6 else there.next_turn()

    def swapped(self, victim: int, square: int, onto: int) -> Slow:
        """An Evil Squash."""
        return self.spent("S").moved(victim, onto).moved(self.mover, square).next_turn()

    def leaf(self) -> Leaf:
        order = sorted(self.squares)
        return Leaf(
            tuple(self.squares[seat] for seat in order),
            tuple("".join(sorted(self.cards.get(seat, ""))) for seat in order),
            self.mover,
            self.over,
        )


def leaves(now: Slow, dice: Dice) -> Iterator[Leaf]:
    """The leaf at the end of each way of play with these dice. If the match is over earlier, the way ends
    there."""
    if now.over or not dice:
        yield now.leaf()
        return
    die, rest = dice[0], dice[1:]
    origin = now.squares[now.mover]
    square = now.destination(origin, die)
    hit = now.others_on(square) if square < now.last else []
    if not hit:
        yield from leaves(now.arrived(square, die), rest)
        return
    assert len(hit) == 1, "no two markers stand on one square"
    if now.has("S"):
        yield from leaves(now.swapped(hit[0], square, origin), rest)
    if now.has("B"):
        yield from bounced(now.spent("B"), origin, square, rest)
    if not now.has("S") and not now.has("B"):
        yield from leaves(now.next_turn(), rest)


def bounced(now: Slow, origin: int, square: int, dice: Dice) -> Iterator[Leaf]:
    """The ways of play after a bounce throw, which starts from the square of the player that was hit."""
    if not dice:
        yield now.leaf()
        return
    die, rest = dice[0], dice[1:]
    beyond = now.destination(square, die)
    hit = now.others_on(beyond) if beyond < now.last else []
    if not hit:
        yield from leaves(now.arrived(beyond, die), rest)
    elif now.has("S"):
        yield from leaves(now.swapped(hit[0], beyond, 0 if now.off_board else origin), rest)
    else:
        yield from leaves(now.next_turn(), rest)
