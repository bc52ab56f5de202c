"""Measures by simulation how good ratings and their intervals are. The true strengths of the bots are known.

    python -m studies.ratings              # everything; needs some minutes
    python -m studies.ratings order        # pairs in the wrong order: average rank against rating
    python -m studies.ratings intervals    # how often the 95 % interval contains the expected rating
    python -m studies.ratings speed        # 1,000 bots and 50,000 matches

Strengths are drawn from a normal distribution. In a match each bot gets a sum: its strength, normal noise of
deviation 1, and the luck of its seat in this deal, of deviation 0.7. The sums decide the ranks. In each round
the tables are drawn by lot, and each deal is played in all rotations of the seats. All random numbers come
from fixed seeds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from typing import NamedTuple

from harness.results.statistics.rating import Equations, Tables, as_rank
from harness.results.statistics.sandwich import Sandwich

SEAT_LUCK = 0.7


class Shape(NamedTuple):
    """The size of a simulated tournament: bots, seats of a table, rounds, and deals of an encounter."""

    bots: int
    seats: int
    rounds: int
    deals: int

    def __str__(self) -> str:
        return f"{self.bots:>5} bots {self.seats} seats {self.rounds:>3} rounds {self.deals:>3} deals"


ORDERS = (Shape(64, 2, 3, 1), Shape(64, 2, 6, 10), Shape(64, 4, 3, 10), Shape(200, 2, 12, 1))
INTERVALS = (
    Shape(2, 2, 1, 10),
    Shape(8, 2, 7, 1),
    Shape(8, 2, 7, 10),
    Shape(16, 4, 5, 1),
    Shape(16, 4, 5, 10),
    Shape(16, 2, 6, 1),
    Shape(16, 2, 6, 10),
    Shape(64, 2, 6, 2),
    Shape(64, 4, 4, 10),
)


def tables_by_lot(shape: Shape, draw: Random) -> list[list[int]]:
    """Draws the tables of all rounds by lot."""
    found = []
    for _ in range(shape.rounds):
        bots = list(range(shape.bots))
        draw.shuffle(bots)
        found += [bots[at : at + shape.seats] for at in range(0, shape.bots - shape.seats + 1, shape.seats)]
    return found


def played(shape: Shape, met: Sequence[Sequence[int]], strengths: Sequence[float], draw: Random) -> Tables:
    """Simulates the matches of a tournament. The names of the bots sort in the same order as their
    numbers."""
    found = Tables()
    for encounter, table in enumerate(met):
        for deal in range(shape.deals):
            luck = [draw.gauss(0, SEAT_LUCK) for _ in table]
            for turn in range(shape.seats):
                bots = [*table[turn:], *table[:turn]]
                keys = [strengths[bot] + draw.gauss(0, 1) + by for bot, by in zip(bots, luck, strict=True)]
                order = sorted(keys, reverse=True)
                ranks = [order.index(key) + 1 for key in keys]
                found.add(tuple([f"{bot:05}" for bot in bots]), ranks, f"{encounter}.{deal}")
    return found


class Wrong(NamedTuple):
    """The share of pairs of bots in the wrong order, in per cent. A tie counts as half a pair."""

    average_rank: float
    rating: float


def wrong(shape: Shape, repeats: int, seed: int = 1) -> Wrong:
    """The pairs that average ranks and ratings put into the wrong order: the mean of `repeats` simulated
    tournaments."""
    by_average = by_rating = 0.0
    for repeat in range(repeats):
        draw = Random(seed * 1_000 + repeat)
        strengths = [draw.gauss(0, 1) for _ in range(shape.bots)]
        tables = played(shape, tables_by_lot(shape, draw), strengths, draw).sorted()
        equations = Equations(tables)
        number = {bot: place for place, bot in enumerate(equations.bots)}
        matches, beaten = [0] * shape.bots, [0] * shape.bots
        for table in tables:
            of_all, *of_bots = table.sums()
            for bot, doubled in zip(table.bots, of_bots, strict=True):
                matches[number[bot]] += int(of_all)
                beaten[number[bot]] += int(doubled)
        averages = [one / all_ for one, all_ in zip(beaten, matches, strict=True)]
        truth = [strengths[int(bot)] for bot in equations.bots]
        by_average += _misordered(truth, averages)
        by_rating += _misordered(truth, equations.solved())
    return Wrong(by_average / repeats, by_rating / repeats)


def _misordered(truth: Sequence[float], found: Sequence[float]) -> float:
    count = 0.0
    for bot, (strength, value) in enumerate(zip(truth, found, strict=True)):
        for other in range(bot):
            agree = (strength - truth[other]) * (value - found[other])
            count += 0.5 if not agree else agree < 0
    return 100 * count / (len(truth) * (len(truth) - 1) / 2)


class Coverage(NamedTuple):
    """How many intervals contain the expected rating (in per cent), their mean width, the width with which
    95 % of them would contain it, and the width of the narrowest interval."""

    covered: float
    width: float
    needed: float
    narrowest: float


def coverage(shape: Shape, spread: float, repeats: int, seed: int = 1) -> Coverage:
    """Simulates one tournament `repeats` times with the same bots and tables. `spread` is the standard
    deviation of the strengths.

    The expected rating of a bot is the mean of its ratings in all repetitions. `needed`, the width of
    intervals that would just contain it often enough, follows from the standard deviation of these ratings.
    """
    draw = Random(seed)
    strengths = [draw.gauss(0, spread) for _ in range(shape.bots)]
    met = tables_by_lot(shape, draw)
    values: list[list[float]] = []
    ranges: list[list[tuple[float, float]]] = []
    for _ in range(repeats):
        tables = played(shape, met, strengths, draw).sorted()
        equations = Equations(tables)
        solved = equations.solved()
        values.append([as_rank(strength, len(solved), shape.seats) for strength in solved])
        ranges.append(Sandwich(tables, equations, solved).intervals(shape.seats))
    bots = range(len(values[0]))
    means = [sum(one[bot] for one in values) / repeats for bot in bots]
    errors = [sqrt(sum((one[bot] - means[bot]) ** 2 for one in values) / (repeats - 1)) for bot in bots]
    widths = [one[bot][1] - one[bot][0] for one in ranges for bot in bots]
    inside = sum(one[bot][0] <= means[bot] <= one[bot][1] for one in ranges for bot in bots)
    return Coverage(
        100 * inside / len(widths),
        sum(widths) / len(widths),
        2 * 1.96 * sum(errors) / len(errors),
        min(widths),
    )


def speed(bots: int = 1_000, matches: int = 50_000, seats: int = 2) -> float:
    """The CPU seconds to compute the ratings from this number of matches. The tables are drawn by lot, and an
    encounter has as many matches as seats."""
    draw = Random(1)
    shape = Shape(bots, seats, matches // (bots // seats) // seats, 1)
    met = [tuple([f"{bot:05}" for bot in table]) for table in tables_by_lot(shape, draw)]
    rows = [
        ([*table[turn:], *table[:turn]], draw.sample(range(1, seats + 1), seats), f"{number}")
        for number, table in enumerate(met)
        for turn in range(seats)
    ]
    assert len(rows) == matches
    began = time.process_time()
    tables = Tables()
    for names, ranks, deal in rows:
        tables.add(tuple(names), ranks, deal)
    Equations(tables.sorted()).solved()
    return time.process_time() - began


def _lines(wanted: str) -> Iterator[str]:
    if wanted in ("", "order"):
        yield "Pairs in the wrong order, in % (average rank, rating):"
        for shape in ORDERS:
            found = wrong(shape, 40 if shape.bots < 100 else 10)
            yield f"  {shape}: {found.average_rank:5.1f} {found.rating:5.1f}"
    if wanted in ("", "intervals"):
        yield "Coverage of the 95 % interval in %, its width, and the width divided by the needed width:"
        for spread in (0, 1):
            for shape in INTERVALS:
                one = coverage(shape, spread, max(40, 4_000 // shape.bots))
                yield (
                    f"  {shape}, strengths {spread}: {one.covered:5.1f} {one.width:.3f} "
                    f"{one.width / one.needed:.2f}, narrowest {one.narrowest:.3f}"
                )
    if wanted in ("", "speed"):
        for seats in (2, 4):
            yield f"1,000 bots, 50,000 matches at {seats} seats: {speed(seats=seats):.2f} s of CPU time"


if __name__ == "__main__":
    for line in _lines(sys.argv[1] if len(sys.argv) > 1 else ""):
        print(line, flush=True)
