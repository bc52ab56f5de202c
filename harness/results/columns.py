"""Chooses the columns of standings: the number that the places go by with its interval, then the others."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from harness.results.ordering import Order
from harness.results.standings import Row, Standings

Column: TypeAlias = str
"""The name of a column: a field of a row, or "interval" for the interval of the order."""
FIELD: dict[Order, Column] = {
    "rank": "average_rank",
    "rating": "rating",
    "score": "score",
    "wins": "win_share",
}
ORDERS: dict[Order, str] = {
    "rank": "average rank",
    "rating": "rating",
    "score": "mean score",
    "wins": "share of wins",
}
FIRST_TO_GO: tuple[Column, ...] = ("points", "wins", "average_rank", "rating", "elo")
"""The columns that are left out of a table that would be too wide, one after the other."""


class Ranged(NamedTuple):
    """A number of a bot with the ends of its interval; None where there is none."""

    value: float | None
    low: float | None
    high: float | None


def ranged(row: Row, order: Order) -> Ranged:
    """The number by which this bot has its place, if the places go by this order."""
    match order:
        case "rank":
            return Ranged(row.average_rank, row.low, row.high)
        case "rating":
            return Ranged(row.rating, row.rating_low, row.rating_high)
        case "score":
            return Ranged(row.score, row.score_low, row.score_high)
        case "wins":
            return Ranged(row.win_share, row.win_share_low, row.win_share_high)


def columns(standings: Standings) -> tuple[Column, ...]:
    """The columns of the table, from left to right.

    The average rank is always there. The rating is there if opponents differ, because otherwise it orders the
    bots as average ranks do. Elo ratings and void attempts have columns if there are any.
    """
    rows = standings.rows
    others = ["average_rank"]
    others += ["rating"] * standings.differ
    others += ["elo"] * any(row.elo is not None for row in rows)
    others += ["wins", "points", "faults"]
    others += ["voids"] * any(row.voids for row in rows)
    chosen = FIELD[standings.order]
    return ("place", "bot", "matches", chosen, "interval", *(each for each in others if each != chosen))
