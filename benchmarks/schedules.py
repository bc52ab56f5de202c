"""Measures the time to make a schedule.

As a program, this module makes one schedule, on one core, and prints the sample:

    python -m benchmarks.schedules BOTS SEATS [ROUNDS]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from itertools import product

import msgspec

from benchmarks.figures import drawn
from benchmarks.sample import Sample, Stopwatch
from harness.config.frozen import FrozenGame, FrozenPlan
from harness.model import RULINGS
from harness.schedule.rounds import rounds_of

BOTS = (5, 7, 10, 13, 30, 200)
SEATS = (2, 3, 4, 9)
AT_MOST_S = 30
"""The time that a person may wait for a schedule. The longest takes 10 to 16 s; it depends on the machine."""


def cases() -> list[tuple[int, int]]:
    """The pairs of numbers of bots and seats in which there are enough bots for the seats."""
    # A version without certificates schedules every set of bots, and 200 bots have too many sets.
    if find_spec("harness.schedule.certificate") is None:
        return []
    return [(bots, seats) for bots, seats in product(BOTS, SEATS) if seats <= bots]


def name(bots: int, seats: int) -> str:
    """The name of a case in the results."""
    return f"schedule-{bots}-{seats}"


def table(samples: Mapping[str, Sequence[Sample]]) -> str:
    """The seconds of each case as a table for a person, with a line for each number of bots and a column for
    each number of seats."""
    lines = [
        [f"{bots} bots", *(_seconds(samples.get(name(bots, seats), ())) for seats in SEATS)] for bots in BOTS
    ]
    heads = [f"CPU seconds, at most {AT_MOST_S}", *(f"{seats} seats" for seats in SEATS)]
    align = ["left", *["right"] * len(SEATS)]
    return drawn(heads, align, lines)


def too_slow(samples: Mapping[str, Sequence[Sample]]) -> bool:
    """Whether a case took longer than its bound."""
    taken = [sample for bots, seats in product(BOTS, SEATS) for sample in samples.get(name(bots, seats), ())]
    return any(sample.cpu_s > AT_MOST_S for sample in taken)


def _seconds(taken: Sequence[Sample]) -> str:
    if not taken:
        return ""
    slowest = max(sample.cpu_s for sample in taken)
    return f"{slowest:.2f}" + (f" > {AT_MOST_S}" if slowest > AT_MOST_S else "")


def making(bots: int, seats: int, rounds: int | None = None) -> Sample:
    """Measures how long it takes to make a schedule, with its certificate: so many rounds, or until each pair
    has met."""
    field = tuple(f"bot-{bot}" for bot in range(bots))
    plan = FrozenPlan(
        harness="",
        name="benchmark",
        game=FrozenGame("", 0, "", ""),
        seats=seats,
        seed=1,
        options={},
        bots=(),
        text="",
        meet=None if rounds else 1,
        rounds=rounds,
        rulings=RULINGS,
    )
    stopwatch = Stopwatch()
    rounds_of(plan, field, seats, ())
    return stopwatch.sample(1)


if __name__ == "__main__":
    print(msgspec.json.encode(making(*map(int, sys.argv[1:]))).decode())
