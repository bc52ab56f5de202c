"""Orders bots by the results so far, as the pairing of the next round needs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from harness.chance import derived
from harness.results.rating import Tables, ratings
from harness.schedule.formats.past import Past

DIGITS = 9
Tiers: TypeAlias = list[tuple[str, ...]]
"""All bots in order, the best first; bots in one tuple are equal."""


def strengths(past: Past) -> dict[str, int]:
    """The rating of each bot that is left, in units of 10^-9; lower is better.

    A bot without a match has the middle rank.
    """
    rated = ratings(Tables(past.matches()), past.seats)
    middle = (past.seats + 1) / 2
    return {bot: round(10**DIGITS * rated.get(bot, middle)) for bot in past.bots}


def by_lot(bots: Iterable[str], seed: int) -> list[str]:
    """The bots in an order that the seed decides, whatever their order in the plan is."""
    return sorted(bots, key=lambda bot: (derived(seed, "lot", bot), bot))


def best_first(bots: Iterable[str], strength: Mapping[str, int], seed: int) -> list[str]:
    """The bots, the strongest first; equal ones by lot."""
    return sorted(by_lot(bots, seed), key=strength.__getitem__)


def in_tiers(bots: Sequence[str], strength: Mapping[str, int]) -> Tiers:
    """The bots in order, the strongest first; equal ones are together, in alphabetical order."""
    order = sorted(bots, key=lambda bot: (strength[bot], bot))
    return [tuple(group) for _, group in groupby(order, key=strength.__getitem__)]


def in_turn(tiers: Tiers, seed: int) -> Iterator[str]:
    """All bots of the tiers; equal ones by lot."""
    return (bot for tier in tiers for bot in by_lot(tier, seed))
