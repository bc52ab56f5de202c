"""The table of the readings of all gauges, each in its own unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from benchmarks.figures import MISSED, Spread, bound, digits, drawn, spread, verdict
from benchmarks.gauges import Gauge

HEADS = ("beside the ratios", "median", "quartiles", "unit", "at most", "")
ALIGN = ("left", "right", "right", "left", "right", "left")
NOTE = """\
Judged again: the time that `verify` takes for a match, divided by the time of the rules alone: start, check,
play, outcome and the lists of legal moves. Memory: at its peak, one deal each. A bot's 1 ms: CPU time before
each answer, asked in one of the matches. 100,000 matches: made up in the process; what grows beside their
results, from a fifth on."""


class Reading(NamedTuple):
    """The values that a gauge measured, one for each round."""

    gauge: Gauge
    values: Spread


def readings(gauges: Sequence[Gauge], values: Mapping[str, Sequence[float]]) -> list[Reading]:
    """A reading for each gauge that has values."""
    return [Reading(gauge, spread(values[gauge.name])) for gauge in gauges]


def missed(reading: Reading) -> bool:
    """Whether the median is above the gauge's bound."""
    return _verdict(reading) == MISSED


def _verdict(reading: Reading) -> str:
    return verdict(reading.values.median, reading.gauge.at_most)


def table(found: Sequence[Reading]) -> str:
    """The readings as a table for a person."""
    return drawn(HEADS, ALIGN, map(_line, found))


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
