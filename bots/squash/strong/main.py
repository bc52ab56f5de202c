"""An Evil Squash bot that solves the game for two, and reckons with every other player by it.

Before its first match it works out, for all places of two markers, how likely the one whose throw it is
comes in first if both always choose what is best for them: it goes over all places again and again until
nothing changes any more. With two at the table this is the best play there is.

With more at the table a rank is 1, and 1 more for each other player who comes in before. So it plans its
choice, with all that a bounce throw may bring, for the best rank that is to be expected. In the game with
cards it counts its own: without a Squash card, a bounce onto somebody leads back.

How often it goes over the board is bounded, not how long: so it plays the same on a slow machine.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TypeAlias

from squash import Hit, Rules, Table, converse

SWEEPS = 60
CLOSE = 1e-4
WORK = 300_000
"""Places looked at, at most: large boards are gone over less often, and the largest not at all."""

Throws: TypeAlias = list[list[int]]
Chances: TypeAlias = list[list[float]]
"""By the place of who is to throw and that of the other: the chance that the first of them comes in first."""


@lru_cache(maxsize=1)
def solved(last: int, arrows: tuple[tuple[int, int], ...]) -> Chances:
    """The game for two, solved from a rough guess: who is ahead wins."""
    rules = Rules()
    rules.last, rules.arrows = last, dict(arrows)
    throws = [rules.throws(square) for square in range(last)]
    chances = [[0.5 + (mine - other) / last / 2 for other in range(last)] + [0.0] for mine in range(last)]
    chances.append([1.0] * last)
    for _ in range(min(SWEEPS, WORK // last**2)):
        if sweep(chances, throws) < CLOSE:
            break
    return chances


def sweep(chances: Chances, throws: Throws) -> float:
    """Goes over all places once, from the end of the board to its start; gives the greatest change."""
    change = 0.0
    for mine in reversed(range(len(throws))):
        row = chances[mine]
        for other in reversed(range(len(throws))):
            chance = 0.0
            for die, to in enumerate(throws[mine], start=1):
                if to == other:
                    squash, bounce = 1 - row[to], thrown(chances, throws[to], other)
                    chance += max(squash, bounce)
                else:
                    chance += chances[to][other] if die == 6 else 1 - chances[other][to]
            chance /= 6
            change = max(change, abs(chance - row[other]))
            row[other] = chance
    return change


def thrown(chances: Chances, tos: list[int], other: int) -> float:
    """The chance of who throws now, if that hits nobody: then the other throws, but after a six."""
    return (sum(1 - chances[other][to] for to in tos[:5]) + chances[tos[5]][other]) / 6


class Plan:
    """One choice: the rank to be expected after either answer."""

    def __init__(self, table: Table, hit: Hit) -> None:
        self.table = table
        self.hit = hit
        self.chances = solved(table.rules.last, tuple(table.rules.arrows.items()))

    def squashed(self) -> float:
        """The rank to be expected after a squash."""
        return self.rank({self.table.seat: self.hit.square, self.hit.victim: self.hit.left})

    def bounced(self) -> float:
        """The rank to be expected after a bounce."""
        throws = enumerate(self.table.rules.throws(self.hit.square), start=1)
        return sum(self.bounced_by(die, to) for die, to in throws) / 6

    def bounced_by(self, die: int, to: int) -> float:
        """The rank to be expected after a bounce with this throw."""
        me, hand = self.table.seat, self.table.hand
        for seat, square in self.table.squares.items():
            if square == to and seat != me:
                if hand and not hand["squash"]:
                    return self.rank({})
                return self.rank({me: to, seat: 0 if self.table.rules.off_board else self.hit.left})
        return self.rank({me: to}, again=die == 6)

    def rank(self, moved: dict[int, int], again: bool = False) -> float:
        """The rank to be expected if these markers have moved; `again` if the next throw is its own too."""
        me = self.table.seat
        squares = self.table.squares | moved
        mine = squares.pop(me)
        if mine == self.table.rules.last:
            return 1
        if again:
            return 1 + sum(1 - self.chances[mine][square] for square in squares.values())
        return 1 + sum(self.chances[square][mine] for square in squares.values())


def choose(table: Table, hit: Hit, random: Random) -> str:
    plan = Plan(table, hit)
    return "squash" if plan.squashed() < plan.bounced() else "bounce"


if __name__ == "__main__":
    converse(choose)
