"""Draws how often bots met, and how often one bot ranked better than another: heat maps and lists of bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, radians

from markupsafe import Markup

from harness.escape import count_of, grouped
from harness.report.charts import TICK, WIDTH, Name, names_left, rows_high, step_of
from harness.report.grids import SHADES
from harness.report.names import to_matches
from harness.report.results import Met, Pair
from harness.report.svg import ACCENT, PAPER, Drawing, LinearScale, axis_below, legend, shape

MANY = 16
MOST_LISTS = 6
"""The most house bots for which lists of bars are drawn. For more house bots, a heat map is drawn instead."""
MOST_NUMBERED = 14
"""The most bots in a heat map with numbers in its cells. With more bots, the cells are too small for
numbers."""
_SHARES = (0.2, 0.35, 0.47, 0.53, 0.65, 0.8)
"""Each share at which another shade of a heat map begins. A share is `Met.share`."""
GAP = 20
BETWEEN = 34
"""The space between two lists of bars. The last number below a list and the first number below the next list
need this space."""


def beats(
    pairs: Mapping[Pair, Met], bots: Sequence[str], others: Sequence[str], name: Name, wide: float = WIDTH
) -> Drawing:
    """Draws, for each pair of bots, the share of common matches in which the row's bot ranked better."""
    drawing = _grid(
        pairs,
        bots,
        others,
        name,
        wide,
        said=_better,
        number=lambda met: f"{100 * met.share:.0f}",
        shade=lambda met: f"var(--heat{sum(met.share >= bound for bound in _SHARES)})",
    )
    if len(others) > MOST_NUMBERED:
        side = _side(len(others), wide)
        _legend(drawing, len(bots) * _high(len(bots), side) + GAP, side * len(others))
    return drawing


def meetings(
    pairs: Mapping[Pair, Met], bots: Sequence[str], others: Sequence[str], name: Name, wide: float = WIDTH
) -> Drawing:
    """Draws the number of matches that each pair of bots played together."""
    counts = sorted({met.matches for met in pairs.values()})
    shades = {count: place * 4 // max(1, len(counts) - 1) for place, count in enumerate(counts)}
    return _grid(
        pairs,
        bots,
        others,
        name,
        wide,
        said=lambda met: count_of(met.matches, "match"),
        number=lambda met: grouped(met.matches),
        shade=lambda met: f"var(--count{shades[met.matches]})",
    )


def against_house(
    pairs: Mapping[Pair, Met], bots: Sequence[str], house: Sequence[str], name: Name, all_wide: float = WIDTH
) -> Drawing:
    """Draws a list of bars for each house bot. A bar shows in which share of their common matches
    a bot ranked better than the house bot."""
    drawing, step, bottom = Drawing(), step_of(len(bots)), rows_high(len(bots))
    rows = list(names_left(drawing, list(map(name, bots))))
    wide = max(60, all_wide // max(1, len(house)) - BETWEEN)
    parts = (0, 50, 100) if wide > 3 * TICK else (0, 100)
    for column, other in enumerate(house):
        left = column * (wide + BETWEEN)
        across = LinearScale(0, 1.12, left, left + wide)
        drawing.name(left, -14, name(other), most=wide)
        axis_below(drawing, across, bottom, [(part / 100, f"{part} %") for part in parts], "", grid=True)
        for bot, y in zip(bots, rows, strict=True):
            if not (met := pairs.get((bot, other))):
                continue
            long = across(met.share) - left
            bar = {"x": left, "y": y - 0.35 * step, "width": long, "height": 0.7 * step}
            drawing.add(_cell(bot, other, name, _better(met), **bar, fill=ACCENT, opacity=0.45))
            drawing.text(left + long + 4, y, f"{100 * met.share:.0f}", class_="number")
    return drawing


def _better(met: Met) -> str:
    return f"better in {100 * met.share:.0f} % of {count_of(met.matches, 'match')}"


def _cell(bot: str, other: str, name: Name, said: str, **box: object) -> Markup:
    """Makes a shape for two bots. The shape has a link to the matches of these bots, and a text. The text
    appears if the pointer or the keyboard reaches the shape."""
    words = f"{name(bot)} against {name(other)}: {said}"
    rect = shape("rect", shape("title", words), **box)
    return shape("a", rect, href=to_matches(bot=name(bot), against=name(other)), aria_label=words)


def _side(columns: int, wide: float) -> int:
    """Returns the width of a cell. A cell with a number is at least as wide as the number 100."""
    return max(24 if columns <= MOST_NUMBERED else 14, min(64, int(wide / max(1, columns))))


def _high(rows: int, side: int) -> int:
    return min(side, 32 if rows <= MANY else 22)


def _grid(
    pairs: Mapping[Pair, Met],
    bots: Sequence[str],
    others: Sequence[str],
    name: Name,
    wide: float,
    *,
    said: Callable[[Met], str],
    number: Callable[[Met], str],
    shade: Callable[[Met], str],
) -> Drawing:
    """Draws a heat map of bots against bots."""
    drawing, side = Drawing(), _side(len(others), wide)
    high, numbered = _high(len(bots), side), len(others) <= MOST_NUMBERED
    # If cells are narrow, the names above them are turned by 90 degrees, so that the last name needs no space
    # at the right.
    turn = -40 if numbered and side >= 28 else -90
    for column, other in enumerate(others):
        # A turned text begins at its lower left corner.
        drawing.name((column + 0.5) * side + 4 * cos(radians(turn)), -10, name(other), turn=turn)
    for row, bot in enumerate(bots):
        y = (row + 0.5) * high
        drawing.name(-8, y, name(bot), "end")
        for column, other in enumerate(others):
            if not (met := pairs.get((bot, other))):
                continue
            box = {"x": column * side, "y": row * high, "width": side, "height": high}
            look = {"fill": shade(met), "stroke": PAPER, "stroke_width": 2}
            drawing.add(_cell(bot, other, name, said(met), **box, **look))
            if numbered:
                drawing.text((column + 0.5) * side, y, number(met), "middle", class_="number")
    drawing.cover(0, 0, side * len(others), high * len(bots))
    return drawing


def _legend(drawing: Drawing, top: float, wide: float) -> None:
    """Adds a legend that explains which shade stands for which share."""
    bounds = [f"below {100 * _SHARES[0]:.0f} %", *(f"from {100 * share:.0f} %" for share in _SHARES)]
    legend(drawing, top, wide, [(f"var(--heat{shade})", bounds[shade]) for shade in range(SHADES)])
