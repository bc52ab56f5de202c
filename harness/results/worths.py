"""Estimates how much each bot is worth in the model of Plackett and Luce, and prints it as an Elo rating.

In this model a bot with worth a comes before one with worth b with the probability a / (a + b), and a match
of several bots is a draw without replacement: the first is drawn in proportion to the worths, then the second
from the rest, and so on. For two seats this is the model of Bradley and Terry, which Elo ratings use. Bots
with the same rank are half before and half behind each other: all orders of them count equally.

The worths are the most likely ones, found by Hunter's MM algorithm, with one addition: as if each bot had
also played one tie against a bot of worth 1. So a bot that always won has a worth too. An Elo rating is 400
times the decimal logarithm of the worth, rounded to 1; the mean over all bots is 0. Nothing on record depends
on these numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, log10
from typing import TypeAlias

from harness.record.history import MatchResult

STEPS = 5_000
NEAR = 1e-9
"""The solution ends when a step changes no worth by a larger part than this."""
MOST_TIED = 8
"""Of more bots with the same rank, the orders are not counted one by one: they have 2^n sets of survivors."""

Ranking: TypeAlias = tuple[tuple[str, ...], ...]
"""The bots of a match, best first; bots with the same rank are together, in alphabetical order."""


def elo(matches: Iterable[MatchResult]) -> dict[str, int]:
    """The Elo rating of each bot with a match, by name."""
    found = worths(Counter(ranking(match.bots, match.ranks) for match in matches))
    logs = {bot: 400 * log10(worth) for bot, worth in found.items()}
    mean = sum(logs.values()) / max(1, len(logs))
    return {bot: round(value - mean) for bot, value in logs.items()}


def ranking(bots: Sequence[str], ranks: Sequence[float]) -> Ranking:
    """A match as a ranking; `bots` and `ranks` are by seat.

    >>> ranking(("a", "b", "c"), (2.5, 1, 2.5))
    (('b',), ('a', 'c'))
    """
    groups: dict[float, list[str]] = {}
    for rank, bot in sorted(zip(ranks, bots, strict=True)):
        groups.setdefault(rank, []).append(bot)
    return tuple(map(tuple, groups.values()))


def worths(rankings: Counter[Ranking]) -> dict[str, float]:
    """The worth of each bot in these rankings; the numbers say how often there was such a match."""
    bots = sorted({bot for groups in rankings for group in groups for bot in group})
    number = {bot: place for place, bot in enumerate(bots)}
    drawn = [0.5] * len(bots)
    """How often a bot was drawn from a set of several, the tie with the bot of worth 1 included."""
    sets: dict[tuple[int, ...], float] = {}
    for groups, times in rankings.items():
        rest: tuple[int, ...] = ()
        for group in reversed(groups):
            tied = tuple(number[bot] for bot in group)
            for bot in tied:
                drawn[bot] += times * (1 if rest else 1 - 1 / len(tied))
            for left, share in _survivors(tied):
                if len(left) + len(rest) > 1:
                    key = tuple(sorted(left + rest))
                    sets[key] = sets.get(key, 0.0) + share * times
            rest += tied
    return dict(zip(bots, _most_likely(drawn, list(sets.items())), strict=True))


def _survivors(tied: tuple[int, ...]) -> Iterable[tuple[tuple[int, ...], float]]:
    """The sets of tied bots that are left at some time while they are drawn, each with its probability."""
    if len(tied) > MOST_TIED:
        yield tied, len(tied)
        return
    for size in range(1, len(tied) + 1):
        for left in combinations(tied, size):
            yield left, 1 / comb(len(tied), size)


def _most_likely(drawn: Sequence[float], sets: Sequence[tuple[tuple[int, ...], float]]) -> list[float]:
    """The worths that make these draws from these sets most likely."""
    worth = [1.0] * len(drawn)
    for _ in range(STEPS):
        expected = [1 / (own + 1) for own in worth]
        for bots, times in sets:
            total = 0.0
            for bot in bots:
                total += worth[bot]
            part = times / total
            for bot in bots:
                expected[bot] += part
        now = [count / each for count, each in zip(drawn, expected, strict=True)]
        moved = max((abs(new / old - 1) for new, old in zip(now, worth, strict=True)), default=0.0)
        worth = now
        if moved < NEAR:
            break
    return worth
