"""Collects the facts that the page of a bot shows, as plain data for the page's script: place, opponents,
faults, times and others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.escape import grouped
from harness.model import span
from harness.report.branches import Branch
from harness.report.page import ReportData
from harness.report.results import Met, Point, RatedPoint
from harness.results.columns import BY_ORDER, ranged
from harness.results.habits import CostlyDecision, Habit
from harness.results.seats import InSeat, in_seats
from harness.results.standings import Row
from harness.results.statistics.wilson import share_interval
from harness.results.tables import place_of

MOST_MOVES = 8
"""The largest number of first moves on the page of a bot."""


def bot_data(data: ReportData, forks: Mapping[str, Sequence[Branch]]) -> dict[str, Any]:
    """Returns the facts about all bots. Each bot has the name that the pages show. `forks` has the branches
    of each match."""
    name, table = data.names.bot, data.results.standings
    faults = Counter(
        (match.bots[fault.seat - 1], fault.name) for match in data.history.played() for fault in match.faults
    )
    seats = _by_seat(data)
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
                    [name(other), met.matches, round(100 * met.share), *_percent(met)]
                    for other in bots
                    if (met := data.results.pairs.get((bot, other)))
                ],
                "faults": {kind: count for (one, kind), count in faults.items() if one == bot},
                "times": _times(bot, data),
                "by_seat": [
                    [seat, found.matches, found.average, *found.interval]
                    for (one, seat), found in sorted(seats.items())
                    if one == bot
                ],
                "first_moves": _first_moves(bot, data),
                "turns": _turns(bot, data),
                "diagnosis": _diagnosis(bot, data, forks),
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
    """Says whether the values over time are ratings or average ranks. Also returns the smallest and the
    largest value that a bot has after all matches."""
    last = {each.bot: each.value for each in _course(data)}
    noun = "rating" if data.results.ratings else "average rank"
    return {"noun": noun, "range": [min(last.values(), default=1), max(last.values(), default=1)]}


def _percent(met: Met) -> tuple[int, int]:
    low, high = share_interval(met.wins, met.matches)
    return round(100 * low), round(100 * high)


def _by_seat(data: ReportData) -> Mapping[tuple[str, int], InSeat]:
    """Returns the average rank of each bot in each seat."""
    return in_seats(match for match in data.history.played() if match.encounter in data.counting)


def _first_moves(bot: str, data: ReportData) -> list[tuple[int, str, int, float]]:
    moves = data.survey.answers.of(bot).first_moves()[:MOST_MOVES]
    return [(each.seat, data.names.text(each.said), each.matches, round(each.rank, 2)) for each in moves]


def _turns(bot: str, data: ReportData) -> list[tuple[int, int, int]]:
    times = data.survey.answers.of(bot).turn_times()
    return [(each.first, round(each.mean_us), each.slowest_us) for each in times]


def _answer(habit: Habit, text: Callable[[str], str]) -> tuple[str, str, int, int] | None:
    found = habit.answer
    if found is None:
        return None
    return text(found.said), text(found.instead), found.number, round(100 * found.share)


def _diagnosis(bot: str, data: ReportData, forks: Mapping[str, Sequence[Branch]]) -> dict[str, Any] | None:
    found = data.diagnoses.get(bot)
    if found is None:
        return None
    text, lines = data.names.text, data.names.lines
    return {
        "matches": found.matches,
        "decisions": found.decisions,
        "unit": text(found.unit),
        "habits": [
            [text(each.kind), each.decisions, each.cost, each.low, each.high, _answer(each, text)]
            for each in found.habits
            if each.stands_out
        ],
        "costliest": [
            {
                "match": each.match,
                "question": each.question,
                "line": each.line,
                "seat": each.seat,
                "said": text(each.said),
                "instead": text(each.instead),
                "cost": each.cost[:3],
                "position": lines(each.position),
                "branch": _branch(each, forks.get(each.match, ()), text(each.instead)),
            }
            for each in found.costliest
        ],
    }


def _branch(costly: CostlyDecision, forks: Sequence[Branch], instead: str) -> str:
    """Returns the address of the branch in which the better move replaces this decision. At this address,
    the page shows the branch as the bot's seat sees it. Returns "" if there is no such branch."""
    for each in forks:
        if (each.question, each.move) == (costly.question, instead):
            return f"{each.id}/{each.at}/{each.seat}"
    return ""


def _out(out: Any, data: ReportData) -> dict[str, Any]:
    return {"match": out.match, "fault": out.fault, "reason": data.names.text(out.reason)}


def _times(bot: str, data: ReportData) -> list[str] | None:
    found = data.survey.paces.times().get(bot)
    if found is None:
        return None
    times = (found.median_us, found.most_of_us, found.slowest_us)
    return [grouped(found.answers), *(span(round(time)) for time in times), f"{100 * found.closest:.0f} %"]
