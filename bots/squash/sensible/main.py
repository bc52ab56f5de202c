"""An Evil Squash bot that counts turns: what a bounce gains it, against what a squash costs its victim.

Both are measured in the turns that a marker needs from a square to the end, on average, with nobody in its
way. They know of the arrows: just below a green one a marker stands better than on it.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from squash import Hit, Table, converse

SWEEPS = 100


@lru_cache(maxsize=1)
def turns_left(throws: tuple[tuple[int, ...], ...]) -> list[float]:
    """The turns that a marker needs from each square, found by going over the board until all agree."""
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
