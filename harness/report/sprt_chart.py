"""Builds the plot of a sequential test as a Vega-Lite specification: its ratio after each number of pairs."""

from __future__ import annotations

from collections.abc import Sequence

from harness.report.charts import WIDTH, Spec


def ratios(lower: float, upper: float, course: Sequence[tuple[int, float]]) -> Spec:
    """The log-likelihood ratio of a sequential test after each number of pairs, and its bounds."""
    ratio: Spec = {"field": "ratio", "type": "quantitative", "axis": {"title": "log-likelihood ratio"}}
    pairs: Spec = {"field": "pairs", "type": "quantitative", "axis": {"title": "pairs", "grid": False}}
    line: Spec = {"type": "line", "stroke": "var(--accent)", "strokeWidth": 2}
    ends = [{"ratio": lower, "told": "accepts elo0"}, {"ratio": upper, "told": "accepts elo1"}]
    told: Spec = {"type": "text", "align": "left", "dx": 4, "dy": -8, "x": 0}
    return {
        "width": WIDTH,
        "height": WIDTH // 2,
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
                "data": {"values": [{"pairs": number, "ratio": value} for number, value in course]},
                "mark": line,
                "encoding": {"x": pairs, "y": ratio},
            },
        ],
    }
