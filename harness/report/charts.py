"""Builds the plots of a report as Vega-Lite specifications (plain data), which `drawing.py` draws.

Colours are names of variables in the style sheet, so that a drawing fits both the light and the dark theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from harness.escape import count_of
from harness.report.grids import PLACES, SHADES
from harness.report.names import to_matches
from harness.report.pace import AnswerTimes
from harness.report.results import Met, Pair, Point, RatedPoint
from harness.results.columns import BY_ORDER, ranged
from harness.results.ordering import Decider
from harness.results.standings import Row
from harness.schedule.formats import Ratios

Spec: TypeAlias = dict[str, Any]
Name: TypeAlias = Callable[[str], str]
"""Returns the name of a bot as the page shows it."""

WIDTH = 760
STEP, LOW_STEP = 26, 18
"""The height of a row in pixels, and the lower height that a row has if there are more than MANY rows."""
MANY = 16
MOST_LINES = 10
"""The most bots that have a line in their own colour. Readers cannot distinguish more colours."""
OVER_TIME = (
    "The average rank of each bot over its matches so far. With more matches it changes less.",
    "The rating of each bot after the matches so far, and its 95 % interval as a band under the pointer.",
)
"""Two texts: the first explains the chart of average ranks over time, and the second explains the chart of
ratings over time."""
QUIET: Spec = {"grid": False, "domain": False, "ticks": False}


def standings(rows: Sequence[Row], order: Decider, seats: int, name: Name) -> Spec:
    """Plots the numbers that decide the places of the bots, with their intervals, the best bot on top."""
    values = [
        {"bot": name(row.bot), "average": found.value, "low": found.low, "high": found.high}
        for row in rows
        if (found := ranged(row, order)).value is not None
    ]
    bounds: Spec = {"domain": [1, seats]} if order == "rank" else {"zero": False}
    rank: Spec = {"type": "quantitative", "scale": {**bounds, "nice": False}}
    better = "right" if BY_ORDER[order].highest_first else "left"
    interval = ", with the 95 % interval" if any(each["low"] is not None for each in values) else ""
    title = f"{BY_ORDER[order].noun}{interval} ({better} is better)"
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
    """Plots how often each bot finished at each place."""
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
    """Plots average ranks over the tournament, or ratings with their intervals.

    If there are many bots, only the best bots have a colour.
    """
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
    """Plots how long answers took, and the limit for an answer."""
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


# -- parts of plots --------------------------------------------------------------------------------


def _rows(values: Iterable[Spec], count: int) -> Spec:
    """Makes a plot with one row for each bot."""
    height = max(1, count) * (STEP if count <= MANY else LOW_STEP)
    return {"data": {"values": list(values)}, "width": WIDTH - 170, "height": height}


def _bots(values: Iterable[Spec]) -> Spec:
    """Makes the axis with the bots, in the order of the values."""
    names = list(dict.fromkeys(value["bot"] for value in values))
    axis: Spec = {**QUIET, "title": None}
    return {"field": "bot", "type": "nominal", "sort": names, "axis": axis}


def _spread(place: int, places: int) -> int:
    """Returns the shade of a place (counted from 0). The best place gets the first of all shades, and the
    last place gets the last shade."""
    return place * (PLACES - 1) // max(1, places - 1)


# -- a sequential test -------------------------------------------------------------------------------
#
# `ratios` builds the plot of a sequential test as a Vega-Lite specification.


def ratios(found: Ratios) -> Spec:
    """Plots the log-likelihood ratio of a sequential test after each number of pairs, and its bounds."""
    ratio: Spec = {"field": "ratio", "type": "quantitative", "axis": {"title": "log-likelihood ratio"}}
    pairs: Spec = {"field": "pairs", "type": "quantitative", "axis": {"title": "pairs", "grid": False}}
    line: Spec = {"type": "line", "stroke": "var(--accent)", "strokeWidth": 2}
    ends = [
        {"ratio": found.lower, "told": "accepts elo0"},
        {"ratio": found.upper, "told": "accepts elo1"},
    ]
    # The text is at the right end, where there is no axis.
    told: Spec = {"type": "text", "align": "right", "dx": -4, "dy": -8, "x": "width"}
    return {
        "width": WIDTH - 120,
        "height": 260,
        "layer": [
            {
                "data": {"values": ends},
                "mark": {"type": "rule", "stroke": "var(--soft)", "strokeDash": [6, 4]},
                "encoding": {"y": ratio},
            },
            {
                "data": {"values": ends},
                "mark": told,
                "encoding": {"y": ratio, "text": {"field": "told", "type": "nominal"}},
            },
            {
                "data": {"values": [{"pairs": number, "ratio": value} for number, value in found.course]},
                "mark": line,
                "encoding": {"x": pairs, "y": ratio},
            },
        ],
    }


# -- opponents ---------------------------------------------------------------------------------------
#
# `beats`, `against_house` and `meetings` build plots as Vega-Lite specifications. The plots show how often
# bots met, and how often one bot ranked better than another bot.


MOST_LISTS = 6
"""The most house bots for which lists of bars are drawn. For more house bots, a heat map is drawn instead."""
MOST_NUMBERED = 14
"""The most bots in a heat map with numbers in its cells. With more bots, the cells are too small for
numbers."""
_SHARES = (0.2, 0.35, 0.47, 0.53, 0.65, 0.8)


def beats(pairs: Mapping[Pair, Met], bots: Sequence[str], others: Sequence[str], name: Name) -> Spec:
    """Plots, for each pair of bots, the share of common matches in which the row's bot ranked better."""
    values = [
        {
            **_pair(bot, other, met, f"better in {100 * met.share:.0f} % of", name),
            "share": met.share,
            "percent": f"{100 * met.share:.0f}",
        }
        for bot in bots
        for other in others
        if (met := pairs.get((bot, other)))
    ]
    shades = [f"var(--heat{shade})" for shade in range(SHADES)]
    colour: Spec = {
        "field": "share",
        "type": "quantitative",
        "scale": {"type": "threshold", "domain": list(_SHARES), "range": shades},
        "legend": None if len(others) <= MOST_NUMBERED else {"title": None, "format": ".0%"},
    }
    return _grid(values, [name(bot) for bot in bots], [name(bot) for bot in others], colour)


def against_house(pairs: Mapping[Pair, Met], bots: Sequence[str], house: Sequence[str], name: Name) -> Spec:
    """Plots a list of bars for each house bot. A bar is the share of common matches in which a bot ranked
    better than the house bot."""
    values = [
        {
            **_pair(bot, other, met, f"better in {100 * met.share:.0f} % of", name),
            "none": 0,
            "share": met.share,
            "percent": f"{100 * met.share:.0f}",
        }
        for bot in bots
        for other in house
        if (met := pairs.get((bot, other)))
    ]
    names, others = [name(bot) for bot in bots], [name(bot) for bot in house]
    step = STEP if len(names) <= MANY else LOW_STEP
    rows: Spec = {"y": {"field": "bot", "type": "nominal", "sort": names, "axis": {**QUIET, "title": None}}}
    share: Spec = {
        "type": "quantitative",
        "scale": {"domain": [0, 1.12]},
        "axis": {"title": None, "format": ".0%", "values": [0, 0.5, 1], "domain": False, "ticks": False},
    }
    bars: Spec = {
        "mark": {"type": "rect", "height": {"band": 0.7}, "fill": "var(--accent)", "opacity": 0.45},
        "encoding": {
            **rows,
            "x": {**share, "field": "none"},
            "x2": {"field": "share"},
            "href": {"field": "href"},
            "description": {"field": "said"},
        },
    }
    numbers: Spec = {
        "mark": {"type": "text", "fontSize": 11, "align": "left", "dx": 4},
        "encoding": {**rows, "x": {**share, "field": "share"}, "text": {"field": "percent"}},
    }
    header: Spec = {"title": None, "labelFontSize": 13, "labelColor": "var(--ink)", "labelAnchor": "start"}
    return {
        "data": {"values": values},
        "facet": {"column": {"field": "other", "type": "nominal", "sort": others, "header": header}},
        "spec": {
            "width": max(60, (WIDTH - 170) // max(1, len(others)) - 20),
            "height": max(1, len(names)) * step,
            "layer": [bars, numbers],
        },
    }


def meetings(pairs: Mapping[Pair, Met], bots: Sequence[str], others: Sequence[str], name: Name) -> Spec:
    """Plots the number of matches that each pair of bots played together."""
    values = [
        {**_pair(bot, other, met, "", name), "matches": met.matches, "percent": str(met.matches)}
        for bot in bots
        for other in others
        if (met := pairs.get((bot, other)))
    ]
    counts = sorted({met.matches for met in pairs.values()})
    shades = [f"var(--count{place * 4 // max(1, len(counts) - 1)})" for place in range(len(counts))]
    scale: Spec = {"domain": counts, "range": shades}
    colour: Spec = {"field": "matches", "type": "ordinal", "scale": scale, "legend": None}
    return _grid(values, [name(bot) for bot in bots], [name(bot) for bot in others], colour)


def _pair(bot: str, other: str, met: Met, said: str, name: Name) -> Spec:
    """Makes a cell of a heat map: its two bots, its text for pointer and keyboard, and the link to the
    matches of these bots."""
    words = " ".join(filter(None, (said, count_of(met.matches, "match"))))
    return {
        "bot": name(bot),
        "other": name(other),
        "said": f"{name(bot)} against {name(other)}: {words}",
        "href": to_matches(bot=name(bot), against=name(other)),
    }


def _grid(values: Sequence[Spec], names: Sequence[str], others: Sequence[str], colour: Spec) -> Spec:
    """Makes a heat map of bots against bots."""
    side = max(14, min(64, (WIDTH - 170) // max(1, len(others))))
    size: Spec = {
        "width": side * len(others),
        "height": min(side, 32 if len(names) <= MANY else 22) * len(names),
    }
    angle = -40 if len(others) <= MOST_NUMBERED else -90
    across: Spec = {**QUIET, "title": None, "orient": "top", "labelAngle": angle, "labelLimit": 150}
    down: Spec = {**QUIET, "title": None}
    cells: Spec = {
        "mark": {"type": "rect", "stroke": "var(--paper)", "strokeWidth": 2},
        "encoding": {"color": colour, "href": {"field": "href"}, "description": {"field": "said"}},
    }
    numbers: Spec = {"mark": {"type": "text", "fontSize": 11}, "encoding": {"text": {"field": "percent"}}}
    return {
        "data": {"values": list(values)},
        **size,
        "encoding": {
            "y": {"field": "bot", "type": "nominal", "sort": list(names), "axis": down},
            "x": {"field": "other", "type": "nominal", "sort": list(others), "axis": across},
        },
        "layer": [cells, numbers] if len(others) <= MOST_NUMBERED else [cells],
    }
