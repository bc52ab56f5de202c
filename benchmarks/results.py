"""Owns the results on disk, a JSON file for each run of the benchmarks; judges none of them."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import msgspec

from benchmarks.sample import Sample

FOLDER = Path(__file__).parent / "results"


class Machine(msgspec.Struct, frozen=True):
    """Where a run was measured: figures of different machines do not compare."""

    processor: str
    cores: int
    system: str
    python: str
    trio: str
    msgspec: str


class Results(msgspec.Struct, frozen=True):
    """All samples of a run, round by round, by the name of the row."""

    at: datetime
    machine: Machine
    load: float
    """The mean number of processes that wanted a processor, in the minute before."""
    samples: dict[str, list[Sample]]
    readings: dict[str, list[float]] = {}
    """What each gauge read, by its name."""


def machine() -> Machine:
    """This one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Machine(
        _processor(),
        cores,
        platform.platform(),
        platform.python_version(),
        version("trio"),
        version("msgspec"),
    )


def keep(results: Results, folder: Path = FOLDER) -> Path:
    """Writes the results into a file of their own."""
    path = folder / f"{results.at:%Y%m%d-%H%M%S}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")
    return path


def last(names: Iterable[str], folder: Path = FOLDER) -> Results | None:
    """The newest results in the folder that hold all of these rows and gauges, if there are any."""
    wanted = set(names)
    for path in sorted(folder.glob("*.json"), reverse=True):
        results = msgspec.json.decode(path.read_bytes(), type=Results)
        if wanted <= results.samples.keys() | results.readings.keys():
            return results
    return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "unknown")
