"""Tests whether `harness diagnose` finds a bad habit of a bot, and whether the intervals that it prints are
right.

    python -m studies.habits                # both parts
    python -m studies.habits planted        # or one of them: planted, regret
    python -m studies.habits planted squash # the first part for some games

The part `planted` makes a copy of a house bot of each game, and plants a habit in it: the copy errs in one
kind of decisions. The copy plays ten tournaments against the house bot. In at least nine of them, `diagnose`
must put this kind of decisions first. The results of the matches say what the habit costs, because a copy
without a habit would win half of its matches. The part `regret` looks at the costliest decisions that
`diagnose` prints for the copy of the bot of Sevens in five tournaments. The mean of 10,000 draws is taken as
the true cost of a decision. Of all 95 % intervals that are computed from 200 draws, 93 to 97 % must contain
this cost. The constants in the code of `diagnose` were chosen with other seeds than those of these
tournaments.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

from harness.chance import derived
from harness.play.conduct import Conducted
from harness.record.forks import fork_point
from harness.record.one_match import RecordedMatch
from harness.results.habits import MORE_DRAWS, PLAY_OUTS, CostlyDecision, Diagnosis, further_ahead
from harness.results.statistics.paired import mean_difference
from studies.coach import BOTS, matches, played


class Planted(NamedTuple):
    """A habit: the house bot, the changes of its code (the old and the new text of each), and the kind of
    decisions in which the changed copy errs. Each old text is in exactly one file of the bot. `deals` is the
    number of deals of a tournament."""

    bot: str
    changes: tuple[tuple[str, str], ...]
    kind: str
    deals: int
    more: str = ""
    play_outs: int = PLAY_OUTS


HABITS = {
    "sevens": Planted(
        "greedy",
        (("max(move.claim", "(min if len(table.hand) <= 8 else max)(move.claim"),),
        "late in the match",
        6,
    ),
    "squash": Planted(
        "strong",
        (("plan.squashed() < plan.bounced()", "(plan.squashed() < plan.bounced()) != (table.seat == 1)"),),
        "seat 1",
        200,
        play_outs=64,
    ),
    "squadron": Planted(
        "sensible",
        (
            ("if short > len(wild)", "if table.late or short > len(wild)"),
            (
                '            case ["deck", count]:',
                '            case ["turn", _, done, most]:\n'
                "                self.late = 3 * int(done) >= 2 * int(most)\n"
                '            case ["deck", count]:',
            ),
        ),
        "late in the match",
        20,
        "options = {battles = 1, turns = 8}",
    ),
    "biplane": Planted(
        "sensible",
        (("say(max(", 'say((min if line.startswith("shoot") else max)('),),
        "question shoot",
        10,
        "options = {turns = 30}",
    ),
    "stratego": Planted(
        "sensible",
        (("if merit > best - 0.01", "if merit > best - 0.01 or board.seat == 1"),),
        "seat 1",
        8,
        "options = {plies = 400}",
    ),
}
SEEDS, FOUND = range(101, 111), 9
SOME, BATCHES, TRUTH, COVERED = 5, 40, 10_000, (0.93, 0.97)


def tournaments(folder: Path, game: str) -> Iterator[Conducted]:
    """Plays ten tournaments of a house bot against a copy with a habit."""
    habit = HABITS[game]
    copy = folder / game / "planted"
    shutil.copytree(BOTS / game / habit.bot, copy)
    for line, other in habit.changes:
        (file,) = (each for each in copy.glob("*.py") if line in each.read_text())
        file.write_text(file.read_text().replace(line, other))
    (copy / "bot.toml").write_text('run = "python3 main.py"\n')
    for seed in SEEDS:
        keys = f"deals = {habit.deals}\nseed = {seed}\n{habit.more}"
        yield played(folder / game / f"{seed}", game, 2, (copy, BOTS / game / habit.bot), keys)


def diagnosed(record: Conducted, play_outs: int) -> Diagnosis:
    """Measures all decisions of the copy with the habit, as `harness diagnose` does."""
    found = Diagnosis(record.plan, "planted", play_outs)
    for match in matches(record):
        found.take(match)
    return found


def planted(folder: Path, games: Sequence[str]) -> bool:
    """Checks for each game whether `harness diagnose` finds the planted habit."""
    good = True
    for game in games or HABITS:
        habit, first, certain, number = HABITS[game], 0, 0, 0
        won: list[float] = []
        for record in tournaments(folder, game):
            found = diagnosed(record, habit.play_outs)
            worst, number = found.habits()[0], found.matches
            won += _points(record)
            told = f"cost {worst.cost:.3f}, excess {worst.excess:.3f}, certain {worst.certain}"
            print(f"planted: {game}, {worst.kind}, {told}", flush=True)
            first += worst.kind == habit.kind
            certain += worst.kind == habit.kind and worst.certain
        told = f"first in {first} of {len(SEEDS)} tournaments of {number} matches, certain in {certain}"
        print(f"planted: {game}, '{habit.kind}' was {told}", flush=True)
        share = mean_difference(won)
        print(
            f"planted: {game}, the copy won {share.mean:.3f} ({share.low:.3f} to {share.high:.3f}) of a match"
        )
        good &= first >= FOUND
    return good


def _points(record: Conducted) -> Iterator[float]:
    """Yields for each sitting the mean points of the copy with the habit in a match: 1 for a won match, 0.5
    for a tie."""
    for run in record.history.runs:
        for key in sorted(run.played):
            ranks = [match.ranks[match.bots.index("planted")] for match in run.sitting(key)]
            yield 2 - sum(ranks) / len(ranks)


def regret(folder: Path, games: Sequence[str]) -> bool:
    """Counts how many intervals contain the true cost of the costliest decisions. All intervals of a decision
    are compared with the same true cost, so they depend on each other."""
    shares: list[float] = []
    printed = 0
    for record in islice(tournaments(folder, "sevens"), SOME):
        for costly in diagnosed(record, PLAY_OUTS).costliest():
            true, *means = _means(record, costly)
            shares.append(sum(low <= true[0] <= high for low, high in means) / BATCHES)
            low, high = costly.cost.low or 0.0, costly.cost.high or 0.0
            printed += low <= true[0] <= high
    share = mean_difference(shares)
    assert share.low is not None
    assert share.high is not None
    told = f"of {BATCHES * len(shares)} intervals of {len(shares)} decisions contain the truth"
    print(f"regret: {share.mean:.1%} ({share.low:.1%} to {share.high:.1%}) {told}")
    print(f"regret: so do {printed} of {len(shares)} intervals that diagnose prints, which are wider")
    return COVERED[0] <= share.mean <= COVERED[1]


def _means(record: Conducted, costly: CostlyDecision) -> Iterator[tuple[float, float]]:
    """Yields first the true cost of a decision as a pair of two equal numbers, and then intervals that
    estimate this cost."""
    match = RecordedMatch(record.folder, costly.match)
    state = fork_point(record.plan, match, costly.question).state

    def costs(purpose: str, draws: int) -> list[float]:
        seeds = [derived(purpose, costly.match, costly.question, draw) for draw in range(draws)]
        return [further_ahead(state, costly.seat, costly.said, costly.instead, seed) for seed in seeds]

    true = sum(costs("truth", TRUTH)) / TRUTH
    yield true, true
    for batch in range(BATCHES):
        found = mean_difference(costs(f"batch {batch}", MORE_DRAWS))
        assert found.low is not None
        assert found.high is not None
        yield found.low, found.high


def main(arguments: Sequence[str]) -> int:
    parts = {"planted": planted, "regret": regret}
    names = [name for name in arguments if name in parts]
    games = [name for name in arguments if name not in parts]
    with tempfile.TemporaryDirectory() as folder, click.Context(click.Command("habits")):
        results = [parts[name](Path(folder) / name, games) for name in names or parts]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
