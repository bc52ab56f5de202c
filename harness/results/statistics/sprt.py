"""Decides which of two Elo differences is more likely for two bots, by a generalized SPRT on pairs of
matches.

An SPRT is a sequential probability ratio test. People who test chess engines use the test in this file. Two
bots play pairs of matches, and exchange their seats for the second match. A pair gives a bot 0, 1/2, 1, 3/2
or 2 points. The test needs only the number of pairs with each of these results (pentanomial statistics). The
units of the test are pairs, not matches. So the test is right even if a seat is an advantage, or if both
matches of a pair have the same deal.

For each of the two Elo differences, the test finds the most likely distribution of pairs with this
difference. The likelihood of this distribution counts as the likelihood of the difference (Van den Bergh,
"Comparing the approximations for the generalized log likelihood ratio" and "Comments on normalized Elo"). The
test ends as soon as the logarithm of the ratio of the two likelihoods leaves its bounds. The ratio may be
computed after every pair.

The decision ends a tournament, so it must be the same on every machine. The test does only four things with
floats: it adds them (from left to right), multiplies them, divides them, and takes square roots. IEEE 754
defines these results to the last bit. This file also computes the logarithms of the test, because the results
of `math.log` depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from functools import cache
from math import frexp, fsum, log10, sqrt
from typing import Literal, NamedTuple, TypeAlias

from harness.model import Number

Pairs: TypeAlias = Sequence[int]
"""Five numbers: the numbers of pairs of matches that gave the bot 0, 1/2, 1, 3/2 and 2 points."""
Model: TypeAlias = Literal["normalized", "logistic"]
Hypothesis: TypeAlias = Literal["elo0", "elo1"]

_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
_UNSEEN = 0.001
"""The number that is used instead of 0 pairs, so that no result is impossible."""
PER_PAIR = sqrt(2) * 2.302585092994046 / 800
"""The size of one normalized Elo, in standard deviations of the score of a pair."""
_LN_2, _ROOT = 0.6931471805599453, 0.7071067811865476
_DIGITS = Context(prec=20)
_NEAR = 1e-9
"""The precision of the computed distributions."""


class Sprt(NamedTuple):
    """The parameters of a test that decides whether the Elo difference of a bot to its opponent is `elo0` or
    `elo1`. `elo1` is larger than `elo0`.

    If the difference is `elo0` (or less), the test accepts `elo1` with a probability of `alpha`. If the
    difference is `elo1` (or more), the test accepts `elo0` with a probability of `beta`. As in every
    generalized SPRT, `alpha` and `beta` are only approximate. `python -m studies.sprt` measures the true
    probabilities. Logistic Elo is the usual Elo: a difference of 100 is a score of 64 %. Normalized Elo
    divides the distance of the score from one half by the standard deviation of the score in a match. So the
    number of pairs that the test needs depends neither on the share of draws nor on the advantage of a seat.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio, or below it, the test accepts `elo0`."""
        return _bound(self.beta, 1 - self.alpha)

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio, or above it, the test accepts `elo1`."""
        return _bound(1 - self.beta, self.alpha)


def pairs_of(ranks: Sequence[Number]) -> tuple[int, ...]:
    """Counts the pairs of matches with each result. `ranks` has the rank (1, 1.5 or 2) of a bot in each
    match. If the number of matches is odd, the last match is left out.

    >>> pairs_of([1, 1, 1, 2, 1.5, 1, 1])
    (0, 0, 1, 1, 1)
    """
    counts = [0] * len(_SCORES)
    for first, second in zip(ranks[::2], ranks[1::2], strict=False):
        counts[int(8 - 2 * (first + second))] += 1
    return tuple(counts)


def ratio(test: Sprt, pairs: Pairs) -> float:
    """Returns the logarithm of a ratio: the likelihood of `elo1` divided by the likelihood of `elo0`. A
    result above 0 speaks for `elo1`.

    `pairs` has the results of the bot whose Elo difference is tested. The test ends as soon as the ratio is
    at most `test.lower` or at least `test.upper`; see `accepted`.
    """
    if not any(pairs):
        return 0.0
    counts = [float(count) or _UNSEEN for count in pairs]
    total = fsum(counts)
    seen = [count / total for count in counts]
    low, high = (_fitted(test.model, seen, elo) for elo in (test.elo0, test.elo1))
    found = 0.0
    for count, less, more in zip(counts, low, high, strict=True):
        found += count * _ln(more / less)
    return found


def accepted(test: Sprt, pairs: Pairs) -> Hypothesis | None:
    """Returns the Elo difference that the test accepts after these pairs, or None if the test needs more
    pairs.

    Stop at the first pair for which the result is not None, because a later ratio may lie between the bounds
    again.
    """
    found = ratio(test, pairs)
    return "elo1" if found >= test.upper else "elo0" if found <= test.lower else None


def elo(pairs: Pairs, model: Model = "normalized") -> tuple[float, float, float]:
    """Returns the Elo difference that these pairs show, and its 95 % interval. This result is only for
    people, and no decision depends on it.

    The interval assumes a fixed number of pairs. If results decided when the test stopped, the interval is a
    little too optimistic.
    """
    counts = [float(count) or _UNSEEN for count in pairs]
    total = fsum(counts)
    mean, variance = _moments([count / total for count in counts])
    error = 1.96 * sqrt(variance / total)
    if model == "normalized":
        return _triple(lambda score: (score - 0.5) / sqrt(variance) / PER_PAIR, mean, error)
    return _triple(lambda score: 400 * log10(score / (1 - score)), mean, error)


def _triple(written: Callable[[float], float], mean: float, error: float) -> tuple[float, float, float]:
    return written(mean), written(max(mean - error, _UNSEEN)), written(min(mean + error, 1 - _UNSEEN))


# -- the most likely distributions -------------------------------------------------------------------


def _fitted(model: Model, seen: Sequence[float], elo: float) -> list[float]:
    """Returns the most likely distribution of pairs with this Elo difference, given the pairs that were
    seen."""
    return _normalized(seen, elo * PER_PAIR) if model == "normalized" else _logistic(seen, _score(elo))


def _logistic(seen: Sequence[float], score: float) -> list[float]:
    """Returns the most likely distribution of pairs whose mean score is `score`."""
    return _tilted(seen, [each - score for each in _SCORES])


def _normalized(seen: Sequence[float], wanted: float) -> list[float]:
    """Returns the most likely distribution of pairs whose mean score is `wanted` standard deviations above
    one half.

    This condition is not linear. Each step replaces this condition by its linear approximation at the present
    distribution. The first distribution has equal shares.
    """
    found = [1 / len(seen)] * len(seen)
    for _ in range(50):
        mean, variance = _moments(found)
        half = wanted * sqrt(variance) / 2
        values = [each - 0.5 - half * (1 + (each - mean) * (each - mean) / variance) for each in _SCORES]
        before, found = found, _tilted(seen, values)
        if all(abs(new - old) < _NEAR for new, old in zip(found, before, strict=True)):
            break
    return found


def _tilted(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """Returns the most likely distribution of pairs in which these values have the mean 0. `values` has a
    number for each result of a pair.

    The function divides each share by 1 + t * value. Newton's method finds t. If a step would leave the
    interval in which all shares are positive, the function halves the interval instead.
    """
    low, high, t = -1 / max(values), -1 / min(values), 0.0
    terms = list(zip(seen, values, strict=True))
    for _ in range(100):
        mean = slope = 0.0
        for share, value in terms:
            part = value / (1 + t * value)
            mean += share * part
            slope += share * part * part
        if mean > 0:
            low = t
        else:
            high = t
        last, t = t, t + mean / slope
        if not low < t < high:
            t = (low + high) / 2
        if abs(t - last) <= 1e-12 * (1 + abs(t)):
            break
    return [share / (1 + t * value) for share, value in terms]


def _moments(shares: Sequence[float]) -> tuple[float, float]:
    """Returns the mean and the variance of the score of a pair."""
    mean = variance = 0.0
    for share, each in zip(shares, _SCORES, strict=True):
        mean += share * each
    for share, each in zip(shares, _SCORES, strict=True):
        variance += share * (each - mean) * (each - mean)
    return mean, variance


# -- equal to the last bit on every machine ----------------------------------------------------------


def _ln(number: float) -> float:
    """Returns the natural logarithm, by the series of the inverse hyperbolic tangent."""
    part, power = frexp(number)
    if part < _ROOT:
        part, power = 2 * part, power - 1
    step = (part - 1) / (part + 1)
    total, square = 0.0, step * step
    for odd in range(23, 0, -2):
        total = total * square + 1 / odd
    return 2 * step * total + power * _LN_2


@cache
def _bound(part: float, rest: float) -> float:
    return _ln(part / rest)


@cache
def _score(elo: float) -> float:
    """Returns the score at this logistic Elo difference."""
    odds = _DIGITS.power(Decimal(10), Decimal(elo) / 400)
    return float(odds / (1 + odds))
