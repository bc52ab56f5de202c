"""Computes the range of places that each bot could have.

For example, "3 (2-5)" means that a bot has place 3, and that its true place may be 2 to 5.
`statistics.claims` explains the ranges. The ranges come from tests by betting (`statistics.betting`), so the
ranges stay right no matter how often somebody looks at the standings. If ratings decide the places, the
ranges come from the model of `statistics.round_robin`, like the ratings and their intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from harness.config import FrozenPlan
from harness.record.history import History, MatchResult
from harness.results.columns import BY_ORDER, ranged
from harness.results.discipline import counted, ruling
from harness.results.former import playing_first
from harness.results.ordering import Decider, wish
from harness.results.round_robin import with_model
from harness.results.standings import Row, Standings, standings, units
from harness.results.statistics.claims import ranges
from harness.results.statistics.comparison import Deal, Deals
from harness.results.statistics.intervals import CONFIDENCE
from harness.results.totals import shares

MOST_BOTS = 64
MOST_MATCHES = 50_000
"""With more than `MOST_BOTS` bots or `MOST_MATCHES` matches, the standings have no ranges, because computing
the ranges would take many seconds and much memory."""
MOST_SHARED = 50_000
"""Equal `Deal`s are one object in memory. At most this number of such objects are kept."""


def deals_of(matches: Iterable[MatchResult], order: Decider = "rank") -> dict[str, dict[str, Deal]]:
    """Returns a table for each bot. Its keys are the names of deals, and its values are the results of the
    bot in these deals. `order` decides whether a `Deal` has the sum of the bot's ranks, scores or wins."""
    found: dict[str, dict[str, Deal]] = {}
    for match in matches:
        for bot, rank in zip(match.bots, _numbers(match, order), strict=True):
            own = found.setdefault(bot, {})
            total, played, others = own.get(match.deal) or (0, 0, _others(match.bots, bot))
            own[match.deal] = _deal(total + rank, played + 1, others)
    return found


_deal = lru_cache(MOST_SHARED)(Deal)
"""A function that makes a `Deal` and remembers it. A million matches give few different objects, because
many of them have the same table and the same sum of ranks."""


def _numbers(match: MatchResult, order: Decider) -> Sequence[float]:
    """Returns the rank, score or share of the win of each bot in the match, as `order` says. Scores and
    shares get a minus sign, so that the lowest number is always the best."""
    if order in ("score", "score-luck-off"):
        return [-score for score in match.scores]
    return [-float(share) for share in shares(match)] if order == "wins" else match.ranks


def deals_in(history: History, table: Standings) -> tuple[dict[str, dict[str, Deal]], float | None]:
    """Returns two values for the matches that count for these standings: the deals of each bot, and the
    result of `span_of`."""
    matches: Iterable[MatchResult] = counted(history, ruling(history, table.policy, table.strikes))
    if table.off:
        matches = map(table.off.corrected, matches)
    deals = deals_of(units(matches, table.by_sitting), table.order)
    return deals, span_of(deals, table.order, table.luck_off)


def span_of(deals: Mapping[str, Deals], order: Decider, luck_off: bool = False) -> float | None:
    """Returns the largest possible difference of two bots in a deal, in the numbers that decide the places.
    Returns None if these numbers are ranks from which no luck is subtracted.

    The rules of a game need not say how high a score can be. So if scores decide the places, this function
    uses the largest difference on record. The function also uses this difference if ranks without luck decide
    the places.
    """
    if order != "score" and not luck_off:
        return 1.0 if order == "wins" else None
    means = [deal.total / deal.matches for own in deals.values() for deal in own.values()]
    return max(means, default=1.0) - min(means, default=0.0) or 1.0


def key_of(row: Row, order: Decider) -> float | None:
    """Returns the number that decides the place of a bot. If high numbers are good, the sign of the number
    is changed, so that the lowest number is always the best."""
    value = ranged(row, order).value
    return -value if value is not None and BY_ORDER[order].highest_first else value


def by_number(table: Standings) -> bool:
    """Returns whether a number of each bot decides the places. If not, the format decides them, as in a
    knock-out."""
    keys = _keys(table)
    places = {row.bot: row.place for row in table.playing}
    return all(places[bot] == 1 + sum(other < key for other in keys.values()) for bot, key in keys.items())


def _keys(table: Standings) -> dict[str, float]:
    """Returns the numbers that decide the places. In a ladder, the result has no number for former bots."""
    return {row.bot: key for row in table.playing if (key := key_of(row, table.order)) is not None}


def standings_of(plan: FrozenPlan, history: History) -> Standings:
    """Returns the standings by the policy and the order of the plan, with the ranges of places."""
    return with_ranges(standings(history, plan.policy, plan.strikes, wish(plan)), history)


def with_ranges(table: Standings, history: History) -> Standings:
    """Returns the standings with a range for each place. In a ladder, the bots that play come first.

    If ratings of the model decide the places, the ranges come from the model too. The places have no ranges
    in three cases: there are too many bots or matches; the format decides the places; or results decide who
    meets whom, but the model does not decide the places.
    """
    table = playing_first(with_model(table, history), history)
    if table.uncertain or not by_number(table):
        return table
    keys = _keys(table)
    found: Mapping[str, tuple[int, int]] = {}
    if table.model and table.by_model:
        found = table.model.ranges(list(keys), CONFIDENCE)
    elif len(keys) <= MOST_BOTS and table.matches <= MOST_MATCHES:
        deals, span = deals_in(history, table)
        found = {bot: (each.best, each.worst) for bot, each in ranges(deals, keys, span).items()}
    rows = [
        msgspec.structs.replace(row, best=found[row.bot][0], worst=found[row.bot][1])
        if row.bot in found
        else row
        for row in table.rows
    ]
    return msgspec.structs.replace(table, rows=tuple(rows))


def apart_but_open(table: Standings) -> bool:
    """Returns whether the intervals of two bots do not overlap, though the range of each bot contains the
    place of the other."""
    found = []
    for row in table.playing:
        _, low, high = ranged(row, table.order)
        if row.best is not None and row.worst is not None and low is not None and high is not None:
            found.append((row.place, row.best, row.worst, low, high))
    return any(
        best <= other <= worst and first <= place <= last and (high < bottom or top < low)
        for (place, best, worst, low, high), (other, first, last, bottom, top) in combinations(found, 2)
    )


@lru_cache(MOST_SHARED)
def _others(bots: tuple[str, ...], bot: str) -> tuple[str, ...]:
    return tuple(sorted(other for other in bots if other != bot))
