"""Collects the facts on the page of a bot as plain data for its script: place, opponents, faults, times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from harness.model import span
from harness.report.page import ReportData
from harness.report.results import Point, RatedPoint
from harness.results.columns import BY_ORDER, ranged
from harness.results.standings import Row
from harness.results.tables import place_of


def bot_data(data: ReportData) -> dict[str, Any]:
    """Returns the facts about all bots. Each bot has the name that the pages show."""
    name, table = data.names.bot, data.results.standings
    faults = Counter(
        (match.bots[fault.seat - 1], fault.name)
        for run in data.history.runs
        for key in run.played
        for match in run.sitting(key)
        for fault in match.faults
    )
    rows = {row.bot: row for row in table.rows}
    outs = {out.bot: out for out in table.disqualified}
    bots = list(dict.fromkeys((*rows, *outs)))
    return {
        "order": BY_ORDER[table.order].noun,
        "seats": data.results.seats,
        "progress": _progress(data),
        "bots": {
            name(bot): {
                **_row(rows.get(bot), data),
                "out": _out(outs[bot], data) if bot in outs else None,
                "against": [
                    [name(other), met.matches, round(100 * met.share)]
                    for other in bots
                    if (met := data.results.pairs.get((bot, other)))
                ],
                "faults": {kind: count for (one, kind), count in faults.items() if one == bot},
                "times": _times(bot, data),
            }
            for bot in bots
        },
    }


def _row(row: Row | None, data: ReportData) -> dict[str, Any]:
    if row is None:
        return {}
    value, low, high = ranged(row, data.results.standings.order)
    return {
        "place": place_of(row) or None,
        "matches": row.matches,
        "value": value,
        "low": low,
        "high": high,
        "wins": row.wins,
        "points": row.points,
        "progress": [[each.matches, round(each.value, 3)] for each in _course(data) if each.bot == row.bot],
    }


def _course(data: ReportData) -> Sequence[Point | RatedPoint]:
    return data.results.ratings or data.results.progress


def _progress(data: ReportData) -> dict[str, Any]:
    """Says what the bots' `progress` means, and the range of the values of all bots after all matches."""
    last = {each.bot: each.value for each in _course(data)}
    noun = "rating" if data.results.ratings else "average rank"
    return {"noun": noun, "range": [min(last.values(), default=1), max(last.values(), default=1)]}


def _out(out: Any, data: ReportData) -> dict[str, Any]:
    return {"match": out.match, "fault": out.fault, "reason": data.names.text(out.reason)}


def _times(bot: str, data: ReportData) -> list[str] | None:
    found = data.survey.paces.times().get(bot)
    if found is None:
        return None
    times = (found.median_us, found.most_of_us, found.slowest_us)
    return [str(found.answers), *(span(round(time)) for time in times), f"{100 * found.closest:.0f} %"]
