"""Measures by simulation whether the intervals and places that the model of `statistics.mixed` computes are
right. The strengths of the bots are known.

    python -m studies.mixed                       # all rows; needs some 20 minutes
    python -m studies.mixed swiss --trials 50     # only rows named "swiss...", with more trials
    python -m studies.mixed speed                 # the time and memory for 50,000 matches and more

The module `studies.fields` simulates the bots and their tournaments.

A row has four figures. The first is the share of wrong places: the range of a bot says that another bot is
surely better or worse, but this is not true (at most 5 %). The second is the share of the 95 % intervals that
contain the true average. The third is the share of pairs of bots that the ranges tell apart. The last is the
width of the intervals, as a share of the distance from the first to the last rank. Errors are standard errors
over trials. If a bound is not kept, the exit code is 1.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import accumulate
from math import sqrt
from multiprocessing import get_context
from resource import RUSAGE_SELF, getrusage
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple

from harness.results.statistics.meetings import Meetings, meetings_of
from harness.results.statistics.mixed import Deviations, Exact
from harness.results.statistics.round_robin import RoundRobinAverages, Weights, point_of
from harness.results.statistics.wide import averages_of
from studies.fields import FORMATS, Field, Shape, Truth, by_lot

MOST_WRONG = 0.05
CONFIDENCE = 0.95
LEAST_COVERED = 0.92


def by_holm(model: RoundRobinAverages) -> Mapping[str, tuple[int, int]]:
    """Computes the ranges of places as the standings do, by Holm's method."""
    return model.ranges(model.bots, CONFIDENCE)


def by_sum(model: RoundRobinAverages) -> Mapping[str, tuple[int, int]]:
    """Computes the ranges of places by another rule: for each bot, the doubts of all its claims may add up to
    at most 2.5 %. If the strengths really come from the distribution of the model, at most 2.5 % of the
    ranges are wrong."""
    found = {}
    for bot in model.bots:
        doubts = sorted((model.doubt(bot, other) for other in model.bots if other != bot), key=_smaller)
        sums = accumulate(map(_smaller, doubts))
        sure = [doubt for doubt, whole in zip(doubts, sums, strict=True) if whole <= (1 - CONFIDENCE) / 2]
        better = sum(doubt > 0.5 for doubt in sure)
        found[bot] = 1 + better, len(model.bots) - (len(sure) - better)
    return found


def _smaller(doubt: float) -> float:
    return min(doubt, 1 - doubt)


class Oracle(RoundRobinAverages):
    """Computes averages as somebody would who knows the distribution of the strengths in `Truth()`."""

    KNOWN = Deviations(1.18, 0.0, 0.0)
    """The model has logistic noise, but the simulation has normal noise of deviation 1. For bots that are
    about equal, strengths of deviation sqrt(pi) / 1.5 (about 1.18) in the model give the same results as
    strengths of deviation 1 in the simulation."""

    def _found(self, meetings: Meetings, credited: bool) -> tuple[Weights, list[float]]:
        self._points = [point_of(Exact(meetings.merged()).fitted(1.0, self.KNOWN))]
        return [(1.0, self.KNOWN)], self._points[0].shares


class Unshrunk(Oracle):
    """Computes averages as somebody would who assumes nothing about the strengths, as in the method of
    maximum likelihood."""

    KNOWN = Deviations(8.0, 0.0, 0.0)


class Alike(Oracle):
    """Computes averages as somebody would who knows that all bots are equal."""

    KNOWN = Deviations(1e-3, 0.0, 0.0)


class Narrowed(RoundRobinAverages):
    """The model with intervals that are half as wide."""

    def interval(self, bot: str) -> tuple[float, float]:
        low, high = super().interval(bot)
        return (low + self.average(bot)) / 2, (self.average(bot) + high) / 2


def without_sittings(meetings: Meetings, seats: int) -> RoundRobinAverages:
    """Computes averages as somebody would who knows that sittings have no effects."""
    return averages_of(meetings.merged(), seats, credited=True)


class Row(NamedTuple):
    """A row of the table: a kind of tournament, and the bounds of its figures."""

    format: str
    name: str
    truth: Truth
    shape: Shape
    least_told: float = 0.0
    most_wrong: float = MOST_WRONG
    model: Callable[[Meetings, int], RoundRobinAverages] = averages_of
    rule: Callable[[RoundRobinAverages], Mapping[str, tuple[int, int]]] = by_holm
    least_covered: float = LEAST_COVERED
    looks: int = 1
    """Somebody looks this number of times at the places, the last time at the end. A place counts as wrong if
    it was wrong at any look."""


LOT = Shape(rounds=6, deals=10)
EQUAL = Truth(spread=0)
NEARLY_EQUAL = Truth(0.15)
HALVES = Truth(0, stars=12, height=1)
QUIET = Truth(sqrt(2))
"""A quiet field: the difference of the luck of both bots in a match has the deviation 1, and the strengths
have the deviation 1 too. But in `Truth` the luck of each single bot has the deviation 1. So all is larger by
the factor sqrt(2), and the spread of the strengths is sqrt(2)."""
CLONES = Truth(clones=10, circle=0.7)
UPPER = Truth(0, 3.0, sizes=(4, 4, 4), levels=(1.5,) * 12 + (0.0,) * 12)
"""Twelve equal bots, and twelve better bots, which beat each other in a circle of three groups."""
KILLER = Truth(0, 4.0, sizes=(11, 12, 1))
"""A circle of 11, 12 and 1 bots. The twelve bots beat the eleven, the single bot beats the twelve, and the
eleven beat the single bot."""
UNEVEN = Truth(0, 2.0, sizes=(4, 16, 4))
HALF_PLAYED = Shape(played=0.45)
LARGE = Shape(bots=200, rounds=15, deals=3)
ROWS = (
    Row("swiss", "equal, 5 deals", EQUAL, Shape()),
    Row("swiss", "equal, 20 deals", EQUAL, Shape(deals=20)),
    Row("swiss", "equal, unshrunk", EQUAL, Shape(), most_wrong=1.0, model=Unshrunk, least_covered=0.0),
    Row("swiss", "equal, 20 deals, narrowed", EQUAL, Shape(deals=20), model=Narrowed),
    Row("swiss", "equal, known to be equal", EQUAL, Shape(), model=Alike),
    Row("ladder", "equal, 8 rounds' worth", EQUAL, Shape()),
    Row("ladder", "equal, 30 rounds' worth", EQUAL, Shape(rounds=30)),
    Row("swiss", "spread 1", Truth(), Shape()),
    Row("swiss", "spread 0.5", Truth(0.5), Shape()),
    Row("swiss", "spread 0.15, 20 deals", NEARLY_EQUAL, Shape(deals=20)),
    Row(
        "swiss",
        "spread 0.15, 20 deals, narrowed",
        NEARLY_EQUAL,
        Shape(deals=20),
        model=Narrowed,
        least_covered=0.0,
    ),
    Row("swiss", "one bot 4 better", Truth(0, stars=1, height=4), Shape()),
    Row("swiss", "six bots 2 better", Truth(0, stars=6, height=2), Shape()),
    Row("swiss", "six bots 1 better", Truth(0, stars=6, height=1), Shape()),
    Row("swiss", "half of the bots 1 better", HALVES, Shape()),
    Row("swiss", "half of the bots 3 better", HALVES._replace(height=3), Shape()),
    Row("swiss", "three groups", Truth(0, levels=(0, 1, 2)), Shape()),
    Row("swiss", "three groups, far apart", Truth(0.2, levels=(0, 2, 4)), Shape()),
    Row("swiss", "one bot 10 better, spread 1", Truth(stars=1, height=10), Shape()),
    Row("swiss", "spread 10", Truth(10), Shape()),
    Row("swiss", "Student's t, 1 degree", Truth(tails=1), Shape()),
    Row("swiss", "Student's t, 2 degrees", Truth(tails=2), Shape()),
    Row("swiss", "ten clones, circle 0.7", CLONES, Shape()),
    Row("swiss", "ten clones, circle 2", CLONES._replace(circle=2), Shape()),
    Row("lot", "ten clones, circle 2", CLONES._replace(circle=2), LOT),
    Row("swiss", "a circle in the better half", UPPER, Shape()),
    Row("swiss", "one bot beats the better half", KILLER, Shape()),
    Row("swiss", "uneven circle 2", UNEVEN, Shape()),
    Row("swiss", "effects of seats 0.5", Truth(seat=0.5), Shape()),
    Row("lot", "effects of seats 0.5", Truth(seat=0.5), LOT),
    Row("swiss", "equal, 3 seats", EQUAL, Shape(seats=3)),
    Row("swiss", "equal, 4 seats", EQUAL, Shape(seats=4)),
    Row("swiss", "spread 1, 3 seats", Truth(), Shape(seats=3)),
    Row("swiss", "spread 1, 4 seats", Truth(), Shape(seats=4)),
    Row("swiss", "circle 0.7, 3 seats", Truth(circle=0.7), Shape(seats=3)),
    Row("swiss", "half played, equal", EQUAL, HALF_PLAYED),
    Row("swiss", "half played, spread 1", Truth(), HALF_PLAYED),
    Row("swiss", "half played, six bots 2 better", Truth(0, stars=6, height=2), HALF_PLAYED),
    Row("lot", "spread 1, 120 matches", Truth(), LOT, 0.5),
    Row("lot", "spread 1, 120, oracle", Truth(), LOT, model=Oracle),
    Row("lot", "spread 1, 120, unshrunk", Truth(), LOT, model=Unshrunk),
    Row("lot", "spread 1, 120, sum", Truth(), LOT, 0.6, rule=by_sum),
    Row("swiss", "six bots 2 better, sum", Truth(0, stars=6, height=2), Shape(), most_wrong=1.0, rule=by_sum),
    Row("lot", "spread 1, 1,200 matches", Truth(), LOT._replace(deals=100), 0.85),
    Row("lot", "spread 1, 1,200, unshrunk", Truth(), LOT._replace(deals=100), model=Unshrunk),
    Row("lot", "quiet, 120 matches", QUIET, LOT, 0.6),
    Row("lot", "quiet, 120, unshrunk", QUIET, LOT, model=Unshrunk),
    Row("lot", "quiet, 1,200 matches", QUIET, LOT._replace(deals=100), 0.85),
    Row("lot", "spread 2, 50 deals", Truth(2.0), LOT._replace(deals=50)),
    Row("swiss", "spread 2, 50 deals", Truth(2.0), Shape(deals=50)),
    Row("lot", "spread 1, 4 seats", Truth(), LOT._replace(seats=4, deals=5)),
    Row("lot", "spread 1, 4 seats, unshrunk", Truth(), LOT._replace(seats=4, deals=5), model=Unshrunk),
    Row("lot", "spread 1, 4 seats, 25 deals", Truth(), LOT._replace(seats=4, deals=25)),
    Row("lot", "spread 1, ties", Truth(ties=1.0), LOT),
    Row("lot", "nine of ten are ties", Truth(ties=3.0), LOT._replace(deals=20)),
    Row("swiss", "three of four are ties", Truth(ties=2.0), Shape(deals=20)),
    Row("swiss", "nine of ten are ties", Truth(ties=3.0), Shape(deals=20)),
    Row("swiss", "nine of ten are ties, equal", Truth(0, ties=2.4), Shape(deals=20)),
    Row("swiss", "the best forfeits 10 %", Truth(forfeits=0.1), Shape()),
    Row("swiss", "the best forfeits 30 %", Truth(forfeits=0.3), Shape(deals=20)),
    Row("swiss", "only against good bots", Truth(forfeits=0.3, picky=True), Shape(deals=20)),
    Row("swiss", "six bots forfeit 30 %", Truth(forfeits=0.3, faulty=6), Shape(deals=20)),
    Row("swiss", "all forfeit 10 %, equal", Truth(0, forfeits=0.1, faulty=24), Shape()),
    Row("swiss", "4 seats, the best forfeits 30 %", Truth(forfeits=0.3), Shape(seats=4)),
    *(
        Row(format, f"{name}circle {circle:g}", Truth(unit, circle * unit), shape)
        for name, unit in (("", 1.0), ("quiet, ", QUIET.spread))
        for circle in (0.7, 2.0)
        for format, shape in (("swiss", Shape()), ("ladder", Shape()), ("lot", LOT))
    ),
    *(
        Row(
            format,
            f"sittings 0.5, {deals} deals",
            Truth(sitting=0.5),
            shape._replace(deals=deals, sittings=2),
        )
        for format, shape in (("swiss", Shape()), ("lot", LOT))
        for deals in (4, 16, 64)
    ),
    *(
        Row("lot", f"no effects of sittings{name}", Truth(), LOT._replace(deals=5, sittings=2), model=model)
        for name, model in (("", averages_of), (", known", without_sittings))
    ),
    Row("swiss", "sittings 0.5, equal", Truth(0, sitting=0.5), Shape()),
    Row("swiss", "sittings 0.5, spread 1", Truth(sitting=0.5), Shape()),
    Row("nearly", "6 bots, sittings 0.5, equal", Truth(0, sitting=0.5), Shape(6, deals=50)),
    Row("nearly", "6 bots, sittings 0.5, spread 1", Truth(sitting=0.5), Shape(6, deals=50)),
    Row("nearly", "6 bots, spread 1", Truth(), Shape(6, deals=10)),
    Row("swiss", "equal, 8 looks", EQUAL, Shape(), looks=8),
    Row("lot", "spread 1, 20 looks", Truth(), LOT, looks=20),
    Row("lot", "circle 2, 20 looks", Truth(circle=2.0), LOT, looks=20),
    Row("lot", "a sixth played", Truth(), LOT._replace(rounds=2, deals=5)),
    Row("swiss", "200 bots, spread 1", Truth(), LARGE),
    Row("swiss", "200 bots, equal", EQUAL, LARGE),
    Row("swiss", "200 bots, circle 0.7", Truth(circle=0.7), LARGE),
    Row("swiss", "200 bots, one 4 better", Truth(0, stars=1, height=4), LARGE),
    Row("swiss", "200 bots, fifty 2 better", Truth(0, stars=50, height=2), LARGE),
    Row("swiss", "200 bots, the best forfeits 30 %", Truth(forfeits=0.3), LARGE),
    Row("swiss", "200 bots, sittings 0.5", Truth(sitting=0.5), LARGE._replace(sittings=2)),
    Row("ladder", "200 bots, equal", EQUAL, LARGE),
    Row("lot", "200 bots, spread 1, 4 seats", Truth(), LARGE._replace(seats=4)),
    Row("lot", "200 bots, circle 0.7", Truth(circle=0.7), LARGE),
    Row("lot", "1,000 bots, spread 1", Truth(), LARGE._replace(bots=1_000, rounds=20, deals=5)),
    Row("swiss", "1,000 bots, spread 1", Truth(), LARGE._replace(bots=1_000, rounds=20, deals=2)),
)


class Found(NamedTuple):
    """The figures of one simulated tournament, as shares."""

    wrong: float
    covered: float
    told: float
    width: float


def found(row: Row, trial: int, seed: int) -> Found:
    """Simulates a tournament, and compares what the model computes with the truth."""
    field = Field(row.truth, row.shape.bots, f"{seed} {trial}")
    bots, seats = row.shape.bots, row.shape.seats
    matches = FORMATS[row.format](row.shape, field, trial)
    matches = matches[: round(len(matches) * row.shape.played)]
    true = {bot: field.average(bot, seats) for bot in field.names}
    wrong: set[str] = set()
    for look in range(1, row.looks):
        early = averages_of(meetings_of(matches[: len(matches) * look // row.looks]), seats)
        wrong |= _wrong(early.ranges(early.bots, CONFIDENCE), true)
    model = row.model(meetings_of(matches), seats)
    ranges = row.rule(model)
    wrong |= _wrong(ranges, true)
    intervals = {bot: model.interval(bot) for bot in true}
    covered = sum(low <= true[bot] <= high for bot, (low, high) in intervals.items())
    told = sum(bots - 1 - (worst - best) for best, worst in ranges.values())
    width = fmean(high - low for low, high in intervals.values()) / (seats - 1)
    return Found(len(wrong) / bots, covered / bots, told / bots / (bots - 1), width)


def _wrong(ranges: Mapping[str, tuple[int, int]], true: Mapping[str, float]) -> set[str]:
    """The bots whose range of places is wrong: it excludes a true place of the bot. Bots of equal strength
    share several true places."""
    found = set()
    for bot, (best, worst) in ranges.items():
        above = sum(true[other] < true[bot] - 1e-9 for other in ranges)
        equal = sum(true[other] <= true[bot] + 1e-9 for other in ranges)
        if best > 1 + above or worst < equal:
            found.add(bot)
    return found


def line(row: Row, trials: Sequence[Found]) -> tuple[str, bool]:
    """The text of a row, and whether its bounds are kept."""
    cells, kept = [], True
    for name, values in zip(Found._fields, zip(*trials, strict=True), strict=True):
        mean, error = fmean(values), stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
        good = {
            "wrong": mean - 2 * error <= row.most_wrong,
            "covered": mean + 2 * error >= row.least_covered,
            "told": mean + 2 * error >= row.least_told,
            "width": True,
        }[name]
        kept &= good
        cells.append(f"{name} {100 * mean:5.1f} % (± {100 * error:.1f}){'' if good else ' MISSED'}")
    return f"{row.format:7} {row.name:28} {'  '.join(cells)}", kept


MOST_SECONDS, MOST_MEGABYTES = 5.0, 200
SPEEDS = (
    Shape(bots=1_000, rounds=17, deals=3),
    Shape(bots=200, rounds=50, seats=4, deals=5),
    Shape(bots=24, rounds=42, deals=100),
)
"""The shapes of large fields, for which time and memory are measured. The bounds are for the first shape."""


def _costs(shape: Shape) -> tuple[int, float, float]:
    """The number of matches of a field, and the CPU seconds and megabytes that the model needs for its
    intervals and ranges."""
    field = Field(Truth(), shape.bots, "speed")
    matches = by_lot(shape, field, 1)
    before, began = getrusage(RUSAGE_SELF).ru_maxrss, process_time()
    model = averages_of(meetings_of(matches), shape.seats)
    model.ranges(model.bots, CONFIDENCE)
    for bot in model.bots:
        model.interval(bot)
    return len(matches), process_time() - began, (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024


def speed() -> int:
    """Prints the CPU time and memory that the model needs for large fields. Returns the exit code."""
    right = True
    for shape in SPEEDS:
        # Each field gets a new process, because the peak memory of a process never becomes smaller.
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            matches, seconds, more = process.submit(_costs, shape).result()
        print(
            f"{shape.bots:,} bots, {shape.seats} seats, {matches:,} matches: {seconds:.1f} s, "
            f"{more:.0f} MB more than the matches",
            flush=True,
        )
        right &= shape is not SPEEDS[0] or (seconds <= MOST_SECONDS and more <= MOST_MEGABYTES)
    return int(not right)


def main(arguments: Sequence[str]) -> int:
    """Prints the rows that are asked for. Returns the exit code."""
    parser = ArgumentParser(
        prog="python -m studies.mixed", description="Compares the model with known strengths."
    )
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.name == "speed":
        return speed()
    right = True
    for row in ROWS:
        if f"{row.format} {row.name}".startswith(given.name):
            text, kept = line(row, [found(row, trial, given.seed) for trial in range(given.trials)])
            right &= kept
            print(text, flush=True)
    return int(not right)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
