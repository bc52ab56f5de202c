"""Computes how doubtful it is that one bot is better than another, and corrects many such doubts together.

A doubt is a number up to 1. A claim with a doubt of at most 0.05 holds at a confidence of 0.95. If the claim
is wrong, its doubt is 0.05 or less in at most 5 % of cases. With `looks = "any"`, doubts come from bets. Such
a doubt is valid no matter how often somebody looked at the results, and whatever stopped the tournament. With
`looks = "once"`, doubts come from tests of a fixed number of deals. These tests need fewer deals, but they
allow only one look. If two bots are equal and somebody looks at their results again and again, such a test
shows a difference at some time, in 25 to 50 % of all cases.

Among many claims at a confidence of 0.95, some are wrong. In a class of equal teams, about one of twenty
possible claims holds by chance, and is wrong. `held` corrects the doubts by Holm's method: it multiplies the
smallest of n doubts by n, the next by n - 1, and so on. After this correction, the probability that *any* of
the claims is wrong is at most 5 %, even if the claims depend on each other (Holm, "A simple sequentially
rejective multiple test procedure", 1979). Formula: the corrected doubt of the claim with the i-th smallest
doubt is the largest of (n - j + 1) * doubt_j for j up to i.

The claims decide the range of places of a bot. A claim about a bot and another bot is corrected for all
comparisons of the first bot. If the claim still holds, the first bot is certainly better or worse than the
other. The best place of the first bot is directly behind all bots that are certainly better. The worst place
of the first bot is directly in front of all bots that are certainly worse.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from harness.results.statistics.betting import Rest, bets, least_doubt
from harness.results.statistics.comparison import (
    MOST_SKEW,
    Apart,
    Deals,
    Ranks,
    apart,
    gap,
    in_turn,
    lead,
    met,
    more,
    most,
    skew,
)
from harness.results.statistics.equations import total
from harness.results.statistics.fit import Fit, fit_of
from harness.results.statistics.intervals import CONFIDENCE
from harness.results.statistics.student import tail

Looks: TypeAlias = Literal["any", "once"]
_Name = TypeVar("_Name", bound=Hashable)


class Claim(NamedTuple):
    """The doubts about two opposite claims: that the first of two bots is better, and that the second is
    better."""

    deals: int
    """The number of deals from which the doubts come."""
    ahead: float
    """The doubt about the claim that the first bot is better. `behind` is the doubt about the opposite
    claim."""
    behind: float
    more: Callable[[float], int]
    """A function that returns the number of further deals that would reduce the smaller doubt to a given
    value."""

    @property
    def doubt(self) -> float:
        """The two-sided doubt about the claim that the deals support: the bot with better results is the
        better bot."""
        return min(1.0, 2 * min(self.ahead, self.behind))

    def turned(self) -> Claim:
        """Returns the same claim with the two bots exchanged."""
        return Claim(self.deals, self.behind, self.ahead, self.more)

    def after(self, differences: Sequence[float]) -> Claim:
        """Returns this claim with the doubts that `least_doubt` computes from the deals' `differences`, the
        results of the first bot minus those of the second. Of the two opposite claims, only the one with the
        smaller doubt keeps its doubt; the doubt of the other is set to 1."""
        ahead, behind = least_doubt(differences), least_doubt([-each for each in differences])
        ahead, behind = (ahead, 1.0) if ahead <= behind else (1.0, behind)
        return self._replace(ahead=ahead, behind=behind)

    def corrected(self, by: Held) -> Claim:
        """Returns the claim with corrected doubts. If the deals support that the first bot is better, `ahead`
        is the doubt of `by`, which is two-sided and corrected for the number of claims, and `behind` is 1.
        Otherwise `behind` is this doubt, and `ahead` is 1."""
        ahead, behind = (by.doubt, 1.0) if self.ahead < self.behind else (1.0, by.doubt)
        return Claim(self.deals, ahead, behind, lambda doubt: self.more(doubt / 2 / by.among))


def beating(own: Ranks, other: Ranks, looks: Looks, adaptive: bool = False) -> Claim:
    """Returns the claim about two bots from those deals that each of the two bots played.

    `adaptive` says that the results decide how many deals the two bots play. Such a tournament looks at the
    results after each round, and plays no more deals for a claim that holds. The deals after this moment are
    played for other claims. So with bets, these later deals do not change a claim that has held once.
    """
    if looks == "any":
        claim = _by_bets(Apart(met(own, other), 0.0))
        return claim.after(in_turn(own, other)) if adaptive else claim
    found = lead(own.deals, other.deals)
    if not found.deals:
        return Claim(0, 1.0, 1.0, lambda doubt: more(1 - doubt, 0, 0))
    behind = lead(other.deals, own.deals)
    needed = found.deviations, found.deals
    return Claim(found.deals, 1 - found.sure, 1 - behind.sure, lambda doubt: more(1 - doubt, *needed))


def ranking(own: Ranks, other: Ranks, looks: Looks, fit: Fit | None = None) -> Claim:
    """Returns the claim about the average ranks of two bots, even if the two never met.

    If the two bots did not meet the other bots equally often, the claim comes from `fit`, which uses the
    ranks of all bots. If there is no fit, for example for scores, the claim comes from a comparison of whole
    tables.
    """
    uneven = skew(own, other)
    fit = fit if uneven else None
    if looks == "any":
        return _by_bets(fit.apart(own.bot, other.bot) if fit else apart(own, other))
    slack = None if uneven > MOST_SKEW else uneven * most(own, other)
    found = fit.gap(own.bot, other.bot) if fit else gap(own.deals, other.deals, slack)
    # Suppose that chance alone decides which bot is better in each of n deals. Then one bot is better in all
    # n deals in one of 2 ** (n - 1) cases. So no doubt may be smaller than `least`.
    least = 0.5 ** min(found.free + 1, 1_000)
    ahead, behind = (max(least, tail(sign * found.errors, found.free)) for sign in (1, -1))
    return Claim(len(own.deals), ahead, behind, lambda doubt: more(1 - doubt, found.errors, len(own.deals)))


def _by_bets(found: Apart) -> Claim:
    number = sum(found.differences.values())
    whole = total(each * times for each, times in sorted(found.differences.items())) + found.rest.sum
    sign = 1 if whole > 0 else -1
    # Only bets on the bot that is ahead are computed. The differences of the bot that is behind have a mean
    # of at most 0, so bets on this bot win nothing (see `statistics.betting`).
    wide = 1 + found.skew
    rest = Rest(sign * found.rest.sum / wide, found.rest.squares / wide**2, found.rest.most / wide)
    won = bets({(sign * each - found.skew) / wide: times for each, times in found.differences.items()}, rest)
    ahead, behind = (won.doubt, 1.0) if sign > 0 else (1.0, won.doubt)
    return Claim(number, ahead, behind, won.more)


# -- many claims -----------------------------------------------------------------------------------


class Held(NamedTuple):
    """The corrected doubt of one claim among many."""

    doubt: float
    """The corrected doubt, up to 1."""
    among: int
    """The factor by which Holm's method multiplies the doubt of this claim."""


def held(doubts: Mapping[_Name, float]) -> dict[_Name, Held]:
    """Corrects doubts by Holm's method.

    Consider all claims whose corrected doubt is at most 0.05. With a probability of at least 95 %, all these
    claims are true.
    """
    found = {}
    largest = 0.0
    for number, name in enumerate(sorted(doubts, key=doubts.__getitem__)):
        among = len(doubts) - number
        largest = max(largest, min(1.0, among * doubts[name]))
        found[name] = Held(largest, among)
    return found


# -- ranges of places ------------------------------------------------------------------------------


class Range(NamedTuple):
    """The best and the worst place that a bot could have."""

    best: int
    worst: int
    open: tuple[Claim, ...]
    """The claims about other bots that do not hold yet."""


def range_of(
    bot: str, averages: Mapping[str, float], claims: Mapping[str, Claim], confidence: float
) -> Range:
    """Returns the range of places of a bot. `claims` has one claim for each other bot: the claim that `bot`
    is better than this other bot. The doubts of the claims are corrected.

    A low average is good. A claim counts only if the bot that it calls better also has the better average.
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


def corrected(claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """Returns the claims about one bot and other bots, with doubts that are corrected for the number of
    claims."""
    by = held({bot: claim.doubt for bot, claim in claims.items()})
    return {bot: claim.corrected(by[bot]) for bot, claim in claims.items()}


def ranges(
    deals: Mapping[str, Deals], averages: Mapping[str, float], span: float | None = None
) -> dict[str, Range]:
    """Returns the range of places of each bot from these deals and averages. The ranges stay right no matter
    how often somebody looks at the results."""
    claims: dict[str, dict[str, Claim]] = {bot: {} for bot in averages}
    fit = None if span else fit_of(deals)
    for own, other in combinations([Ranks(bot, deals[bot], span) for bot in averages], 2):
        claim = ranking(own, other, "any", fit)
        claims[own.bot][other.bot] = claim
        claims[other.bot][own.bot] = claim.turned()
    return {bot: range_of(bot, averages, corrected(found), CONFIDENCE) for bot, found in claims.items()}
