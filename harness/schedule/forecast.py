"""Forecasts a run: the width of the intervals of average ranks, the differences between bots that the results
can show, and the cost of more deals.

All forecasts assume that the bots are equal. The ranks of a bot vary most if all bots are equal. So it is
unlikely that the real intervals become wider than the forecast says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from math import exp, fsum, lgamma, log, sqrt
from typing import NamedTuple

from msgspec.structs import replace

from harness.config import FrozenPlan
from harness.events import RunBegan
from harness.results.statistics.betting import bets
from harness.results.statistics.equations import total
from harness.results.statistics.intervals import BY_SEAT, TAIL, half_width
from harness.results.statistics.student import quantile
from harness.schedule.sittings import Sides, division

LONGER = 2.0
"""With the number of deals that the forecast advises, the run takes at most this many times as long, unless
twice as many deals would already take longer. The advice can be more than twice as many deals if the run
needs most of its time to start processes."""
HALF = 4
"""If the number of deals is multiplied by this number, intervals become half as wide."""
MOST_DEALS = 1_000


class Seconds(NamedTuple):
    """Two times in seconds: to start and end the processes of a sitting, and to play one match."""

    sitting: float
    match: float


class Scale(NamedTuple):
    """The numbers that forecasts need about the size of a run."""

    bots: int
    seats: int
    encounters: int
    per_bot: int
    """The fewest encounters of a bot, at least 1."""
    sittings: int
    """The number of sittings of an encounter."""
    matches: int
    """The number of matches of a sitting."""
    lots: int
    """The number of deals of an encounter."""
    groups: int
    """The number of groups into which the deals of an encounter are divided when intervals are computed."""
    variance: float
    """The variance of the rank of a bot in a match, if all bots are equal."""

    @property
    def all_matches(self) -> int:
        return self.encounters * self.sittings * self.matches

    @property
    def own_matches(self) -> int:
        """The number of matches of the bot that has the fewest matches."""
        return self.per_bot * self.sittings * self.matches

    def seconds(self, each: Seconds, at_once: int) -> float:
        """Returns the time of the run if `at_once` sittings are played at the same time."""
        return self.starting(each, at_once) + self.all_matches * each.match / at_once

    def starting(self, each: Seconds, at_once: int) -> float:
        """Returns the part of the run's time that is needed to start and end processes."""
        return self.encounters * self.sittings * each.sitting / at_once

    def reach(self) -> float:
        """Returns the expected distance from an average rank to the ends of its 95 % interval."""
        deals, matches, span = self.per_bot * self.lots, self.own_matches, self.seats - 1
        return min(half_width(self._squares(), self._free(), deals, matches, span, self.seats), span / 2)

    def apart_once(self) -> float:
        """Returns a difference between the true averages of two bots. If two bots differ by this amount, one
        look at the end settles their order with a probability of 1/2. One look means that the results are
        judged only once, as with `looks = "once"` in a grading scheme."""
        free = self._free() + 1
        error = sqrt(self._squares() / free * self.per_bot * self.lots) / self.own_matches
        return min(quantile(TAIL, free) * error, (self.seats - 1) / 2) * self._wider()

    def _squares(self) -> float:
        """A bot has one total for each deal: the sum of its ranks in the matches of the deal. Returns the
        expected sum of the squared deviations of these totals. The variance of the rank in one imaginary
        match, in which every rank is equally likely, is added."""
        deals = self.per_bot * self.lots
        return self._free() * self.variance * self.own_matches / deals + (self.seats**2 - 1) / 12

    def apart(self) -> float | None:
        """Returns a difference between the true averages of two bots. If two bots differ by this amount, the
        betting test probably settles their order. The standings use this test, because it allows any number
        of looks. Returns None if even the largest possible difference is too small for this."""
        deals = self.per_bot * self.lots
        deviation = sqrt(self.variance * deals / self.own_matches) * self._wider() / (self.seats - 1)
        found = told_by_bets(deals, deviation, LEVEL / 2 / min(NEIGHBOURS, self.bots - 1))
        return None if found is None else found * (self.seats - 1)

    def told_apart(self) -> int:
        """Returns the largest number of pairs of neighbours in the standings that can be told apart. Two
        averages differ by at most `seats` - 1 in all, and each of these pairs needs a difference as large as
        the result of `apart`."""
        apart = self.apart()
        return 0 if apart is None else min(self.bots - 1, int((self.seats - 1) / apart))

    def _wider(self) -> float:
        """Returns the standard deviation of the difference of two averages, divided by the standard deviation
        of one average. Here all bots meet equally often."""
        return sqrt(2 * self.bots / (self.bots - 1))

    def _free(self) -> float:
        """Returns the degrees of freedom of the interval of a bot."""
        if self.lots > 1:
            return self.per_bot * (self.lots - self.groups)
        # With one deal in each encounter, intervals come from the deviations from a fit of all results. This
        # fit estimates n - 1 numbers for n bots, and so takes a part of the degrees of freedom.
        taken = (self.bots - 1) / (self.encounters * (self.seats - 1))
        return self.per_bot * max(0.0, 1 - taken)


class Advice(NamedTuple):
    """Another number of deals, and the size of a run with this number of deals."""

    deals: int
    scale: Scale


def scale_of(plan: FrozenPlan, run: RunBegan, sides: Sides, deals: int | None = None) -> Scale:
    """Returns the size of a run of this plan, or of the same plan with another number of deals."""
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
    """Returns a larger number of deals, if the results would be much clearer and the run would not take much
    longer. Returns None if the plan has enough deals.

    The plan's number of deals is doubled as long as the run takes at most `LONGER` times as long as with the
    plan's number, but only until all neighbours in the standings can be told apart. If the run already takes
    longer after the first doubling, the result is the number that makes intervals half as wide. No advice is
    larger than MOST_DEALS.
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
    """Counts the encounters of each bot that is not a house bot. Returns the smallest count, but at least
    1."""
    if isinstance(run.certificate, dict) and "per_bot" in run.certificate:
        return max(1, int(run.certificate["per_bot"][0]))
    return max(1, run.encounters * run.seats // len(run.bots))


def _variance(sides: Sides, seats: int) -> float:
    """Returns the variance of a rank if all orders in which sides can finish are equally likely. Allies share
    the mean of their places."""
    if all(len(side) == 1 for side in sides):
        return (seats * seats - 1) / 12
    squares: list[float] = []
    for order in permutations([len(side) for side in sides]):
        squares += _squares(order, (seats + 1) / 2)
    return total(squares) / len(squares)


def _squares(sizes: Sequence[int], middle: float) -> Iterator[float]:
    """Yields for each seat the squared distance of its rank from the middle rank, if sides of these sizes
    finish in this order."""
    before = 0
    for size in sizes:
        rank = before + (size + 1) / 2
        before += size
        yield from [(rank - middle) ** 2] * size


# This part computes how much better a bot must be so that the results probably show that it is better.
#
# This part uses the betting test itself. It invents deals whose results have a certain mean and deviation,
# and searches for the smallest mean with which the doubt of the test is small enough.


NEIGHBOURS = 2
"""The number of neighbours of a bot in the standings. The comparisons with these neighbours stay open
longest. When only these comparisons are open, Holm's method multiplies their doubts by at most this
number."""
LEVEL = 0.05
_STEPS = 30


def told_by_bets(deals: int, deviation: float, doubt: float) -> float | None:
    """Returns the smallest mean difference of two bots in a deal, from 0 to 1, that the betting test probably
    finds in this number of deals.

    `deviation` is the standard deviation of a difference, and `doubt` is the doubt that may remain for one
    direction. Returns None if the number of deals is too small for any difference: even if one bot wins every
    deal by the largest possible difference, the test does not decide.
    """

    return (
        smallest(lambda mean: _doubt(mean, deviation, deals) <= doubt)
        if _doubt(1, 0, deals) <= doubt
        else None
    )


def _doubt(mean: float, deviation: float, deals: int) -> float:
    """Returns the doubt after this number of deals. Each deal has one of two results from -1 to 1. The mean
    of these results is `mean`, and their deviation is about `deviation`."""
    high = min(1.0, mean + deviation)
    if not deviation or mean >= high:
        return bets({mean: deals}).doubt
    low = max(-1.0, mean - deviation * deviation / (high - mean))
    often = round(deals * (mean - low) / (high - low))
    return bets({high: often, low: deals - often}).doubt


def deals_for(mean: float, deviation: float, doubt: float, most: int) -> int | None:
    """Two bots have a mean difference in a deal, `mean`, from 0 to 1. Returns the number of deals after which
    the betting test probably finds that this difference is not 0. Returns None if this number is larger than
    `most`.

    `deviation` is the standard deviation of the difference in a deal, if the mean is 0. With another mean,
    the deviation is smaller, because no difference is larger than 1.
    """
    spread = deviation * sqrt(max(0.0, 1 - mean * mean))
    if _doubt(mean, spread, most) > doubt:
        return None
    return 1 + bisect_left(range(1, most), True, key=lambda deals: _doubt(mean, spread, deals) <= doubt)


def smallest(found: Callable[[float], bool]) -> float:
    """Returns the smallest number from 0 to 1 for which `found` is true, if `found` is true for all larger
    numbers."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def goes_on(share: float, matches: int, longer: int) -> float:
    """A bot plays `matches` matches at a table of two bots, and wins each with the probability `share`.
    Returns the probability that this bot goes on to the next round.

    After a tie the two bots play on until they have played `longer` * `matches` matches. If there is still a
    tie, chance decides. The betting test may decide earlier. This computation leaves out the test, because
    the test is rarely wrong.
    """
    won, tie = _ahead(share, matches)
    later, still = _ahead(share, matches * (longer - 1))
    return won + tie * (later + still / 2)


def _ahead(share: float, matches: int) -> tuple[float, float]:
    """A bot wins each of `matches` matches with the probability `share`. Returns the probability that it wins
    more than half of these matches, and the probability that it wins exactly half."""

    def chance(won: int) -> float:
        ways = lgamma(matches + 1) - lgamma(won + 1) - lgamma(matches - won + 1)
        return exp(ways + won * log(share) + (matches - won) * log(1 - share))

    tie = chance(matches // 2) if matches % 2 == 0 else 0.0
    return fsum(map(chance, range(matches // 2 + 1, matches + 1))), tie
