"""Pairs bots of about equal strength that have not met yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from harness.schedule.formats.matching import least_matching

WHOLE = 200
"""Up to this number of bots, one matching pairs all of them. With more, it pairs each part of the order."""
PART = 40
NEAR = 16
"""At first a bot is matched only with so many of the nearest bots on each side that it has not met."""
UNIT = 10**6
"""Differences of strength count in units of 10^-3 of a rank."""

Edges: TypeAlias = list[dict[int, int]]


def paired(
    order: Sequence[str], strength: Mapping[str, int], met: Mapping[frozenset[str], int]
) -> list[tuple[str, str]]:
    """Pairs an even number of bots, which come with the strongest first.

    No pair meets again if that is possible. Then the squares of the differences in strength are as small as
    possible. Among bots of equal strength, the upper half meets the lower half.
    """
    if len(order) <= WHOLE:
        return _part(order, strength, met)
    pairs = []
    for begin in range(0, len(order), PART):
        pairs += _part(order[begin : begin + PART], strength, met)
    return pairs


def _part(
    order: Sequence[str], strength: Mapping[str, int], met: Mapping[frozenset[str], int]
) -> list[tuple[str, str]]:
    level = [strength[bot] // UNIT for bot in order]
    half = _halves(level)
    scale = len(order) ** 2 + 1

    def weight(one: int, two: int) -> int:
        off = two - one - half[one] if level[one] == level[two] else 0
        return (level[one] - level[two]) ** 2 * scale + off * off

    def unmet(one: int, two: int) -> bool:
        return not met.get(frozenset((order[one], order[two])), 0)

    mates = least_matching(_near(len(order), half, unmet, weight))
    if mates is None:
        mates = least_matching(_all(len(order), unmet, weight))
    if mates is None:
        dear = 1 + len(order) * max(weight(0, len(order) - 1), scale * scale)
        times = [[met.get(frozenset((one, two)), 0) for two in order] for one in order]
        mates = least_matching(
            _all(
                len(order),
                lambda one, two: True,
                lambda one, two: dear * times[one][two] ** 2 + weight(one, two),
            )
        )
    assert mates is not None, "a complete graph with an even number of vertices has a perfect matching"
    return [(order[one], order[two]) for one, two in enumerate(mates) if one < two]


def _halves(level: Sequence[int]) -> list[int]:
    """For each bot half the size of its group of equal strength."""
    sizes = {each: level.count(each) for each in set(level)}
    return [sizes[each] // 2 for each in level]


def _near(
    n: int, half: Sequence[int], fits: Callable[[int, int], bool], weight: Callable[[int, int], int]
) -> Edges:
    """Edges from each bot to the nearest bots that fit, counted from itself and from the middle of the other
    half of its group."""
    edges: Edges = [{} for _ in range(n)]
    for one in range(n):
        for first in {one + 1, max(one + 1, one + half[one] - NEAR // 2)}:
            found = 0
            for two in range(first, n):
                if fits(one, two):
                    edges[one][two] = edges[two][one] = weight(one, two)
                    found += 1
                    if found == NEAR:
                        break
    return edges


def _all(n: int, fits: Callable[[int, int], bool], weight: Callable[[int, int], int]) -> Edges:
    edges: Edges = [{} for _ in range(n)]
    for one in range(n):
        for two in range(one + 1, n):
            if fits(one, two):
                edges[one][two] = edges[two][one] = weight(one, two)
    return edges
