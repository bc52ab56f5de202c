"""Builds the plots of opponents: who met whom, and who ranked better, as Vega-Lite specifications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.report.charts import LOW_STEP, MANY, QUIET, STEP, WIDTH, Name, Spec
from harness.report.grids import SHADES
from harness.report.links import to_matches
from harness.report.results import Met, Pair

MOST_LISTS = 6
"""If a gauntlet has more house bots, no list of bars is drawn for each of them."""
MOST_NUMBERED = 14
"""A heat map of more bots has no numbers in its cells: they do not fit."""
_SHARES = (0.2, 0.35, 0.47, 0.53, 0.65, 0.8)


def beats(pairs: Mapping[Pair, Met], bots: Sequence[str], others: Sequence[str], name: Name) -> Spec:
    """For each two bots, the share of common matches in which the row's bot ranked better."""
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
    """For each house bot a list of bars: the share of common matches in which each bot ranked better."""
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
    """The number of matches that each two bots played together."""
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
    """A cell of a heat map: its two bots, its words for pointer and keyboard, and its matches."""
    words = " ".join(filter(None, (said, f"{met.matches} match{'es' if met.matches != 1 else ''}")))
    return {
        "bot": name(bot),
        "other": name(other),
        "said": f"{name(bot)} against {name(other)}: {words}",
        "href": to_matches(bot=name(bot), against=name(other)),
    }


def _grid(values: Sequence[Spec], names: Sequence[str], others: Sequence[str], colour: Spec) -> Spec:
    """A heat map of bots against bots."""
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
