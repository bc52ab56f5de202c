"""Compares computed numbers and moves on two builds of Python, whose processor architectures and libraries
for `math` differ.

    python -m studies.bits                   # prints the digests of the numbers and moves of this Python
    python -m studies.bits --pyodide FOLDER  # compares them; docs/studies.md says how to make this folder

Pyodide is CPython for WebAssembly. Its C library is musl, and it runs in node. The study also counts how many
values of `math` differ in their last bits, to show that the two libraries differ.

Numbers: simulated bots play matches, and only random whole numbers decide the results. From these results the
model of `statistics.mixed` computes averages, intervals, doubts and Elo ratings, and the method of bets
(`statistics.betting`) computes doubts. Moves: in each of the five games, sparring bots play a small ladder in
the process of the study. The exit code is 1 if a number or a move differs.
"""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, zip_longest
from pathlib import Path
from random import Random
from subprocess import run

from msgspec import convert

from harness.chance import Seeded, derived
from harness.config.sparring import PREFIX
from harness.games import find
from harness.results.statistics.betting import bets, least_doubt
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.wide import averages_of
from harness.sparring.rungs import kept
from harness.sparring.search import choice
from tests.results.statistics.tables import Match

ROOT = Path(__file__).parents[1]
FIELDS = ((8, 2, 5, 3), (12, 3, 4, 3), (24, 2, 6, 5), (12, 4, 6, 2), (70, 2, 5, 2))
"""For each field of bots, the numbers of bots, seats, rounds and deals. For more than 64 bots the model
computes in another way, so one field is larger."""
OTHERS = 12
VALUES = 20_000
DEALS = {"sevens": 4, "squash": 100, "squadron": 4, "biplane": 2, "stratego": 1}
"""The number of deals that each pair of sparring bots plays in a ladder. Each deal is played in both orders
of seats. Squash has the most deals, because a match of Squash has very few choices."""
BUDGETS = (1, 1.5, 8)
"""The play-outs that each of the three sparring bots of a ladder has for an answer."""
START = """
import { loadPyodide } from "pyodide";
const python = await loadPyodide();
python.mountNodeFS("/project", process.argv[1]);
python.mountNodeFS("/packages", process.argv[2]);
console.log(python.runPython(`
import sys
sys.path[:0] = ["/project", "/packages"]
sys.dont_write_bytecode = True
from studies.bits import told
told()
`));
"""


def by_lot(seed: int, bots: int, seats: int, rounds: int, deals: int) -> Iterator[Match]:
    """Yields matches between tables of bots that are drawn by lot. Each table has two sittings."""
    random = Random(seed)
    strengths = [random.randrange(-100, 101) for _ in range(bots)]
    for turn in range(rounds):
        lot = random.sample(range(bots), bots)
        for begin in range(0, bots - seats + 1, seats):
            table = lot[begin : begin + seats]
            for deal in range(deals * seats):
                sums = [strengths[bot] + random.randrange(-200, 201) for bot in table]
                ranks = tuple(0.5 + sum((one > own) + (one == own) / 2 for one in sums) for own in sums)
                encounter = f"{turn}-{begin}"
                name = f"{encounter}.{deal % 2}.{deal}"
                yield Match(name, encounter, tuple(f"bot{bot:03}" for bot in table), ranks, name)


def numbers() -> Iterator[float]:
    """Yields the numbers that the model and the bets compute from these matches."""
    for seed, (bots, seats, rounds, deals) in enumerate(FIELDS):
        model = averages_of(meetings_of(by_lot(seed, bots, seats, rounds, deals)), seats)
        for bot in model.bots:
            yield from (model.average(bot), *model.interval(bot))
            yield from (model.doubt(bot, other) for other in model.bots[:OTHERS] if other != bot)
        for elo in model.elo().values():
            yield from elo
    random = Random("bets")
    for deals in (5, 50, 500):
        differences = [random.choice((-1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1)) for _ in range(deals)]
        yield from (bets(differences).doubt, least_doubt(differences))


def ladder(name: str) -> Iterator[str]:
    """Yields all moves and ranks of a small ladder, in which each pair of sparring bots meets in both orders
    of seats. Then yields the average ranks that the model computes, with all their bits."""
    matches: list[Match] = []
    for one, two in combinations(BUDGETS, 2):
        for deal in range(DEALS[name]):
            for budgets in ((one, two), (two, one)):
                moves, ranks = match_of(name, budgets, derived(one, two, deal))
                yield from (*moves, str(ranks))
                bots = tuple(f"{PREFIX}{each:g}" for each in budgets)
                matches.append(Match(str(len(matches)), f"{one} {two}", bots, ranks, f"{one} {two} {deal}"))
    model = averages_of(meetings_of(matches), 2)
    for bot in model.bots:
        yield from (float(number).hex() for number in (model.average(bot), *model.interval(bot)))


def match_of(name: str, budgets: Sequence[float], seed: int) -> tuple[list[str], tuple[float, ...]]:
    """Plays a match of sparring bots, with the same options as the ladder that comes with the game. Returns
    the moves and the ranks."""
    shipped, game, chance = kept(name), find(name), Seeded(seed)
    assert shipped
    state, _ = game.start(convert(shipped.options, game.options), len(budgets), chance)
    said: list[str] = []
    while acting := state.to_act():
        asked = len(said)
        moves = {seat: choice(state, seat, budgets[seat - 1], derived(seed, asked, seat)) for seat in acting}
        said += moves.values()
        state, _ = state.play(moves, chance)
    outcome = state.outcome()
    assert outcome
    return said, tuple(outcome.ranks)


def of_library() -> Mapping[str, list[str]]:
    """Returns values that functions of the C library compute, with all their bits."""
    random = Random("values")
    points = [random.uniform(0.01, 10) for _ in range(VALUES)]
    functions = {"exp": math.exp, "log": math.log, "erfc": math.erfc, "tan": math.tan}
    return {name: [function(point).hex() for point in points] for name, function in functions.items()}


def told() -> str:
    """Returns all numbers and moves of this Python as JSON."""
    same = {"the model": [float(number).hex() for number in numbers()]}
    same |= {f"a ladder of {name}": [*ladder(name)] for name in DEALS}
    return json.dumps({"python": sys.version, "same": same, "library": of_library()})


def differ(one: Sequence[str], two: Sequence[str]) -> int:
    """Compares two sequences text by text. Returns how many texts differ; those at the end of the longer
    sequence count too."""
    return sum(mine != other for mine, other in zip_longest(one, two))


def main() -> int:
    """Prints how many numbers and moves differ. Returns the exit code."""
    parser = ArgumentParser(prog="python -m studies.bits")
    parser.add_argument("--pyodide", metavar="FOLDER", help="with node_modules/pyodide and packages")
    folder = parser.parse_args().pyodide
    own = json.loads(told())
    print(f"Python {own['python'].split()[0]}")
    for name, values in own["same"].items():
        digest = sha256("\n".join(values).encode()).hexdigest()[:16]
        print(f"{name}: {len(values)} numbers and moves, SHA-256 {digest}")
    if folder is None:
        return 0
    mounts = [str(ROOT), str(Path(folder, "packages").resolve())]
    node = ["node", "--input-type=module", "--eval", START, *mounts]
    found = json.loads(run(node, cwd=folder, check=True, capture_output=True, text=True).stdout)
    print(f"Python {found['python'].split()[0]} of Pyodide")
    missed = {name: differ(values, found["same"][name]) for name, values in own["same"].items()}
    for name, number in missed.items():
        print(f"{name}: {number} differ (at most 0)")
    for name, values in own["library"].items():
        print(f"math.{name}: {100 * differ(values, found['library'][name]) / VALUES:.2f} % of values differ")
    return int(any(missed.values()))


if __name__ == "__main__":
    sys.exit(main())
