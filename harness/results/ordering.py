"""Chooses what the places in the standings go by.

A plan may say it with the key `order`. If it does not, the order is by average rank if all bots meet the same
opponents equally often, else by rating. Records of the first edition are always ordered by average rank.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.config.stages import stages_of
from harness.config.terms import Stage
from harness.record.history import Run

Order: TypeAlias = Literal["rank", "score", "wins", "rating"]

AS_PLANNED = "as the plan says"
EVEN = ("sprt",)
"""Formats with stages in which all pairs of bots meet equally often."""
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
    adaptive: bool = False
    """Whether the results decide who meets whom."""
    even: str = SAME_OPPONENTS
    """Why the order is by average rank if the schedule is even."""


BY_RANK = Wish("rank")


def wish(plan: FrozenPlan) -> Wish:
    """What this plan on record says about the order."""
    stages = stages_of(plan)
    # Alone, a round robin is a stage only with [stop]: then encounters go to the pairs that are open.
    adaptive = bool(stages) and (len(stages) > 1 or not _even(stages[0], plan))
    if plan.order is not None:
        return Wish(plan.order, AS_PLANNED, adaptive)
    even = SAME_HOUSE if plan.format == "gauntlet" else SAME_OPPONENTS
    return Wish(None if plan.rulings > 1 else "rank", "", adaptive, even)


def _even(stage: Stage, plan: FrozenPlan) -> bool:
    """Whether all pairs of bots meet equally often in the only stage: a test, or a field of one table."""
    return stage.format in EVEN or (stage.format != "ladder" and len(plan.bots) <= plan.seats)


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
    differ = wished.adaptive or (run is not None and _differ(run, alone))
    if wished.order is not None:
        return Ordering(wished.order, wished.why, differ)
    return Ordering("rating", OTHER_OPPONENTS, True) if differ else Ordering("rank", wished.even, False)


def _differ(run: Run, alone: bool) -> bool:
    """Whether the certificate of the run has several numbers of meetings.

    If the matches with some bots do not count, the others have met equally often only at tables of two.
    """
    certificate = run.began.certificate
    pairs = certificate.get("pairs", ()) if isinstance(certificate, dict) else ()
    return len(pairs) > 1 or (not alone and run.began.seats > 2)
