"""Orders bots by the results so far, for the pairing of the next round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from harness.chance import derived
from harness.model import Number, Order
from harness.record.history import MatchResult
from harness.results.statistics.rating import DIGITS, Tables, ratings
from harness.schedule.view import Past

Tiers: TypeAlias = list[tuple[str, ...]]
"""All bots in order, the best first. Bots in the same tuple are equal."""


def strengths(past: Past, by: Order = "rating") -> dict[str, int]:
    """Returns a number for each bot that still plays, in units of 10^-9. Bots are ordered by this number, and
    a lower number is better.

    A bot without a match gets the middle rank if `by` is "rating", and otherwise the mean of all bots that
    have a match.
    """
    if by == "rating":
        rated = ratings(Tables(past.matches()), past.seats)
        middle = (past.seats + 1) / 2
        return {bot: round(10**DIGITS * rated.get(bot, middle)) for bot in past.bots}
    means = _means(past, by)
    whole = sum(means.values(), Fraction()) / len(means) if means else Fraction()
    return {bot: round(10**DIGITS * means.get(bot, whole)) for bot in past.bots}


def _means(past: Past, by: Order) -> dict[str, Fraction]:
    """Returns the average rank, win or score (`by`) of each bot that has a match. From each score, the number
    from `_of_deals` is subtracted. Then wins and scores are multiplied by -1, so that the lower number is
    always better."""
    sums: dict[str, Fraction] = {}
    counts: Counter[str] = Counter()
    for _, together in groupby(past.matches(), key=lambda match: match.encounter):
        matches = list(together)
        off = _of_deals(matches)
        for match in matches:
            best = min(match.ranks)
            share = Fraction(1, match.ranks.count(best))
            for bot, rank, score in zip(match.bots, match.ranks, match.scores, strict=True):
                values = {
                    "rank": Fraction(rank),
                    "wins": -share if rank == best else Fraction(),
                    "score": off[match.deal] - Fraction(score),
                }
                sums[bot] = sums.get(bot, Fraction()) + values[by]
                counts[bot] += 1
    return {bot: total / counts[bot] for bot, total in sums.items()}


def _of_deals(matches: Sequence[MatchResult]) -> dict[str, Fraction]:
    """Returns, for each deal of an encounter, the number that is subtracted from the scores in this deal: the
    mean score in this deal, or 0 if the deal was played only once."""
    scores: dict[str, list[Number]] = {}
    times: Counter[str] = Counter()
    for match in matches:
        scores.setdefault(match.deal, []).extend(match.scores)
        times[match.deal] += 1
    return {
        deal: sum(map(Fraction, each), Fraction()) / len(each) if times[deal] > 1 else Fraction()
        for deal, each in scores.items()
    }


def by_lot(bots: Iterable[str], seed: int) -> list[str]:
    """Returns the bots in an order that only the seed decides. Their order in the plan does not matter."""
    return sorted(bots, key=lambda bot: (derived(seed, "lot", bot), bot))


def best_first(bots: Iterable[str], strength: Mapping[str, int], seed: int) -> list[str]:
    """Returns the bots, the strongest first. Chance decides between equal bots."""
    return sorted(by_lot(bots, seed), key=strength.__getitem__)


def in_tiers(bots: Sequence[str], strength: Mapping[str, int]) -> Tiers:
    """Returns the bots in order, the strongest first. Equal bots are together, in alphabetical order."""
    order = sorted(bots, key=lambda bot: (strength[bot], bot))
    return [tuple(group) for _, group in groupby(order, key=strength.__getitem__)]


def in_turn(tiers: Tiers, seed: int) -> Iterator[str]:
    """Returns all bots of the tiers in order. Chance decides between equal bots."""
    return (bot for tier in tiers for bot in by_lot(tier, seed))
