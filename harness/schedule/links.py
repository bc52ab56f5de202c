"""Finds how well the bots of a schedule are linked: bots that never meet are compared by their opponents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

MOST_PAIRS = 2_000_000
"""With more pairs that meet, nobody counts the steps; it would take seconds."""
MOST_BOTS = 1_000
"""With more bots, nobody counts common opponents."""


class Links(NamedTuple):
    """Whether encounters connect all bots, and how closely.

    A step leads from a bot to one that it meets; `diameter` is the number of steps that lead from any bot to
    any other. `common` is the smallest number of opponents that two bots have in common. None: not counted.
    """

    connected: bool
    diameter: int | None = None
    common: int | None = None


def links(n: int, pairs: Collection[tuple[int, int]], compared: Iterable[int]) -> Links:
    """The links between n bots of which these pairs meet. Common opponents are those of `compared` bots."""
    met = [0] * n
    for one, other in pairs:
        met[one] |= 1 << other
        met[other] |= 1 << one
    compared = tuple(compared)
    common = None
    if len(compared) <= MOST_BOTS:
        common = min(
            ((met[one] & met[other]).bit_count() for one, other in combinations(compared, 2)), default=None
        )
    if not _connected(met):
        return Links(False, None, common)
    return Links(True, _diameter(met) if len(pairs) <= MOST_PAIRS else None, common)


def _connected(met: Sequence[int]) -> bool:
    """Whether steps lead from the first bot to all others; each number has a bit for each bot that is met."""
    reached = fresh = 1
    while fresh:
        found = 0
        for bot in _bits(fresh):
            found |= met[bot]
        fresh = found & ~reached
        reached |= found
    return reached == (1 << len(met)) - 1


def _diameter(met: Sequence[int]) -> int:
    """The steps that lead from any bot to any other, if all are connected."""
    everybody = (1 << len(met)) - 1
    near = [others | 1 << bot for bot, others in enumerate(met)]
    steps = 1
    while any(reached != everybody for reached in near):
        steps += 1
        near = [_stepped(reached, others, near, everybody) for reached, others in zip(near, met, strict=True)]
    return steps


def _stepped(reached: int, others: int, near: Sequence[int], everybody: int) -> int:
    """The bots that are one step further than `reached`: those that are near to the opponents."""
    if reached == everybody:
        return reached
    for other in _bits(others):
        reached |= near[other]
    return reached


def _bits(number: int) -> Iterable[int]:
    """The places of the ones in the binary form of a number."""
    text = bin(number)[:1:-1]
    place = text.find("1")
    while place >= 0:
        yield place
        place = text.find("1", place + 1)
