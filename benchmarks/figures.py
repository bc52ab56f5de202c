"""Computes medians, quartiles and ratios from samples, and writes them as a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.rows import Row
from benchmarks.sample import Sample

HEADS = ("", "µs", "CPU µs", "×", "quartiles", "of", "at most", "")
ALIGN = ("left", "right", "right", "right", "right", "left", "right", "left")
KEPT, MISSED = "kept", "MISSED"
NOTE = """\
µs: the wall-clock time for each move of the game. This time includes handshakes, starts and ends of
processes, rules, limits and the log, but is divided only by the number of moves (in rows that start bots: by
the number of starts). CPU µs: the CPU time of the harness and its workers, without the bots. ×: this row's µs
divided by the µs of the row in the column `of`. Each round gives such a ratio. The table has the median and
the quartiles of these ratios."""


class Spread(NamedTuple):
    """A median and the quartiles around it."""

    median: float
    low: float
    high: float


class Figure(NamedTuple):
    """The figures of a row: the median wall-clock and CPU time of a unit of work, in microseconds, and the
    ratio to another row."""

    row: Row
    wall_us: float
    cpu_us: float
    ratio: Spread


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of the values; there must be at least one value."""
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    low, middle, high = quantiles(values, n=4, method="inclusive")
    return Spread(middle, low, high)


def wall_us(sample: Sample) -> float:
    """Wall-clock time of one unit of work, in microseconds."""
    return sample.wall_s / sample.units * 1e6


def figures(rows: Sequence[Row], samples: Mapping[str, Sequence[Sample]]) -> list[Figure]:
    """A figure for each row. Both times of a ratio are from the same round, because a busy machine disturbs
    all rows of a round alike. The figure has the median of the ratios of all rounds."""
    return [_figure(row, samples[row.name], samples[row.against]) for row in rows]


def _figure(row: Row, own: Sequence[Sample], others: Sequence[Sample]) -> Figure:
    return Figure(
        row,
        median([wall_us(sample) for sample in own]),
        median([sample.cpu_s / sample.units * 1e6 for sample in own]),
        spread([wall_us(one) / wall_us(other) for one, other in zip(own, others, strict=True)]),
    )


def verdict(figure: float, at_most: float | None) -> str:
    """A word that says whether the figure is within its bound; "" if there is no bound."""
    if at_most is None:
        return ""
    return KEPT if figure <= at_most else MISSED


def missed(figure: Figure) -> bool:
    """Whether the ratio is above its bound."""
    return _verdict(figure) == MISSED


def _verdict(figure: Figure) -> str:
    return verdict(figure.ratio.median, figure.row.at_most)


def table(found: Sequence[Figure]) -> str:
    """The figures as a table for a person."""
    return drawn(HEADS, ALIGN, map(_line, found))


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


def drawn(heads: Sequence[str], align: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table of these texts for a person."""
    return tabulate(lines, heads, tablefmt="simple", colalign=align, disable_numparse=True)


def digits(number: float) -> str:
    """A number as text for a person: three digits, or more if there are more than three before the decimal
    point."""
    return f"{number:.{2 if abs(number) < 10 else 1 if abs(number) < 100 else 0}f}"


def bound(at_most: float | None) -> str:
    """A bound for a person."""
    return "" if at_most is None else f"{at_most:.3g}"
