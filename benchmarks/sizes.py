"""Measures the CPU time and memory that harness itself needs for tournaments of 5 to 5,000 bots.

    python -m benchmarks.sizes                     # all formats: some eight minutes
    python -m benchmarks.sizes swiss --bots 5000   # only formats named swiss..., only 5,000 bots

The results are random numbers, so no bot is started, and knock-outs have many ties. Everything else is real:
the pairings, the journal, the disqualification of two bots, and the end. Each tournament runs in a process of
its own, so that its peak memory can be measured. A row is printed as soon as it is known. Formats with
`[stop]` have at most 50 bots, because each round computes all claims again. The exit code is 1 if a
tournament needs more than 240 s of CPU time or 500 MB.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from harness.events import Disqualified, Played, RoundBegan
from tests.play.scripted import of, on_record
from tests.schedule.formats.sized import FORMATS, SIZES, a_sized, at_once, sizes_of

SECONDS, MEGABYTES = 240.0, 500
CHEATS = {"bot0002": 3, "bot0004": 3}
MAC = sys.platform == "darwin"


class Cost(NamedTuple):
    """What a tournament needed."""

    encounters: int
    rounds: int
    out: int
    seconds: float
    megabytes: int


def cost(name: str, bots: int) -> Cost:
    """Plays one tournament in this process."""
    with TemporaryDirectory() as folder:
        began = process_time()
        at_once(a_sized(name, bots, rerun="keep"), Path(folder) / "logs", CHEATS)
        took = process_time() - began
        peak = getrusage(RUSAGE_SELF).ru_maxrss // (2**20 if MAC else 2**10)
        records = on_record(Path(folder) / "logs")
    rounds = len(of(RoundBegan, records)) or len({(each.run, each.round) for each in of(Played, records)})
    return Cost(len(of(Played, records)), rounds, len(of(Disqualified, records)), took, peak)


def main(arguments: Sequence[str]) -> int:
    """Prints a row for each format and number of bots. Returns 1 if a figure is above its bound."""
    parser = ArgumentParser(prog="python -m benchmarks.sizes")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--bots", type=int, nargs="+", default=SIZES, choices=SIZES)
    given = parser.parse_args(arguments)
    kept = True
    print(f"{'format':20} {'bots':>5} {'encounters':>10} {'rounds':>6} {'out':>3} {'CPU s':>6} {'MB':>4}")
    for name in FORMATS:
        for bots in sorted({*given.bots}.intersection(sizes_of(name))) if name.startswith(given.name) else ():
            with ProcessPoolExecutor(1, get_context("spawn")) as alone:
                found = alone.submit(cost, name, bots).result()
            kept &= found.seconds <= SECONDS and found.megabytes <= MEGABYTES
            print(
                f"{name:20} {bots:5} {found.encounters:10} {found.rounds:6} {found.out:3} "
                f"{found.seconds:6.2f} {found.megabytes:4}",
                flush=True,
            )
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
