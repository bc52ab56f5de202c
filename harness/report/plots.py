"""Draws Vega-Lite specifications as SVG.

The page contains the SVG. So a plot loads no file and runs no code, can be printed, and uses the colours of
the page (CSS variables). `vl-convert-python` contains Vega and needs neither Node nor a browser. Without it,
a report has its tables, but no plots.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

LIBRARY = "vl-convert-python"
"""The name of the drawing library on the Python Package Index."""
MISSING = f"to get plots, install {LIBRARY}"
_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
_CONFIG: Mapping[str, Any] = {
    "background": None,
    # Vega does not know how wide the letters of the reader's font are, so leave some room.
    "padding": {"left": 28, "right": 28, "top": 20, "bottom": 4},
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
    """Whether the drawing library is installed."""
    return importlib.util.find_spec("vl_convert") is not None


def drawer() -> Callable[[Mapping[str, Any]], str]:
    """A function that draws a specification as SVG; it returns "" if the drawing library is missing."""
    if not can_draw():
        return lambda spec: ""
    import vl_convert

    def svg(spec: Mapping[str, Any]) -> str:
        drawn: str = vl_convert.vegalite_to_svg({"config": _CONFIG, **spec}, vl_version="5.20")
        return drawn

    return svg
