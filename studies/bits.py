"""Compares the bits of the model's numbers with those of a Python that uses another library for `math`.

    python -m studies.bits                   # prints the digest of the numbers of this Python
    python -m studies.bits --pyodide FOLDER  # compares; first: cd FOLDER && npm install pyodide

Pyodide is CPython for WebAssembly. Its C library is musl, and it runs in node. Fields of bots play matches
that only whole random numbers decide. The model of `statistics.mixed` tells their averages, intervals, doubts
and Elo ratings, and bets tell doubts. The study also counts how many values of `math` differ in their last
bits, to show that the two libraries differ. The exit code is 1 if a number of the model differs.
"""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from subprocess import run

from harness.results.statistics.betting import bets, least_doubt
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.wide import averages_of
from tests.results.statistics.tables import Match

ROOT = Path(__file__).parents[1]
FIELDS = ((8, 2, 5, 3), (12, 3, 4, 3), (24, 2, 6, 5), (12, 4, 6, 2), (70, 2, 5, 2))
"""The bots, seats, rounds and deals of each field. More than 64 bots are computed in another way."""
OTHERS = 12
VALUES = 20_000
START = """
import { loadPyodide } from "pyodide";
const python = await loadPyodide();
python.mountNodeFS("/project", process.argv[1]);
console.log(python.runPython(`
import sys, types
sys.path.insert(0, "/project")
sys.dont_write_bytecode = True
msgspec = types.ModuleType("msgspec")  # The types of harness/model.py name it, but no number needs it.
msgspec.Meta = lambda **bounds: None
msgspec.Struct = type("Struct", (), {"__init_subclass__": classmethod(lambda cls, **keys: None)})
sys.modules["msgspec"] = msgspec
from studies.bits import told
told()
`));
"""


def by_lot(seed: int, bots: int, seats: int, rounds: int, deals: int) -> Iterator[Match]:
    """Yields matches by lot, in two sittings for each table."""
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
    """Yields the numbers of the model and of bets."""
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


def of_library() -> Mapping[str, list[str]]:
    """Returns values of functions of the C library, with all their bits."""
    random = Random("values")
    points = [random.uniform(0.01, 10) for _ in range(VALUES)]
    functions = {"exp": math.exp, "log": math.log, "erfc": math.erfc, "tan": math.tan}
    return {name: [function(point).hex() for point in points] for name, function in functions.items()}


def told() -> str:
    """Returns all numbers of this Python as JSON."""
    model = [float(number).hex() for number in numbers()]
    return json.dumps({"python": sys.version, "model": model, "library": of_library()})


def differ(one: Sequence[str], two: Sequence[str]) -> int:
    """Returns how many of these numbers differ."""
    return sum(mine != other for mine, other in zip(one, two, strict=True))


def main() -> int:
    """Prints the numbers that differ; the exit code."""
    parser = ArgumentParser(prog="python -m studies.bits")
    parser.add_argument("--pyodide", metavar="FOLDER", help="the folder with node_modules/pyodide")
    folder = parser.parse_args().pyodide
    own = json.loads(told())
    digest = sha256("".join(own["model"]).encode()).hexdigest()
    print(f"{len(own['model'])} numbers, SHA-256 {digest}, Python {own['python'].split()[0]}")
    if folder is None:
        return 0
    node = ["node", "--input-type=module", "--eval", START, str(ROOT)]
    found = json.loads(run(node, cwd=folder, check=True, capture_output=True, text=True).stdout)
    missed = differ(own["model"], found["model"])
    print(f"Python {found['python'].split()[0]} of Pyodide: {missed} of them differ (at most 0)")
    for name, values in own["library"].items():
        print(f"math.{name}: {100 * differ(values, found['library'][name]) / VALUES:.2f} % of values differ")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
