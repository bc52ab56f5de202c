"""Puts a difference family into rounds without a search, which is fast enough for fields of any size."""

from __future__ import annotations

from math import gcd

from harness.schedule.blocks import Block, Round
from harness.schedule.families import DifferenceFamily
from harness.schedule.rolled import Roll


def spread(found: DifferenceFamily) -> tuple[Round, ...]:
    """All translates, one base block after the other, each in the steps in which its bots are most evenly
    spread round the circle.

    So consecutive translates share no bot, and no bot plays much earlier than others.
    """
    n = found.n
    units = [unit for unit in range(1, n // 2 + 1) if gcd(unit, n) == 1]
    rounds: list[Round] = []
    short = found.short()
    if short:
        rounds.append(tuple(tuple((bot + turn) % n for bot in short) for turn in range(n // len(short))))
    for base in found.whole():
        step, spots = min(
            ((unit, _spots(n, base, unit)) for unit in units), key=lambda each: _uneven(n, each[1])
        )
        rounds += Roll(spots, step).rounds(n)
    return tuple(rounds)


def _spots(n: int, base: Block, step: int) -> tuple[int, ...]:
    """The places of the bots on the circle, measured in steps."""
    inverse = pow(step, -1, n)
    return tuple(sorted(bot * inverse % n for bot in base))


def _uneven(n: int, spots: tuple[int, ...]) -> int:
    """How far the places are from an even spacing."""
    off = [spot * len(spots) - place * n for place, spot in enumerate(spots)]
    return max(off) - min(off)
