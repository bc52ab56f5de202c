"""An Evil Squash bot that solves the game for two players, and uses the solution against each opponent.

Before its first choice, the bot looks at all positions of two markers. For each position it computes the
probability that the player on turn finishes first if both players always make the best choice. The bot sweeps
over all positions until nothing changes any more (value iteration). For two players this is optimal play.

With more players, the rank of a player is 1 plus the number of players that finish earlier. The bot makes the
choice with the best expected rank, over all results of a bounce throw. In the game with cards it counts its
own cards: without a Squash card, the bot's marker must go back after a bounce onto another marker.

The number of sweeps is limited, not the time. So the bot plays the same on a slow machine.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TypeAlias

from squash import Hit, Rules, Table, converse

SWEEPS = 60
CLOSE = 1e-4
WORK = 300_000
"""The maximum number of positions that the bot computes. A large board gets fewer sweeps; the largest get
none."""

Throws: TypeAlias = list[list[int]]
Chances: TypeAlias = list[list[float]]
"""For the squares of the player on turn and of the other player: the probability that the player on turn
wins."""


@lru_cache(maxsize=1)
def solved(last: int, arrows: tuple[tuple[int, int], ...]) -> Chances:
    """Solves the game for two players. The first guess is that the player that is ahead wins."""
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
    """Sweeps once over all positions, from the end of the board to its start; returns the largest change."""
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
    """The probability that a player wins after a throw that hits nobody. After a six the player throws
    again."""
    return (sum(1 - chances[other][to] for to in tos[:5]) + chances[tos[5]][other]) / 6


class Plan:
    """One choice, with the expected rank after each answer."""

    def __init__(self, table: Table, hit: Hit) -> None:
        self.table = table
        self.hit = hit
        self.chances = solved(table.rules.last, tuple(table.rules.arrows.items()))

    def squashed(self) -> float:
        """The expected rank after a squash."""
        return self.rank({self.table.seat: self.hit.square, self.hit.victim: self.hit.left})

    def bounced(self) -> float:
        """The expected rank after a bounce."""
        throws = enumerate(self.table.rules.throws(self.hit.square), start=1)
        return sum(self.bounced_by(die, to) for die, to in throws) / 6

    def bounced_by(self, die: int, to: int) -> float:
        """The expected rank after a bounce with this throw."""
        me, hand = self.table.seat, self.table.hand
        for seat, square in self.table.squares.items():
            if square == to and seat != me:
                if hand and not hand["squash"]:
                    return self.rank({})
                return self.rank({me: to, seat: 0 if self.table.rules.off_board else self.hit.left})
        return self.rank({me: to}, again=die == 6)

    def rank(self, moved: dict[int, int], again: bool = False) -> float:
        """The expected rank after these markers have moved. `again` says whether the bot throws next."""
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
