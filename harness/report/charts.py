"""Builds the plots of a report as Vega-Lite specifications (plain data); `plots` draws them.

Colours are names of variables in the style sheet, so that a drawing fits both the light and the dark theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from harness.report.grids import PLACES
from harness.report.pace import AnswerTimes
from harness.report.results import Point, RatedPoint
from harness.results.columns import ORDERS, ranged
from harness.results.ordering import Order
from harness.results.standings import Row

Spec: TypeAlias = dict[str, Any]
Name: TypeAlias = Callable[[str], str]
"""Returns the name of a bot as the page shows it."""

WIDTH = 760
STEP, LOW_STEP = 26, 18
"""The height of a row in pixels, and the height if there are more than MANY rows."""
MANY = 16
MOST_LINES = 10
"""The most bots that have a line in their own colour: readers cannot tell more colours apart."""
OVER_TIME = (
    "The average rank of each bot over its matches so far. With more matches it changes less.",
    "The rating of each bot after the matches so far, and its 95 % interval as a band.",
)
"""What the chart of average ranks over time shows, and that of ratings."""
QUIET: Spec = {"grid": False, "domain": False, "ticks": False}


def standings(rows: Sequence[Row], order: Order, seats: int, name: Name) -> Spec:
    """The numbers by which the bots have their places, with their intervals, the best on top."""
    values = [
        {"bot": name(row.bot), "average": found.value, "low": found.low, "high": found.high}
        for row in rows
        if (found := ranged(row, order)).value is not None
    ]
    bounds: Spec = {"domain": [1, seats]} if order == "rank" else {"zero": False}
    rank: Spec = {"type": "quantitative", "scale": {**bounds, "nice": False}}
    better = "left" if order in ("rank", "rating") else "right"
    title = f"{ORDERS[order]}, with the 95 % interval ({better} is better)"
    axis: Spec = {"title": title, "tickCount": 6}
    return {
        **_rows(values, len(values)),
        "encoding": {"y": _bots(values)},
        "layer": [
            {
                "transform": [{"filter": "datum.low !== null"}],
                "mark": {"type": "rule", "stroke": "var(--accent)", "strokeWidth": 6, "opacity": 0.3},
                "encoding": {"x": {**rank, "field": "low", "axis": axis}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "color": "var(--accent)"},
                "encoding": {"x": {**rank, "field": "average", "axis": axis}},
            },
        ],
    }


def places(found: Mapping[str, Sequence[float]], bots: Sequence[str], name: Name) -> Spec:
    """How often each bot finished at each place."""
    seats = max((len(found[bot]) for bot in bots), default=1)
    values = [
        {"bot": name(bot), "place": place, "matches": round(matches, 2)}
        for bot in bots
        for place, matches in enumerate(found[bot], start=1)
    ]
    scale: Spec = {
        "domain": list(range(1, seats + 1)),
        "range": [f"var(--place{_spread(place, seats)})" for place in range(seats)],
    }
    share: Spec = {
        "field": "matches",
        "type": "quantitative",
        "stack": "normalize",
        "axis": {"title": "share of its matches", "format": ".0%", "grid": False, "tickCount": 4},
    }
    return {
        **_rows(values, len(bots)),
        "mark": {"type": "bar", "height": {"band": 0.72}, "stroke": "var(--paper)", "strokeWidth": 1},
        "encoding": {
            "y": _bots(values),
            "x": share,
            "color": {"field": "place", "type": "ordinal", "scale": scale, "legend": {"title": "place"}},
            "order": {"field": "place", "type": "ordinal"},
        },
    }


def progress(points: Sequence[Point | RatedPoint], bots: Sequence[str], name: Name) -> Spec:
    """Average ranks over the tournament, or ratings with their intervals; if there are many bots, only
    the best have a colour."""
    coloured = [name(bot) for bot in bots[:MOST_LINES]]
    values = [_moment(point, name) for point in points]
    rated = any("low" in value for value in values)
    rank: Spec = {
        "field": "value",
        "type": "quantitative",
        "scale": {"zero": False, "reverse": True},
        "axis": {
            "title": f"{'rating' if rated else 'average rank'} so far (higher up is better)",
            "tickCount": 5,
        },
    }
    ticks = min(8, max((point.matches for point in points), default=1))
    after: Spec = {
        "field": "matches",
        "type": "quantitative",
        "axis": {"title": "matches played so far", "grid": False, "tickCount": ticks, "format": ",d"},
    }
    listed: Spec = {
        "field": "bot",
        "type": "nominal",
        "scale": {"domain": coloured, "range": [f"var(--line{place})" for place in range(len(coloured))]},
        "legend": {"title": None, "symbolStrokeWidth": 3, "symbolType": "stroke", "symbolOpacity": 1},
    }
    others: Spec = {
        "transform": [{"filter": {"not": {"field": "bot", "oneOf": coloured}}}],
        "mark": {"type": "line", "stroke": "var(--faint)", "strokeWidth": 1},
        "encoding": {"x": after, "y": rank, "detail": {"field": "bot"}},
    }
    chosen = [{"filter": {"field": "bot", "oneOf": coloured}}]
    best: Spec = {
        "transform": chosen,
        "mark": {"type": "line", "strokeWidth": 2, "strokeJoin": "round"},
        "encoding": {"x": after, "y": rank, "color": listed},
    }
    bands: Spec = {
        "transform": chosen,
        "mark": {"type": "area", "opacity": 0.1},
        "encoding": {"x": after, "y": {**rank, "field": "low"}, "y2": {"field": "high"}, "color": listed},
    }
    layer = [others, *([bands] if rated else []), best]
    return {"data": {"values": values}, "width": WIDTH - 120, "height": 300, "layer": layer}


def _moment(point: Point | RatedPoint, name: Name) -> dict[str, Any]:
    value = {"bot": name(point.bot), "matches": point.matches}
    if isinstance(point, Point):
        return {**value, "value": round(point.average, 4)}
    return {
        **value,
        "value": round(point.rating, 4),
        "low": round(point.low, 4),
        "high": round(point.high, 4),
    }


def pace(times: Mapping[str, AnswerTimes], bots: Sequence[str], limit_ms: int, name: Name) -> Spec:
    """How long answers took, and the limit for an answer."""
    values = [
        {
            "bot": name(bot),
            "median": times[bot].median_us / 1000,
            "most": times[bot].most_of_us / 1000,
            "slowest": times[bot].slowest_us / 1000,
        }
        for bot in bots
        if bot in times
    ]
    scale: Spec = {"type": "log", "nice": False, "padding": 10}
    axis: Spec = {
        "title": "milliseconds for an answer (logarithmic scale)",
        "tickCount": 6,
        "format": "~r",
        "grid": False,
    }
    time: Spec = {"type": "quantitative", "scale": scale, "axis": axis}
    accent = "var(--accent)"
    return {
        **_rows(values, len(values)),
        "layer": [
            {
                "mark": {"type": "rule", "stroke": accent, "strokeWidth": 6, "opacity": 0.3},
                "encoding": {
                    "y": _bots(values),
                    "x": {**time, "field": "median"},
                    "x2": {"field": "most"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 80, "color": accent},
                "encoding": {"y": _bots(values), "x": {**time, "field": "median"}},
            },
            {
                "mark": {"type": "tick", "color": "var(--ink)", "thickness": 2, "height": 14},
                "encoding": {"y": _bots(values), "x": {**time, "field": "slowest"}},
            },
            {
                "data": {"values": [{"limit": limit_ms}]},
                "mark": {"type": "rule", "stroke": "var(--bad)", "strokeDash": [4, 4]},
                "encoding": {"x": {**time, "field": "limit"}},
            },
        ],
    }


# -- parts -----------------------------------------------------------------------------------------


def _rows(values: Iterable[Spec], count: int) -> Spec:
    """A plot with one row for each bot."""
    height = max(1, count) * (STEP if count <= MANY else LOW_STEP)
    return {"data": {"values": list(values)}, "width": WIDTH - 170, "height": height}


def _bots(values: Iterable[Spec]) -> Spec:
    """The axis with the bots, in the order of the values."""
    names = list(dict.fromkeys(value["bot"] for value in values))
    axis: Spec = {**QUIET, "title": None}
    return {"field": "bot", "type": "nominal", "sort": names, "axis": axis}


def _spread(place: int, places: int) -> int:
    """The shade of a place (counted from 0): the best place has the first shade, the last place the last."""
    return place * (PLACES - 1) // max(1, places - 1)
