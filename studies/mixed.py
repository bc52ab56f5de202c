"""Measures by simulation what the model of `statistics.mixed` tells about bots of known strengths.

    python -m studies.mixed                       # all rows; needs some 20 minutes
    python -m studies.mixed swiss --trials 50     # the rows whose names begin so, with more trials
    python -m studies.mixed speed                 # the time and memory for 50,000 matches and more

A bot's result in a match is its strength, plus its effect in the sitting, plus its bonus, plus normal noise
of deviation 1, and the best sum wins. With `circle r`, a bot has the bonus r against a third of the bots, as
with scissors, stone and paper. The truth is the average rank if all bots met equally often, in many sittings.

A row tells how many places are wrong (a bot is surely above or below another, but is not; at most 5 %), how
many 95 % intervals contain the true average, how many pairs of bots are told apart in one bot's range, and
how wide the intervals are, as a share of the distance from the first to the last rank.
Errors are standard errors over trials. If a bound is not kept, the exit code is 1.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import accumulate, combinations
from math import sqrt
from multiprocessing import get_context
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import NormalDist, fmean, stdev
from time import process_time
from typing import NamedTuple

from harness.config.terms import Stage
from harness.results.statistics.meetings import Meetings, meetings_of
from harness.results.statistics.mixed import Deviations, Exact
from harness.results.statistics.round_robin import RoundRobinAverages, Weights, point_of
from harness.results.statistics.wide import averages_of
from tests.results.statistics.tables import Match
from tests.schedule.formats.simulated import names, simulated
from tests.schedule.formats.simulated import number as index

MOST_WRONG = 0.05
CONFIDENCE = 0.95
LEAST_COVERED = 0.92
FORFEIT = 100.0


class Truth(NamedTuple):
    """What decides the matches of a field."""

    spread: float = 1.0
    """The standard deviation of the strengths; 0 if all are equal."""
    circle: float = 0.0
    sitting: float = 0.0
    """The standard deviation of the effect of a bot in a sitting."""
    ties: float = 0.0
    """Two sums that differ by less are a tie."""
    forfeits: float = 0.0
    """The share of its matches that the strongest bot forfeits."""
    stars: int = 0
    """The number of bots whose strength is `height` more."""
    height: float = 0.0


class Field:
    """Bots with strengths that are drawn for a trial."""

    def __init__(self, truth: Truth, bots: int, seed: object) -> None:
        self.truth = truth
        self.names = names(bots)
        self._seed = str(seed)
        random = Random(f"strengths {seed}")
        self._strengths = {bot: random.gauss(0, truth.spread) for bot in self.names}
        for bot in random.sample(self.names, truth.stars):
            self._strengths[bot] += truth.height
        best = max(self.names, key=self._strengths.__getitem__)
        self._forfeits = {best: truth.forfeits} if truth.forfeits else {}

    def edge(self, one: str, two: str) -> float:
        """The bonus of the first bot against the second."""
        return self.truth.circle * (0, 1, -1)[(index(one) - index(two)) % 3] / 2

    def average(self, bot: str, seats: int) -> float:
        """The true average rank of a bot."""
        noise = NormalDist(0, sqrt(2 + 2 * self.truth.sitting**2))

        def behind(other: str) -> float:
            gap = self._strengths[other] - self._strengths[bot] + 2 * self.edge(other, bot)
            tie = self.truth.ties
            own, others = 1 - self._forfeits.get(bot, 0.0), 1 - self._forfeits.get(other, 0.0)
            return 1 - own + own * others * (noise.cdf(gap - tie) + noise.cdf(gap + tie)) / 2

        return 1 + (seats - 1) * fmean(behind(other) for other in self.names if other != bot)

    def play(self, block: Sequence[str], encounter: str, sittings: int, deals: int) -> Iterator[Match]:
        """The matches of an encounter. Each deal is played in each rotation of the seats."""
        for sitting in range(1, sittings + 1):
            random = Random(f"{self._seed} {encounter} {sitting}")
            own = {
                bot: self._strengths[bot]
                + random.gauss(0, self.truth.sitting)
                + sum(self.edge(bot, other) for other in block if other != bot)
                for bot in block
            }
            for number in range(deals * len(block)):
                turn = number % len(block)
                bots = (*block[turn:], *block[:turn])
                sums = [own[bot] + random.gauss(0, 1) for bot in bots]
                sums = [each - self._lost(bot, random) for bot, each in zip(bots, sums, strict=True)]
                name = f"1.{encounter}.{sitting}.{number}"
                yield Match(name, f"1.{encounter}", bots, self._ranks(sums), name)

    def _lost(self, bot: str, random: Random) -> float:
        """What the bot loses in a match if it forfeits."""
        return FORFEIT if bot in self._forfeits and random.random() < self._forfeits[bot] else 0.0

    def _ranks(self, sums: Sequence[float]) -> tuple[float, ...]:
        tie = self.truth.ties
        return tuple(
            0.5 + sum(1.0 if each > own + tie else 0.5 if abs(each - own) <= tie else 0.0 for each in sums)
            for own in sums
        )


# -- formats -----------------------------------------------------------------------------------------


class Shape(NamedTuple):
    """Who plays: the number of bots and rounds, the seats, and the sittings and deals of an encounter."""

    bots: int = 24
    rounds: int = 8
    seats: int = 2
    deals: int = 5
    sittings: int = 1

    def encounter(self, field: Field, block: Sequence[str], name: str) -> Iterator[Match]:
        """The matches of one encounter."""
        return field.play(block, name, self.sittings, self.deals)


def by_results(format: str, shape: Shape, field: Field, seed: int) -> list[Match]:
    """The matches of a tournament in which results decide who meets whom."""
    found: list[Match] = []
    known: dict[str, Mapping[str, list[float]]] = {}

    def score(bot: str, match: str) -> int:
        _, number, table, turn, *copy = match.split(".")
        name = f"{number}-{table}-{int((copy or ['0'])[0]) // shape.deals}"
        if name not in known:
            block = table.split("-")
            matches = list(shape.encounter(field, block, name))
            found.extend(matches)
            known[name] = {each: [match.ranks[match.bots.index(each)] for match in matches] for each in block}
        at = int((copy or ["0"])[0]) % shape.deals * shape.seats + int(turn)
        return -round(2 * known[name][bot][at])

    encounters = shape.rounds * shape.bots // shape.seats
    stage = Stage(format=format, rounds=shape.rounds) if format == "swiss" else Stage(format=format)
    simulated(
        [stage],
        shape.bots,
        shape.seats,
        score,
        seed=seed,
        copies=shape.deals,
        going=lambda view: sum(len(each.blocks) for each in view.past.rounds) < encounters,
    )
    return found


def by_lot(shape: Shape, field: Field, seed: int) -> list[Match]:
    """The matches of rounds in which chance decides who meets whom."""
    found: list[Match] = []
    random = Random(f"lot {seed}")
    for turn in range(shape.rounds):
        lot = random.sample(field.names, shape.bots)
        for begin in range(0, shape.bots - shape.seats + 1, shape.seats):
            found += shape.encounter(field, lot[begin : begin + shape.seats], f"{turn}-{begin}")
    return found


def nearly_all(shape: Shape, field: Field, seed: int) -> list[Match]:
    """The matches of a tournament in which each set of bots meets once, but one set does not meet."""
    sets = list(combinations(field.names, shape.seats))
    sets.remove(Random(f"missing {seed}").choice(sets))
    return [match for block in sets for match in shape.encounter(field, block, "-".join(block))]


FORMATS: Mapping[str, Callable[[Shape, Field, int], list[Match]]] = {
    "swiss": partial(by_results, "swiss"),
    "ladder": partial(by_results, "ladder"),
    "lot": by_lot,
    "nearly": nearly_all,
}


# -- rows --------------------------------------------------------------------------------------------


def by_holm(model: RoundRobinAverages) -> Mapping[str, tuple[int, int]]:
    """The ranges of places as in the standings."""
    return model.ranges(model.bots, CONFIDENCE)


def by_sum(model: RoundRobinAverages) -> Mapping[str, tuple[int, int]]:
    """Ranges of places by another rule: the doubts about all that is claimed of a bot add up to 2.5 %. If the
    strengths come from the distribution of the model, at most 2.5 % of the ranges are wrong."""
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
    """Averages by somebody who knows the distribution of the strengths of `Truth()`."""

    KNOWN = Deviations(1.18, 0.0, 0.0)
    """Strengths with the deviation 1 and the normal noise of this study give bots that are about equal the
    same results as logistic strengths with this deviation: sqrt(pi) / 1.5."""

    def _found(self, meetings: Meetings, credited: bool) -> tuple[Weights, list[float]]:
        self._points = [point_of(Exact(meetings.merged()).fitted(1.0, self.KNOWN))]
        return [(1.0, self.KNOWN)], self._points[0].shares


class Unshrunk(Oracle):
    """Averages by somebody who assumes nothing about the strengths, as maximum likelihood does."""

    KNOWN = Deviations(8.0, 0.0, 0.0)


class Alike(Oracle):
    """Averages by somebody who knows that all bots are equal."""

    KNOWN = Deviations(1e-3, 0.0, 0.0)


class Row(NamedTuple):
    """A kind of tournament, and the bounds of its figures."""

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
    """Somebody looks this number of times, the last time at the end. A place is wrong if it ever was."""


LOT = Shape(rounds=6, deals=10)
EQUAL = Truth(spread=0)
LARGE = Shape(bots=200, rounds=15, deals=3)
ROWS = (
    Row("swiss", "equal, 5 deals", EQUAL, Shape()),
    Row("swiss", "equal, 20 deals", EQUAL, Shape(deals=20)),
    Row("swiss", "equal, unshrunk", EQUAL, Shape(), most_wrong=1.0, model=Unshrunk, least_covered=0.0),
    Row("swiss", "equal, known to be equal", EQUAL, Shape(), model=Alike),
    Row("ladder", "equal, 8 rounds' worth", EQUAL, Shape()),
    Row("ladder", "equal, 30 rounds' worth", EQUAL, Shape(rounds=30)),
    Row("swiss", "spread 1", Truth(), Shape()),
    Row("swiss", "spread 0.15, 20 deals", Truth(0.15), Shape(deals=20)),
    Row("swiss", "one bot 4 better", Truth(0, stars=1, height=4), Shape()),
    Row("swiss", "six bots 2 better", Truth(0, stars=6, height=2), Shape()),
    Row("swiss", "six bots 1 better", Truth(0, stars=6, height=1), Shape()),
    Row("swiss", "half of the bots 3 better", Truth(0, stars=12, height=3), Shape()),
    Row("lot", "spread 1, 120 matches", Truth(), LOT, 0.5),
    Row("lot", "spread 1, 120, oracle", Truth(), LOT, model=Oracle),
    Row("lot", "spread 1, 120, sum", Truth(), LOT, 0.6, rule=by_sum),
    Row("swiss", "six bots 2 better, sum", Truth(0, stars=6, height=2), Shape(), most_wrong=1.0, rule=by_sum),
    Row("lot", "spread 1, 1,200 matches", Truth(), LOT._replace(deals=100), 0.85),
    Row("lot", "spread 2, 50 deals", Truth(2.0), LOT._replace(deals=50)),
    Row("swiss", "spread 2, 50 deals", Truth(2.0), Shape(deals=50)),
    Row("lot", "spread 1, 4 seats", Truth(), LOT._replace(seats=4, deals=5)),
    Row("lot", "spread 1, 4 seats, 25 deals", Truth(), LOT._replace(seats=4, deals=25)),
    Row("lot", "spread 1, ties", Truth(ties=1.0), LOT),
    Row("lot", "nine of ten are ties", Truth(ties=3.0), LOT._replace(deals=20)),
    Row("swiss", "three of four are ties", Truth(ties=2.0), Shape(deals=20)),
    Row("swiss", "nine of ten are ties", Truth(ties=3.0), Shape(deals=20)),
    Row("swiss", "nine of ten are ties, equal", Truth(0, ties=2.4), Shape(deals=20)),
    Row("swiss", "the best forfeits 10 %", Truth(forfeits=0.1), Shape()),
    Row("swiss", "the best forfeits 30 %", Truth(forfeits=0.3), Shape(deals=20)),
    *(
        Row(format, f"circle {circle:g}", Truth(circle=circle), shape)
        for circle in (0.7, 2.0)
        for format, shape in (("swiss", Shape()), ("ladder", Shape()), ("lot", LOT))
    ),
    *(
        Row("lot", f"sittings 0.5, {deals} deals", Truth(sitting=0.5), LOT._replace(deals=deals, sittings=2))
        for deals in (4, 16, 64)
    ),
    Row("swiss", "sittings 0.5, equal", Truth(0, sitting=0.5), Shape()),
    Row("swiss", "sittings 0.5, spread 1", Truth(sitting=0.5), Shape()),
    Row("nearly", "6 bots, sittings 0.5, equal", Truth(0, sitting=0.5), Shape(6, deals=50)),
    Row("nearly", "6 bots, sittings 0.5, spread 1", Truth(sitting=0.5), Shape(6, deals=50)),
    Row("nearly", "6 bots, spread 1", Truth(), Shape(6, deals=10)),
    Row("swiss", "equal, 8 looks", EQUAL, Shape(), looks=8),
    Row("lot", "spread 1, 20 looks", Truth(), LOT, looks=20),
    Row("lot", "circle 2, 20 looks", Truth(circle=2.0), LOT, looks=20),
    Row("lot", "a quarter played", Truth(), LOT._replace(rounds=2, deals=5)),
    Row("swiss", "200 bots, spread 1", Truth(), LARGE),
    Row("swiss", "200 bots, equal", EQUAL, LARGE),
    Row("swiss", "200 bots, circle 0.7", Truth(circle=0.7), LARGE),
    Row("swiss", "200 bots, one 4 better", Truth(0, stars=1, height=4), LARGE),
    Row("swiss", "200 bots, fifty 2 better", Truth(0, stars=50, height=2), LARGE),
    Row("swiss", "200 bots, sittings 0.5", Truth(sitting=0.5), LARGE._replace(sittings=2)),
    Row("ladder", "200 bots, equal", EQUAL, LARGE),
    Row("lot", "200 bots, spread 1, 4 seats", Truth(), LARGE._replace(seats=4)),
    Row("lot", "200 bots, circle 0.7", Truth(circle=0.7), LARGE),
    Row("lot", "1,000 bots, spread 1", Truth(), LARGE._replace(bots=1_000, rounds=20, deals=5)),
    Row("swiss", "1,000 bots, spread 1", Truth(), LARGE._replace(bots=1_000, rounds=20, deals=2)),
)


class Found(NamedTuple):
    """The figures of a trial, as shares."""

    wrong: float
    covered: float
    told: float
    width: float


def found(row: Row, trial: int, seed: int) -> Found:
    """Plays a tournament and compares what the model tells with the truth."""
    field = Field(row.truth, row.shape.bots, f"{seed} {trial}")
    bots, seats = row.shape.bots, row.shape.seats
    matches = FORMATS[row.format](row.shape, field, trial)
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
    """The bots whose range of places excludes all their true places. Equal bots share several places."""
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
"""Large fields. The bounds are for the first of them."""


def _costs(shape: Shape) -> tuple[int, float, float]:
    """The number of matches of a field, and the CPU time and megabytes that its numbers need."""
    field = Field(Truth(), shape.bots, "speed")
    matches = by_lot(shape, field, 1)
    before, began = getrusage(RUSAGE_SELF).ru_maxrss, process_time()
    model = averages_of(meetings_of(matches), shape.seats)
    model.ranges(model.bots, CONFIDENCE)
    for bot in model.bots:
        model.interval(bot)
    return len(matches), process_time() - began, (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024


def speed() -> int:
    """Prints the CPU time and memory that the numbers of large fields need; the exit code."""
    right = True
    for shape in SPEEDS:
        # A new process for each field, because the memory of a process never counts as smaller again.
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
    """Prints the rows that are asked for; the exit code."""
    parser = ArgumentParser(prog="python -m studies.mixed", description="What the model is worth.")
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
