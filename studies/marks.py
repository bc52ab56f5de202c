"""Measures how much luck is in the marks of an autograder. Each hand-in plays deals of its own, so some have
better luck.

    python -m studies.marks            # Sevens and Squash; needs some minutes
    python -m studies.marks squash --hand-ins 5    # one game, and fewer hand-ins

Each hand-in is a house bot with one more comment, so all hand-ins of a row are equally strong. The matches
and marks are those of `harness mark` with the default scheme, without the check before them. The table has
the mean and the standard deviation of the points, the mean of the standard errors that the marks tell, and
the points of the best hand-in. In rows with "shared deals" all hand-ins play the same deals, as in earlier
versions of harness. In rows with `deal = "same"` each deal is played in every seat.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from harness.checking.marking import marked
from harness.cli.leagues import opponents
from harness.config import read_bot
from harness.config.toml_text import toml
from harness.league.league import HAND_IN, gauntlet
from harness.league.marks_seed import seed_of_hand_in

BOTS = Path(__file__).parent.parent / "bots"
SEED = 0x5EED << 112
HAND_INS = 20
TABLES = {
    "sevens": (("greedy", "random"), ("greedy", "random", "random")),
    "squash": (("sensible", "random"), ("sensible", "random", "random")),
}
"""For each game, the house bots that are handed in, and the house bots that are their opponents."""


class Kind(NamedTuple):
    """A kind of marks: its name, the number of deals of an encounter, whether deals are fresh or the same in
    every seat, and whether all hand-ins share the deals."""

    name: str
    deals: int
    deal: str
    shared: bool


KINDS = (
    Kind("shared deals", 2, "fresh", True),
    Kind("deals of its own", 2, "fresh", False),
    Kind('deals of its own, `deal = "same"`', 2, "same", False),
)


class Points(NamedTuple):
    """The points of one hand-in, the standard error that its marks tell, and its average rank."""

    points: float
    error: float
    rank: float


def hand_in(game: str, name: str, number: int, folder: Path) -> Path:
    """Makes a copy of a house bot with one more comment in its manifest."""
    shutil.copytree(BOTS / game / name, folder)
    with (folder / "bot.toml").open("a") as file:
        file.write(f"\n# {number}\n")
    return folder


def marks_of(game: str, name: str, kind: Kind, number: int, room: Path) -> Points:
    """Marks one hand-in."""
    _, house = TABLES[game]
    bots = [{"path": str(BOTS / game / each), "name": f"{each} {n}"} for n, each in enumerate(house, 1)]
    table = {"game": game, "seats": 4, "isolation": "none", "meet": 5, "deals": kind.deals}
    (room / "plan.toml").write_text(toml({**table, "deal": kind.deal, "bots": bots}))
    league, _ = opponents(room / "plan.toml", None)
    folder = hand_in(game, name, number, room / "bot")
    seed = SEED if kind.shared else seed_of_hand_in(SEED, read_bot(folder, HAND_IN))
    wanted = gauntlet(league, folder, seed)
    found = marked(league, wanted, (), room / "record", lambda line: None, lambda builds: None)
    [error] = [each["output"] for each in found["tests"] if each["name"] == "luck of the deals"]
    return Points(found["score"], float(error.partition("±")[2].split()[0]), found["leaderboard"][0]["value"])


def row(game: str, name: str, kind: Kind, hand_ins: int) -> str:
    """Marks this number of hand-ins, and returns a row of the table."""
    found = []
    for number in range(hand_ins):
        with tempfile.TemporaryDirectory() as room:
            found.append(marks_of(game, name, kind, number, Path(room)))
    points, ranks = [each.points for each in found], [each.rank for each in found]
    said = mean(each.error for each in found)
    cells = f"{mean(points):.1f} | {stdev(points):.1f} | {said:.1f} | {max(points):.1f}"
    return f"| {game} | {name} | {kind.name} | {cells} | {mean(ranks):.3f} ± {stdev(ranks):.3f} |"


def rows(games: Sequence[str], hand_ins: int) -> Iterator[str]:
    yield "| game | hand-in | deals | mean | standard deviation | said error | best | average rank |"
    yield "|---|---|---|---|---|---|---|---|"
    for game in games:
        for name in TABLES[game][0]:
            yield from (row(game, name, kind, hand_ins) for kind in KINDS)


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m studies.marks")
    parser.add_argument("games", nargs="*", choices=[*TABLES, []], help="the games [all]")
    parser.add_argument("--hand-ins", type=int, default=HAND_INS, help="the hand-ins of each kind [20]")
    found = parser.parse_args(arguments)
    for row in rows(found.games or list(TABLES), found.hand_ins):
        print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
