"""Chooses the number that decides the places in the standings.

A plan can choose this number with the key `order`. Without this key, the rules of the game may name the
number (`Game.order`). But the rules do not count here if results decide who meets whom. Sometimes neither the
plan nor the rules name a number. Then the average rank decides if all bots have met the same opponents
equally often and no matches are missing. Otherwise the rating decides.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.model import Order
from harness.record.history import Run

Decider: TypeAlias = Order | Literal["rank-luck-off", "score-luck-off"]
"""The number that decides the places. A plan can choose this number. If luck is subtracted
(`results.luck_off`), ranks and scores have another name here. Ratings keep their name, although they are then
computed from the corrected ranks."""
OFF: dict[Decider, Decider] = {"rank": "rank-luck-off", "score": "score-luck-off"}
HIGHEST_FIRST: frozenset[Decider] = frozenset(("score", "wins", "score-luck-off"))
"""The numbers that are highest for the best bot."""
AS_PLANNED = "as the plan says"
BY_DOCUMENT = "as the document of the game says"
BY_FORMAT = "the format"
"""The value of `why` if the format decides the places, as in a knock-out."""
SAME_OPPONENTS = "all pairs of bots meet equally often"
SAME_HOUSE = "all bots meet the house bots equally often"
OTHER_OPPONENTS = "not all pairs of bots meet equally often"
HALF_PLAYED = "the schedule is not complete, so some pairs of bots may have met more often"


class Wish(NamedTuple):
    """The order of the standings that a plan asks for."""

    order: Order | None = None
    """The order that the plan names, or None if the schedule decides the order."""
    why: str = ""
    one_table: bool = False
    """True if all bots of the plan sit at one table, so that they always meet equally often."""
    even: str = SAME_OPPONENTS
    """The reason that is shown if the average rank decides because all bots meet equally often."""
    document: Order | None = None
    """The order that the document of the game names. This order is for tournaments in which all bots meet, so
    it does not count if results decide who meets whom."""
    luck_off: bool = False
    """True if the luck of each match is subtracted from its results."""
    stops: bool = False
    """True if the results decide when the tournament ends."""


BY_RANK = Wish("rank")


def wish(plan: FrozenPlan) -> Wish:
    """Returns the order of the standings that a plan on record asks for."""
    one_table = len(plan.bots) <= plan.seats
    off, stops = plan.luck == "off", plan.stop is not None or plan.sprt is not None
    if plan.order is not None:
        return Wish(plan.order, AS_PLANNED, one_table, luck_off=off, stops=stops)
    even = SAME_HOUSE if plan.house else SAME_OPPONENTS
    return Wish(one_table=one_table, even=even, document=plan.game.order, luck_off=off, stops=stops)


class Ordering(NamedTuple):
    """The number that decides the places, and the reason why this number decides. `why` is empty if the
    caller chose the number."""

    order: Decider
    why: str
    differ: bool
    """True if some pairs of bots meet more often than others, or may have met more often so far."""
    adaptive: bool = False
    """True if results decide who meets whom."""
    luck_off: bool = False
    """True if the luck of each match is subtracted from its results. Luck is never subtracted from wins."""
    stops: bool = False
    """True if the results decide when the tournament ends."""


def ordering(wished: Wish, run: Run | None, alone: bool, complete: bool = True) -> Ordering:
    """Returns the order of the standings for the matches of a run. `alone` says whether all bots of the run
    are in the standings. `complete` says whether all matches of the run are on record now, or will be at the
    end.

    In a gauntlet, two listed bots or two house bots never meet. So in a gauntlet only the pairs of a listed
    bot and a house bot have to meet equally often.
    """
    adaptive = run is not None and is_adaptive(run, wished)
    uneven = adaptive or (run is not None and _differ(run, alone))
    half = not complete and not wished.one_table
    order: Decider
    if wished.order is not None:
        order, why, differ = wished.order, wished.why, uneven or half
    elif wished.document is not None and not adaptive:
        order, why, differ = wished.document, BY_DOCUMENT, uneven or half
    elif uneven or half:
        order, why, differ = "rating", OTHER_OPPONENTS if uneven else HALF_PLAYED, True
    else:
        order, why, differ = "rank", wished.even, False
    luck_off = wished.luck_off and order != "wins"  # Luck cannot be subtracted from wins.
    if luck_off:
        order = OFF.get(order, order)
    return Ordering(order, why, differ, adaptive, luck_off, wished.stops)


def is_adaptive(run: Run, wished: Wish) -> bool:
    """Returns whether the results decide how often two bots meet. If all bots sit at one table, every bot
    always meets every other bot.

    The record of a run has `stages` if some of the run's encounters are still unknown when the run begins.
    The format decides this (`Format.is_known_at_start`). In such a run, only ratings that come
    from the model of `results.round_robin` have intervals (`Standings.uncertain`).
    """
    stages = len(run.began.stages)
    return stages > 1 or (stages == 1 and (run.open_field or not wished.one_table))


def _differ(run: Run, alone: bool) -> bool:
    """Returns whether some pairs of bots meet more often than others, according to the certificate of the
    run.

    If matches of a disqualified bot do not count, the certificate is still right for matches of two seats.
    With more seats, some pairs of the remaining bots may have met more often than others.
    """
    certificate = run.began.certificate
    pairs = certificate.get("pairs", ()) if isinstance(certificate, dict) else ()
    if not isinstance(pairs, list | tuple):
        raise RecordError(f"the certificate of run {run.number} has no list of pairs")
    return len(pairs) > 1 or (not alone and run.began.seats > 2)
