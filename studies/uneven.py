"""Measures by simulation how often ranges of places are wrong, and how narrow they are, if bots do not meet
the same opponents equally often.

    python -m studies.uneven                    # all rows; needs some three minutes
    python -m studies.uneven demo --trials 500  # only schedules named "demo..."
    python -m studies.uneven --without          # also fills the columns *: takes three times as long

The bots are simulated, with known strengths. In a match the strength of each bot and normal noise of
deviation 1.2 are added up, and the bot with the highest sum wins. There are two bots of each strength, and
neighbouring strengths differ by `step`. With step 0 all bots are equal. In the row `demo` without a step, two
bots are far better than the others, as in `make demo`.

A row has figures for each value of the key `looks` ("any" and "once"). The first figure is the share of wrong
ranges (at most 5 %): such a range excludes a true place of the bot. The next figure, "open", is the mean
number of other bots that a bot cannot be told apart from. The usual columns use the fit of all ratings
(`statistics.fit`). The columns with * do not use it: there, whole tables are compared. In the rows `look`
somebody looks after every deal, and a range counts as wrong if it was wrong at any look. A row is printed as
soon as it is known. If a bound is not kept, the exit code is 1.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from typing import NamedTuple

from harness.results.statistics.claims import Claim, Looks, corrected, range_of, ranking
from harness.results.statistics.comparison import Ranks
from harness.results.statistics.fit import Fit, fit_of
from harness.schedule.designs import Meet, Rounds, rounds_for
from studies.course import LEVEL, LOOKS, Field, add, played

BEST = (4.0, 3.5)
"""The strengths of the two best bots in the row `demo`. The other bots have strength 0."""


class Shape(NamedTuple):
    """A schedule, the deals of an encounter, and the step between neighbouring strengths. With the step None,
    the strengths are those of `make demo`."""

    name: str
    bots: int
    seats: int
    by: Meet | Rounds
    deals: int
    step: float | None

    def blocks(self) -> list[tuple[str, ...]]:
        rounds = rounds_for(self.bots, self.seats, self.by)
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
    """Numbers that are added up over bots and trials: the bots, the wrong ranges, and the open
    comparisons."""

    bots: int = 0
    wrong: int = 0
    open: int = 0
    """The number of other bots from which a bot cannot be told apart, added up over these bots."""

    def plus(self, other: Found) -> Found:
        return Found(*map(sum, zip(self, other, strict=True)))

    @property
    def kept(self) -> bool:
        """Whether the share of wrong ranges keeps its bound. It may be above the bound by two standard
        errors, because a simulation has luck."""
        return self.wrong / self.bots <= LEVEL + 2 * sqrt(LEVEL * (1 - LEVEL) / self.bots)


def judged(
    field: Field, strengths: Mapping[str, float], looks: Looks, fit: Fit | None
) -> Mapping[str, Found]:
    """Compares the range of places of each bot with the true places of the bot."""
    claims: dict[str, dict[str, Claim]] = {bot: {} for bot in field}
    for own, other in combinations([Ranks(bot, deals) for bot, deals in field.items()], 2):
        claim = ranking(own, other, looks, fit)
        claims[own.bot][other.bot], claims[other.bot][own.bot] = claim, claim.turned()
    found = {}
    for bot, own_claims in claims.items():
        held = corrected(own_claims)
        # In the standings, averages decide who is ahead. Here only the claims decide this.
        keys = {bot: 0.0} | {other: claim.behind - claim.ahead for other, claim in held.items()}
        best, worst, left = range_of(bot, keys, held, 1 - LEVEL)
        above = sum(strength > strengths[bot] for strength in strengths.values())
        equal = sum(strength >= strengths[bot] for strength in strengths.values())
        found[bot] = Found(1, int(best > 1 + above or worst < equal), len(left))
    return found


def measured(shape: Shape, looks: Looks, fitted: bool, trials: int, seed: int) -> Found:
    """Simulates tournaments in which somebody looks once, after all deals."""
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
    """Simulates tournaments in which somebody looks after each deal. A range counts as wrong if it was wrong
    at any look."""
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


def cells(shape: Shape, founds: Sequence[Found | None]) -> list[str]:
    """The cells of a row."""
    row = [shape.name, "-" if shape.step is None else f"{shape.step:g}"]
    for found in founds:
        if found is None:
            row += ["", ""]
        else:
            missed = "" if found.kept else " MISSED"
            row += [f"{100 * found.wrong / found.bots:.1f}{missed}", f"{found.open / found.bots:.1f}"]
    return [*row, str(shape.bots - 1)]


def founds_of(shape: Shape, trials: int, seed: int, without: bool) -> list[Found | None]:
    """The figures of a row: for both values of `looks`, with the fit and, if `without` is true, also without
    it."""
    if shape in LOOKED_AT:
        return [watched(shape, max(1, trials // 4), seed), None, None, None]
    return [
        measured(shape, looks, fit, trials, seed) if fit or without else None
        for looks in LOOKS
        for fit in (True, False)
    ]


def line(row: Sequence[str]) -> str:
    """A row as text, in columns of fixed widths."""
    return "  ".join(
        [
            f"{row[0]:23} {row[1]:>4}",
            *(f"{cell:>{width}}" for cell, width in zip(row[2:], WIDTHS, strict=True)),
        ]
    )


WIDTHS = (10, 4) * 4 + (3,)
HEADS = ("schedule", "step", "any wrong", "open", "any*", "open", "once wrong", "open", "once*", "open", "of")


def main() -> int:
    """Prints each row as soon as it is known, and then the sums over all rows. Returns 1 if a bound is not
    kept."""
    parser = ArgumentParser(prog="python -m studies.uneven")
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without", action="store_true", help="compare whole tables, without the fit, too")
    given = parser.parse_args()
    kept, sums = True, {looks: Found() for looks in LOOKS}
    print(line(HEADS), flush=True)
    for shape in [*SHAPES, *LOOKED_AT]:
        if shape.name.startswith(given.name):
            founds = founds_of(shape, given.trials, given.seed, given.without)
            for looks, found in zip(LOOKS, founds[::2], strict=True):
                sums[looks] = sums[looks].plus(found or Found())
                kept &= found is None or found.kept
            print(line(cells(shape, founds)), flush=True)
    for looks, found in sums.items():
        if found.bots:
            share = 100 * found.wrong / found.bots
            print(f'looks = "{looks}": {found.wrong} of {found.bots} places wrong, {share:.2f} %')
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
