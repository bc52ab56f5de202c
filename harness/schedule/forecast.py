"""Forecasts what a run will tell: how wide intervals will be, which order will stay open, what more costs.

All forecasts are for equal bots and so on the careful side: ranks of equal bots vary most, so intervals will
hardly be wider than this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import exp, fsum, lgamma, log, sqrt
from typing import NamedTuple

from msgspec.structs import replace

from harness.config import FrozenPlan
from harness.events import RunBegan
from harness.results.statistics.betting import bets
from harness.results.statistics.intervals import BY_SEAT, TAIL, half_width
from harness.results.statistics.student import quantile
from harness.schedule.sittings import Sides, division

LONGER = 2.0
"""More deals are advised if they take at most this many times as long, because most time starts processes."""
HALF = 4
"""So many times the deals make an interval half as wide."""
MOST_DEALS = 1_000


class Seconds(NamedTuple):
    """The seconds that it takes to start and end the processes of a sitting, and to play a match."""

    sitting: float
    match: float


class Scale(NamedTuple):
    """The size of a run, as far as forecasts need it."""

    bots: int
    seats: int
    encounters: int
    per_bot: int
    """The fewest encounters of a bot, at least 1."""
    sittings: int
    """The sittings of an encounter."""
    matches: int
    """The matches of a sitting."""
    lots: int
    """The deals of an encounter."""
    groups: int
    """The groups into which intervals divide the deals of an encounter."""
    variance: float
    """The variance of the rank of a bot in a match, if all bots are equal."""

    @property
    def all_matches(self) -> int:
        return self.encounters * self.sittings * self.matches

    @property
    def own_matches(self) -> int:
        """The fewest matches of a bot."""
        return self.per_bot * self.sittings * self.matches

    def seconds(self, each: Seconds, at_once: int) -> float:
        """The time of the run if so many sittings are played at once."""
        return self.starting(each, at_once) + self.all_matches * each.match / at_once

    def starting(self, each: Seconds, at_once: int) -> float:
        """The part of the time that starts and ends processes."""
        return self.encounters * self.sittings * each.sitting / at_once

    def reach(self) -> float:
        """The expected distance from an average rank to the ends of its 95 % interval."""
        deals, matches, span = self.per_bot * self.lots, self.own_matches, self.seats - 1
        return min(half_width(self._squares(), self._free(), deals, matches, span, self.seats), span / 2)

    def apart_once(self) -> float:
        """The difference of two true averages whose order one look at the end is as likely to leave open as
        to settle: `looks = "once"` in a grading scheme."""
        free = self._free() + 1
        error = sqrt(self._squares() / free * self.per_bot * self.lots) / self.own_matches
        return min(quantile(TAIL, free) * error, (self.seats - 1) / 2) * self._wider()

    def _squares(self) -> float:
        """The expected sum of the squared deviations of the totals of deals, with that of an added match."""
        deals = self.per_bot * self.lots
        return self._free() * self.variance * self.own_matches / deals + (self.seats**2 - 1) / 12

    def apart(self) -> float | None:
        """The same for bets, which hold at any number of looks, as in the standings; None if no difference
        is large enough."""
        deals = self.per_bot * self.lots
        deviation = sqrt(self.variance * deals / self.own_matches) * self._wider() / (self.seats - 1)
        found = told_by_bets(deals, deviation, LEVEL / 2 / min(NEIGHBOURS, self.bots - 1))
        return None if found is None else found * (self.seats - 1)

    def told_apart(self) -> int:
        """The largest number of neighbours in the standings that can be so far apart: averages span the
        seats."""
        apart = self.apart()
        return 0 if apart is None else min(self.bots - 1, int((self.seats - 1) / apart))

    def _wider(self) -> float:
        """How much wider the difference of two averages varies than an average, if all bots meet equally
        often."""
        return sqrt(2 * self.bots / (self.bots - 1))

    def _free(self) -> float:
        """The degrees of freedom of the interval of a bot."""
        if self.lots > 1:
            return self.per_bot * (self.lots - self.groups)
        # A fit of all tables takes one number for each bot but one.
        taken = (self.bots - 1) / (self.encounters * (self.seats - 1))
        return self.per_bot * max(0.0, 1 - taken)


class Advice(NamedTuple):
    """Another number of deals, and the run that it makes."""

    deals: int
    scale: Scale


def scale_of(plan: FrozenPlan, run: RunBegan, sides: Sides, deals: int | None = None) -> Scale:
    """The size of a run of this plan, or of the same plan with another number of deals."""
    changed = plan if deals is None else replace(plan, deals=deals)
    divided = division(changed, run.seats, sides)
    fresh = changed.deal == "fresh"
    lots = divided.sittings * divided.matches if fresh else changed.deals
    return Scale(
        bots=len(run.bots),
        seats=run.seats,
        encounters=run.encounters,
        per_bot=_per_bot(run),
        sittings=divided.sittings,
        matches=divided.matches,
        lots=lots,
        groups=run.seats if fresh and lots >= BY_SEAT * run.seats else 1,
        variance=_variance(sides, run.seats),
    )


def advice(plan: FrozenPlan, run: RunBegan, sides: Sides, each: Seconds, at_once: int) -> Advice | None:
    """The number of deals that would tell much more for the time; None if the plan has enough deals.

    It is the plan's number doubled as often as the time stays below `LONGER` times the plan's; if the first
    doubling takes longer, it is the number that makes intervals half as wide.
    """
    now = scale_of(plan, run, sides)
    if now.told_apart() == now.bots - 1:
        return None
    best = None
    for deals in _doubled(plan.deals):
        scale = scale_of(plan, run, sides, deals)
        if scale.seconds(each, at_once) > LONGER * now.seconds(each, at_once):
            break
        best = Advice(deals, scale)
        if scale.told_apart() == scale.bots - 1:
            break
    if best is None and plan.deals * HALF <= MOST_DEALS:
        best = Advice(plan.deals * HALF, scale_of(plan, run, sides, plan.deals * HALF))
    return best


def _doubled(deals: int) -> Iterator[int]:
    while (deals := 2 * deals) <= MOST_DEALS:
        yield deals


def _per_bot(run: RunBegan) -> int:
    """The fewest encounters of a bot that is not a house bot; at least 1, also if one has none."""
    if isinstance(run.certificate, dict) and "per_bot" in run.certificate:
        return max(1, int(run.certificate["per_bot"][0]))
    return max(1, run.encounters * run.seats // len(run.bots))


def _variance(sides: Sides, seats: int) -> float:
    """The variance of a rank if the sides of a match finish in any order; allies share the mean of their
    places."""
    if all(len(side) == 1 for side in sides):
        return (seats * seats - 1) / 12
    squares: list[float] = []
    for order in permutations([len(side) for side in sides]):
        squares += _squares(order, (seats + 1) / 2)
    return sum(squares) / len(squares)


def _squares(sizes: Sequence[int], middle: float) -> Iterator[float]:
    """For each seat, the squared distance of its rank from the middle, if sides of these sizes finish so."""
    before = 0
    for size in sizes:
        rank = before + (size + 1) / 2
        before += size
        yield from [(rank - middle) ** 2] * size


# Computes how much better a bot must be so that results probably tell it apart from another one.
#
# It asks the tests themselves: it makes up deals with this mean and this deviation, and looks for the
# smallest
# mean for which the doubt is small enough.


NEIGHBOURS = 2
"""A bot's comparisons with others are corrected together. At last two are open, with its neighbours."""
LEVEL = 0.05
_STEPS = 30


def told_by_bets(deals: int, deviation: float, doubt: float) -> float | None:
    """The mean difference of two bots in a deal, from 0 to 1, that bets probably find in so many deals.

    `deviation` is that of a difference; `doubt` is what remains for one direction. None if even a bot that is
    always as far ahead as possible is not told apart.
    """

    return (
        smallest(lambda mean: _doubt(mean, deviation, deals) <= doubt)
        if _doubt(1, 0, deals) <= doubt
        else None
    )


def _doubt(mean: float, deviation: float, deals: int) -> float:
    """The doubt after deals of two results, from -1 to 1, that have this mean and about this deviation."""
    high = min(1.0, mean + deviation)
    if not deviation or mean >= high:
        return bets({mean: deals}).doubt
    low = max(-1.0, mean - deviation * deviation / (high - mean))
    often = round(deals * (mean - low) / (high - low))
    return bets({high: often, low: deals - often}).doubt


def smallest(found: Callable[[float], bool]) -> float:
    """The smallest number from 0 to 1 for which this is true, if it is true for all larger ones."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def goes_on(share: float, matches: int, longer: int) -> float:
    """The probability that a bot that wins this share of its matches goes on from a table of so many.

    After a tie the two bots play until they have played at most so many times as many; then the lot decides.
    This neglects that bets may decide earlier, because they are rarely wrong.
    """
    won, tie = _ahead(share, matches)
    later, still = _ahead(share, matches * (longer - 1))
    return won + tie * (later + still / 2)


def _ahead(share: float, matches: int) -> tuple[float, float]:
    """The probabilities that this bot wins more than half of so many matches, and exactly half of them."""

    def chance(won: int) -> float:
        ways = lgamma(matches + 1) - lgamma(won + 1) - lgamma(matches - won + 1)
        return exp(ways + won * log(share) + (matches - won) * log(1 - share))

    tie = chance(matches // 2) if matches % 2 == 0 else 0.0
    return fsum(map(chance, range(matches // 2 + 1, matches + 1))), tie
