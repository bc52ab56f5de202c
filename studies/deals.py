"""Measures how much less luck the results have if each deal is played in every seat.

    python -m studies.deals            # all games; needs some minutes
    python -m studies.deals stratego --turns 20    # one game, and fewer turns than usual

House bots play one match in each order of seats; these matches are called a turn. In turns of the first kind,
all matches have the same deal. In turns of the second kind, each match has a fresh deal. The table has two
ratios, for a bot's mean rank and its mean score in a turn: the variance with fresh deals, divided by the
variance with the same deal. If a ratio is 1, the same deal saves nothing. If it is 2, the same number of
matches with fresh deals has twice the variance. House bots remember nothing from match to match, so one set
of processes can play many turns. The deals depend only on `--seed`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import variance
from typing import NamedTuple

import trio

from harness.chance import bot_seed, derived
from harness.config import read_bot
from harness.errors import Void
from harness.games import find
from harness.job import Entrant, Job, PlainRules
from harness.model import Limits, Number
from harness.play.sitting import play_together
from harness.sandbox import resolved
from harness.schedule.sittings import seat_orders

BOTS = Path(__file__).parent.parent / "bots"
AT_A_TIME = 10
"""The number of turns that one set of processes plays."""
RESAMPLES = 2_000


class Table(NamedTuple):
    """The house bots at the table of a game (bots that need little CPU time), and the number of turns of each
    kind."""

    bots: tuple[str, ...]
    turns: int


TABLES = {
    "sevens": Table(("greedy", "greedy", "random", "random"), 500),
    "squadron": Table(("sensible", "sensible", "random"), 80),
    "biplane": Table(("sensible", "sensible"), 80),
    "squash": Table(("sensible", "sensible", "random", "random"), 500),
    "stratego": Table(("sensible", "sensible"), 60),
}


class Ratio(NamedTuple):
    """The variance with fresh deals divided by the variance with the same deal, and the 95 % interval of this
    ratio."""

    ratio: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.ratio:.2f} ({self.low:.2f} - {self.high:.2f})"


class Turns(NamedTuple):
    """For each turn, the sums of the ranks and of the scores of each bot at the table."""

    ranks: list[list[Number]]
    scores: list[list[Number]]


def played(game: str, fresh: bool, number_of_turns: int, seed: int) -> Turns:
    """Plays this number of turns of a game, with fresh deals or with the same deal."""
    table = TABLES[game]
    seats = len(table.bots)
    rules = find(game)
    orders = seat_orders(range(1, seats + 1), rules.sides(rules.options(), seats))
    entrants = [_entrant(game, name) for name in table.bots]
    turns = Turns([], [])
    for begin in range(0, number_of_turns, AT_A_TIME):
        wanted = range(begin, min(number_of_turns, begin + AT_A_TIME))
        matches = [(turn, number) for turn in wanted for number in range(len(orders))]
        deals = [derived(seed, "deal", turn, number if fresh else "same") for turn, number in matches]
        seeds = [tuple(bot_seed(seed, fresh, *match, seat) for seat in range(seats)) for match in matches]
        limits = Limits(start_ms=60_000, move_ms=60_000)
        plain = PlainRules(game, {}, limits, ponder=True)
        job = Job(1, 1, 1, 1, 1, plain, tuple(entrants), tuple(deals), tuple(seeds), orders * len(wanted))
        [done] = trio.run(play_together, [job])
        if done.void:
            raise Void(done.void)
        for turn in range(len(wanted)):
            briefs = done.matches[turn * len(orders) : (turn + 1) * len(orders)]
            for sums, values in ((turns.ranks, "ranks"), (turns.scores, "scores")):
                by_bot: list[Number] = [0] * seats
                for order, brief in zip(orders, briefs, strict=True):
                    for place, value in zip(order, getattr(brief, values), strict=True):
                        by_bot[place - 1] += value
                sums.append(by_bot)
    return turns


def _entrant(game: str, name: str) -> Entrant:
    bot = read_bot(BOTS / game / name)
    return Entrant(bot.name, resolved(bot.run, bot.folder), str(bot.folder), bot.alone)


def compared(fresh: Sequence[Sequence[Number]], same: Sequence[Sequence[Number]]) -> Ratio:
    """The ratio of the two variances, each summed over the bots. Its interval is computed by a bootstrap over
    turns."""
    random = Random(1).random

    def drawn(turns: Sequence[Sequence[Number]]) -> list[Sequence[Number]]:
        return [turns[int(random() * len(turns))] for _ in turns]

    ratios = sorted(_ratio(drawn(fresh), drawn(same)) for _ in range(RESAMPLES))
    tail = RESAMPLES // 40
    return Ratio(_ratio(fresh, same), ratios[tail], ratios[-tail - 1])


def _ratio(fresh: Sequence[Sequence[Number]], same: Sequence[Sequence[Number]]) -> float:
    above, below = (sum(map(variance, zip(*turns, strict=True))) for turns in (fresh, same))
    return above / below if below else float("inf")


def rows(games: Sequence[str], turns: int | None, seed: int) -> Iterator[str]:
    yield "| game | bots at the table | turns | ranks | scores |"
    yield "|---|---|---|---|---|"
    for game in games:
        table = TABLES[game]
        number = turns or table.turns
        fresh, same = (played(game, each, number, seed) for each in (True, False))
        ranks, scores = compared(fresh.ranks, same.ranks), compared(fresh.scores, same.scores)
        yield f"| {game} | {', '.join(table.bots)} | {number} | {ranks} | {scores} |"


def main(arguments: Sequence[str]) -> None:
    parser = ArgumentParser(prog="python -m studies.deals")
    parser.add_argument("games", nargs="*", choices=[*TABLES, []], help="the games [all]")
    parser.add_argument("--turns", type=int, help="the number of turns of each kind [by game]")
    parser.add_argument("--seed", type=int, default=1, help="decides the deals [1]")
    found = parser.parse_args(arguments)
    for row in rows(found.games or list(TABLES), found.turns, found.seed):
        print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
