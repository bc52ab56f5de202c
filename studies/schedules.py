"""Measures how much longer schedules are than the shortest possible schedule, and how much time it takes to
make them.

    python -m studies.schedules           # all fields: about a minute
    python -m studies.schedules 30 200    # only fields of 30 and of 200 bots

Every pair of bots meets at least once (`meet = 1`). No schedule can have fewer encounters than Schönheim's
bound: to meet all others, each of n bots has to sit at least at (n - 1) / (k - 1) tables of k seats, rounded
up. All these numbers are added up and divided by k, because k bots share a table. A row has the number of
encounters, the bound, the encounters divided by the bound, the fewest and the most meetings of a pair, and
the CPU time. The exit code is 1 if it takes more than 30 s to make a schedule, because a user should not have
to wait longer.
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
    """The figures of a schedule: the number of its encounters, the lower bound of this number, the meetings
    of a pair, and the CPU time to make it."""

    encounters: int
    fewest: int
    meetings: tuple[int, int]
    """The fewest and the most meetings of a pair."""
    cpu_s: float

    @property
    def longer(self) -> float:
        """The number of encounters divided by the lower bound."""
        return self.encounters / self.fewest


def fewest(bots: int, seats: int) -> int:
    """Schönheim's bound: the number of encounters that a schedule needs at least, if every pair has to
    meet."""
    tables = -(-(bots - 1) // (seats - 1))
    return -(-bots * tables // seats)


def schedule(bots: int, seats: int) -> Made:
    """Makes a schedule for this number of bots at tables with this number of seats."""
    began = process_time()
    rounds = rounds_for(bots, seats, Meet(1))
    took = process_time() - began
    told = certify(bots, rounds)
    return Made(told.encounters, fewest(bots, seats), told.per_pair, took)


def main(arguments: Sequence[str]) -> int:
    """Prints a row for each number of bots and seats. Returns 1 if it takes too long to make a schedule."""
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
