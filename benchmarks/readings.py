"""Owns the table of what gauges read, each in a unit of its own; measures nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.figures import MISSED, Spread, bound, change, digits, spread, verdict
from benchmarks.gauges import Gauge

HEADS = ("beside the ratios", "median", "quartiles", "unit", "at most", "")
ALIGN = ("left", "right", "right", "left", "right", "left")
NOTE = """\
Beyond its rules: what `verify` takes for a match beside start, check, play, outcome and the lists of legal
moves. Memory: at its peak, one deal each. A bot's 1 ms: CPU time before each answer, asked in one of the
matches. 100,000 matches: made up in the process; what grows beside their results, from a fifth on."""


class Reading(NamedTuple):
    """What a gauge read, round by round."""

    gauge: Gauge
    values: Spread


def readings(gauges: Sequence[Gauge], values: Mapping[str, Sequence[float]]) -> list[Reading]:
    """A reading for each gauge."""
    return [Reading(gauge, spread(values[gauge.name])) for gauge in gauges]


def missed(reading: Reading) -> bool:
    """Whether the median is above what it may be."""
    return _verdict(reading) == MISSED


def _verdict(reading: Reading) -> str:
    return verdict(reading.values.median, reading.gauge.at_most)


def table(found: Sequence[Reading], before: Mapping[str, Reading] | None = None) -> str:
    """The readings for a person; with what they were `before`, a column of changes."""
    heads, align = [*HEADS], [*ALIGN]
    lines = [_line(reading) for reading in found]
    if before is not None:
        heads.append("last")
        align.append("right")
        for line, reading in zip(lines, found, strict=True):
            then = before.get(reading.gauge.name)
            line.append(change(reading.values.median, then and then.values.median))
    return tabulate(lines, heads, tablefmt="simple", colalign=align, disable_numparse=True)


def _line(reading: Reading) -> list[str]:
    gauge, values = reading.gauge, reading.values
    return [
        gauge.title,
        digits(values.median),
        "" if gauge.once else f"{digits(values.low)}..{digits(values.high)}",
        gauge.unit,
        bound(gauge.at_most),
        _verdict(reading),
    ]
