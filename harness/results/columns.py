"""Lists the columns of the standings, for all tables.

COLUMNS decides which columns all tables have: in text, in Markdown, in a report and in a season. The help of
`harness.standings` is made from COLUMNS too. CSV and JSON have all fields of `Row`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from harness.results.ordering import HIGHEST_FIRST, Decider
from harness.results.standings import Row, Standings

Kind: TypeAlias = Literal["place", "bot", "count", "sum", "mean", "interval", "elo", "faults"]
"""The kind of a value decides how tables write the value. A count is a whole number, a sum may have decimals,
and a mean has three decimals."""


def _never(standings: Standings) -> bool:
    return False


def _with_luck_off(standings: Standings) -> bool:
    """Returns whether the table has the average rank without luck. A table has only one of the two columns
    "average rank without luck" and "mean score without luck", because they have the same header."""
    return standings.luck_off and not _beside_luck_off(standings)


def _beside_luck_off(standings: Standings) -> bool:
    """Returns whether the table has two mean scores: with luck and without luck."""
    return standings.order == "score-luck-off"


class Column(NamedTuple):
    """The description of a column, for all tables."""

    name: str
    """The field of `Row`, or "interval" for the interval of the number that decides the places."""
    header: str
    """The header in text and Markdown."""
    title: str
    """The header in a report."""
    kind: Kind
    meaning: str
    """The meaning of the value, as a part of a sentence."""
    shown: Callable[[Standings], bool] = lambda standings: True
    """Tells whether a table has this column if another number decides the places."""
    gives_way: int = 0
    """If a table is too wide, it leaves out columns. The column with the lowest `gives_way` above 0 is
    left out first. A column with `gives_way` 0 always stays."""
    on_request: bool = False
    """True if the terminal shows this column only when the user asks for more columns, or when this column
    decides the places."""
    order: Decider | None = None
    """The value of the key `order` with which this column decides the places. None if it never decides
    them."""
    ends: tuple[str, str] = ("", "")
    """The fields of `Row` with the lower and the upper end of the interval of this column."""

    @property
    def highest_first(self) -> bool:
        """True if a high number in this column is good for a bot."""
        return self.order in HIGHEST_FIRST

    @property
    def noun(self) -> str:
        """The name of the column, for the middle of a sentence."""
        return self.title.lower()


COLUMNS: tuple[Column, ...] = (
    Column("place", "place", "Place", "place", "1 for the best; equal bots share a place"),
    Column("bot", "bot", "Bot", "bot", "its name"),
    Column("matches", "matches", "Matches", "count", "the number of its matches that count", gives_way=7),
    Column(
        name="average_rank",
        header="average",
        title="Average rank",
        kind="mean",
        meaning="the mean of its ranks, 1 if it won all",
        gives_way=3,
        on_request=True,
        order="rank",
        ends=("low", "high"),
    ),
    Column(
        name="rating",
        header="rating",
        title="Rating",
        kind="mean",
        meaning="the average rank that it would have if all had met the same opponents",
        # If all bots have met the same opponents, ratings and average ranks give the same order.
        shown=lambda standings: standings.differ,
        gives_way=4,
        on_request=True,
        order="rating",
        ends=("rating_low", "rating_high"),
    ),
    Column(
        name="score",
        header="score",
        title="Mean score",
        kind="mean",
        meaning="the mean of its scores; if deals are the same in every seat, minus the means of the deals",
        shown=_beside_luck_off,
        on_request=True,
        order="score",
        ends=("score_low", "score_high"),
    ),
    Column(
        name="win_share",
        header="won",
        title="Share of wins",
        kind="mean",
        meaning="the share of its matches that it won",
        shown=_never,
        on_request=True,
        order="wins",
        ends=("win_share_low", "win_share_high"),
    ),
    Column(
        name="rank_luck_off",
        header="luck off",
        title="Average rank, luck taken off",
        kind="mean",
        meaning="the mean of its ranks, without the luck of its matches",
        shown=_with_luck_off,
        gives_way=6,
        on_request=True,
        order="rank-luck-off",
        ends=("rank_luck_off_low", "rank_luck_off_high"),
    ),
    Column(
        name="score_luck_off",
        header="luck off",
        title="Mean score, luck taken off",
        kind="mean",
        meaning="the mean of the game's scores, without the luck of its matches",
        shown=_never,
        on_request=True,
        order="score-luck-off",
        ends=("score_luck_off_low", "score_luck_off_high"),
    ),
    Column("interval", "95 % interval", "95 % interval", "interval", "where the true number probably is"),
    Column(
        "elo",
        "Elo",
        "Elo",
        "elo",
        "its Elo rating with the interval, if somebody asked for Elo ratings",
        lambda standings: any(row.elo is not None for row in standings.rows),
        gives_way=8,  # Somebody asked for it.
    ),
    Column(
        "wins",
        "wins",
        "Wins",
        "sum",
        "the number of matches that it won; if k bots share a win, each gets 1/k",
        gives_way=2,
        on_request=True,
    ),
    Column(
        "points", "points", "Points", "sum", "the sum of the game's own scores", gives_way=1, on_request=True
    ),
    Column("faults", "faults", "Faults", "faults", "matches in which it broke a rule"),
    Column(
        "voids",
        "voids",
        "Voids",
        "count",
        "void attempts: they are nobody's fault",
        lambda standings: any(row.voids for row in standings.rows),
    ),
)
NAMED = {column.name: column for column in COLUMNS}
BY_ORDER: dict[Decider, Column] = {column.order: column for column in COLUMNS if column.order}
"""For each value of the key `order`, the column that decides the places."""
FIRST = ("place", "bot", "matches")
"""The names of the columns on the left of a table. On their right are the number that decides the places, and
its interval. Then come the other columns."""


class Ranged(NamedTuple):
    """A number in the row of a bot, and the lower and the upper end of the number's interval. A value that
    does not exist is None."""

    value: float | None
    low: float | None
    high: float | None


def ranged(row: Row, order: Decider) -> Ranged:
    """Returns the number that decides the place of this bot if the standings are ordered by `order`, with the
    interval of the number."""
    chosen = BY_ORDER[order]
    return Ranged(*(getattr(row, field) for field in (chosen.name, *chosen.ends)))


def columns(standings: Standings, every: bool = True) -> tuple[Column, ...]:
    """Returns the columns of the table, from left to right. If `every` is false, the table leaves out the
    columns that are shown only on request. The number that decides the places always stays."""
    chosen = BY_ORDER[standings.order]
    first = (*(NAMED[name] for name in FIRST), chosen, NAMED["interval"])
    others = (column for column in COLUMNS if column not in first and column.shown(standings))
    found = (*first, *(column for column in others if every or not column.on_request))
    return tuple(column for column in found if column.kind != "interval" or standings.has_intervals)
