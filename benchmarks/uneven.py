"""Measures by simulation what place ranges are worth if bots do not meet the same opponents equally often.

    python -m benchmarks.uneven                    # all rows; needs about half an hour
    python -m benchmarks.uneven demo --trials 500  # the schedules whose names begin so

Bots of known strengths play; in a match each bot gets its strength and normal noise of deviation 1.2, and the
best sum wins. There are two bots of each strength, `step` apart from the next two; with step 0 all are equal.
In the rows `demo` the first two bots are far better than the others, as in `make demo`.

For both kinds of looks a row tells how often a place is wrong (a bot is placed above or below one that is not
worse or better; at most 5 %), and how many others a bot cannot be told apart from: with the fit of all
ratings (`results.fit`), and without it, when whole tables are compared. The rows `look` are for a look after
every deal of a pass through the schedule: a place is wrong if it was wrong at any look.
If a bound is not kept, the exit code is 1.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from typing import NamedTuple

from benchmarks.course import Field, add, played
from benchmarks.figures import drawn
from harness.results.apart import Ranks
from harness.results.claims import Claim, Looks, ranking
from harness.results.fit import Fit, fit_of
from harness.results.ranges import corrected, range_of
from harness.schedule.blocks import Meet, Rounds
from harness.schedule.plans import plan_rounds

LOOKS: tuple[Looks, ...] = ("any", "once")
LEVEL = 0.05
BEST = (4.0, 3.5)
"""The strengths of the two best bots of the demonstration; the others have 0."""


class Shape(NamedTuple):
    """A schedule and its deals, and how far the strengths are apart; None for those of the demonstration."""

    name: str
    bots: int
    seats: int
    by: Meet | Rounds
    deals: int
    step: float | None

    def blocks(self) -> list[tuple[str, ...]]:
        rounds = plan_rounds(self.bots, self.seats, self.by)
        return [tuple(f"{bot:02}" for bot in block) for each in rounds for block in each]

    def strengths(self, random: Random) -> dict[str, float]:
        names = random.sample([f"{bot:02}" for bot in range(self.bots)], self.bots)
        if self.step is None:
            return dict.fromkeys(names, 0.0) | dict(zip(names, BEST, strict=False))
        return {bot: number // 2 * self.step for number, bot in enumerate(names)}


SHAPES = [
    Shape("demo", 10, 4, Meet(1), 2, None),
    *(Shape("demo, other strengths", 10, 4, Meet(1), 2, step) for step in (0.0, 0.5, 1.0)),
    *(Shape("demo, 20 deals", 10, 4, Meet(1), 20, step) for step in (0.0, 0.15, 0.5, 1.0)),
    *(Shape("course", 15, 4, Meet(5), 2, step) for step in (0.0, 0.15, 0.5)),
    *(Shape("pairs by lot", 24, 2, Rounds(6), 10, step) for step in (0.0, 0.15, 0.5, 1.0)),
    *(Shape("pairs by lot, 50 deals", 24, 2, Rounds(6), 50, step) for step in (0.0, 0.15, 1.0)),
    *(Shape("fours by lot", 24, 4, Rounds(6), 5, step) for step in (0.0, 0.15, 0.5, 1.0)),
    *(Shape("fours by lot, 25 deals", 24, 4, Rounds(6), 25, step) for step in (0.0, 0.15, 1.0)),
]
LOOKED_AT = [
    *(Shape("look: demo", 10, 4, Meet(1), 10, step) for step in (0.0, 0.5, 1.0)),
    *(Shape("look: pairs by lot", 12, 2, Rounds(5), 20, step) for step in (0.0, 0.3)),
]


class Found(NamedTuple):
    """Sums over bots and trials."""

    bots: int = 0
    wrong: int = 0
    open: int = 0
    """The others from which these bots cannot be told apart."""

    def plus(self, other: Found) -> Found:
        return Found(*map(sum, zip(self, other, strict=True)))

    @property
    def kept(self) -> bool:
        """Whether places are wrong as seldom as promised, but for the luck of the simulation."""
        return self.wrong / self.bots <= LEVEL + 2 * sqrt(LEVEL * (1 - LEVEL) / self.bots)


def judged(
    field: Field, strengths: Mapping[str, float], looks: Looks, fit: Fit | None
) -> Mapping[str, Found]:
    """The place range of each bot against its true places."""
    claims: dict[str, dict[str, Claim]] = {bot: {} for bot in field}
    for own, other in combinations([Ranks(bot, deals) for bot, deals in field.items()], 2):
        claim = ranking(own, other, looks, fit)
        claims[own.bot][other.bot], claims[other.bot][own.bot] = claim, claim.turned()
    found = {}
    for bot, own_claims in claims.items():
        held = corrected(own_claims)
        # Here the claims alone decide who is ahead.
        keys = {bot: 0.0} | {other: claim.behind - claim.ahead for other, claim in held.items()}
        best, worst, left = range_of(bot, keys, held, 1 - LEVEL)
        above = sum(strength > strengths[bot] for strength in strengths.values())
        equal = sum(strength >= strengths[bot] for strength in strengths.values())
        found[bot] = Found(1, int(best > 1 + above or worst < equal), len(left))
    return found


def measured(shape: Shape, looks: Looks, fitted: bool, trials: int, seed: int) -> Found:
    """One look after all deals."""
    blocks, total = shape.blocks(), Found()
    for trial in range(trials):
        random = Random(f"{seed} {trial} {shape}")
        strengths = shape.strengths(random)
        field: Field = {bot: {} for bot in strengths}
        add(field, played(blocks, shape.deals, strengths, random))
        for each in judged(field, strengths, looks, fit_of(field) if fitted else None).values():
            total = total.plus(each)
    return total


def watched(shape: Shape, trials: int, seed: int) -> Found:
    """A look after each deal of all encounters: a place is wrong if it ever was."""
    blocks, total = shape.blocks(), Found()
    for trial in range(trials):
        random = Random(f"{seed} {trial} {shape}")
        strengths = shape.strengths(random)
        field: Field = {bot: {} for bot in strengths}
        wrong: set[str] = set()
        last: Mapping[str, Found] = {}
        for look in range(shape.deals):
            add(field, played(blocks, 1, strengths, random, look))
            last = judged(field, strengths, "any", fit_of(field))
            wrong |= {bot for bot, each in last.items() if each.wrong}
        for bot, each in last.items():
            total = total.plus(each._replace(wrong=int(bot in wrong)))
    return total


def row(shape: Shape, founds: Sequence[Found | None]) -> list[str]:
    """The cells of a row."""
    cells = [shape.name, "-" if shape.step is None else f"{shape.step:g}"]
    for found in founds:
        if found is None:
            cells += ["", ""]
        else:
            missed = "" if found.kept else " MISSED"
            cells += [f"{100 * found.wrong / found.bots:.1f}{missed}", f"{found.open / found.bots:.1f}"]
    return [*cells, str(shape.bots - 1)]


def rows(name: str, trials: int, seed: int) -> Iterator[tuple[list[str], bool]]:
    """The rows of the table, and whether each keeps its bounds."""
    for shape in [*SHAPES, *LOOKED_AT]:
        if not shape.name.startswith(name):
            continue
        founds: list[Found | None]
        if shape in LOOKED_AT:
            founds = [watched(shape, max(1, trials // 4), seed), None, None, None]
        else:
            founds = [measured(shape, looks, fit, trials, seed) for looks in LOOKS for fit in (True, False)]
        # Without the fit the rows are only for comparison.
        yield row(shape, founds), all(found is None or found.kept for found in founds[::2])
        print(end=".", file=sys.stderr, flush=True)


def main() -> int:
    """Prints the table; 1 if a bound is not kept."""
    parser = ArgumentParser(prog="python -m benchmarks.uneven")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--trials", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = list(rows(given.name, given.trials, given.seed))
    sums = [f"{looks}{fit}{what}" for looks in LOOKS for fit in ("", "*") for what in (" wrong %", " open")]
    heads = ["schedule", "step", *sums, "of"]
    print(file=sys.stderr)
    print(drawn(heads, ["left", *["right"] * 10], [cells for cells, _ in found]))
    print("* without the fit")
    return 0 if all(kept for _, kept in found) else 1


if __name__ == "__main__":
    sys.exit(main())
