"""Draws the plots of a report: places, averages and ratings over time, answer times, a sequential test."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from harness.config.names import team_and_number
from harness.escape import count_of, grouped
from harness.report.grids import PLACES
from harness.report.pace import AnswerTimes
from harness.report.results import Point, RatedPoint
from harness.report.svg import (
    ACCENT,
    INK,
    PAPER,
    SOFT,
    Drawing,
    LinearScale,
    LogScale,
    axis_below,
    axis_left,
    legend,
    path,
    shape,
)
from harness.results.columns import BY_ORDER, ranged
from harness.results.ordering import Decider
from harness.results.season import SeasonRow
from harness.results.standings import Row
from harness.schedule.formats import Ratios

Name: TypeAlias = Callable[[str], str]
"""Returns the name of a bot as the page shows it."""

WIDTH, NARROW = 430, 230
"""The widths of a plot in pixels: in a column of the page, and on a phone. The names and numbers around the
plot are not included. They still fit beside the plot, so a page does not shrink the drawing and its texts."""
TICK = 50
"""The least space in pixels for each number below a plot."""
LEGEND = 60
"""The space between a plot and its legend. The axis is in this space."""
STEP, LOW_STEP = 26, 18
"""The height of a row in pixels, and the lower height that a row has if there are more than MANY rows."""
MANY = 16
MOST_LINES = 10
"""The most bots that have a line in their own colour. Readers cannot distinguish more colours."""
OVER_TIME = (
    "The average rank of each bot over its matches so far. With more matches, the average changes less.",
    "The rating of each bot after the matches so far. If the pointer is near a line, a band shows the 95 % "
    "interval of the rating.",
)
"""Two texts: the first explains the chart of average ranks over time, and the second explains the chart of
ratings over time."""
OF_VERSIONS = " The versions of a team share a line; a ring marks where a version begins."
HIGH = 300
"""The height of a chart of lines."""


def in_widths(title: str, draw: Callable[[int], Drawing]) -> Markup:
    """Draws a plot for a column of a page and for a phone. The style sheet shows one of the two drawings."""
    return Markup("").join(draw(wide).svg(title) for wide in (WIDTH, NARROW))


def standings(rows: Sequence[Row], order: Decider, seats: int, name: Name, wide: float = WIDTH) -> Drawing:
    """Draws a row for each bot, the best bot on top. A row shows the number that decides the bot's place, and
    the interval of this number."""
    drawing, found = Drawing(), [(name(row.bot), ranged(row, order)) for row in rows]
    known = [(bot, each.value, each.low, each.high) for bot, each in found if each.value is not None]
    ends = [end for _, *values in known for end in values if end is not None]
    low, high = (1, seats) if order == "rank" else (min(ends, default=0), max(ends, default=1))
    across, bottom = LinearScale(low, high, 0, wide), rows_high(len(known))
    better = "right" if BY_ORDER[order].highest_first else "left"
    interval = ", with the 95 % interval" if any(each[2] is not None for each in known) else ""
    title = f"{BY_ORDER[order].noun}{interval} ({better} is better)"
    axis_below(drawing, across, bottom, across.ticks(int(wide / 70)), title, grid=True)
    for (_, value, least, most), y in zip(
        known, names_left(drawing, [bot for bot, *_ in known]), strict=True
    ):
        if least is not None and most is not None:
            _band(drawing, across(least), across(most), y)
        _dot(drawing, across(value), y)
    return drawing


def places(
    found: Mapping[str, Sequence[float]], bots: Sequence[str], name: Name, wide: float = WIDTH
) -> Drawing:
    """Draws how often each bot finished at each place."""
    drawing, across = Drawing(), LinearScale(0, 1, 0, wide)
    seats = max((len(found[bot]) for bot in bots), default=1)
    step, bottom = step_of(len(bots)), rows_high(len(bots))
    quarters = [(part / 4, f"{25 * part} %") for part in range(5)]
    axis_below(drawing, across, bottom, quarters, "share of its matches")
    for bot, y in zip(bots, names_left(drawing, list(map(name, bots))), strict=True):
        all_, before = sum(found[bot]), 0.0
        for place, matches in enumerate(found[bot]):
            if not matches:
                continue
            left, right = across(before / all_), across((before + matches) / all_)
            said = f"{name(bot)}: place {place + 1} in {grouped(matches)} of {count_of(round(all_), 'match')}"
            bar = {"x": left, "y": y - 0.36 * step, "width": right - left, "height": 0.72 * step}
            drawing.add(shape("rect", shape("title", said), **bar, fill=_shade(place, seats), stroke=PAPER))
            before += matches
    named = ((_shade(place, seats), f"place {place + 1}") for place in range(seats))
    legend(drawing, bottom + LEGEND, wide, named)
    return drawing


class ChartLine(NamedTuple):
    """A line of a chart: its name and its points. A point has `x`, a value, and the ends of its interval."""

    name: str
    points: Sequence[tuple[int, float, float, float]]
    changes: Mapping[int, str] = MappingProxyType({})
    """What begins at an `x` of the line, for example another version of a bot."""


def progress(
    points: Sequence[Point | RatedPoint],
    bots: Sequence[str],
    name: Name,
    *,
    versions: bool = False,
    wide: float = WIDTH,
) -> Drawing:
    """Draws average ranks over the tournament, or ratings with their intervals.

    If there are many bots, only the best bots have a colour. With `versions`, each team has only one line,
    and each point of the line shows the version that was the newest at that time.
    """
    teams = {bot: team_and_number(bot) if versions else (bot, 0) for bot in bots}
    found: dict[str, dict[int, Point | RatedPoint]] = {team: {} for team, _ in teams.values()}
    for point in points:
        team, number = teams[point.bot]
        before = found[team].get(point.matches)
        if before is None or teams[before.bot][1] < number:
            found[team][point.matches] = point
    lines = []
    for course in map(list, map(dict.values, found.values())):
        new = {one.matches: name(one.bot) for was, one in pairwise(course) if one.bot != was.bot}
        where = [(one.matches, one.value, *_range(one)) for one in course]
        if course:
            lines.append(ChartLine(name(course[-1].bot), where, new))
    noun = "rating" if any(isinstance(point, RatedPoint) for point in points) else "average rank"
    return chart_of(lines, f"{noun} so far (higher up is better)", "matches played so far", wide=wide)


def by_record(rows: Sequence[SeasonRow], records: int, name: Name, wide: float = WIDTH) -> Drawing:
    """Draws a line for each bot. For each record of a season, the line has a point: the rating of the
    version that played in this record."""
    lines = []
    for bot in dict.fromkeys(row.name for row in rows):
        own = sorted((row for row in rows if row.name == bot), key=lambda row: row.version)
        newest = {record: row for row in own for record in row.records}
        course = sorted(newest.items())
        new = {now: name(row.bot) for (_, before), (now, row) in pairwise(course) if row.bot != before.bot}
        ends = [
            (row.rating if low is None else low, row.rating if high is None else high)
            for _, row in course
            for low, high in [(row.rating_low, row.rating_high)]
        ]
        points = [(record, row.rating, *end) for (record, row), end in zip(course, ends, strict=True)]
        lines.append(ChartLine(name(bot), points, new))
    return chart_of(lines, "rating (higher up is better)", "record", [1, records], wide)


def chart_of(
    lines: Sequence[ChartLine], left: str, below: str, ends: Sequence[float] = (), wide: float = WIDTH
) -> Drawing:
    """Draws lines, the best line first. The axis on the left has its smallest value at the top.

    `left` and `below` are the titles of the axes. The axis of `x` always includes the values in `ends`.
    Lines after the first MOST_LINES have no colour.
    """
    drawing = Drawing()
    values = [end for line in lines for _, _, *those in line.points for end in those]
    down = LinearScale(min(values, default=1), max(values, default=2), 0, HIGH).rounded(5)
    xs = [*ends, *(x for line in lines for x, *_ in line.points)] or [0, 1]
    across = LinearScale(min(xs), max(xs), 0, wide)
    axis_left(drawing, down, wide, down.ticks(5), left)
    axis_below(drawing, across, HIGH, across.whole_ticks(TICK), below)
    for line in lines[MOST_LINES:]:
        drawing.add(path(_course(line, across, down), fill="none", stroke="var(--faint)"))
    best = [(line, f"var(--line{place})") for place, line in enumerate(lines[:MOST_LINES])]
    for line, colour in best:
        around = [(across(x), down(low)) for x, _, low, _ in line.points]
        around += [(across(x), down(high)) for x, _, _, high in reversed(line.points)]
        if len(set(around)) > len(line.points):
            drawing.add(path(around, class_="interval", fill=colour))
    for line, colour in best:
        _line(drawing, line, _course(line, across, down), colour)
    legend(drawing, HIGH + LEGEND, wide, [(colour, line.name) for line, colour in best])
    return drawing


def _line(drawing: Drawing, line: ChartLine, course: Sequence[tuple[float, float]], colour: str) -> None:
    """Adds a line. Draws a ring at each point where something new begins, for example another version of the
    bot. If the line has only one point, only a ring is drawn."""
    stroke = {"stroke": colour, "stroke_width": 2, "stroke_linejoin": "round"}
    drawing.add(path(course, fill="none", **stroke))
    for (x, *_), (cx, cy) in zip(line.points, course, strict=True):
        if x in line.changes or len(course) == 1:
            said = shape("title", f"{line.changes.get(x, line.name)} begins")
            drawing.add(shape("circle", said, cx=cx, cy=cy, r=4, fill=PAPER, **stroke))


def pace(
    times: Mapping[str, AnswerTimes],
    bots: Sequence[str],
    limit_ms: int,
    name: Name,
    wide: float = WIDTH,
) -> Drawing:
    """Draws how long answers took, and the limit for an answer."""
    drawing = Drawing()
    shown = [(bot, times[bot]) for bot in bots if bot in times]
    in_ms = [
        us / 1000 for _, each in shown for us in (each.median_us, each.most_of_us, each.slowest_us) if us > 0
    ]
    least = min((*in_ms, limit_ms))
    across = LogScale(least, max((*in_ms, limit_ms, 2 * least)), 10, wide - 10)
    bottom = rows_high(len(shown))
    axis_below(drawing, across, bottom, across.ticks(), "milliseconds for an answer (logarithmic scale)")

    def at(us: float) -> float:
        return across(max(least, us / 1000))

    for (_, each), y in zip(shown, names_left(drawing, [name(bot) for bot, _ in shown]), strict=True):
        _band(drawing, at(each.median_us), at(each.most_of_us), y)
        _dot(drawing, at(each.median_us), y)
        slowest = at(each.slowest_us)
        drawing.add(path([(slowest, y - 7), (slowest, y + 7)], stroke=INK, stroke_width=2))
    limit = [(across(limit_ms), 0.0), (across(limit_ms), float(bottom))]
    drawing.add(path(limit, stroke="var(--bad)", stroke_dasharray="4 4"))
    return drawing


def ratios(found: Ratios, wide: float = WIDTH) -> Drawing:
    """Draws the log-likelihood ratio of a sequential test after each number of pairs, and its bounds."""
    drawing, high = Drawing(), 260
    values = [found.lower, found.upper, *(value for _, value in found.course)]
    down = LinearScale(max(values), min(values), 0, high)
    last = max((pairs for pairs, _ in found.course), default=1)
    across = LinearScale(0, max(1, last), 0, wide)
    ticks = LinearScale(min(values), max(values), 0, high).ticks(6)
    axis_left(drawing, down, wide, ticks, "log-likelihood ratio")
    axis_below(drawing, across, high, across.whole_ticks(TICK), "pairs")
    for bound, words in ((found.lower, "accepts elo0"), (found.upper, "accepts elo1")):
        drawing.add(path([(0, down(bound)), (wide, down(bound))], stroke=SOFT, stroke_dasharray="6 4"))
        # The words are at the left of the plot, because the line of the test never reaches a bound so early.
        drawing.text(4, down(bound) - 9, words)
    if found.course:
        course = [(across(pairs), down(value)) for pairs, value in found.course]
        drawing.add(path(course, fill="none", stroke=ACCENT, stroke_width=2))
    return drawing


# -- parts of plots --------------------------------------------------------------------------------


def step_of(count: int) -> int:
    """Returns the height of each of `count` rows."""
    return STEP if count <= MANY else LOW_STEP


def rows_high(count: int) -> int:
    """Returns the height of a plot with this number of rows."""
    return max(1, count) * step_of(count)


def names_left(drawing: Drawing, names: Sequence[str]) -> Iterator[float]:
    """Adds the names at the left of their rows. Yields the middle of each row."""
    step = step_of(len(names))
    for number, name in enumerate(names):
        y = (number + 0.5) * step
        drawing.name(-8, y, name, "end")
        yield y


def _band(drawing: Drawing, left: float, right: float, y: float) -> None:
    drawing.cover(left, y, right, y)
    drawing.add(path([(left, y), (right, y)], stroke=ACCENT, stroke_width=6, opacity=0.3))


def _dot(drawing: Drawing, x: float, y: float) -> None:
    drawing.add(shape("circle", cx=x, cy=y, r=5, fill=ACCENT))


def _range(point: Point | RatedPoint) -> tuple[float, float]:
    """Returns the ends of the interval of a point, or its value twice if it has no interval."""
    return (point.low, point.high) if isinstance(point, RatedPoint) else (point.value, point.value)


def _course(line: ChartLine, across: LinearScale, down: LinearScale) -> list[tuple[float, float]]:
    return [(across(x), down(value)) for x, value, *_ in line.points]


def _shade(place: int, places: int) -> str:
    """Returns the shade of a place (counted from 0). The best place gets the first of all shades, and the
    last place gets the last shade."""
    return f"var(--place{place * (PLACES - 1) // max(1, places - 1)})"
