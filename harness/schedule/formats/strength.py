"""Orders bots by the results so far, as the pairing of the next round needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from harness.chance import derived
from harness.schedule.formats.past import Past

DIGITS = 9


def strengths(past: Past) -> dict[str, int]:
    """The average rank of each bot that is left, in units of 10^-9; lower is better.

    A bot without a match has the middle rank.
    """
    sums = dict.fromkeys(past.bots, Fraction())
    counts = dict.fromkeys(past.bots, 0)
    for match in past.matches():
        for bot, rank in zip(match.bots, match.ranks, strict=True):
            sums[bot] += Fraction(rank)
            counts[bot] += 1
    middle = Fraction(past.seats + 1, 2)
    unit = 10**DIGITS
    return {bot: round(unit * (sums[bot] / counts[bot] if counts[bot] else middle)) for bot in past.bots}


def by_lot(bots: Sequence[str], seed: int) -> list[str]:
    """The bots in an order that the seed of the plan decides, whatever their order in the plan is."""
    return sorted(bots, key=lambda bot: (derived(seed, "lot", bot), bot))


def best_first(bots: Sequence[str], strength: Mapping[str, int], seed: int) -> list[str]:
    """The bots, the strongest first; equal ones by lot."""
    return sorted(by_lot(bots, seed), key=strength.__getitem__)
