"""Stores the figures of each run in a file in pyperf's format; `pyperf compare_to` compares such files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

import pyperf

from benchmarks.sample import Sample

FOLDER = Path(__file__).parent / "results"
UNITS = {
    "s": (1.0, "second"),
    "ms": (1e-3, "second"),
    "µs": (1e-6, "second"),
    "MB": (1e6, "byte"),
    "kB": (1e3, "byte"),
}
"""The factor and the name with which pyperf stores the unit of a gauge. The key is the first word of the
unit. For other units pyperf stores plain numbers."""


def suite(
    samples: Mapping[str, Sequence[Sample]], readings: Mapping[str, tuple[str, Sequence[float]]]
) -> pyperf.BenchmarkSuite:
    """The results as pyperf's benchmarks. A row has the seconds of a unit of work in each round, and a gauge
    has its values."""
    timed = {
        name: _benchmark(name, "second", [each.wall_s / each.units for each in found])
        for name, found in samples.items()
    }
    read = {}
    for name, (unit, values) in readings.items():
        factor, kind = UNITS.get(unit.split()[0], (1.0, "integer"))
        read[name] = _benchmark(name, kind, [value * factor for value in values])
    return pyperf.BenchmarkSuite([*timed.values(), *read.values()])


def keep(found: pyperf.BenchmarkSuite, folder: Path = FOLDER) -> Path:
    """Writes the results into a new file."""
    path = folder / f"{datetime.now():%Y%m%d-%H%M%S}.json"
    found.dump(str(path))
    return path


def _benchmark(name: str, unit: str, values: Sequence[float]) -> pyperf.Benchmark:
    # pyperf accepts only positive values, but the difference of two nearly equal times may be 0 or below.
    told = {"name": name, "unit": unit}
    return pyperf.Benchmark([pyperf.Run([max(value, 1e-12)], metadata=told) for value in values])
