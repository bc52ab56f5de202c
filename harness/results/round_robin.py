"""Puts the ratings of the model of `statistics.round_robin` into standings, if bots met different opponents.

The model tells the average rank that each bot would have if all bots met equally often. The model is also
right if results decide who meets whom, and if bots beat each other in a circle. So ratings, their intervals,
ranges of places and claims about places come from this model.

The digest of the standings does not cover the ratings of the model. The digest covers the ratings of
`statistics.rating`, because every later version of harness can compute exactly these ratings again. If luck
is taken off, tables show the ratings of `statistics.rating` and not the ratings of the model. The reason: the
model needs to know which bot came before which, and ranks without luck do not tell this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from harness.errors import InputError
from harness.record.history import History
from harness.results.discipline import counted, ruling
from harness.results.ordering import BY_FORMAT
from harness.results.standings import DECIMALS, Row, Standings, placed_by
from harness.results.statistics.meetings import SeatedMatch, meetings_of
from harness.results.statistics.rating import DIGITS
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.sandwich import Rated
from harness.results.statistics.wide import MOST_EXACT, averages_of

MOST_BOTS = 1_000
MOST_MATCHES = 200_000
MOST_WORK, MOST_WIDE_WORK = 20_000, 80_000
"""With more than MOST_BOTS bots, more than MOST_MATCHES matches, or more work than MOST_WORK, the model takes
too long. Then the ratings of `statistics.rating` are used instead. The work is a sum over all sittings: each
sitting adds the square of its number of bots. For a large field (`statistics.wide`), the limit of the work is
MOST_WIDE_WORK."""
EVEN = 0.1
"""The bots count as equal if no interval ends farther from the middle rank than this share of the distance
between the first and the last rank. At two seats, all intervals are then between 1.4 and 1.6."""
SMALL = 0.15
"""If the standard deviation of the effects of tables, or of sittings, is below this, these effects count as
0."""
ONE_SITTING = (
    "The bots of a table met in one sitting, so effects of sittings cannot be told apart from effects of "
    "opponents. The intervals allow for both kinds of effects."
)
TABLES_DIFFER = "Results differ from table to table by more than luck and strength explain. "
CLEAR = 0.05
"""A sentence about effects says that they are clear only if the opposite has at most this probability."""


def with_model(table: Standings, history: History) -> Standings:
    """Returns the standings with the ratings of the model. If ratings decide the places, the places follow
    these ratings. Standings in which all bots met the same opponents are returned unchanged."""
    if not table.differ or table.off or len(table.rows) > MOST_BOTS or table.matches > MOST_MATCHES:
        return table
    ruled = ruling(history, table.policy, table.strikes)
    model = model_of(counted(history, ruled), ruled.run.began.seats) if ruled.run else None
    if model is None:
        return table
    known = frozenset(model.bots)
    rows = [_modelled(row, model) if row.bot in known else row for row in table.rows]
    if table.order == "rating" and table.why != BY_FORMAT:
        rows = list(placed_by(rows, {row.bot: row.rating for row in rows}, False))
    return msgspec.structs.replace(table, rows=tuple(rows), model=model)


def model_of(matches: Iterable[SeatedMatch], seats: int, credited: bool = False) -> RoundRobinAverages | None:
    """Returns the model of these matches. Returns None if there are no matches, if there are too many bots or
    matches, or if no chain of meetings connects some two bots, so that nothing compares them. The ratings are
    average ranks at tables with `seats` seats. `credited` is explained at `statistics.mixed.fits`."""
    meetings = meetings_of(matches)
    work = sum(len(each.places) ** 2 * len(each.sittings) for each in meetings.tables)
    most = MOST_WIDE_WORK if len(meetings.bots) > MOST_EXACT else MOST_WORK
    if not meetings.bots or len(meetings.bots) > MOST_BOTS or work > most or not meetings.connected:
        return None
    return averages_of(meetings, seats, credited)


def with_elo(table: Standings, history: History) -> Standings:
    """Returns the standings with the Elo rating of each bot, from the results with their luck. If all pairs
    met equally often, the Elo intervals assume that sittings have no effects. The other intervals in such
    standings assume the same. Raises InputError if there are too many bots or matches."""
    ruled = ruling(history, table.policy, table.strikes)
    if ruled.run is None or not table.matches:
        return table
    model = table.model or model_of(counted(history, ruled), ruled.run.began.seats, credited=not table.differ)
    if model is None:
        most = f"{MOST_BOTS} bots and {MOST_MATCHES:,} matches"
        raise InputError(f"these are too many results: Elo ratings are for at most {most}", "rating")
    ratings = model.elo()
    rows = [
        msgspec.structs.replace(
            row, **dict(zip(("elo", "elo_low", "elo_high"), map(round, ratings[row.bot]), strict=True))
        )
        if row.bot in ratings
        else row
        for row in table.rows
    ]
    return msgspec.structs.replace(table, rows=tuple(rows))


def rated_by(model: RoundRobinAverages, bot: str) -> Rated:
    """Returns the rating of a bot with its interval, rounded as tables show it."""
    low, high = model.interval(bot)
    return Rated(round(model.average(bot), DIGITS), round(low, DECIMALS), round(high, DECIMALS))


def _modelled(row: Row, model: RoundRobinAverages) -> Row:
    rating, low, high = rated_by(model, row.bot)
    return msgspec.structs.replace(row, rating=rating, rating_low=low, rating_high=high)


def learnt(model: RoundRobinAverages, open_bots: bool) -> Iterator[str]:
    """Yields sentences that say what the model has learnt about the field. `open_bots` is true if every bot
    could still have every place."""
    if open_bots and model.even(EVEN):
        yield "By these results the bots are about equal, so no order is claimed."
    elif open_bots:
        yield "These matches are too few to tell any two bots apart, so no order is claimed."
    if model.probability(lambda each: each.table < SMALL) <= CLEAR:
        yield (
            f"One scale of strength explains {100 * model.scale:.0f} % of the differences that luck does not "
            "explain. The rest depends on the opponents, as with scissors, stone and paper."
        )
    if not model.sittings_known:
        clear = model.probability(lambda each: max(each.table, each.sitting) < SMALL) <= CLEAR
        yield (TABLES_DIFFER if clear else "") + ONE_SITTING
    else:
        yield _of_sittings(model.probability(lambda each: each.sitting < SMALL))


def _of_sittings(none: float) -> str:
    """Returns a sentence about the effects of sittings. `none` is the probability that there are no such
    effects."""
    if none <= CLEAR:
        return (
            "Sittings differ more than luck explains, so the intervals are wider. More and shorter "
            "sittings (key `sitting`) would make the intervals narrower."
        )
    return (
        "Sittings do not differ more than luck explains."
        if none > 0.5
        else "Whether sittings differ is not clear yet."
    )
