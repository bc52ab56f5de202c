"""Owns the arithmetic from samples to a table: medians, quartiles, ratios; measures nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.rows import Row
from benchmarks.sample import Sample

HEADS = ("", "µs", "quartiles", "CPU µs", "×", "quartiles", "of", "at most", "wish")
ALIGN = ("left", "right", "right", "right", "right", "right", "left", "right", "right")


class Spread(NamedTuple):
    """A median and the quartiles around it."""

    median: float
    low: float
    high: float


class Figure(NamedTuple):
    """What the samples of a row say: microseconds a unit, by the clock and of CPU; the ratio to another."""

    row: Row
    wall_us: Spread
    cpu_us: float
    ratio: Spread


def spread(values: Sequence[float]) -> Spread:
    """Quartiles of at least one value."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return Spread(middle, low, high)


def wall_us(sample: Sample) -> float:
    """Microseconds by the clock for each unit."""
    return sample.wall_s / sample.units * 1e6


def figures(rows: Sequence[Row], samples: Mapping[str, Sequence[Sample]]) -> list[Figure]:
    """A figure for each row. A ratio is the median of the ratios within each round, since what disturbs one
    row of a round disturbs its neighbours too."""
    return [_figure(row, samples[row.name], samples[row.against]) for row in rows]


def _figure(row: Row, own: Sequence[Sample], others: Sequence[Sample]) -> Figure:
    return Figure(
        row,
        spread([wall_us(sample) for sample in own]),
        median([sample.cpu_s / sample.units * 1e6 for sample in own]),
        spread([wall_us(one) / wall_us(other) for one, other in zip(own, others, strict=True)]),
    )


def missed(figure: Figure) -> bool:
    """Whether the ratio is above what it may be."""
    return figure.row.at_most is not None and figure.ratio.median > figure.row.at_most


def table(found: Sequence[Figure], before: Mapping[str, Figure] | None = None) -> str:
    """The figures for a person; with what they were `before`, a column of changes."""
    heads, align = [*HEADS], [*ALIGN]
    lines = [_line(figure) for figure in found]
    if before is not None:
        heads.append("last ×")
        align.append("right")
        for line, figure in zip(lines, found, strict=True):
            line.append(_change(figure, before.get(figure.row.name)))
    return tabulate(lines, heads, tablefmt="simple", colalign=align, disable_numparse=True)


def _line(figure: Figure) -> list[str]:
    row, wall, ratio = figure.row, figure.wall_us, figure.ratio
    return [
        row.title,
        f"{wall.median:.1f}",
        f"{wall.low:.1f}..{wall.high:.1f}",
        f"{figure.cpu_us:.1f}",
        f"{ratio.median:.2f}",
        f"{ratio.low:.2f}..{ratio.high:.2f}",
        row.against,
        _goal(row.at_most) + (" MISSED" if missed(figure) else ""),
        _goal(row.wish),
    ]


def _goal(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:g}"


def _change(now: Figure, before: Figure | None) -> str:
    if before is None:
        return "-"
    change = now.ratio.median / before.ratio.median - 1
    return f"{before.ratio.median:.2f} ({change:+.0%})"
