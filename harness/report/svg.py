"""Draws plots as SVG: shapes, texts, scales and axes.

A page contains its plots, so they load no file, run no code and can be printed. Colours are names of
variables in the style sheet, so that a plot fits both the light and the dark theme. All lengths are in
pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, cos, floor, log10, radians, sin, sqrt
from unicodedata import bidirectional, category, normalize

from markupsafe import Markup, escape

SIZE = 12
"""The size of the letters."""
MOST_WIDE = 140
"""The most space that a name gets. A longer name is cut."""
INK, SOFT, LINE, ACCENT, PAPER = (f"var(--{name})" for name in ("ink", "soft", "line", "accent", "paper"))
_NARROW, _BROAD = frozenset("iljtfrI.,:;|!'()[]- "), frozenset("mwMW@%")


class Drawing:
    """A picture. If a part is added outside of the picture's edges, the picture grows, so that no part is cut
    off."""

    def __init__(self) -> None:
        self._parts: list[Markup] = []
        self._left = self._top = self._right = self._bottom = 0.0

    def cover(self, left: float, top: float, right: float, bottom: float) -> None:
        """Makes the picture large enough to contain this rectangle."""
        self._left, self._top = min(self._left, left), min(self._top, top)
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)

    def add(self, part: Markup) -> None:
        """Adds a shape."""
        self._parts.append(part)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        anchor: str = "start",
        colour: str = INK,
        turn: int = 0,
        whole: str = "",
        **more: object,
    ) -> None:
        """Adds a text whose middle line is at `y`, turned by `turn` degrees, and makes room for it.

        `anchor` says which part of the text is at `x`: its start, its middle or its end. If the pointer is on
        the text, the page shows `whole`.
        """
        wide = width_of(words)
        start = -wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        corners = [(start + part * wide, side * SIZE * 0.7) for part in (0, 1) for side in (-1, 1)]
        across, down = cos(radians(turn)), sin(radians(turn))
        xs = [x + right * across - below * down for right, below in corners]
        ys = [y + right * down + below * across for right, below in corners]
        self.cover(min(xs), min(ys), max(xs), max(ys))
        if turn:
            more["transform"] = f"rotate({turn} {_short(x)} {_short(y)})"
        inside = Markup("{}{}").format(words, shape("title", whole)) if whole else words
        self.add(shape("text", inside, x=x, y=y, dy="0.35em", text_anchor=anchor, fill=colour, **more))

    def name(
        self, x: float, y: float, words: str, anchor: str = "start", most: float = MOST_WIDE, turn: int = 0
    ) -> None:
        """Adds a name. If the name is too long, it is cut, and the pointer shows the whole name."""
        short = cut(words, most)
        self.text(x, y, short, anchor, turn=turn, whole=words if short != words else "")

    def svg(self, title: str) -> Markup:
        """Returns the SVG. `title` is its label for screen readers."""
        left, top = floor(self._left) - 1, floor(self._top) - 1
        wide, high = ceil(self._right) + 1 - left, ceil(self._bottom) + 1 - top
        # If the role is "img", a screen reader cannot reach the links inside.
        role = "group" if any(part.startswith("<a ") for part in self._parts) else "img"
        return Markup(
            '<svg role="{}" aria-label="{}" style="--wide: {}px" viewBox="{} {} {} {}" '
            'font-size="{}">{}</svg>'
        ).format(role, title, wide, left, top, wide, high, SIZE, Markup("").join(self._parts))


def shape(tag: str, inside: str | Markup = "", /, **attributes: object) -> Markup:
    """Makes an element of SVG. In names of attributes, "_" stands for "-"."""
    plain = {name: _short(value) if isinstance(value, float) else value for name, value in attributes.items()}
    named = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in plain.items()
    )
    return Markup(f"<{tag}{named}>{escape(inside)}</{tag}>")


def path(points: Iterable[tuple[float, float]], **attributes: object) -> Markup:
    """Makes a line through these points."""
    return shape("path", d="M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points), **attributes)


def width_of(words: str) -> float:
    """Estimates the width of a text. The font of the reader is not known, so the estimate is generous."""
    return SIZE * sum(map(_part_of_size, normalize("NFD", words)))


def _part_of_size(sign: str) -> float:
    """Estimates the width of a character as a part of the size of the letters."""
    if sign in _NARROW:
        return 0.42
    if category(sign) in ("Mn", "Me", "Cf"):  # Accents and invisible characters need no space.
        return 0
    usual = sign.isascii() or bidirectional(sign) in ("R", "AL")
    return 0.66 if usual and sign not in _BROAD else 1


def cut(words: str, most: float = MOST_WIDE) -> str:
    """Shortens a text to this width."""
    if width_of(words) <= most:
        return words
    while width_of(words) > most - SIZE:
        words = words[:-1]
    return f"{words}…"


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


# -- scales ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinearScale:
    """Places the values from `low` to `high` between the pixels `start` and `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Returns the pixel of a value."""
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low or 1)

    def step(self, count: int) -> float:
        """Returns the step that divides the scale into about `count` parts. The step is a round number.

        A round number is 1, 2 or 5 times a power of ten. If the exact step is between two round numbers, it
        is compared with the geometric mean of the two. Below the mean, the smaller number is chosen, and
        otherwise the larger number.
        """
        part = (self.high - self.low or 1) / count
        power = 10.0 ** floor(log10(part))
        times = next((n for n, most in ((1, 2), (2, 10), (5, 50)) if part / power < sqrt(most)), 10)
        return times * power

    def ticks(self, count: int) -> list[tuple[float, str]]:
        """Returns about `count` round values on the scale, with their texts."""
        step = self.step(count)
        decimals = max(0, -floor(log10(step) + 1e-9))
        numbers = range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
        return [(number * step, _said(number * step, decimals)) for number in numbers]

    def whole_ticks(self, space: float) -> list[tuple[float, str]]:
        """Returns round whole numbers on the scale, with their texts for an axis below a plot. There are
        about as many numbers as have this space, but fewer if their texts need more."""
        most = max(1, min(int((self.end - self.start) / space), ceil(self.high)))
        choices = (self._whole(count) for count in range(most, 0, -1))
        return next((found for found in choices if self._is_roomy(found)), [])

    def _whole(self, count: int) -> list[tuple[float, str]]:
        return [(value, _said(value, 0)) for value, _ in self.ticks(count) if value == round(value)]

    def _is_roomy(self, ticks: Sequence[tuple[float, str]]) -> bool:
        widest = max((width_of(words) for _, words in ticks), default=0)
        return all(self(after) - self(value) >= widest + SIZE for (value, _), (after, _) in pairwise(ticks))

    def rounded(self, count: int) -> LinearScale:
        """Returns a scale whose ends are round values."""
        step = self.step(count)
        return LinearScale(floor(self.low / step) * step, ceil(self.high / step) * step, self.start, self.end)


@dataclass(frozen=True)
class LogScale:
    """Places positive values between the pixels `start` and `end` on a logarithmic scale: from 1 to 10 is as
    far as from 10 to 100."""

    low: float
    high: float
    start: float
    end: float

    @property
    def _decades(self) -> LinearScale:
        return LinearScale(log10(self.low), log10(self.high), self.start, self.end)

    def __call__(self, value: float) -> float:
        """Returns the pixel of a value."""
        return self._decades(log10(value))

    def ticks(self) -> list[tuple[float, str]]:
        """Returns round values on the scale, with their texts: powers of ten. If there are few powers of ten,
        their multiples by 2 and 5 are added, where they have space. If there is not enough space for all
        powers of ten, every second power is left out."""
        decades = self._decades
        first, last = floor(decades.low), ceil(decades.high)
        room = (self.end - self.start) / (decades.high - decades.low)
        times = (1, 2, 5) if last - first <= 3 and room >= 100 else (1,)
        powers = range(last, first - 1, -1 if room >= 45 else -2)
        values = [n * 10.0**power for power in reversed(powers) for n in times]
        return [
            (value, _said(value, max(0, -floor(log10(value)))))
            for value in values
            if self.low <= value <= self.high
        ]


def _said(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}"


# -- axes --------------------------------------------------------------------------------------------


def axis_below(
    drawing: Drawing,
    at: LinearScale | LogScale,
    bottom: float,
    ticks: Sequence[tuple[float, str]],
    title: str,
    grid: bool = False,
) -> None:
    """Adds the numbers below a plot, a line for each number if `grid` is true, and the title of the axis.

    If the title is wider than the axis, the title ends where the axis ends. Such a title may begin to the
    left of the axis, because there is space below the names.
    """
    for value, words in ticks:
        x = at(value)
        if grid:
            drawing.add(path([(x, 0), (x, bottom)], stroke=LINE))
        drawing.text(x, bottom + 14, words, "middle")
    drawing.cover(at.start, 0, at.end, bottom)
    drawing.add(path([(at.start, bottom), (at.end, bottom)], stroke=LINE))
    if title:
        wider = width_of(title) > at.end - at.start
        x, anchor = (at.end, "end") if wider else ((at.start + at.end) / 2, "middle")
        drawing.text(x, bottom + 36, title, anchor, SOFT)


def axis_left(
    drawing: Drawing,
    at: LinearScale,
    right: float,
    ticks: Sequence[tuple[float, str]],
    title: str,
) -> None:
    """Adds the numbers at the left of a plot, a line for each number, and the title of the axis."""
    widest = max(width_of(words) for _, words in ticks)
    for value, words in ticks:
        drawing.add(path([(0, at(value)), (right, at(value))], stroke=LINE))
        drawing.text(-8, at(value), words, "end")
    drawing.text(-widest - 24, (at.start + at.end) / 2, title, "middle", SOFT, turn=-90)


def legend(drawing: Drawing, top: float, wide: float, entries: Iterable[tuple[str, str]]) -> None:
    """Adds a square for each colour with the words beside it, in rows below a plot that is `wide`."""
    x, y = 0.0, top
    for colour, words in entries:
        after = x + 18 + min(MOST_WIDE, width_of(words)) + 16
        if x and after > wide:
            x, y, after = 0.0, y + 20, after - x
        drawing.add(shape("rect", x=x, y=y - 6, width=12, height=12, fill=colour))
        drawing.name(x + 18, y, words)
        x = after
