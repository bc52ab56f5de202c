"""Fits a hierarchical model of strengths, tables and sittings to results: which bot came before which.

The model says that in a match bot a comes before bot b with probability 1 / (1 + exp(e_b - e_a)), where e is
the sum of three numbers: the strength of the bot, the part of the bot at this table, and the part of the bot
in this sitting. All three come from normal distributions with mean 0. Strengths may come from Student's t
instead, or from two groups with a normal distribution each (`statistics.groups`). The part at a table says by
how much the bot does better against these opponents than its strength predicts, as in a circle of scissors,
stone and paper. The part in a sitting is the effect of one set of processes, for example of their first
random numbers or their first notes.

The deviations of the three distributions are not known. So the model tries many deviations, which are the
points of a fixed grid. Each point of the grid gets a weight that says how well it explains the results. Every
result of the model is an average with these weights. So if the results of bots differ only by luck, their
strengths are near 0. This is true even in a Swiss tournament, in which winners meet winners: for the model it
does not matter why two bots met. Sometimes a few bots are far better or worse than all others, or there are
two groups of about equal bots. With a normal distribution alone, the model would then also believe that all
other bots differ from each other. If some matches end in ties, the probability comes from `statistics.ties`
instead.

Name: hierarchical Bradley-Terry model with random effects, fitted by Laplace's approximation; for k seats,
the composite likelihood of all pairs with weight 3 / (k + 1). Formula: the log-likelihood is the sum over
sittings and pairs of s * (w * log p + (m - w) * log(1 - p)), with w wins in m matches and s = 3 / (k + 1) /
spread (see `statistics.meetings`). The weight of a point is the likelihood at its most likely parts, times
their density, divided by the square root of the determinant of the second derivatives. Newton's method finds
the most likely values. First the parts of sittings and tables are eliminated from its equations, so that only
the strengths remain as unknown numbers. Source: Bradley and Terry (1952); Breslow and Clayton, "Approximate
inference in generalized linear mixed models" (1993), for random effects and Laplace's approximation; Caron
and Doucet, "Efficient Bayesian inference for generalized Bradley-Terry models" (2012), for a prior on
strengths; Gelman, "Prior distributions for variance parameters in hierarchical models" (2006), for the
weights of deviations; Lange, Little and Taylor, "Robust statistical modeling using the t distribution"
(1989); Varin, Reid and Firth, "An overview of composite likelihood methods" (2011). Pairs of a Plackett-Luce
ranking follow Bradley and Terry. At equal strengths the weight 3 / (k + 1) makes the information of all pairs
as large as the variance of their score, and 4 seats give 94 % of the information of the whole likelihood of
Plackett and Luce. This has two advantages: only the number of beaten opponents matters for a result, and the
bots of a match need no complete ranking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from itertools import product
from operator import mul
from typing import Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from harness.results.statistics.equations import Factor, Matrix, Vector, total
from harness.results.statistics.floats import deviation, exp, log, squared
from harness.results.statistics.groups import TwoGroups, groups_of
from harness.results.statistics.meetings import Meetings, TableResults
from harness.results.statistics.parts import MatrixRow, Parts, TablePart, moved, partly, parts_of
from harness.results.statistics.ties import LARGEST, weight_of_ties

STEPS = 60
"""The largest number of steps of Newton's method."""
FAR = 3.0
"""A step moves no strength and no part by more than this. A longer step could jump over the best point to a
worse one."""
NEVER = -1e300
"""The logarithm of the weight of a point at which Newton's method did not end."""
NEAR = 1e-3
"""Newton's method ends when no strength and no part moves by more than this. The error is then much smaller,
because the error after a step is about the square of the error before it."""
GRID = (
    (0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
    (0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2),
    (0.0, 0.1, 0.2, 0.4, 0.8, 1.6),
    (0.0, 1.0),
)
"""The deviations of strengths, of parts at tables, and of parts in sittings, and the tails that are tried."""
START = (5, 1, 1)
TIMES, SPREAD = 6, 4.0
"""The largest number of weights of ties that are tried, and the deviation of the strengths for the first
weight. For later weights, the deviation of the strengths that were found before is used."""
LEAST_SLOPE, LONGEST = 0.1, 1.5
"""The bounds of a step to the next weight of ties."""
MOST_TIES = 0.999
"""If all matches are ties, the weight of ties is computed as if this share of the matches were ties."""
HEAVY = -0.2257913526447274
"""The logarithm of the density of Student's t with 1 degree of freedom at 0, minus the same logarithm for the
normal distribution."""
USUAL = 0.3
"""Before any match, the deviation of effects of sittings has an exponential distribution with this mean. With
a much larger mean, two bots that met in one sitting could never be told apart."""
LEAST = 0.01
"""Points of the grid with less than this share of the largest weight are left out."""


At: TypeAlias = tuple[int, ...]
"""A point of the grid, by its place on each axis."""


class Deviations(NamedTuple):
    """The standard deviations of strengths, of parts at a table, and of parts in a sitting."""

    strength: float
    table: float
    sitting: float
    tails: float = 0.0
    """0 if strengths have a normal distribution. Otherwise they have a distribution of Student's t with 1 /
    tails degrees of freedom, and `strength` is its scale. In this case a few bots may be far better or worse
    than all others, although these others are about equal."""
    groups: float = 0.0
    """0 if strengths have one distribution. If the bots form two groups, each bot has the centre of its
    group: `groups` is the standard deviation of these centres over all bots, and `strength` is the standard
    deviation of strengths from these centres."""

    @property
    def strengths(self) -> float:
        """The standard deviation of strengths. With two groups, the variance of their centres and the
        variance inside a group are added."""
        return deviation(squared(self.strength) + squared(self.groups)) if self.groups else self.strength


class Fitted(NamedTuple):
    """The model at one point of the grid."""

    weight: float
    """The weight of this point. The weights of all points add up to 1."""
    deviations: Deviations
    strengths: Vector
    covariance: Matrix
    """The covariance of the strengths."""
    parts: Sequence[TablePart]
    ties: float = 0.0
    """The weight of ties."""


def fits(meetings: Meetings, credited: bool = False) -> list[Fitted]:
    """Returns the model at all points of the grid that explain the results about as well as the best
    point does.

    If no table has several sittings, the model cannot distinguish the effects of sittings from the effects of
    tables. Then both kinds of effects count as effects of sittings, so they do not change the strengths of
    the bots in these sittings. This is right even if the true cause is the opponents: the results are then as
    uncertain as if the bots had met at other tables. With `credited`, both effects together count as effects
    of tables. This choice is right only if sittings have no effects.
    """
    own, grid = meetings if meetings.repeated else meetings.merged(), grid_of(meetings, credited)
    fitting = Exact(own)
    known = _log_weights(fitting, grid)
    tried: list[tuple[Exact, dict[Deviations, float]]] = [(fitting, known)]
    grouped = fitting.grouped(max((each for each in known if not each.tails), key=known.__getitem__))
    if grouped:
        tried.append((grouped, _log_weights(grouped, (*grid[:3], grid[3][:1]), max(known.values()))))
    largest = max(value for _, known in tried for value in known.values())
    weights = [
        (fitting, deviations, exp(value - largest))
        for fitting, known in tried
        for deviations, value in known.items()
        if value >= largest + log(LEAST)
    ]
    whole = total(weight for _, _, weight in weights)
    return [fitting.fitted(weight / whole, deviations) for fitting, deviations, weight in weights]


class Solver(Protocol):
    """The equations of the strengths."""

    def solution(self, right: Vector) -> Vector:
        """Returns the vector that the matrix turns into `right`."""

    def log_determinant(self) -> float:
        """Returns the logarithm of the determinant of the matrix."""


_Solver = TypeVar("_Solver", bound=Solver)
_Row = TypeVar("_Row", bound=MatrixRow)


class Joint(NamedTuple):
    """What the unknown distance between the centres of two groups of bots adds to the errors of strengths.
    This distance adds `weight` times the outer product of the vector `image` with itself to the covariance of
    the strengths."""

    image: Vector
    weight: float
    log_volume: float
    """Half of the logarithm of the factor by which this distance changes the determinant of the precision."""


class Fitting(Generic[_Row, _Solver]):
    """Fits the model at one point of the grid after another. Each fit begins with the result of the
    previous fit. The subclasses decide which kind of matrix is used."""

    near = NEAR
    groups: TwoGroups | None = None
    """The groups of the bots; None if strengths have one distribution."""
    joint = Joint([], 0.0, 0.0)

    def __init__(self, meetings: Meetings) -> None:
        self.meetings = meetings
        self.ties = 0.0
        self._begin()
        if meetings.ties:
            self._find_ties(min(meetings.ties, MOST_TIES))

    def _find_ties(self, share: float) -> None:
        """Finds the weight of ties if this share of the matches were ties.

        A weight leads to strengths, and the strengths lead to a weight. The right weight leads to itself. The
        secant method finds it, on a scale of logarithms.
        """
        spread, before, weight = SPREAD, (0.0, 0.0), weight_of_ties(self._duels(), share)
        for _ in range(TIMES):
            self.ties = weight
            self._begin()
            self.fit(Deviations(spread, 0.0, 0.0))
            squares = total(each * each for each in self.strengths)
            spread = max(GRID[0][0], deviation(squares / len(self.strengths)))
            at, gap = log(weight), log(weight_of_ties(self._duels(), share) / weight)
            if abs(gap) < NEAR:
                break
            slope = (gap - before[1]) / (at - before[0]) if before[1] and at != before[0] else -1.0
            step = gap / max(LEAST_SLOPE, -slope)
            before = at, gap
            weight = min(LARGEST, exp(at + max(-LONGEST, min(LONGEST, step))))

    def _duels(self) -> list[tuple[float, float]]:
        return [duel for parts in self.parts for duel in parts.duels(self.strengths)]

    def _begin(self) -> None:
        self.strengths = [0.0] * len(self.meetings.bots)
        self.parts = [self.parts_of(table) for table in self.meetings.tables]
        self.equations = self.equations_of(self.rows([1.0] * len(self.strengths)))

    def parts_of(self, table: TableResults) -> Parts:
        """Returns the parts of a table."""
        return parts_of(table, self.meetings.spread, self.ties)

    def rows(self, diagonal: Vector) -> list[_Row]:
        """Returns the rows of a matrix with these numbers on its diagonal, and 0 at all other places."""
        raise NotImplementedError

    def equations_of(self, rows: Sequence[_Row]) -> _Solver:
        """Returns a solver for the equations that have a matrix with these rows."""
        raise NotImplementedError

    def fit(self, deviations: Deviations) -> float:
        """Finds the most likely strengths and parts. Returns the logarithm of the weight of this point, or
        NEVER if the strengths and parts cannot be found."""
        table, sitting = squared(deviations.table), squared(deviations.sitting)
        if not any(self._step(deviations) < self.near for _ in range(STEPS)):
            self._begin()
            return NEVER
        found = total(parts.log_likelihood(self.strengths, table, sitting) for parts in self.parts)
        found += total(_log_density(value, deviations) for value in self.strengths)
        if self.groups:
            found += self.groups.log_shared(self.strengths, deviations.strength) - self.joint.log_volume
        return found - self.equations.log_determinant() / 2 + _log_prior(deviations)

    def _step(self, deviations: Deviations) -> float:
        """Makes a step of Newton's method. Returns the largest move of a strength or a part."""
        table, sitting = squared(deviations.table), squared(deviations.sitting)
        before, right = self.strengths, [0.0] * len(self.strengths)
        rows = self.rows([_precision(strength, deviations) for strength in before])
        for parts in self.parts:
            parts.eliminate(before, table, sitting, rows, right)
        self.equations = self.equations_of(rows)
        self.strengths = self._joined(self.equations.solution(right), right, deviations)
        moves = [parts.settle(self.strengths, table, sitting) for parts in self.parts]
        most = max([moved(before, self.strengths), *moves])
        if most > FAR:
            self.strengths = partly(before, self.strengths, FAR / most)
            for parts in self.parts:
                parts.shorten(FAR / most)
        return most

    def _joined(self, found: Vector, right: Vector, deviations: Deviations) -> Vector:
        """Takes the solution that the equations would have if the centre of each bot's group were known.
        Returns the solution with the centres of groups, by the formula of Sherman and Morrison (1950)."""
        if not self.groups:
            return found
        image, shared = self.image(self.groups.contrast), self.groups.shared(deviations.strength)
        inner = total(map(mul, self.groups.contrast, image))
        self.joint = Joint(image, 1 / (1 / shared - inner), log(1 - shared * inner) / 2)
        move = self.joint.weight * total(map(mul, image, right))
        return [each + move * own for each, own in zip(found, image, strict=True)]

    def image(self, vector: Vector) -> Vector:
        """Returns the exact solution of the equations for this vector."""
        return self.equations.solution(vector)

    def grouped(self, deviations: Deviations) -> Self | None:
        """Returns a fitting of the same results with two groups of bots. The strengths at this point decide
        which bots form a group. Returns None if one distribution is much more likely than two groups."""
        found = copy(self)
        found._begin()
        found.fit(deviations)
        found.groups = groups_of(found.strengths)
        return found if found.groups else None

    def told(self, deviations: Deviations) -> Deviations:
        """Returns the deviations. If the bots form two groups, the distance of the groups' centres comes from
        the present strengths."""
        return deviations._replace(groups=self.groups.apart(self.strengths)) if self.groups else deviations


class Exact(Fitting[Vector, Factor]):
    """Fits the model with a matrix that has a number for each pair of bots."""

    def rows(self, diagonal: Vector) -> list[Vector]:
        found = [[0.0] * len(diagonal) for _ in diagonal]
        for place, row in enumerate(found):
            row[place] = diagonal[place]
        return found

    def equations_of(self, rows: Sequence[Vector]) -> Factor:
        return Factor(rows)

    def fitted(self, weight: float, deviations: Deviations) -> Fitted:
        """Returns all that is known at this point of the grid."""
        self.fit(deviations)
        parts = [each.part(squared(deviations.table), squared(deviations.sitting)) for each in self.parts]
        covariance = self.equations.inverse()
        if self.groups:
            image, joint, _ = self.joint
            covariance = [
                [each + joint * own * other for each, other in zip(row, image, strict=True)]
                for own, row in zip(image, covariance, strict=True)
            ]
        return Fitted(weight, self.told(deviations), list(self.strengths), covariance, parts, self.ties)


def grid_of(meetings: Meetings, credited: bool) -> Sequence[Sequence[float]]:
    """Returns the axes of the grid for these results (see `fits`). The effects of sittings may also contain
    the effects of tables. Then the effects of sittings may be large, so their axis is the axis of tables."""
    if meetings.repeated:
        return GRID
    tables, sittings = (GRID[1], (0.0,)) if credited else ((0.0,), GRID[1])
    return GRID[0], tables, sittings, GRID[3]


def _log_prior(deviations: Deviations) -> float:
    """Returns the logarithm of the weight of a point before any match.

    The points of the grid are closer together near 0. So the weight of a point is larger if its neighbours
    are farther away. Then the grid favours neither small nor large deviations of strengths or of parts at
    tables. With equal weights, intervals of bots that differ a little would be too narrow (`python -m
    studies.mixed`). Most programs have no effects of sittings, so before any match, large effects of
    sittings have small weights.
    """
    return log(deviations.strength) + log(0.1 + deviations.table) - deviations.sitting / USUAL


def _precision(strength: float, deviations: Deviations) -> float:
    """Takes the normal distribution with mean 0 whose log density has, at this strength, the same slope as
    the log density of strengths. Returns its precision, which is 1 / variance."""
    scale, tails = squared(deviations.strength), deviations.tails
    return (1 + tails) / (scale + tails * strength * strength)


def _log_density(strength: float, deviations: Deviations) -> float:
    """Returns the logarithm of the density of a strength, without a constant that all points share."""
    square = strength * strength / squared(deviations.strength)
    found = -log(deviations.strength)
    if not deviations.tails:
        return found - square / 2
    return found + HEAVY - (1 + 1 / deviations.tails) / 2 * log(1 + deviations.tails * square)


def _log_weights(
    fitting: Exact, grid: Sequence[Sequence[float]], most: float = NEVER
) -> dict[Deviations, float]:
    """Returns points of the grid with the logarithms of their weights. For each kind of tails, the function
    first goes uphill from point to point until it finds the best point. Then the function also looks around
    each point whose weight is not much smaller than the best weight, and not much smaller than `most`."""
    known: dict[At, float] = {}

    def value(at: At) -> float:
        if at not in known:
            known[at] = fitting.fit(deviations_at(at, grid))
        return known[at]

    left = []
    for tails in range(len(grid[-1])):
        best = (*(min(place, len(axis) - 1) for axis, place in zip(grid, START, strict=False)), tails)
        while (better := max(_near(best, (*grid[:-1], ())), key=value)) != best:
            best = better
        left.append(best)
    seen, least = set(left), max(most, *map(value, left)) + log(LEAST)
    while left:
        at = left.pop(0)
        if value(at) >= least:
            new = [each for each in _near(at, grid) if each not in seen]
            seen.update(new)
            left += new
    return {deviations_at(at, grid): found for at, found in sorted(known.items())}


def deviations_at(at: At, grid: Sequence[Sequence[float]]) -> Deviations:
    """Returns the deviations at a point of the grid."""
    return Deviations(*(axis[place] for axis, place in zip(grid, at, strict=True)))


def _near(at: At, grid: Sequence[Sequence[float]]) -> Iterator[At]:
    """Yields this point, and the points that differ from it by one step on one axis."""
    yield at
    for axis, step in product(range(len(at)), (-1, 1)):
        if 0 <= at[axis] + step < len(grid[axis]):
            yield (*at[:axis], at[axis] + step, *at[axis + 1 :])
