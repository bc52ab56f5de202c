"""Draws the plots of a report as SVG, in a process of its own.

The page contains the SVG. So a plot loads no file and runs no code, can be printed, and uses the colours of
the page (CSS variables). `vl-convert-python` contains Vega and needs neither Node nor a browser. Without this
library, a report has its tables, but no plots.

The library contains V8, a JavaScript engine. If V8 cannot reserve enough address space, it ends its whole
process, and no code can prevent this. If a container has too little memory, the kernel kills the process. In
both cases only the process that draws ends, and the report has its tables and a sentence instead of the
plots.
"""

from __future__ import annotations

import importlib.util
import resource
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self, TypeAlias

from harness.job.workers import Crew, die_silently

Drawn: TypeAlias = Mapping[str, Any]
LIBRARY = "vl-convert-python"
"""The name of the drawing library on the Python Package Index."""
MISSING = f"to get plots, install {LIBRARY}"
LEAST_GB = 65
"""The address space that the library needs, in units of 2^30 bytes. With version 1.9, `ulimit -v 67600000`
was enough for the library, and 67300000 was too little. V8 reserves the addresses, but uses 150 MB of
memory."""
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
    """Returns whether the drawing library is installed."""
    return importlib.util.find_spec("vl_convert") is not None


class Drawer:
    """Draws specifications. Its process starts with the first specification, and ends with the `with`
    block."""

    def __init__(self) -> None:
        self.missing = "" if can_draw() else MISSING
        """The reason why there are no plots, or "" as long as plots can be drawn."""
        self._crew = Crew[Drawn, str](1, 1, "draws plots", _engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crew.__exit__(kind, error, trace)

    def __call__(self, spec: Drawn) -> str:
        """Draws a specification as SVG. If this is impossible, returns "", and `missing` says why."""
        if self.missing:
            return ""
        try:
            self._crew.give(spec)
            return self._crew.take()[1]
        except OSError:
            self.missing = f"the plots are left out: {_why_it_died()}"
            return ""


def _why_it_died() -> str:
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or most >> 30 >= LEAST_GB:
        return "the process that draws them died; is there too little memory?"
    return (
        f"the program that draws them needs about {LEAST_GB} GB of address space; "
        f"`ulimit -v` is {most >> 10} ({most / (1 << 30):.1f} GB)"
    )


def _engine() -> Callable[[Drawn], str]:
    """Loads the library in the process that draws."""
    die_silently()  # Otherwise V8 would write its C++ stack.
    import vl_convert

    def svg(spec: Drawn) -> str:
        drawn: str = vl_convert.vegalite_to_svg({"config": _CONFIG, **spec}, vl_version="5.20")
        return drawn

    return svg
