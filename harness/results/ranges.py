"""Says which places each bot could have: "3 (2-5)" is the third, which cannot be told apart from four others.

A bot is surely better or worse than another one if the claim holds at the confidence, after the correction
for all comparisons of this bot. Its best place is one below those that are surely better; its worst place is
one above those that are surely worse. With bets this holds however often somebody looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from harness.record.history import MatchResult
from harness.results.apart import Ranks
from harness.results.claims import Claim, held, ranking
from harness.results.comparison import Deal, Deals

CONFIDENCE = 0.95


class Range(NamedTuple):
    """The best and the worst place that a bot could have."""

    best: int
    worst: int
    open: tuple[Claim, ...]
    """The claims about other bots that do not hold yet."""


def range_of(
    bot: str, averages: Mapping[str, float], claims: Mapping[str, Claim], confidence: float
) -> Range:
    """The range of a bot from its claims to be better than each other bot; their doubts are corrected.

    A low average is good. A claim counts only if the averages agree with it.
    """
    better = worse = 0
    left = []
    for other, claim in claims.items():
        if 1 - claim.ahead >= confidence and averages[bot] < averages[other]:
            worse += 1
        elif 1 - claim.behind >= confidence and averages[bot] > averages[other]:
            better += 1
        else:
            left.append(claim)
    return Range(1 + better, 1 + len(claims) - worse, tuple(left))


def ranges(deals: Mapping[str, Deals], averages: Mapping[str, float]) -> dict[str, Range]:
    """The range of each bot among the bots with these deals and averages, at any number of looks."""
    claims: dict[str, dict[str, Claim]] = {bot: {} for bot in averages}
    for own, other in combinations([Ranks(bot, deals[bot]) for bot in averages], 2):
        claim = ranking(own, other, "any")
        claims[own.bot][other.bot] = claim
        claims[other.bot][own.bot] = claim.turned()
    return {bot: range_of(bot, averages, corrected(found), CONFIDENCE) for bot, found in claims.items()}


def corrected(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """Claims about one bot and others, corrected for their number."""
    by = held({bot: claim.doubt for bot, claim in claims.items()})
    return {bot: claim.corrected(by[bot]) for bot, claim in claims.items()}


def deals_of(matches: Iterable[MatchResult]) -> dict[str, dict[str, Deal]]:
    """The deals of each bot in these matches, by name."""
    found: dict[str, dict[str, Deal]] = {}
    for match in matches:
        for bot, rank in zip(match.bots, match.ranks, strict=True):
            own = found.setdefault(bot, {})
            known = own.get(match.deal) or Deal(0, 0, _others(match.bots, bot))
            own[match.deal] = Deal(known.total + rank, known.matches + 1, known.others)
    return found


def _others(bots: Sequence[str], bot: str) -> tuple[str, ...]:
    return tuple(sorted(other for other in bots if other != bot))
