"""Measures by simulation how often the sequential test of two bots accepts the wrong difference, and how many
matches it needs.

    python -m studies.sprt                # 2,000 trials a line: twelve minutes of a free core
    python -m studies.sprt --trials 200

A trial simulates pairs of matches between two bots until the test accepts one of its two Elo differences.
Each line has the two Elo differences and the kind of pairs. Then it has figures for three true differences:
the lower one, the higher one and the middle. The error is the share of trials that accept the wrong
difference. The figure after "x" is the number of matches of the test, divided by the number that the
published formula needs in the first trials. The study has its own code of this formula, with bisection and
`math.log` as in fastchess. The exit code is 1 if an error is above its bound by more than chance explains, or
if the test needs more than 1.1 times the matches.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from math import exp, log, sqrt
from random import Random
from typing import NamedTuple

from harness.results.statistics.sprt import Model, Sprt, accepted

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
PAIRS = {
    "never drawn": (25, 0, 50, 0, 25),
    "60 % drawn": (4, 24, 44, 24, 4),
    "one seat wins": (3, 5, 84, 5, 3),
}
"""The kinds of pairs. Each has five percentages: how often a pair of matches of equal bots gives 0, 1/2, 1,
3/2 and 2 points."""
TESTS = (Sprt(0, 50), Sprt(0, 100), Sprt(0, 100, model="logistic"), Sprt(-50, 50, model="logistic"))
JUDGED = 100
"""The published formula is evaluated only in this number of trials."""
MOST_MATCHES = 1.1
SEED = 2026


class Trials(NamedTuple):
    """The share of trials that accept the higher difference `elo1`, and the mean number of pairs in a
    trial."""

    accepted: float
    pairs: float


def score(elo: float) -> float:
    """The expected score of a bot in a match, for this logistic Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def tilted(weights: Sequence[float], elo: float, model: Model) -> list[float]:
    """Multiplies the probabilities of the results of a pair by exp(score * t). Finds the number t with which
    the true Elo difference becomes `elo`."""
    low, high = -50.0, 50.0
    while True:
        t = (low + high) / 2
        shares = [weight * exp(t * each) for weight, each in zip(weights, SCORES, strict=True)]
        shares = [share / sum(shares) for share in shares]
        mean = sum(share * each for share, each in zip(shares, SCORES, strict=True))
        spread = sqrt(sum(share * (each - mean) ** 2 for share, each in zip(shares, SCORES, strict=True)))
        wanted = score(elo) if model == "logistic" else 0.5 + elo * sqrt(2) * log(10) / 800 * spread
        if high - low < 1e-9:
            return shares
        low, high = (t, high) if mean < wanted else (low, t)


def played(shares: Sequence[float], random: Random) -> Iterator[tuple[int, ...]]:
    """Draws pairs without an end. Yields after each pair how often each result has come so far."""
    counts, edges = [0] * 5, [*accumulate(shares)][:-1]
    while True:
        drawn = random.random()
        counts[sum(drawn >= edge for edge in edges)] += 1
        yield tuple(counts)


def trials(test: Sprt, shares: Sequence[float], count: int, seed: int = SEED) -> Trials:
    """Simulates this number of trials of the test."""
    return _ended(partial(_accepted, test), shares, count, seed)


def published(test: Sprt, shares: Sequence[float], count: int, seed: int = SEED) -> Trials:
    """Simulates the same trials with the published formula instead of the test."""
    low, high = log(test.beta / (1 - test.alpha)), log((1 - test.beta) / test.alpha)

    def judged(pairs: Sequence[int]) -> str | None:
        ratio = formula(test, pairs)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None

    return _ended(judged, shares, count, seed)


_accepted = lru_cache(1_000_000)(accepted)
"""Many trials begin with the same results, so the cache avoids much work."""


def _ended(
    judge: Callable[[tuple[int, ...]], str | None], shares: Sequence[float], count: int, seed: int
) -> Trials:
    higher = pairs = 0
    for trial in range(count):
        for counts in played(shares, Random(f"{seed} {trial}")):
            if found := judge(counts):
                higher += found == "elo1"
                pairs += sum(counts)
                break
    return Trials(higher / count, pairs / count)


def formula(test: Sprt, pairs: Sequence[int]) -> float:
    """The log-likelihood ratio in the form that Van den Bergh published and fastchess computes."""
    counts = [pair or 0.001 for pair in pairs]
    shares = [count / sum(counts) for count in counts]
    if test.model == "logistic":
        low, high = ([each - score(elo) for each in SCORES] for elo in (test.elo0, test.elo1))
        fits = [_fit(shares, low), _fit(shares, high)]
    else:
        fits = [_bent(shares, elo * sqrt(2) * log(10) / 800) for elo in (test.elo0, test.elo1)]
    return sum(count * log(more / less) for count, less, more in zip(counts, fits[0], fits[1], strict=True))


def _fit(shares: Sequence[float], values: Sequence[float]) -> list[float]:
    low, high = -1 / max(values), -1 / min(values)
    while high - low > 1e-7:
        t = (low + high) / 2
        mean = sum(share * value / (1 + t * value) for share, value in zip(shares, values, strict=True))
        low, high = (t, high) if mean > 0 else (low, t)
    return [share / (1 + low * value) for share, value in zip(shares, values, strict=True)]


def _bent(shares: Sequence[float], t: float) -> list[float]:
    found = [0.2] * 5
    for _ in range(10):
        mean = sum(share * each for share, each in zip(found, SCORES, strict=True))
        spread = sqrt(sum(share * (each - mean) ** 2 for share, each in zip(found, SCORES, strict=True)))
        values = [each - 0.5 - t * spread / 2 * (1 + ((each - mean) / spread) ** 2) for each in SCORES]
        found = _fit(shares, values)
    return found


def line(test: Sprt, name: str, count: int) -> tuple[str, bool]:
    """The line of a test for one kind of pairs, and whether its figures keep their bounds."""
    told, kept = [], True
    for elo, bound in ((test.elo0, test.alpha), (test.elo1, test.beta), ((test.elo0 + test.elo1) / 2, None)):
        shares = tilted(PAIRS[name], elo, test.model)
        found = trials(test, shares, count)
        judged = min(count, JUDGED)
        part = trials(test, shares, judged).pairs / published(test, shares, judged).pairs
        wrong = found.accepted if elo == test.elo0 else 1 - found.accepted
        kept &= part <= MOST_MATCHES
        kept &= bound is None or wrong <= bound + 2 * sqrt(bound * (1 - bound) / count)
        error = f"accepts the higher {found.accepted:.1%}" if bound is None else f"error {wrong:.1%}"
        told.append(f"{elo:g} true: {error}, {2 * found.pairs:.0f} matches, x{part:.3f}")
    mark = "" if kept else "  <- beyond its bound"
    return f"{test.model} [{test.elo0:g}, {test.elo1:g}], {name}: " + "; ".join(told) + mark, kept


def main(arguments: Sequence[str]) -> int:
    """Prints a line for each test and each kind of pairs. Returns the exit code."""
    parser = ArgumentParser(
        prog="python -m studies.sprt", description="Measures the errors of the sequential test."
    )
    parser.add_argument("--trials", type=int, default=2000)
    count = parser.parse_args(arguments).trials
    right = True
    for test in TESTS:
        for name in PAIRS:
            text, kept = line(test, name, count)
            right &= kept
            print(text, flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
