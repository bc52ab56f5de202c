"""Constructs a Steiner triple system, in which each pair of bots meets once at three seats, for every field
for which there is one that is cyclic: n is 1 or 3 modulo 6, but not 9."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from harness.schedule.blocks import Block

Pairs: TypeAlias = list[tuple[int, int]]

FEW = 6
"""Up to this number of pairs, a trial finds them at once, and the general form does not yet apply."""


def triples(n: int) -> list[Block] | None:
    """Base blocks modulo n, without the block of the multiples of n / 3; None if n is not 1 or 3 modulo 6.

    The numbers from t + 1 to about 3t (n is 6t + 1 or 6t + 3) form t pairs of which one has the difference 1,
    one the difference 2, and so on (a Skolem sequence, or a Rosa sequence, which leaves out n / 3). Then 0,
    the difference and the larger number of a pair are a base block.
    """
    t, rest = divmod(n, 6)
    if rest not in (1, 3) or n == 9:
        return None
    hole = t + 1 if rest == 3 else 0
    if t <= FEW:
        places = [place for place in range(1, 2 * t + 2) if place != hole][: 2 * t]
        if t % 4 not in ((0, 3) if hole else (0, 1)):
            places[-1] += 1
        pairs = _by_trial(t, places)
    else:
        pairs = _rosa(t) if hole else _skolem(t)
    return [(0, later - sooner, later + t) for sooner, later in pairs]


def _by_trial(distance: int, places: Sequence[int]) -> Pairs:
    """Pairs of these places with the distances from `distance` down to 1; fewer if there are none."""
    for place in places:
        if place + distance in places:
            left = [other for other in places if other not in (place, place + distance)]
            rest = _by_trial(distance - 1, left)
            if len(rest) == distance - 1:
                return [(place, place + distance), *rest]
    return []


def _nested(low: int, high: int, number: int) -> Pairs:
    """This number of pairs, each inside the one before; the first is `low` and `high`."""
    return [(low + step, high - step) for step in range(number)]


def _skolem(t: int) -> Pairs:
    """Pairs of the numbers from 1 to 2t with the differences 1 to t. If t is 2 or 3 modulo 4, 2t + 1 takes
    the place of 2t."""
    s, rest = divmod(t + 1, 4)
    if rest == 0:
        pairs = _nested(4 * s + 1, 8 * s - 3, 2 * s - 2) + _nested(1, 4 * s - 2, s - 2)
        pairs += _nested(s + 2, 3 * s - 1, s - 2)
        return [
            *pairs,
            (s - 1, 3 * s),
            (s, s + 1),
            (2 * s, 4 * s - 1),
            (2 * s + 1, 6 * s - 1),
            (4 * s, 8 * s - 1),
        ]
    if rest == 1:
        pairs = _nested(4 * s, 8 * s, 2 * s) + _nested(1, 4 * s - 2, s - 2) + _nested(s + 2, 3 * s - 1, s - 2)
        return [*pairs, (s - 1, 3 * s), (s, s + 1), (2 * s, 4 * s - 1), (2 * s + 1, 6 * s)]
    if rest == 2:
        pairs = _nested(4 * s + 2, 8 * s + 2, 2 * s) + _nested(1, 4 * s, s) + _nested(s + 3, 3 * s, s - 2)
        return [*pairs, (s + 1, s + 2), (2 * s + 1, 6 * s + 2), (2 * s + 2, 4 * s + 1)]
    pairs = _nested(1, 4 * s + 1, 2 * s) + _nested(4 * s + 4, 8 * s + 3, s - 1)
    pairs += _nested(5 * s + 3, 7 * s + 2, s - 1)
    return [
        *pairs,
        (2 * s + 1, 6 * s + 2),
        (4 * s + 2, 6 * s + 3),
        (4 * s + 3, 8 * s + 5),
        (7 * s + 3, 7 * s + 4),
    ]


def _rosa(t: int) -> Pairs:
    """Pairs of the numbers from 1 to 2t + 1 without t + 1, with the differences 1 to t. If t is 1 or 2 modulo
    4, 2t + 2 takes the place of 2t + 1."""
    s, rest = divmod(t + 1, 4)
    if rest == 0:
        pairs = _nested(1, 4 * s - 1, 2 * s - 1) + _nested(4 * s + 2, 8 * s - 1, s - 2)
        pairs += _nested(5 * s + 1, 7 * s - 2, s - 2)
        return [*pairs, (2 * s, 6 * s - 1), (5 * s, 7 * s + 1), (4 * s + 1, 6 * s), (7 * s - 1, 7 * s)]
    if rest == 1:
        pairs = _nested(1, 4 * s, s - 1) + _nested(s, 3 * s - 1, s - 1) + _nested(4 * s + 2, 8 * s, s - 1)
        pairs += _nested(5 * s + 2, 7 * s, s - 1)
        return [
            *pairs,
            (2 * s - 1, 2 * s),
            (3 * s, 5 * s + 1),
            (3 * s + 1, 7 * s + 1),
            (6 * s + 1, 8 * s + 1),
        ]
    if rest == 2:
        pairs = _nested(1, 4 * s + 1, 2 * s) + _nested(5 * s + 1, 7 * s + 2, s)
        pairs += _nested(4 * s + 3, 8 * s + 2, s - 2)
        return [*pairs, (2 * s + 1, 6 * s + 2), (6 * s + 1, 8 * s + 4), (7 * s + 3, 7 * s + 4)]
    pairs = _nested(1, 4 * s + 2, 2 * s) + _nested(4 * s + 5, 8 * s + 3, s - 1)
    pairs += _nested(5 * s + 4, 7 * s + 2, s - 2)
    last = [(2 * s + 1, 6 * s + 3), (2 * s + 2, 6 * s + 2), (4 * s + 4, 6 * s + 4), (7 * s + 3, 7 * s + 4)]
    return [*pairs, *last, (8 * s + 4, 8 * s + 6)]
