"""An Evil Squash bot that counts turns: it compares the gain of a bounce with the loss that a squash causes.

The bot measures both in turns. The value of a square is the average number of turns that a marker needs from
this square to the end, if it is alone on the board. This number includes the arrows: a square just before a
green arrow can be better than a later square.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from squash import Hit, Table, converse

SWEEPS = 100


@lru_cache(maxsize=1)
def turns_left(throws: tuple[tuple[int, ...], ...]) -> list[float]:
    """The average number of turns from each square to the end. Each sweep over the board makes the numbers
    more exact."""
    last = len(throws)
    turns = [0.0] * (last + 1)
    for _ in range(SWEEPS):
        for square in reversed(range(last)):
            after = sum(turns[to] for to in throws[square])
            if throws[square][5] < last:
                after -= 1  # a six gives another throw in the same turn
            turns[square] = 1 + after / 6
    return turns


def choose(table: Table, hit: Hit, random: Random) -> str:
    rules = table.rules
    turns = turns_left(tuple(tuple(rules.throws(square)) for square in range(rules.last)))
    gain = turns[hit.square] - sum(turns[to] for to in rules.throws(hit.square)) / 6
    cost = turns[hit.left] - turns[hit.square]
    return "squash" if cost > gain else "bounce"


if __name__ == "__main__":
    converse(choose)
