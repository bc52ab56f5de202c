"""Owns how a Vega-Lite specification becomes a drawing; knows nothing of what it shows.

The drawing is made here and stands in the page as SVG: nothing to load, nothing to run, it prints, and its
colours are the page's own (CSS variables). Vega comes with `vl-convert-python`, which needs no Node and no
browser. Without it a report has its tables and no plots.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

MISSING = "plots are drawn with: pip install 'harness[report]'"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
_CONFIG: Mapping[str, Any] = {
    "background": None,
    # Vega does not know how wide the reader's letters are: there is room to spare.
    "padding": {"left": 28, "right": 28, "top": 4, "bottom": 4},
    "font": _FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--ink)",
        "titleColor": "var(--soft)",
        "titleFontWeight": "normal",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 140,
        "labelPadding": 6,
    },
    "legend": {
        "labelColor": "var(--ink)",
        "titleColor": "var(--soft)",
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 120,
    },
    "text": {"fill": "var(--ink)", "fontSize": 12},
}


def can_draw() -> bool:
    """Whether what draws is installed."""
    return importlib.util.find_spec("vl_convert") is not None


def drawer() -> Callable[[Mapping[str, Any]], str]:
    """What makes SVG of a specification; "" each time where it is not installed."""
    if not can_draw():
        return lambda spec: ""
    import vl_convert

    def svg(spec: Mapping[str, Any]) -> str:
        drawn: str = vl_convert.vegalite_to_svg({"config": _CONFIG, **spec}, vl_version="5.20")
        return drawn

    return svg
