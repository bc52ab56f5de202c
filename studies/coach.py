"""Tests whether `harness puzzles` and `harness whatif` give right answers, in cases where the right answer is
known.

    python -m studies.coach                 # all parts
    python -m studies.coach puzzles         # or one of them: puzzles, forks
    python -m studies.coach puzzles sevens  # one part for some games

The part `puzzles` gives the puzzles of a game to twelve bots of known strength. Stronger bots must solve more
puzzles, so Spearman's rank correlation of strength and solved puzzles must be high. (This is the correlation
of the ranks; ties get their average rank.) The part `forks` plays matches on record again from a random
question, with real bots and with the same answer to this question as on record. Each fork must end in the
same way as the match on record.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import correlation

import click
import trio

from harness.chance import derived
from harness.checking.puzzle_score import puzzle_score
from harness.cli.workspace import entrant, house_bots
from harness.config import read_bot
from harness.config.sparring import play_outs_of
from harness.events import Turn
from harness.games import State
from harness.judge.rules import Rules, rules_of
from harness.play.conduct import Conducted, conduct, ready
from harness.play.fork import ForkOrder, play_fork
from harness.record.forks import fork_point, rest_on_record
from harness.record.one_match import RecordedMatch
from harness.results.puzzles import Puzzle, puzzle_of
from harness.schedule.plan import read_plan
from harness.sparring.rungs import kept
from harness.sparring.search import choice

BOTS = Path(__file__).parents[1] / "bots"
SPARRING = tuple(f"spar:{number}" for number in (1, 2, 3, 4, 8, 16, 24, 32, 64))
PUZZLED: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "sevens": (("greedy", "planner"), "deals = 40\nseed = 21", ()),
    "squadron": (
        ("squadron-sensible", "squadron-strong"),
        "deals = 40\nseed = 21\noptions = {battles = 1, turns = 8}",
        (),
    ),
    "biplane": (
        ("biplane-sensible", "biplane-strong"),
        "deals = 40\nseed = 21\noptions = {turns = 30}",
        ("biplane-random", *SPARRING, "biplane-sensible", "biplane-strong"),
    ),
}
"""For each game: the bots of the tournament from which puzzles are made, the keys of its plan, and the twelve
bots that solve the puzzles, the weakest first. If no twelve bots are named, they are the bots of the game's
ladder in its order. For Biplane they are named here, because five sparring bots of its ladder have at most
two play-outs and differ little. The ladder of Biplane puts `random` and `spar:1` below all others, and
`strong` above all others."""
MORE = "spar:24"
PUZZLES, SEEDS, CORRELATION = 16, 5, 0.8
FORKS = 1_000
FORKED = {
    "sevens": (2, ("greedy", "random", "planner"), ""),
    "squash": (2, ("strong", "sensible", "random"), ""),
    "squadron": (3, ("strong", "sensible", "random"), "options = {battles = 2}"),
    "stratego": (2, ("sensible", "random"), "options = {plies = 120}"),
    "biplane": (2, ("sensible", "random"), "options = {turns = 30}"),
}


def played(folder: Path, game: str, seats: int, bots: Sequence[str | Path], more: str) -> Conducted:
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


def puzzles(folder: Path, games: Sequence[str]) -> bool:
    """Compares the strengths of twelve bots of each game with the numbers of puzzles that they solve."""
    good = True
    for game in games or PUZZLED:
        bots, more, known = PUZZLED[game]
        house = {read_bot(Path(home)).name: home for home in house_bots(game)}
        record = played(folder / game, game, 2, [house.get(bot, bot) for bot in bots], more)
        strengths = known or _of_rungs(game)
        looked = enumerate(matches(record), start=1)
        made = ((number, puzzle_of(match, record.plan)) for number, match in looked)
        numbered = [*islice(((number, puzzle) for number, puzzle in made if puzzle), PUZZLES)]
        positions = [
            (
                puzzle,
                fork_point(record.plan, RecordedMatch(record.folder, puzzle.match), puzzle.question).state,
            )
            for _, puzzle in numbered
        ]
        solved = []
        for bot in strengths:
            solved.append(_solved(bot, house.get(bot, bot), rules_of(record.plan), positions))
            print(f"puzzles: {game}, {bot} solves {solved[-1]:g} of {len(positions)}", flush=True)
        seen = correlation(range(len(strengths)), _ranks(solved))
        told = f"{len(positions)} puzzles from {numbered[-1][0]} matches, {len(strengths)} bots"
        print(f"puzzles: {game}, {told}: rank correlation {seen:.2f}", flush=True)
        good &= seen >= CORRELATION
    return good


def _solved(bot: str, home: str, rules: Rules, positions: Sequence[tuple[Puzzle, State]]) -> float:
    """Returns how many puzzles a bot solves. A sparring bot has no memory, so it gets only the question of
    the puzzle. It gets this question with several seeds, and the mean counts."""
    budget = play_outs_of([bot])
    if not budget:
        found = [puzzle for puzzle, _ in positions]
        return trio.run(puzzle_score, rules, found, entrant(home, "none")).solved
    return (
        sum(
            choice(state, puzzle.seat, budget, derived("asked", puzzle.match, seed)) == puzzle.best
            for puzzle, state in positions
            for seed in range(SEEDS)
        )
        / SEEDS
    )


def _of_rungs(game: str) -> tuple[str, ...]:
    """Returns the bots of the ladder that comes with the game, and one more sparring bot. The weakest bot is
    the first."""
    ladder = kept(game)
    assert ladder
    bots = [each.bot for each in ladder.rungs]
    above = next(place for place, bot in enumerate(bots) if play_outs_of([bot]) > play_outs_of([MORE]))
    return (*bots[:above], MORE, *bots[above:])


def _ranks(values: Sequence[float]) -> list[float]:
    return [
        sum(other < value for other in values) + sum(other == value for other in values) / 2
        for value in values
    ]


def forks(folder: Path, games: Sequence[str]) -> bool:
    """Forks matches with the same answers as on record, and compares the forks with the record."""
    draws, good = random.Random(1), True
    for game in games or FORKED:
        seats, names, more = FORKED[game]
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
    parts = {"puzzles": puzzles, "forks": forks}
    names = [name for name in arguments if name in parts]
    games = [name for name in arguments if name not in parts]
    with tempfile.TemporaryDirectory() as folder, click.Context(click.Command("coach")):
        results = [parts[name](Path(folder), games) for name in names or parts]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
