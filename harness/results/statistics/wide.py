"""Computes the average rank that each bot of a large field would have after a round robin. A large field has
up to about a thousand bots.

The model is the same as in `statistics.mixed`, and the numbers mean the same as in `statistics.round_robin`.
A large field has hundreds of thousands of pairs, so it needs other ways to compute these numbers:

- The equations of the strengths keep only the pairs that met (`statistics.sparse`).
- The results of a large field say much about its deviations, and whether it has two groups
  (`statistics.groups`). So instead of an average over a grid, one point is used. On each axis, this point is
  a mean: the logarithms of the weights follow a parabola through three points of the grid.
- The mean share of opponents that a bot comes before is a smooth function of its strength. So strengths are
  counted in cells, and the function is computed once for each cell.
- The part of the errors that two averages share is left out. This part is small. If it is left out, the
  difference of two bots of about equal strength mostly looks less certain than the difference really is.

Name: empirical Bayes estimate of the deviations, with the delta method for the averages.
Formula: p_a = mean over b of 1 / (1 + exp(-(e_a - e_b) / c)) as in `statistics.round_robin`; var(p_a) = D_a^2
* var(s_a - m_a) + sum over b of slope_ab^2 * v_ab, where D_a is the sum of the slopes of p_a, m_a is the mean
of the strengths with the slopes as weights, and v_ab is the variance of the unknown parts of this pair. If
a and b met, slope_ab is smaller than for a pair that did not meet, because their part at the table makes up
for a wrong strength.
Source: Carlin and Louis, "Bayes and empirical Bayes methods for data analysis" (2000).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from harness.results.statistics.elo import POINTS, Elo
from harness.results.statistics.equations import Vector, solution, total
from harness.results.statistics.floats import deviation, exp, log, normal_tail, squared
from harness.results.statistics.groups import groups_of
from harness.results.statistics.meetings import Meetings, TableResults
from harness.results.statistics.mixed import START, At, Deviations, Fitting, deviations_at, grid_of
from harness.results.statistics.parts import Parts, TablePart, parts_of
from harness.results.statistics.round_robin import ATTENUATION, QUANTILE, RoundRobinAverages, Weights
from harness.results.statistics.sparse import CLOSE, Sparse, Sparsity
from harness.results.statistics.ties import share_and_slope

MOST_EXACT = 64
"""With more bots than this, the computation of `statistics.round_robin` takes too long."""
MARGIN = 5.0
"""Student's t is first tried at the best point of the normal distribution. If Student's t has a smaller
weight at this point than the normal distribution, and the logarithms of the two weights differ by more than
this number, Student's t is tried at no other point."""
LEAST = 0.01
"""Points of the grid with less than this share of the largest weight are left out of `_Learnt.weights`."""
CELL = 0.125
"""The width of a cell of strengths."""
EDGE = 0.1
"""On an axis that contains the deviation 0, the scale is the logarithm of the sum of the deviation and this
number."""
ELO_EDGE = 1e-4
"""If a share of a large field is closer than this to 0 or 1, this distance is used instead, so that Elo
ratings are finite."""
ELO_STEPS = 30
ELO_NEAR = 1e-4
"""Elo ratings are found when no strength moves by more than this in a step."""
STEPS = 40
"""The number of steps in which `_centre` adds up the weights below a parabola."""


class _Wide(Fitting[dict[int, float], Sparse]):
    """Fits the model with a matrix that has numbers only for pairs that met."""

    near = 0.2

    def __init__(self, meetings: Meetings) -> None:
        self._sparsity = Sparsity(len(meetings.bots), (table.places for table in meetings.tables))
        super().__init__(meetings)

    def parts_of(self, table: TableResults) -> Parts:
        return parts_of(table, self.meetings.spread, self.ties, quick=True)

    def rows(self, diagonal: Vector) -> list[dict[int, float]]:
        return self._sparsity.rows(diagonal)

    def equations_of(self, rows: Sequence[dict[int, float]]) -> Sparse:
        return Sparse(self._sparsity, rows, self.strengths)

    def image(self, vector: Vector) -> Vector:
        return self.equations.exact(vector)


class WideAverages(RoundRobinAverages):
    """The averages of all bots of a large field if all met equally often."""

    def _found(self, meetings: Meetings, credited: bool) -> tuple[Weights, Vector]:
        fitting = _Wide(meetings if meetings.repeated else meetings.merged())
        grid = grid_of(meetings, credited)
        learnt = _learn(fitting, grid)
        # Most fields need no fit with groups. The last strengths are near the best strengths, so they show
        # whether two groups are possible.
        grouped = fitting.grouped(learnt.normal) if groups_of(fitting.strengths) else None
        if grouped:
            other = _learn(grouped, (*grid[:3], grid[3][:1]))
            if other.height > learnt.height:
                fitting, learnt = grouped, other
        fitting.fit(learnt.best)
        self._found_at = _Averages(fitting, learnt.best)
        return [(weight, fitting.told(at)) for at, weight in learnt.weights.items()], self._found_at.shares

    def _variance(self, place: int, share: float) -> float:
        return self._found_at.variances[place]

    def doubt(self, bot: str, other: str) -> float:
        one, two = self._number[bot], self._number[other]
        return normal_tail(self._apart(one, two))

    def _apart(self, one: int, two: int) -> float:
        """Returns the difference of two averages, as a multiple of its standard error."""
        found = self._found_at
        return (found.shares[one] - found.shares[two]) / deviation(
            found.variances[one] + found.variances[two]
        )

    def ranges(self, bots: Sequence[str], confidence: float) -> dict[str, tuple[int, int]]:
        least = [_least_errors((1 - confidence) / 2 / left) for left in range(len(bots) - 1, 0, -1)]
        """With Holm's method, the largest difference must be at least the first of these numbers, the second
        largest at least the second number, and so on."""
        found = {}
        for bot in bots:
            one = self._number[bot]
            apart = [self._apart(one, self._number[other]) for other in bots if other != bot]
            apart.sort(key=abs, reverse=True)
            pairs = enumerate(zip(apart, least, strict=True))
            sure = next((at for at, (own, needed) in pairs if abs(own) < needed), len(apart))
            better = sum(each < 0 for each in apart[:sure])
            found[bot] = (1 + better, len(bots) - (sure - better))
        return found

    def elo(self) -> dict[str, Elo]:
        """Returns the Elo rating of each bot, as `statistics.elo` explains it. The intervals do not include
        the errors of the other bots' averages."""
        number, scale = len(self.bots), len(self.bots) - 1
        shares = [min(1 - ELO_EDGE, max(ELO_EDGE, share)) for share in self._shares]
        strengths = [log(share / (1 - share)) for share in shares]
        slopes = strengths
        for _ in range(ELO_STEPS):
            curve = _Curve(strengths, 1.0)
            slopes = [(number * each - 0.25) / scale for each in curve.slopes]
            left = [
                share - (number * each - 0.5) / scale
                for share, each in zip(shares, curve.shares, strict=True)
            ]
            step = solution(curve.less_others, left, slopes, CLOSE)
            longest = max(map(abs, step))
            strengths = [
                each + 1 / max(1.0, longest) * move for each, move in zip(strengths, step, strict=True)
            ]
            if longest < ELO_NEAR:
                break
        mean = total(strengths) / number
        found = {}
        for place, bot in enumerate(self.bots):
            own = POINTS * (strengths[place] - mean)
            reach = POINTS * QUANTILE * deviation(self._variance(place, shares[place])) / slopes[place]
            found[bot] = Elo(own, own - reach, own + reach)
        return found


def _least_errors(doubt: float) -> float:
    """Returns the number of standard errors that gives exactly this doubt."""
    low, high = 0.0, 40.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if normal_tail(middle) > doubt else (low, middle)
    return high


def averages_of(meetings: Meetings, seats: int, credited: bool = False) -> RoundRobinAverages:
    """Returns the averages of these bots if all met equally often, at tables of this number of seats.
    `credited` is explained at `mixed.fits`."""
    return (WideAverages if len(meetings.bots) > MOST_EXACT else RoundRobinAverages)(
        meetings, seats, credited
    )


class _Averages:
    """The averages and their variances at one point of the grid."""

    def __init__(self, fitting: _Wide, deviations: Deviations) -> None:
        strengths, size = fitting.strengths, len(fitting.strengths)
        lone = squared(deviations.table) * max(
            (len(part.places) for part in fitting.meetings.tables), default=2
        )
        match = 2 * squared(deviations.sitting)
        scale = 1 / deviation(1 + ATTENUATION * (match + lone))
        ties = fitting.ties
        curve = _Curve(strengths, scale, ties)
        # The mean of all bots contains the bot itself, with a share of 1/2 and the largest slope.
        shares = [(size * each - 0.5) for each in curve.shares]
        slopes = [(size * each - scale * share_and_slope(0.0, ties)[1]) for each in curve.slopes]
        squares = [lone * each for each in curve.squares]
        near = 1 / deviation(1 + ATTENUATION * match)
        parts = [part.part(squared(deviations.table), squared(deviations.sitting)) for part in fitting.parts]
        for (one, two), met in _met(parts).items():
            apart = strengths[one] - strengths[two]
            without, flat = share_and_slope(scale * apart, ties)
            ahead, slope = share_and_slope(near * (apart + met.part), ties)
            flat, slope = scale * flat, near * slope
            shares[one] += ahead - without
            shares[two] += without - ahead
            for place in (one, two):
                slopes[place] += slope * met.share - flat
                squares[place] += slope * slope * met.variance - lone * flat * flat
        spread = fitting.equations.variances(curve.centres)
        if fitting.groups:
            image, joint, _ = fitting.joint
            spread = [
                each + joint * squared(own - centre)
                for each, own, centre in zip(spread, image, curve.centres(image), strict=True)
            ]
        others = size - 1
        self.shares = [each / others for each in shares]
        self.variances = [
            (slope * slope * own + square) / (others * others)
            for slope, own, square in zip(slopes, spread, squares, strict=True)
        ]


class _Met(NamedTuple):
    """What the table of two bots tells about the parts of these bots (see `statistics.parts`)."""

    part: float
    """The most likely difference between the parts of the two bots."""
    variance: float
    """The variance of this difference if the strengths are known."""
    share: float
    """If the difference of the strengths is wrong, the parts make up for some of this error. `share` is the
    share of the error that stays."""


def _met(parts: Sequence[TablePart]) -> Mapping[tuple[int, ...], _Met]:
    """Returns a `_Met` for each pair of bots that met at a table for two."""
    return {
        places: _Met(
            means[0] - means[1],
            covariance[0][0] + covariance[1][1] - 2 * covariance[0][1],
            1 - shrink[0][0] + shrink[0][1],
        )
        for places, means, shrink, covariance in parts
        if len(places) == 2
    }


class _Learnt(NamedTuple):
    """What the results tell about the deviations."""

    weights: Mapping[Deviations, float]
    """The points that were tried, with weights that add up to 1."""
    best: Deviations
    height: float
    """The logarithm of the largest weight."""
    normal: Deviations
    """The best point of the grid at which strengths have a normal distribution."""


def _learn(fitting: _Wide, grid: Sequence[Sequence[float]]) -> _Learnt:
    """Climbs on the grid to the best point, one axis after another."""
    known: dict[At, float] = {}

    def value(at: At) -> float:
        if at not in known:
            known[at] = fitting.fit(deviations_at(at, grid))
        return known[at]

    at: At = (*(min(place, len(axis) - 1) for axis, place in zip(grid, START, strict=False)), 0)
    value(at)
    spread = deviation(total(each * each for each in fitting.strengths) / len(fitting.strengths))
    nearest = min(range(len(grid[0])), key=lambda place: abs(log(grid[0][place] / max(grid[0][0], spread))))
    normal = best = _climbed((nearest, *at[1:]), grid, value)
    heavy = (*best[:-1], 1)
    if len(grid[3]) > 1 and value(heavy) > value(best) - MARGIN:
        best = max(best, _climbed(heavy, grid, value), key=value)
    whole = value(best)
    weights = {at: exp(found - whole) for at, found in known.items() if found >= whole + log(LEAST)}
    scale = total(weights.values())
    strength, table, sitting = (_centre(best, axis, grid, value) for axis in range(3))
    return _Learnt(
        {deviations_at(at, grid): weight / scale for at, weight in weights.items()},
        Deviations(strength, table, sitting, grid[3][best[3]]),
        whole,
        deviations_at(normal, grid),
    )


def _climbed(at: At, grid: Sequence[Sequence[float]], value: Callable[[At], float]) -> At:
    """Climbs until no step on an axis of deviations leads to a better point, and returns the point. The kind
    of tails (normal or Student's t) stays the same."""
    while True:
        before = at
        for axis in range(3):
            at = max(_beside(at, axis, grid), key=value)
        if at == before:
            return at


def _beside(at: At, axis: int, grid: Sequence[Sequence[float]]) -> list[At]:
    """Returns the points that are at most one step from `at` on this axis, in the order of the axis."""
    places = range(max(0, at[axis] - 1), min(len(grid[axis]), at[axis] + 2))
    return [(*at[:axis], place, *at[axis + 1 :]) for place in places]


def _centre(at: At, axis: int, grid: Sequence[Sequence[float]], value: Callable[[At], float]) -> float:
    """Returns the mean deviation on this axis, by the parabola through the logarithms of the weights of the
    point and the points beside it. At an end of the axis only two points count."""
    near = _beside(at, axis, grid)
    edge = EDGE if axis else 0.0
    places = [log(edge + grid[axis][each[axis]]) for each in near]
    heights = [value(each) - value(at) for each in near]
    if len(near) < 3:
        weights = list(map(exp, heights))
        return max(0.0, exp(total(map(mul, weights, places)) / total(weights)) - edge)
    slopes = [(heights[at + 1] - heights[at]) / (places[at + 1] - places[at]) for at in (0, 1)]
    bend = (slopes[1] - slopes[0]) / (places[2] - places[0])
    whole = mean = 0.0
    for step in range(STEPS + 1):
        place = places[0] + (places[2] - places[0]) * step / STEPS
        height = heights[0] + (place - places[0]) * (slopes[0] + bend * (place - places[1]))
        weight = exp(height)
        whole += weight
        mean += weight * place
    return max(0.0, exp(mean / whole) - edge)


class _Curve:
    """For a bot of some strength, computes which share of the bots comes behind it on average, and the slope
    of this share."""

    def __init__(self, strengths: Vector, scale: float, ties: float = 0.0) -> None:
        self._least = min(strengths)
        found = [(each - self._least) / CELL for each in strengths]
        self._at = [(int(each), each - int(each)) for each in found]
        size = max(cell for cell, _ in self._at) + 2
        told = [share_and_slope(scale * CELL * apart, ties) for apart in range(1 - size, size)]
        ahead, self._slopes = [share for share, _ in told], [scale * slope for _, slope in told]
        self._size = size
        self._number = len(strengths)
        counts = self._spread([1.0] * len(strengths))
        self.shares = self._read(self._folded(counts, ahead))
        self.slopes = self._read(self._folded(counts, self._slopes))
        self.squares = self._read(
            self._folded(counts, [len(strengths) * each * each for each in self._slopes])
        )
        """The sum of the squares of the slopes over all bots."""

    def centres(self, numbers: Vector) -> Vector:
        """Returns for each bot the mean of the numbers of all bots, with the slopes as weights."""
        found = self._read(self._folded(self._spread(numbers), self._slopes))
        return [each / slope for each, slope in zip(found, self.slopes, strict=True)]

    def less_others(self, numbers: Vector) -> Vector:
        """Returns for each bot how fast its mean share against all other bots grows if the strengths grow by
        these numbers."""
        scale = self._number / (self._number - 1)
        return [
            scale * slope * (own - centre)
            for slope, own, centre in zip(self.slopes, numbers, self.centres(numbers), strict=True)
        ]

    def _spread(self, numbers: Vector) -> Vector:
        """Returns the sum of the numbers in each cell. A bot between two cells counts partly in each of these
        two cells."""
        found = [0.0] * self._size
        for (cell, part), number in zip(self._at, numbers, strict=True):
            found[cell] += (1 - part) * number
            found[cell + 1] += part * number
        return found

    def _folded(self, counts: Vector, kernel: Vector) -> Vector:
        last, number = self._size - 1, self._number
        turned = kernel[::-1]
        return [total(map(mul, counts, turned[last - cell :])) / number for cell in range(self._size)]

    def _read(self, cells: Vector) -> Vector:
        return [(1 - part) * cells[cell] + part * cells[cell + 1] for cell, part in self._at]
