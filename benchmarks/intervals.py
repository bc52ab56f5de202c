"""Measures how often the 95 % intervals of the standings contain the true average, and how wide they are.

    python -m benchmarks.intervals                       # the whole grid: nine minutes of a free core
    python -m benchmarks.intervals --deal same           # with the same deals in every seat
    python -m benchmarks.intervals --bots 8 --deals 10   # a part of the grid

Tournaments of bots with known strengths are simulated (`benchmarks.known_strengths`), all equal or spread.
For each cell of the grid, the table shows the share of intervals that contain the truth, and how many times
wider the intervals are than an interval whose error is known. The bar: 93 to 97 % contain the truth, they are
at most 1.3 times wider, and no interval has width 0. A cell that misses the bar has a mark: `>` if too many
intervals contain the truth, `<` if too few, `w` if they are too wide, `0` if some have width 0.

Every cell has at least 2,000 intervals (2,000 tournaments if all bots share a table, because their intervals
depend on each other) and a seed of its own. `<` allows for the luck of the simulation: two standard errors.
The exit code is 1 if a cell has `<` or `0`.

Some cells cannot keep the bar: the average of a few matches has only a few values. Of two equal bots at two
seats, an interval around the average contains the truth in 50 or 100 % of cases after 2 matches, and in 87.5
or 100 % after 4. There the intervals are those that are too wide, not those that are too narrow. In the whole
grid 41 cells have `>`, all with at most four deals of a bot in each seat; none has `w`, `<` or `0`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from random import Random
from typing import NamedTuple

from tabulate import tabulate

from benchmarks.known_strengths import Field, simulated

BOTS = (2, 4, 8, 16, 64)
SEATS = (2, 4)
ENCOUNTERS = (1, 2, 4, 8, 32)
DEALS = (1, 2, 10, 100)
INTERVALS = 2_000
RIGHT = (0.93, 0.97)
WIDEST = 1.3
MARKS = {
    "<": "too few intervals contain the truth",
    ">": "too many intervals contain the truth",
    "w": "the intervals are too wide",
    "0": "an interval has width 0",
}
HEADERS = ("bots", "seats", "enc.", "deals") + 2 * ("right %", "width", "needed", "times", "")


class Cell(NamedTuple):
    """What the intervals of one kind of tournament are worth."""

    field: Field
    intervals: int
    right: float
    """The share that contains the truth."""
    width: float
    needed: float
    empty: int
    """The number of intervals of width 0."""

    @property
    def times(self) -> float:
        """How many times wider than needed the intervals are."""
        return self.width / self.needed

    @property
    def luck(self) -> float:
        """The standard error of `right`."""
        return sqrt(0.95 * 0.05 / (self.intervals / self.field.bots))

    @property
    def marks(self) -> str:
        """The marks of the bars that the cell misses."""
        few, many = RIGHT
        missed = {
            "<": self.right < few - 2 * self.luck,
            ">": self.right > many,
            "w": self.times > WIDEST,
            "0": self.empty > 0,
        }
        return "".join(mark for mark, true in missed.items() if true)

    @property
    def told(self) -> Sequence[str]:
        """The cells of the table."""
        return (
            f"{100 * self.right:.1f}",
            f"{self.width:.3f}",
            f"{self.needed:.3f}",
            f"{self.times:.2f}",
            self.marks,
        )


def measured(field: Field, intervals: int = INTERVALS, seed: int = 1) -> Cell:
    """Simulates tournaments until there are this many intervals."""
    random = Random(f"{seed} {field}")
    one_table = field.bots == field.seats
    drawn = list(simulated(field, intervals if one_table else -(-intervals // field.bots), random))
    right = sum(each.interval.low <= each.truth <= each.interval.high for each in drawn)
    widths = [each.interval.high - each.interval.low for each in drawn]
    needed = sum(each.needed(field.seats) for each in drawn) / len(drawn)
    empty = sum(width <= 0 for width in widths)
    return Cell(field, len(drawn), right / len(drawn), sum(widths) / len(drawn), needed, empty)


def counted(cells: Sequence[Cell]) -> Iterator[str]:
    """Sentences that count the cells that keep the bar."""
    yield f"{sum(not cell.marks for cell in cells)} of {len(cells)} cells keep the bar."
    for mark, said in MARKS.items():
        missed = [cell for cell in cells if mark in cell.marks]
        most = max((cell.field.encounters * cell.field.deals for cell in missed), default=0)
        if missed:
            yield f"{mark} {said}: {len(missed)} cells, with at most {most} deals of a bot in each seat."


def main() -> int:
    """Prints the table: for each kind of tournament, equal and spread strengths beside each other."""
    parser = ArgumentParser(prog="python -m benchmarks.intervals")
    for name, values in (("bots", BOTS), ("seats", SEATS), ("encounters", ENCOUNTERS), ("deals", DEALS)):
        parser.add_argument(f"--{name}", type=int, nargs="+", default=values)
    parser.add_argument("--deal", choices=("fresh", "same"), default="fresh")
    parser.add_argument("--intervals", type=int, default=INTERVALS)
    told = parser.parse_args()
    cells: list[Cell] = []
    rows = []
    for bots, seats, encounters, deals in product(told.bots, told.seats, told.encounters, told.deals):
        if seats > bots:
            continue
        both = [
            Field(bots, seats, encounters, deals, told.deal == "fresh", spread) for spread in (False, True)
        ]
        found = [measured(field, told.intervals) for field in both]
        cells += found
        rows.append([bots, seats, encounters, deals, *found[0].told, *found[1].told])
        print(end=".", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(
        tabulate(
            rows, HEADERS, disable_numparse=True, colalign=["right"] * 8 + ["left"] + ["right"] * 4 + ["left"]
        )
    )
    print("\n".join(counted(cells)))
    return int(any(set(cell.marks) & set("<0") for cell in cells))


if __name__ == "__main__":
    sys.exit(main())
