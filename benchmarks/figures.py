"""Owns the arithmetic from samples to a table: medians, quartiles, ratios; measures nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.rows import Row
from benchmarks.sample import Sample

HEADS = ("", "µs", "CPU µs", "×", "quartiles", "of", "at most", "")
ALIGN = ("left", "right", "right", "right", "right", "left", "right", "left")
KEPT, ACCEPTED, MISSED = "kept", "accepted", "MISSED"
NOTE = """\
µs: by the clock, for each move of the game; handshakes, starts and ends of processes, rules, limits and the
log's writing are in it, but only moves are counted. Rows that start bots count starts. CPU µs: the
controller's own, its workers' with it, never the bots'. ×: the median of the ratios within each round, its
quartiles beside it. accepted: not what is aimed at, and not too bad either."""


class Spread(NamedTuple):
    """A median and the quartiles around it."""

    median: float
    low: float
    high: float


class Figure(NamedTuple):
    """What the samples of a row say: the median of microseconds a unit, by the clock and of CPU; the ratio to
    another."""

    row: Row
    wall_us: float
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
        median([wall_us(sample) for sample in own]),
        median([sample.cpu_s / sample.units * 1e6 for sample in own]),
        spread([wall_us(one) / wall_us(other) for one, other in zip(own, others, strict=True)]),
    )


def verdict(figure: float, at_most: float | None, worst: float | None = None) -> str:
    """Whether a bound is kept, in a word; "" where there is none."""
    if at_most is None:
        return ""
    if figure <= at_most:
        return KEPT
    return ACCEPTED if worst is not None and figure <= worst else MISSED


def missed(figure: Figure) -> bool:
    """Whether the ratio is above what is accepted."""
    return _verdict(figure) == MISSED


def _verdict(figure: Figure) -> str:
    return verdict(figure.ratio.median, figure.row.at_most, figure.row.worst)


def table(found: Sequence[Figure], before: Mapping[str, Figure] | None = None) -> str:
    """The figures for a person; with what they were `before`, a column of changes."""
    changes = () if before is None else [_since(figure, before.get(figure.row.name)) for figure in found]
    return drawn(HEADS, ALIGN, map(_line, found), "last ×", changes)


def _since(now: Figure, then: Figure | None) -> str:
    return change(now.ratio.median, then and then.ratio.median)


def _line(figure: Figure) -> list[str]:
    row, ratio = figure.row, figure.ratio
    return [
        row.title,
        digits(figure.wall_us),
        digits(figure.cpu_us),
        digits(ratio.median),
        f"{digits(ratio.low)}..{digits(ratio.high)}",
        row.against,
        bound(row.at_most),
        _verdict(figure),
    ]


def drawn(
    heads: Sequence[str],
    align: Sequence[str],
    lines: Iterable[Sequence[str]],
    last: str = "",
    changes: Sequence[str] = (),
) -> str:
    """A table of texts for a person; changes, if there are any, in a column with the head `last`."""
    if changes:
        heads, align = (*heads, last), (*align, "right")
        lines = [(*line, change) for line, change in zip(lines, changes, strict=True)]
    return tabulate(lines, heads, tablefmt="simple", colalign=align, disable_numparse=True)


def digits(number: float) -> str:
    """A number for a person: three digits, or all before the point."""
    return f"{number:.{2 if abs(number) < 10 else 1 if abs(number) < 100 else 0}f}"


def bound(at_most: float | None) -> str:
    """A bound for a person."""
    return "" if at_most is None else f"{at_most:.3g}"


def change(now: float, before: float | None) -> str:
    """What a figure was before, and by how much it has changed since."""
    return "-" if before is None else f"{digits(before)} {now / before - 1:+.0%}"
