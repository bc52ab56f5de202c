"""Adds up the numbers that a bot wrote in its comments, and makes a curve for each name. After the comment
`# data money 12`, a number of the bot has the name `money`.

A curve has two values for each answer of a match: the mean of the number over all matches, and the spread.
The memory does not grow with the number of matches.

The spread is the standard deviation of a sample: s = sqrt(sum of (x - mean)^2 / (n - 1)), added up value by
value without large sums. Source: Welford, "Note on a method for calculating corrected sums of squares and
products" (1962).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

MOST_CURVES = 12
"""The most curves of a bot. Each name of a number has a curve; further names are left out."""
MOST_ANSWERS = 1_000
"""The number of the last answer in a match that the curves show. Later answers are left out."""


class CurvePoint(NamedTuple):
    """One point of a curve. The point is for one answer of each match, for example for the third answers. It
    summarizes the numbers that the bot wrote with these answers."""

    answer: int
    """The number of the answer in its match. The answer to `new` has the number 0."""
    matches: int
    mean: float
    spread: float
    """The standard deviation; 0 if the bot wrote this number in only one match."""


class NumberCurve(NamedTuple):
    """All numbers with one name."""

    name: str
    points: Sequence[CurvePoint]

    @property
    def range(self) -> tuple[float, float]:
        """The smallest value of a mean minus its spread, and the largest value of a mean plus its spread."""
        low = min(point.mean - point.spread for point in self.points)
        return low, max(point.mean + point.spread for point in self.points)


class _Sum:
    """The running mean of some numbers, and the sum of the squares of their distances from the mean."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.squares = 0.0

    def add(self, value: float) -> None:
        self.count += 1
        before = value - self.mean
        self.mean += before / self.count
        self.squares += before * (value - self.mean)

    @property
    def spread(self) -> float:
        return sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


class NumberCurves:
    """The curves of a bot."""

    def __init__(self) -> None:
        self._sums: dict[str, dict[int, _Sum]] = {}

    def add(self, answer: int, numbers: Mapping[str, float]) -> None:
        """Adds the numbers that a bot wrote with an answer. `answer` is the number of this answer."""
        if answer > MOST_ANSWERS:
            return
        for name, value in numbers.items():
            if name in self._sums or len(self._sums) < MOST_CURVES:
                self._sums.setdefault(name, {}).setdefault(answer, _Sum()).add(value)

    def all(self) -> list[NumberCurve]:
        """Returns the curves in the order of their names."""
        return [
            NumberCurve(
                name,
                [
                    CurvePoint(answer, each.count, each.mean, each.spread)
                    for answer, each in sorted(sums.items())
                ],
            )
            for name, sums in sorted(self._sums.items())
        ]


# -- the drawing -----------------------------------------------------------------------------------


WIDE, HIGH, LEFT, TOP, BOTTOM = 700.0, 180.0, 74.0, 10.0, 24.0
"""The size of the drawing and its margins, in units of the drawing."""


class DrawnCurve(NamedTuple):
    """A curve as paths of SVG, with the labels of its axes."""

    name: str
    line: str
    band: str
    """The area from the mean minus the spread to the mean plus the spread."""
    rules: Sequence[tuple[float, str]]
    """The height of each horizontal line, and its label."""
    first: int
    last: int
    points: Sequence[CurvePoint]


def drawn(curve: NumberCurve) -> DrawnCurve:
    """Draws a curve."""
    low, high = curve.range
    first, last = curve.points[0].answer, curve.points[-1].answer

    def x(answer: int) -> str:
        return f"{LEFT + (WIDE - LEFT) * (answer - first) / (last - first or 1):.1f}"

    def y(value: float) -> float:
        share = (high - value) / (high - low) if high > low else 0.5
        return TOP + (HIGH - TOP - BOTTOM) * share

    above = [f"{x(each.answer)} {y(each.mean + each.spread):.1f}" for each in curve.points]
    below = [f"{x(each.answer)} {y(each.mean - each.spread):.1f}" for each in reversed(curve.points)]
    values = (low, (low + high) / 2, high) if high > low else (low,)
    return DrawnCurve(
        name=curve.name,
        line="M" + "L".join(f"{x(each.answer)} {y(each.mean):.1f}" for each in curve.points),
        band=f"M{'L'.join((*above, *below))}Z",
        rules=[(round(y(value), 1), f"{value:.4g}") for value in values],
        first=first,
        last=last,
        points=curve.points,
    )
