"""Turns the averages of a round robin into Elo ratings with intervals.

Suppose that all bots meet equally often. Then the logistic formula of Elo predicts the average share of
opponents that each bot beats. The Elo ratings are chosen so that this formula predicts the averages that
`statistics.round_robin` computes. So Elo ratings put the bots into the same order as these averages do. The
mean of all ratings is 0. With 400 points more than its opponent, a bot wins 10 of 11 matches; with 191 points
more, it wins 3 of 4. At a table of several bots, a bot counts as the winner against each bot with a worse
rank.

Name: Elo ratings by the equations of Zermelo, Bradley and Terry. Formula: the strengths s solve, for each bot
a, p_a = mean over b of 1 / (1 + exp(s_b - s_a)), and Elo is 400 * s / log(10). cov(s) = J cov(p) J, where J
is the inverse of the derivatives of the right sides. Source: Zermelo (1929), Bradley and Terry (1952), Elo,
"The rating of chessplayers" (1978); for cov(s), the delta method.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from operator import mul
from typing import NamedTuple

from harness.results.statistics.equations import Factor, Matrix, Vector, total
from harness.results.statistics.floats import deviation, logistic

POINTS = 173.71779276130073
"""400 / log(10): a strength of 1 is worth this number of Elo points."""
QUANTILE = 1.959963984540054
STEPS = 50
NEAR = 1e-9
LONGEST = 2.0
"""The longest step of a strength. A longer step could overshoot, because shares near 0 and 1 hardly move."""


class Elo(NamedTuple):
    """An Elo rating with its 95 % interval, in points."""

    value: float
    low: float
    high: float


def elo_of(shares: Vector, covariance: Matrix) -> list[Elo]:
    """Returns the Elo ratings of bots. `shares` has, for each bot, the mean share of opponents that it beats.
    The shares lie between 0 and 1, and their mean is 1/2."""
    strengths = [0.0] * len(shares)
    for _ in range(STEPS):
        step = _factor(strengths).solution(_left(strengths, shares))
        length = max(map(abs, step), default=0.0)
        scale = min(1.0, LONGEST / length) if length else 1.0
        strengths = [value + scale * move for value, move in zip(strengths, step, strict=True)]
        if length < NEAR:
            break
    mean = total(strengths) / max(1, len(strengths))
    inverse = _factor(strengths).inverse()
    found = []
    for value, row in zip(strengths, inverse, strict=True):
        image = [total(map(mul, row, column)) for column in covariance]
        reach = QUANTILE * deviation(total(map(mul, image, row)))
        own = value - mean
        found.append(Elo(POINTS * own, POINTS * (own - reach), POINTS * (own + reach)))
    return found


def _left(strengths: Sequence[float], shares: Sequence[float]) -> Vector:
    """Returns the given shares minus the shares that bots with these strengths would have."""
    left, others = list(shares), len(shares) - 1
    for one, two in combinations(range(len(shares)), 2):
        ahead = logistic(strengths[one] - strengths[two])
        left[one] -= ahead / others
        left[two] -= (1 - ahead) / others
    return left


def _factor(strengths: Sequence[float]) -> Factor:
    """Returns a factor of the matrix of derivatives: how each bot's share of beaten opponents changes with
    each strength. Only differences of strengths matter. So a constant is added to each number of the matrix,
    and this makes the matrix invertible. The constant does not change the solution, because the numbers that
    `_left` returns add up to 0."""
    size = len(strengths)
    matrix = [[1 / size / size] * size for _ in range(size)]
    for one, two in combinations(range(size), 2):
        ahead = logistic(strengths[one] - strengths[two])
        slope = ahead * (1 - ahead) / (size - 1)
        matrix[one][one] += slope
        matrix[two][two] += slope
        matrix[one][two] -= slope
        matrix[two][one] -= slope
    return Factor(matrix)
