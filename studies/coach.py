"""Tests what `harness diagnose`, `puzzles` and `whatif` say, where the right answer is known.

    python -m studies.coach                 # all parts
    python -m studies.coach habits          # or some of them: habits, puzzles, forks

`habits` plants a habit: a copy of a house bot of Sevens that plays for the fewest points when it has few
cards. In ten tournaments, `diagnose` must put "late in the match" first in at least nine. `puzzles` makes
puzzles from a tournament of Biplane. Sparring bots with more play-outs are stronger, so they must solve more
of them: the rank correlation of Spearman is the correlation of the ranks, with the average rank for ties.
`forks` forks random matches at random questions with the move on record and live bots. Each fork must be the
match on record again.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import correlation

import click
import trio

from harness.checking.puzzle_score import puzzle_score
from harness.cli.workspace import entrant
from harness.events import Turn
from harness.judge.rules import rules_of
from harness.play.conduct import Conducted, conduct, ready
from harness.play.fork import ForkOrder, play_fork
from harness.record.forks import fork_point, rest_on_record
from harness.record.one_match import RecordedMatch
from harness.results.habits import Diagnosis
from harness.results.puzzles import puzzle_of
from harness.schedule.plan import read_plan

BOTS = Path(__file__).parents[1] / "bots"
BEST = "    most = max(move.claim for move in moves)\n"
WORST = "    most = (min if len(table.hand) <= 8 else max)(move.claim for move in moves)\n"
"""The line of the house bot that chooses a move, and the line with the planted habit."""
TOURNAMENTS, FOUND = 10, 9
PLAY_OUTS = (1, 2, 4, 8, 16, 32, 64)
PUZZLES, CORRELATION = 24, 0.8
FORKS = 1_000
FORKED = {
    "sevens": (2, ("greedy", "random", "planner"), ""),
    "squash": (2, ("strong", "sensible", "random"), ""),
    "squadron": (3, ("strong", "sensible", "random"), "options = {battles = 2}"),
    "stratego": (2, ("sensible", "random"), "options = {plies = 120}"),
    "biplane": (2, ("sensible", "random"), "options = {turns = 30}"),
}


def played(folder: Path, game: str, seats: int, bots: Sequence[Path], more: str) -> Conducted:
    """Plays a tournament of these bots."""
    names = ", ".join(f'"{bot}"' for bot in bots)
    keys = f'game = "{game}"\nseats = {seats}\nbots = [{names}]\nisolation = "none"\n{more}\n'
    folder.mkdir(exist_ok=True)
    (folder / "plan.toml").write_text(keys)
    return conduct(read_plan(folder / "plan.toml"), folder / "logs")


def matches(found: Conducted) -> list[RecordedMatch]:
    """Returns the matches on record, in the order of the schedule."""
    return [
        RecordedMatch(found.folder, match.id)
        for run in found.history.runs
        for key in sorted(run.played)
        for match in run.sitting(key)
    ]


def habits(folder: Path) -> bool:
    """Plants a habit, and looks for it in ten tournaments."""
    late = folder / "late"
    shutil.copytree(BOTS / "sevens" / "greedy", late)
    code = (late / "main.py").read_text()
    assert BEST in code
    (late / "main.py").write_text(code.replace(BEST, WORST))
    (late / "bot.toml").write_text('run = "python3 main.py"\n')
    first = certain = 0
    for seed in range(1, TOURNAMENTS + 1):
        bots = (late, BOTS / "sevens" / "greedy")
        record = played(folder / f"habits-{seed}", "sevens", 2, bots, f"deals = 6\nseed = {seed}")
        found = Diagnosis(record.plan, "late")
        for match in matches(record):
            found.take(match)
        worst = found.habits()[0]
        first += worst.kind == "late in the match"
        certain += worst.certain
    print(f"habits: the planted one was first in {first} of {TOURNAMENTS} tournaments, certain in {certain}")
    return first >= FOUND


def puzzles(folder: Path) -> bool:
    """Compares the strength of sparring bots with the puzzles that they solve."""
    bots = [BOTS / "biplane" / name for name in ("sensible", "strong", "random")]
    record = played(folder / "puzzles", "biplane", 2, bots, "deals = 8\nseed = 21\noptions = {turns = 30}")
    found = [puzzle for match in matches(record) if (puzzle := puzzle_of(match, record.plan))][:PUZZLES]
    rules, solved = rules_of(record.plan), []
    for number in PLAY_OUTS:
        score = trio.run(puzzle_score, rules, found, entrant(f"spar:{number}", "none"))
        print(f"puzzles: spar:{number} {score.told}")
        solved.append(score.solved)
    seen = correlation(_ranks(PLAY_OUTS), _ranks(solved))
    print(f"puzzles: rank correlation {seen:.2f}")
    return seen >= CORRELATION


def _ranks(values: Sequence[float]) -> list[float]:
    return [
        sum(other < value for other in values) + sum(other == value for other in values) / 2
        for value in values
    ]


def forks(folder: Path) -> bool:
    """Forks matches with the moves on record."""
    draws, good = random.Random(1), True
    for game, (seats, names, more) in FORKED.items():
        bots = [BOTS / game / name for name in names]
        record = played(folder / f"forks-{game}", game, seats, bots, f"deals = 2\nseed = 11\n{more}")
        wanted, same = FORKS // len(FORKED), 0
        clean = [match for match in matches(record) if _questions(match)]
        plan = read_plan(folder / f"forks-{game}" / "plan.toml")
        with ready(plan, print) as table:
            for _ in range(wanted):
                match = draws.choice(clean)
                point = fork_point(record.plan, match, draws.randint(1, _questions(match)))
                entrants = tuple(table.entrants[bot] for bot in match.head.bots)
                played_on = trio.run(play_fork, point, ForkOrder(entrants, point.turn.said))
                same += rest_on_record(point, played_on.records)
        print(f"forks: {same} of {wanted} forks of {game} are the match on record")
        good &= same == wanted
    return good


def _questions(match: RecordedMatch) -> int:
    return sum(isinstance(each, Turn) and not each.ask.startswith("new ") for each in match.records)


def main(arguments: Sequence[str]) -> int:
    parts = {"habits": habits, "puzzles": puzzles, "forks": forks}
    with tempfile.TemporaryDirectory() as folder, click.Context(click.Command("coach")):
        results = [parts[name](Path(folder)) for name in arguments or parts]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
