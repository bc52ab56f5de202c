"""Tells what average rank each bot would have if all bots met equally often.

The numbers come from the model of `statistics.mixed`. The round-robin average of a bot is 1 + (number of
opponents at a table) * p. Here p is the probability that an opponent comes before the bot, averaged over all
other bots. If these two bots met alone at a table, this probability contains the effect of this table (its
part, see `statistics.mixed`). If two bots never met alone, this part is not known, and its variance is added.
The part of a table with more than two bots is not used for a pair of its bots, because the pair would meet at
many other tables too.

The most likely strengths and parts give the averages. At each point of the grid of `statistics.mixed`, the
averages of all bots have a common normal distribution, and these distributions are mixed by the weights of
the points. This one mixture gives the intervals and the doubts about pairs of bots. The doubts give the
ranges of places.

Name: posterior of an average by the delta method, mixed over a grid. An interval is symmetric on the scale of
the logarithm of p / (1 - p), so it never leaves the possible ranks.
Formula: p_a = mean over b of 1 / (1 + exp(-(e_a - e_b) / c)), with c = sqrt(1 + pi / 8 * v), where v is
the variance of the unknown parts in e_a - e_b, for example in a new sitting; cov(p) = G C G' + sum over
tables of M V M' + U. Here C is the covariance of the strengths, V is the covariance of the parts of a table,
U comes from the parts of pairs that never met alone, and G and M are the derivatives of p by strengths and by
parts. With ties, p and its derivatives are those of `statistics.ties`.
Source: for c, MacKay, "The evidence framework applied to classification networks" (1992).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from operator import add, mul
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

from harness.results.statistics.claims import Claim, held
from harness.results.statistics.comparison import more
from harness.results.statistics.elo import Elo, elo_of
from harness.results.statistics.equations import Matrix, Vector, total
from harness.results.statistics.floats import deviation, log, logistic, normal_tail, squared
from harness.results.statistics.meetings import Meetings
from harness.results.statistics.mixed import Deviations, Fitted, fits
from harness.results.statistics.parts import TablePart
from harness.results.statistics.ties import share_and_slope

QUANTILE = 1.959963984540054
"""A variable of the normal distribution is above this number with probability 2.5 %."""
ATTENUATION = 0.39269908169872414
"""pi / 8."""
LEAST_DOUBT = 1e-300
EDGE = 1e-6
"""If a probability is closer than this to 0 or 1, this distance is used instead, so that the interval is
finite."""


Weights: TypeAlias = Sequence[tuple[float, Deviations]]
"""Points of the grid with their weights, which add up to 1."""


class _Point(NamedTuple):
    """The averages at one point of the grid. An average is the share of opponents that a bot comes before."""

    weight: float
    shares: Vector
    covariance: Matrix


class RoundRobinAverages:
    """The averages that the bots of these meetings would have if all met equally often. `seats` is the size
    of a table."""

    def __init__(self, meetings: Meetings, seats: int, credited: bool = False) -> None:
        """The meetings must have at least two bots, or none at all. `credited` is explained at
        `mixed.fits`."""
        self.bots = meetings.bots
        self.sittings_known = meetings.repeated
        """True if the effects of sittings can be told apart from the effects of tables."""
        self._seats = seats
        self._number = {bot: place for place, bot in enumerate(self.bots)}
        self._learnt, self._shares = self._found(meetings, credited)

    def _found(self, meetings: Meetings, credited: bool) -> tuple[Weights, Vector]:
        """Fits the model. Returns what it has learnt about the standard deviations of the field
        (`Deviations`), and the share of opponents that each bot comes before."""
        found = fits(meetings, credited)
        self._points = [point_of(each) for each in found]
        shares = [
            total(point.weight * point.shares[place] for point in self._points)
            for place in range(len(self.bots))
        ]
        return [(each.weight, each.deviations) for each in found], shares

    @property
    def scale(self) -> float:
        """The share of the variance between bots that comes from their strengths, and not from their
        opponents."""
        return total(
            weight
            * squared(deviations.strengths)
            / (squared(deviations.strengths) + squared(deviations.table))
            for weight, deviations in self._learnt
        )

    def even(self, share: float) -> bool:
        """Returns whether all intervals of averages are near the middle rank. This means that the distance of
        each end from the middle rank is at most `share` times the difference of the last and the first
        rank."""
        middle, reach = (self._seats + 1) / 2, share * (self._seats - 1)
        ends = (abs(end - middle) for bot in self.bots for end in self.interval(bot))
        return max(ends, default=0.0) <= reach

    def probability(self, holds: Callable[[Deviations], bool]) -> float:
        """Returns the probability that `holds` is true for the standard deviations of the field."""
        return total(weight for weight, deviations in self._learnt if holds(deviations))

    def average(self, bot: str) -> float:
        """Returns the average rank of a bot."""
        return self._rank(self._shares[self._number[bot]])

    def interval(self, bot: str) -> tuple[float, float]:
        """Returns the 95 % interval of the average rank of a bot."""
        place = self._number[bot]
        share = min(1 - EDGE, max(EDGE, self._shares[place]))
        middle = log(share / (1 - share))
        reach = QUANTILE * deviation(self._variance(place, share)) / (share * (1 - share))
        return self._rank(logistic(middle + reach)), self._rank(logistic(middle - reach))

    def _variance(self, place: int, share: float) -> float:
        """Returns the mean square of the distance between the share of opponents that a bot comes before and
        the number `share`."""
        return total(
            point.weight * (point.covariance[place][place] + squared(point.shares[place] - share))
            for point in self._points
        )

    def doubt(self, bot: str, other: str) -> float:
        """Returns the probability that the first bot does not have the better average rank."""
        one, two = self._number[bot], self._number[other]
        return total(point.weight * _doubt(point, one, two) for point in self._points)

    def elo(self) -> dict[str, Elo]:
        """Returns the Elo rating of each bot."""
        size = range(len(self.bots))
        covariance = [
            [
                total(
                    point.weight
                    * (
                        point.covariance[one][two]
                        + (point.shares[one] - self._shares[one]) * (point.shares[two] - self._shares[two])
                    )
                    for point in self._points
                )
                for two in size
            ]
            for one in size
        ]
        return dict(zip(self.bots, elo_of(self._shares, covariance), strict=True))

    def claim(self, bot: str, other: str, deals: int) -> Claim:
        """Returns the claim that the first bot has the better average rank. `deals` is the number of deals of
        the first bot."""
        doubt = self.doubt(bot, other)
        errors = -NormalDist().inv_cdf(max(LEAST_DOUBT, min(doubt, 1 - doubt)))
        return Claim(deals, doubt, 1 - doubt, lambda wanted: more(1 - wanted, errors, deals))

    def ranges(self, bots: Sequence[str], confidence: float) -> dict[str, tuple[int, int]]:
        """Returns the best and the worst place that each of these bots could have if only these bots are
        ranked. The doubts about the pairs of a bot are corrected by Holm's method, as in
        `statistics.claims`."""
        ahead: dict[str, dict[str, float]] = {bot: {} for bot in bots}
        for one, two in combinations(bots, 2):
            doubt = self.doubt(one, two)
            ahead[one][two], ahead[two][one] = doubt, 1 - doubt
        return {bot: self._range(doubts, confidence) for bot, doubts in ahead.items()}

    def _range(self, doubts: Mapping[str, float], confidence: float) -> tuple[int, int]:
        found = held({other: 2 * min(doubt, 1 - doubt) for other, doubt in doubts.items()})
        sure = [other for other, each in found.items() if 1 - each.doubt >= confidence]
        better = sum(doubts[other] > 0.5 for other in sure)
        return 1 + better, len(doubts) + 1 - (len(sure) - better)

    def _rank(self, share: float) -> float:
        return self._seats - (self._seats - 1) * share


def _doubt(point: _Point, one: int, two: int) -> float:
    own = point.covariance
    error = deviation(own[one][one] + own[two][two] - 2 * own[one][two])
    apart = point.shares[one] - point.shares[two]
    return normal_tail(apart / error) if error else 0.5 if not apart else float(apart < 0)


def point_of(found: Fitted) -> _Point:
    """Returns the averages and their covariance at a point of the grid."""
    size = len(found.strengths)
    duels = [part for part in found.parts if len(part.places) == 2]
    known = {part.places: part.means[0] - part.means[1] for part in duels}
    lone = squared(found.deviations.table) * max((len(part.places) for part in found.parts), default=2)
    shares = [0.0] * size
    slopes = [[0.0] * size for _ in range(size)]
    """For two bots a and b, the derivative of the average of bot a by e_a - e_b."""
    covariance = [[0.0] * size for _ in range(size)]
    match = 2 * squared(found.deviations.sitting)
    for one, two in combinations(range(size), 2):
        unknown = 0.0 if (one, two) in known else lone
        scale = 1 / deviation(1 + ATTENUATION * (match + unknown))
        apart = found.strengths[one] - found.strengths[two] + known.get((one, two), 0.0)
        ahead, slope = share_and_slope(scale * apart, found.ties)
        shares[one] += ahead / (size - 1)
        shares[two] += (1 - ahead) / (size - 1)
        slope *= scale / (size - 1)
        slopes[one][two] = slopes[two][one] = slope
        variance = slope * slope * unknown
        covariance[one][one] += variance
        covariance[two][two] += variance
        covariance[one][two] -= variance
        covariance[two][one] -= variance
    moves = [[-each for each in row] for row in slopes]
    for place, row in enumerate(moves):
        row[place] = total(slopes[place])
    for part in duels:
        _add_part(part, slopes, moves, covariance)
    for own, row in zip(covariance, _framed(moves, found.covariance), strict=True):
        own[:] = map(add, own, row)
    return _Point(found.weight, shares, covariance)


def _add_part(part: TablePart, slopes: Matrix, moves: Matrix, covariance: Matrix) -> None:
    """Adds the effects of the parts of a table of two bots. If these parts change, the averages change. If
    the strengths change, these parts change."""
    slope = slopes[part.places[0]][part.places[1]]
    own = [[slope, -slope], [-slope, slope]]
    for one, row in zip(part.places, own, strict=True):
        for place, two in enumerate(part.places):
            moves[one][two] -= total(map(mul, row, (shrunk[place] for shrunk in part.shrink)))
    for one, row in zip(part.places, _framed(own, part.covariance), strict=True):
        for two, value in zip(part.places, row, strict=True):
            covariance[one][two] += value


def _framed(outer: Matrix, inner: Matrix) -> Matrix:
    """Returns outer * inner * outer', where the inner matrix is symmetric."""
    images = [[total(map(mul, row, column)) for column in inner] for row in outer]
    return [[total(map(mul, image, row)) for row in outer] for image in images]
