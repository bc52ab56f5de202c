"""Chooses what the places in the standings go by.

A plan may say it with the key `order`. If it does not, the order is by average rank if all bots meet the same
opponents equally often, else by rating.
"""

from __future__ import annotations

from typing import NamedTuple

from harness.config import FrozenPlan
from harness.config.terms import Order
from harness.record.history import Run

AS_PLANNED = "as the plan says"
BY_FORMAT = "the format"
"""Stands for places that the format decides, as those of a knock-out."""
SAME_OPPONENTS = "all pairs of bots meet equally often"
SAME_HOUSE = "all bots meet the house bots equally often"
OTHER_OPPONENTS = "not all pairs of bots meet equally often"


class Wish(NamedTuple):
    """What a plan says about the order."""

    order: Order | None = None
    """None if the schedule decides."""
    why: str = ""
    one_table: bool = False
    """Whether all bots of the plan sit at one table, so that they meet equally often in any case."""
    even: str = SAME_OPPONENTS
    """Why the order is by average rank if the schedule is even."""


BY_RANK = Wish("rank")


def wish(plan: FrozenPlan) -> Wish:
    """What this plan on record says about the order."""
    one_table = len(plan.bots) <= plan.seats
    if plan.order is not None:
        return Wish(plan.order, AS_PLANNED, one_table)
    even = SAME_HOUSE if plan.house else SAME_OPPONENTS
    return Wish(one_table=one_table, even=even)


class Ordering(NamedTuple):
    """What the places go by, and why; `why` is empty if there was no choice."""

    order: Order
    why: str
    differ: bool
    """Whether some pairs of bots meet more often than others."""


def ordering(wished: Wish, run: Run | None, alone: bool) -> Ordering:
    """The order of the matches of a run; `alone` says whether all its bots are in the standings.

    In a gauntlet only pairs of a listed bot and a house bot count, because the others never meet.
    """
    differ = run is not None and (_is_adaptive(run, wished) or _differ(run, alone))
    if wished.order is not None:
        return Ordering(wished.order, wished.why, differ)
    return Ordering("rating", OTHER_OPPONENTS, True) if differ else Ordering("rank", wished.even, False)


def _is_adaptive(run: Run, wished: Wish) -> bool:
    """Whether the results decide how often two bots meet."""
    stages = len(run.began.stages)
    return stages > 1 or (stages == 1 and (run.open_field or not wished.one_table))


def _differ(run: Run, alone: bool) -> bool:
    """Whether the certificate of the run has several numbers of meetings.

    If the matches with some bots do not count, the others have met equally often only at tables of two.
    """
    certificate = run.began.certificate
    pairs = certificate.get("pairs", ()) if isinstance(certificate, dict) else ()
    return len(pairs) > 1 or (not alone and run.began.seats > 2)
