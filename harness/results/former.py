"""Orders the standings of a ladder: the bots that still play are above the former bots."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from harness.record.history import History
from harness.results.standings import Row, Standings


def playing_first(table: Standings, history: History) -> Standings:
    """Returns the standings of a ladder: first the bots that play now, then the former bots. Both parts have
    new places. The standings of other formats do not change."""
    playing = {line[0] for line in history.playing}
    if not playing:
        return table
    now = _placed_from(1, (row for row in table.rows if row.bot in playing), former=False)
    former = _placed_from(len(now) + 1, (row for row in table.rows if row.bot not in playing), former=True)
    return msgspec.structs.replace(table, rows=(*now, *former))


def _placed_from(first: int, rows: Iterable[Row], *, former: bool) -> list[Row]:
    """Returns the rows with places from `first`. If bots shared an old place, they also share their new
    place."""
    places: dict[int, int] = {}
    return [
        msgspec.structs.replace(row, place=places.setdefault(row.place, number), former=former)
        for number, row in enumerate(rows, start=first)
    ]
