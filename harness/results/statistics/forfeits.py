"""Tells how often each bot forfeits its matches, and what this changes in the averages of
`statistics.round_robin`.

A bot that forfeits a match loses it, however weak its opponents are. So a forfeit says nothing about the
strength of a bot. Suppose that forfeits counted as other losses, and that a bot that forfeits many matches
met strong opponents. Then it would seem to beat weak opponents more often than it does, and its opponents
would look too good as well. So for the strengths of two bots, only the matches count that neither has
forfeited. Beside its strength, each bot has a share of matches that it forfeits. This share is the same
against all opponents. A bot that forfeits comes behind all bots that do not; bots that forfeit the same match
share their places.

Name: mixture of a binomial distribution and the model of `statistics.mixed`. Formula: bot a, which forfeits
with probability f_a, comes before bot b with the expected share (1 - f_a) (1 - f_b) p + f_b - f_a f_b / 2,
where p is this share if neither forfeits. f is the number of forfeited matches divided by the
number n of matches. Its variance is f (1 - f) / n, or S / (S - 1) * sum over S sittings of (x - f m)^2 / n^2
if this is larger, where a sitting has x forfeits in m matches. The averages change by the delta method.
Source: Cochran, "Sampling techniques" (1977), for the variance of a ratio of sums over clusters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from harness.results.statistics.equations import Matrix, total
from harness.results.statistics.floats import squared

HALF = 0.5
"""A bot that has forfeited all its matches counts as if it had forfeited half a match less. Otherwise it
would look certain that it always forfeits."""


class Forfeits(NamedTuple):
    """How often a bot forfeits."""

    share: float = 0.0
    """The share of its matches that it forfeits."""
    variance: float = 0.0
    """The variance of this share as an estimate."""

    def met(self, other: Forfeits, ahead: float) -> float:
        """Returns the share of matches in which this bot comes before the other bot, if it is `ahead` where
        neither forfeits."""
        return self.plays(other) * ahead + other.share - self.share * other.share / 2

    def plays(self, other: Forfeits) -> float:
        """Returns the probability that neither of the two bots forfeits."""
        return (1 - self.share) * (1 - other.share)

    def cost(self, other: Forfeits, ahead: float) -> float:
        """Returns by how much the share of `met` falls if this bot forfeits more, as a derivative."""
        return (1 - other.share) * ahead + other.share / 2


def forfeits_of(bots: Sequence[str], sittings: Iterable[Mapping[str, tuple[int, int]]]) -> Sequence[Forfeits]:
    """Returns how often each bot forfeits. A sitting has, for each of its bots, the number of its forfeits
    and of its matches. Returns () if no bot has forfeited a match.

    >>> forfeits_of("ab", [{"a": (1, 4), "b": (0, 4)}])[0].share
    0.25
    """
    found: dict[str, list[tuple[int, int]]] = {bot: [] for bot in bots}
    for sitting in sittings:
        for bot, counts in sitting.items():
            found[bot].append(counts)
    if not any(lost for own in found.values() for lost, _ in own):
        return ()
    return [_estimated(found[bot]) for bot in bots]


def _estimated(sittings: Sequence[tuple[int, int]]) -> Forfeits:
    lost, matches = map(sum, zip(*sittings, strict=True))
    if not lost:
        return Forfeits()
    share = min(float(lost), matches - HALF) / matches
    variance = share * (1 - share) / matches
    if len(sittings) > 1:
        squares = total(squared(own - share * count) for own, count in sittings) / squared(matches)
        variance = max(variance, squares * len(sittings) / (len(sittings) - 1))
    return Forfeits(share, variance)


def costs(forfeits: Sequence[Forfeits], ahead: Matrix) -> Matrix:
    """Returns for each bot how much its average share grows if each of all bots forfeits more, as
    derivatives. `ahead` has for each two bots the share of the first if neither forfeits."""
    size = len(forfeits)
    found = [[0.0] * size for _ in forfeits]
    for one, own in enumerate(forfeits):
        for two, other in enumerate(forfeits):
            if one != two:
                fall = own.cost(other, ahead[one][two]) / (size - 1)
                found[one][one] -= fall
                found[two][one] += fall
    return found
