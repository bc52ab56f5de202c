"""Computes how likely one bot wins against another bot, if a match may also end in a tie.

In some games nearly all matches of good bots are ties. In such a game, a bot that wins a tenth of its matches
and loses none is far better than its opponent, although its share of the points is only 55 %.

Name: Davidson's model of ties. Formula: let e be the strength of the first bot minus the strength of the
second, each with its parts (`statistics.mixed`). Then win : tie : loss = exp(e / 2) : t : exp(-e / 2), where
the weight t of ties is the same for all bots. A tie counts as half a win, so the expected share of wins is (p
+ t q / 2) / (1 + t q), with p = 1 / (1 + exp(-e)) and q = sqrt(p (1 - p)). Its derivative by e is (p (1 - p)
+ t q / 4) / (1 + t q)^2, which is also the variance of the share in a match. Without ties t is 0, and p is
the model of Bradley and Terry. Source: Davidson, "On extending the Bradley-Terry model to accommodate ties in
paired comparison experiments" (1970).
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.results.statistics.equations import total
from harness.results.statistics.floats import deviation, exp, log, logistic

LARGEST = 1e4
"""The largest weight of ties. With this weight, about one of 5,000 matches between equal bots is no tie."""
STEPS = 50


def share_and_slope(apart: float, ties: float) -> tuple[float, float]:
    """Returns the expected share of wins of a bot, and the derivative of this share. `apart` is the
    difference between the two bots (the e of the formula).

    >>> share_and_slope(0.0, 2.0)
    (0.5, 0.125)
    """
    part = exp(-abs(apart))  # The same as `logistic`, but without a function call.
    sure = 1 / (1 + part) if apart >= 0 else part / (1 + part)
    slope = sure * (1 - sure)
    if not ties:
        return sure, slope
    root = deviation(slope)
    scale = 1 / (1 + ties * root)
    return (sure + ties * root / 2) * scale, (slope + ties * root / 4) * scale * scale


def log_without_ties(apart: float, ties: float) -> float:
    """Returns the logarithm of the probability that a match is no tie."""
    sure = logistic(apart)
    return -log(1 + ties * deviation(sure * (1 - sure)))


def weight_of_ties(duels: Iterable[tuple[float, float]], share: float) -> float:
    """Returns the most likely weight of ties if this share of all matches were ties. For each two bots that
    met, `duels` has the number of their matches and the difference between them (the e of the formula)."""
    known = []
    for matches, apart in duels:
        sure = logistic(apart)
        known.append((matches, deviation(sure * (1 - sure))))
    wanted = share * total(matches for matches, _ in known)
    low, high = 0.0, LARGEST
    for _ in range(STEPS):
        middle = (low + high) / 2
        found = total(matches * middle * root / (1 + middle * root) for matches, root in known)
        low, high = (middle, high) if found < wanted else (low, middle)
    return (low + high) / 2
