"""Measures how near schedules are to the shortest that is possible, and how long it takes to make them.

    python -m studies.schedules           # all fields: about a minute
    python -m studies.schedules 30 200    # only fields of so many bots

Every pair of bots meets at least once (`meet = 1`). No schedule can have fewer encounters than Schönheim's
bound: each of n bots needs at least (n - 1) / (k - 1) tables of k seats to meet all others, rounded up, and
these tables have k bots each. A row has the encounters, the bound, how many times as long as the bound the
schedule is, how often a pair meets at least and at most, and the CPU time. The exit code is 1 if a schedule
takes more than 30 s: a person may wait so long.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import product
from time import process_time
from typing import NamedTuple

from harness.schedule.certificate import certify
from harness.schedule.designs import Meet, rounds_for

BOTS = (5, 7, 10, 13, 30, 200)
SEATS = (2, 3, 4, 9)
AT_MOST_S = 30


class Made(NamedTuple):
    """A schedule: its encounters, the fewest that are possible, the meetings of a pair, its CPU time."""

    encounters: int
    fewest: int
    meetings: tuple[int, int]
    """The fewest and the most meetings of a pair."""
    cpu_s: float

    @property
    def longer(self) -> float:
        """How many times as long as the bound the schedule is."""
        return self.encounters / self.fewest


def fewest(bots: int, seats: int) -> int:
    """Schönheim's bound on the encounters in which every pair meets."""
    tables = -(-(bots - 1) // (seats - 1))
    return -(-bots * tables // seats)


def schedule(bots: int, seats: int) -> Made:
    """Makes the schedule of so many bots at tables of so many seats."""
    began = process_time()
    rounds = rounds_for(bots, seats, Meet(1))
    took = process_time() - began
    told = certify(bots, rounds)
    return Made(told.encounters, fewest(bots, seats), told.per_pair, took)


def main(arguments: Sequence[str]) -> int:
    """Prints a row for each field; 1 if a schedule takes too long."""
    parser = ArgumentParser(prog="python -m studies.schedules")
    parser.add_argument("bots", type=int, nargs="*", choices=[*BOTS, []], default=[])
    wanted = parser.parse_args(arguments).bots or BOTS
    kept = True
    print(
        f"{'bots':>4} {'seats':>5} {'encounters':>10} {'bound':>6} {'times':>5} {'meetings':>8} {'CPU s':>6}"
    )
    for bots, seats in product(wanted, SEATS):
        if seats > bots:
            continue
        found = schedule(bots, seats)
        kept &= found.cpu_s <= AT_MOST_S
        meetings = "-".join(map(str, found.meetings))
        print(
            f"{bots:4} {seats:5} {found.encounters:10} {found.fewest:6} {found.longer:5.2f} {meetings:>8} "
            f"{found.cpu_s:6.2f}{'' if found.cpu_s <= AT_MOST_S else ' TOO LONG'}",
            flush=True,
        )
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
