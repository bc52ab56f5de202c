"""Takes luck off the differences of two bots, so that a test needs fewer deals.

The betting test (`harness.results.statistics.betting`) needs differences from -1 to 1 whose mean is 0 if two
bots are equally good. The difference of the luck of two bots has a mean of 0, because no bot has an influence
on luck. This difference of luck also has a bound: the luck of a seat is at most MOST_LUCK times the largest
difference of ranks (`harness.judge.luck`). So after the luck is subtracted, the difference is divided by
ROOM. Then the difference is still from -1 to 1, and its mean is still 0 if the bots are equally good. Luck
has the unit of ranks (`Game.worth_is_rank`), so it is subtracted with the factor 1. Nothing is fitted to the
matches, and the test stays valid no matter how often somebody looks at the results.

Without luck the differences vary much less, but the division makes them smaller. So half of the gamblers of
the betting test bet on the differences as they were played. The other half bet on the differences without
luck. If the bots are equally good, neither half can expect to win money. So the test may use the mean of the
money of both halves. If one half wins more, most of the money belongs to this half, so this half decides the
result of the test.

Name: betting test of a mean with a control variate. Formula: (d - l) / ROOM, with the difference d of ranks
and the difference l of luck, both as parts of the largest difference of ranks. Source: Lavenberg and Welch,
"A perspective on the use of control variables to increase the efficiency of Monte Carlo simulations" (1981)
for the control variate; `betting` for the test.
"""

from __future__ import annotations

from harness.config import FrozenPlan
from harness.model import MOST_LUCK

ROOM = 1 + 2 * MOST_LUCK
"""The largest distance from 0 of a difference without luck: 1 for the ranks, and MOST_LUCK for the luck of
each of the two bots."""


def takes_luck_off(plan: FrozenPlan) -> bool:
    """Returns whether the test of a claim also uses results without luck."""
    return plan.luck == "off" and plan.game.worth_is_rank


def without_luck(lead: float, luck: float) -> float:
    """Subtracts the difference of luck from the difference of two bots. Returns a number from -1 to 1. Both
    arguments are parts of the largest difference of ranks. If a forged record has more luck than is possible,
    the result is cut to this range."""
    return max(-1.0, min(1.0, (lead - luck) / ROOM))
