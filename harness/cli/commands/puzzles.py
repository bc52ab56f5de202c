"""The command `puzzles`: finds positions in which one answer is beyond doubt the best."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click

from harness.cli.arguments import FILE, RECORD
from harness.cli.command import Command
from harness.cli.output import tell
from harness.cli.progress import counting
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.escape import count_of
from harness.judge.rules import rules_of
from harness.record import run_folder
from harness.record.disk import put_whole
from harness.record.one_match import RecordedMatch
from harness.report.worksheet import worksheet
from harness.results.puzzles import Puzzle, puzzle_of, write
from harness.sparring.search import unfit

WORKSHEET, SOLUTIONS = "worksheet.html", "solutions.html"


@click.command(
    cls=Command,
    examples=("harness puzzles logs/first my-puzzles",),
)
@click.argument("logs", type=RECORD)
@click.argument("folder", metavar="DIR", type=FILE)
@click.option(
    "--puzzles",
    "most",
    type=click.IntRange(1, 999),
    metavar="N",
    default=20,
    help="The largest number of puzzles.",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    metavar="N",
    default=200,
    help="The largest number of matches to look at, from the beginning of the record.",
)
def puzzles(logs: Path, folder: Path, most: int, matches: int) -> None:
    """Make puzzles of positions in which one answer is the best.

    LOGS is the folder of a tournament. The command looks at all questions with at most 8 legal moves. For
    each legal move, it plays the rest of the match many times at random, and uses only what the seat knew. If
    one move is beyond doubt better than all others, the position is a puzzle. The command takes at most one
    puzzle from each match.

    The new folder DIR gets a file for each puzzle, a worksheet to print, and a page with the solutions.
    `harness check bot --puzzles DIR` asks a bot the puzzles. The files of the puzzles have the whole matches,
    with hidden facts, so give students only the worksheet.

    The command writes each puzzle as soon as it has found it, so you can stop the command at any time. In a
    game with long matches, such as Biplane, it needs about a minute for each match. With a smaller number of
    --matches or --puzzles it ends earlier.
    """
    plan = run_folder.plan_of(logs)
    if why := unfit((rules := rules_of(plan)).game, rules.options, plan.seats):
        raise InputError(why, str(logs))
    if folder.exists():
        raise InputError("there is such a folder already; name a new one", str(folder))
    names = [match.id for match in islice(run_folder.history_of(logs).played(), matches)]
    found: list[Puzzle] = []
    with counting(f"of {count_of(len(names), 'match')} played out") as seen:
        for number, name in enumerate(names):
            seen(number)
            if len(found) < most and (puzzle := puzzle_of(RecordedMatch(logs, name), plan)):
                found.append(puzzle)
                _write(found, plan, folder)
    looked = count_of(len(names), "match")
    if not found:
        tell(f"No puzzle was found in {looked}. Give more --matches, or the record of stronger bots.")
        return
    tell(f"{count_of(len(found), 'puzzle')} from {looked}: {folder}")
    tell(f"To print: {folder / WORKSHEET}, and {folder / SOLUTIONS}")


def _write(found: Sequence[Puzzle], plan: FrozenPlan, folder: Path) -> None:
    """Writes the puzzles that were found so far, and their pages."""
    write(found, plan, folder)
    for name, solved in ((WORKSHEET, False), (SOLUTIONS, True)):
        put_whole(folder / name, [worksheet(found, plan, solved).encode("utf-8", "backslashreplace")])
