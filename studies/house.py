"""Measures the house bots of the five games of the package: their points against `spar:64`, and how long they
compute for an answer.

    python -m studies.house sevens squash    # two games; without names, all five
    python -m studies.house --keep           # also writes the table into docs/games.md

Each house bot plays only against `spar:64`, each deal in both seats. A bot gets a point for a win and half a
point for a draw. The time of an answer is the CPU time of all processes of the bot, so other work on the
machine does not count. The slowest answer in the table is really the slowest of all answers, not a quantile.
"""

from __future__ import annotations

import re
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from harness.config.toml_text import toml
from harness.events import Turn
from harness.play.conduct import Conducted, conduct
from harness.record.one_match import RecordedMatch
from harness.results.totals import shares
from harness.schedule.plan import read_plan

BOTS = Path(__file__).parents[1] / "bots"
PAGE = Path(__file__).parents[1] / "docs" / "games.md"
BEGIN, END = (
    "<!-- the table: written by `python -m studies.house --keep` -->\n",
    "<!-- the end of the table -->",
)
AGAINST = "spar:64"
MOST_MS = 100.0
"""A house bot must need less than this number of milliseconds for each answer (CONTRIBUTING.md)."""
FIELDS: Mapping[str, tuple[Sequence[str], Mapping[str, int], int]] = {
    "sevens": (("random", "greedy", "planner"), {}, 4),
    "squadron": (("random", "sensible", "strong"), {"battles": 1, "turns": 8}, 2),
    "biplane": (("random", "sensible", "strong"), {"turns": 30}, 2),
    "squash": (("random", "sensible", "strong"), {}, 20),
    "stratego": (("random", "sensible", "strong"), {}, 1),
}
"""For each game, the house bots, the options that make the matches short, and the number of deals that each
bot plays in both seats."""


class HouseBot(NamedTuple):
    """The results of a house bot: its points, the number of its matches and answers, and the CPU time of its
    slowest answer in milliseconds."""

    game: str
    bot: str
    points: float
    matches: int
    answers: int
    slowest_ms: float


def measured(game: str, folder: Path) -> list[HouseBot]:
    """Plays a gauntlet in which each house bot of a game meets only `spar:64`, and returns their results."""
    names, options, deals = FIELDS[game]
    wanted = {
        "game": game,
        "seats": 2,
        "seed": 1,
        "format": "gauntlet",
        "house": [AGAINST],
        "deals": deals,
        "deal": "same",
        "clock": "cpu",
        "policy": "forfeit",
        "bots": [AGAINST, *(str(BOTS / game / name) for name in names)],
        **({"options": dict(options)} if options else {}),
    }
    folder.mkdir()
    (folder / "plan.toml").write_text(toml(wanted))
    found = conduct(read_plan(folder / "plan.toml"), folder / "logs")
    bots = [bot.name for bot in found.plan.bots if bot.name != AGAINST]
    return [_of(found, game, bot) for bot in bots]


def _of(found: Conducted, game: str, bot: str) -> HouseBot:
    points, times = [], list[int]()
    for run in found.history.runs:
        for key in sorted(run.played):
            for match in run.sitting(key):
                if bot not in match.bots:
                    continue
                seat = match.bots.index(bot) + 1
                points.append(float(shares(match)[seat - 1]))
                records = RecordedMatch(found.folder, match.id).records
                times += [
                    each.us
                    for each in records
                    if isinstance(each, Turn) and each.seat == seat and not each.ask.startswith("new ")
                ]
    return HouseBot(game, bot, sum(points), len(points), len(times), max(times) / 1000)


def table(found: Sequence[HouseBot]) -> str:
    """Returns the table for docs/games.md."""
    rows = [
        f"| {each.game} | {each.bot} | {each.points:g} of {each.matches} | {each.answers:,} "
        f"| {each.slowest_ms:.1f} ms |\n"
        for each in found
    ]
    return (
        f"| game | bot | points against `{AGAINST}` | answers | slowest answer |\n|---|---|---|---|---|\n"
        + ("".join(rows))
    )


def kept(page: str, found: Sequence[HouseBot]) -> str:
    """Returns the page with a new table in the place of the old table."""
    old = re.compile(f"(?<={re.escape(BEGIN)}).*?(?={re.escape(END)})", re.DOTALL)
    return old.sub(lambda _: table(found), page)


def main(words: Sequence[str]) -> int:
    """Runs the study. Returns 1 if an answer took too long."""
    parser = ArgumentParser(prog="python -m studies.house")
    parser.add_argument("games", nargs="*", help=f"the games; by default all: {' '.join(FIELDS)}")
    parser.add_argument("--keep", action="store_true", help="write the table into docs/games.md")
    given = parser.parse_args(words)
    found: list[HouseBot] = []
    with tempfile.TemporaryDirectory() as folder:
        for game in given.games or FIELDS:
            some = measured(game, Path(folder, game))
            print(table(some), flush=True)
            found += some
    if given.keep:
        PAGE.write_text(kept(PAGE.read_text(), found))
    return 0 if max(each.slowest_ms for each in found) < MOST_MS else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
