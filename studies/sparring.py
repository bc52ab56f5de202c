"""Computes how strong sparring bots are in Evil Squash, where matches hardly show it because of the luck.

    python -m studies.sparring squash              # the strengths in Evil Squash with two seats
    python -m studies.sparring squash --keep harness/games/squash/rungs.json

The part `squash` asks each sparring bot several times in each position in which a bot can have a choice. So
it estimates the *strategy* of the bot: the probability that the bot squashes, for each position. If both
strategies are known, a match is a Markov chain. So the study plays no matches: value iteration computes the
probability to win. The house bots have known strategies. Each strategy is estimated in several groups of
draws, and the differences between the groups give a 95 % interval (Student's t).
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from harness.chance import Seeded, derived
from harness.config.sparring import PREFIX
from harness.games.squash import GAME
from harness.games.squash.course import SIDES, SquashTable
from harness.games.squash.worth import turns
from harness.sparring.rungs import Rung, keep, rungs_of
from harness.sparring.search import choice

BUDGETS = (1, 2, 4, 8, 16, 32, 64, 128)
GROUPS, DRAWS, MORE = 5, 4, 64
"""A strategy is estimated with GROUPS groups of draws. For a bot with N play-outs, a group has DRAWS + MORE /
N draws for each position: the choices of bots with few play-outs depend more on luck, and cost less time."""
T = 2.776
"""The 97.5 % quantile of Student's t with GROUPS - 1 degrees of freedom."""
SWEEPS, CLOSE = 60, 1e-6

DICE = range(1, SIDES + 1)
LEADS = GAME.options().chosen().leads()
LAST = LEADS[-1]
SQUARES = tuple(square for square in range(LAST) if LEADS[square] == square)


class Hit(NamedTuple):
    """A position with a choice: the square that the marker leaves, and the square on which it hits the other
    marker."""

    left: int
    square: int


HITS = tuple(Hit(left, LEADS[left + die]) for left in SQUARES for die in DICE if LEADS[left + die] < LAST)


Strategy: TypeAlias = Callable[[Hit, float, float], float]
"""A function that returns the probability that the bot squashes. Its arguments are the choice, the
probability to win after a squash, and the probability to win after a bounce."""
Chances: TypeAlias = dict[tuple[int, int], float]
"""The probability that the player on turn wins. The key is the square of this player and the square of the
other player."""


# -- two strategies against each other -------------------------------------------------------------


def solved(first: Strategy, second: Strategy) -> float:
    """Returns the probability that the first strategy wins against the second, if each begins half of the
    matches.

    Raises RuntimeError if the probabilities still change after the last sweep.
    """
    own, other = ({(a, b): 0.5 for a in SQUARES for b in SQUARES} for _ in range(2))
    for _ in range(SWEEPS):
        change = 0.0
        for mine in reversed(SQUARES):
            for theirs in reversed(SQUARES):
                for here, there, chooses in ((own, other, first), (other, own, second)):
                    chance = _throws(mine, theirs, here, there, chooses)
                    change = max(change, abs(chance - here[mine, theirs]))
                    here[mine, theirs] = chance
        if change < CLOSE:
            return (own[0, 0] + 1 - other[0, 0]) / 2
    raise RuntimeError("the probabilities still change")


def _throws(mine: int, theirs: int, here: Chances, there: Chances, chooses: Strategy) -> float:
    """Returns the probability that the player on turn wins from these squares. `here` has the known
    probabilities for this player, and `there` has those for the other player."""
    total = 0.0
    for die in DICE:
        to = LEADS[mine + die]
        if to == theirs:
            squashed = 1 - there[mine, to]
            bounced = fmean(_rests(LEADS[to + again], again, theirs, here, there) for again in DICE)
            share = chooses(Hit(mine, to), squashed, bounced)
            total += share * squashed + (1 - share) * bounced
        else:
            total += _rests(to, die, theirs, here, there)
    return total / SIDES


def _rests(to: int, die: int, theirs: int, here: Chances, there: Chances) -> float:
    """Returns the probability that the player on turn wins, if the marker stops on the square `to` after this
    throw."""
    if to == LAST:
        return 1.0
    return here[to, theirs] if die == SIDES else 1 - there[theirs, to]


# -- the strategies of bots ------------------------------------------------------------------------


def best(hit: Hit, squashed: float, bounced: float) -> float:
    """The strategy of the house bot `strong`: it makes the best choice."""
    return float(squashed > bounced)


def sensible(hit: Hit, squashed: float, bounced: float) -> float:
    """The strategy of the house bot `sensible`: it squashes if this costs the other player more turns than a
    bounce gains."""
    needed = turns(LEADS)
    gain = needed[hit.square] - fmean(needed[LEADS[hit.square + die]] for die in DICE)
    return float(needed[hit.left] - needed[hit.square] > gain)


def tosses(hit: Hit, squashed: float, bounced: float) -> float:
    """The strategy of the house bot `random`."""
    return 0.5


HOUSE = {"squash-random": tosses, "squash-sensible": sensible, "squash-strong": best}


def drawn(play_outs: int, group: int) -> dict[Hit, float]:
    """Asks a sparring bot in a group of draws. Returns for each choice the share of the draws in which the
    bot squashes."""
    draws = DRAWS + MORE // play_outs
    return {hit: fmean(_squashes(hit, play_outs, group, draw) for draw in range(draws)) for hit in HITS}


def _squashes(hit: Hit, play_outs: int, group: int, draw: int) -> bool:
    start, _ = GAME.start(GAME.options(), 2, Seeded(1))
    table = SquashTable((hit.left, hit.square), (), (), dice=(1,), to=hit.square)
    state = replace(start, table=table, answered=True, between=False)
    return choice(state, 1, play_outs, derived(play_outs, group, draw, *hit)) == "land squash"


def of_shares(shares: Mapping[Hit, float]) -> Strategy:
    """Returns the strategy that squashes with these probabilities."""
    return lambda hit, squashed, bounced: shares[hit]


def mean_of(groups: Sequence[Mapping[Hit, float]]) -> Strategy:
    """Returns the strategy that squashes with the mean shares of these groups."""
    return of_shares({hit: fmean(group[hit] for group in groups) for hit in HITS})


class Strength(NamedTuple):
    """The average rank of a bot against all others, and half the width of its 95 % interval."""

    bot: str
    average_rank: float
    error: float


def strengths(budgets: Sequence[int]) -> list[Strength]:
    """Returns the strengths of these sparring bots and of the house bots, the weakest first.

    An error in the estimated strategy changes the results against all opponents by about the same amount. So
    the interval is computed only from the results against `random`.
    """
    errors = dict.fromkeys(HOUSE, 0.0)
    field: dict[str, Strategy] = dict(HOUSE)
    for budget in budgets:
        groups = [drawn(budget, group) for group in range(GROUPS)]
        name = f"{PREFIX}{budget}"
        field[name] = mean_of(groups)
        wins = [solved(of_shares(group), tosses) for group in groups]
        errors[name] = T * stdev(wins) / sqrt(GROUPS)
    names = list(field)
    wins_of = {
        (one, two): solved(field[one], field[two]) for place, one in enumerate(names) for two in names[:place]
    }
    wins_of |= {(two, one): 1 - chance for (one, two), chance in wins_of.items()}
    found = [
        Strength(name, 2 - fmean(wins_of[name, other] for other in names if other != name), errors[name])
        for name in names
    ]
    return sorted(found, key=lambda each: -each.average_rank)


def rungs(found: Sequence[Strength]) -> tuple[Rung, ...]:
    """Returns the strengths as rungs. Two neighbours are marked as apart if the difference of their average
    ranks is larger than the error of this difference."""
    below = (None, *found)
    return tuple(
        Rung(
            place,
            each.bot,
            round(each.average_rank, 5),
            round(each.average_rank - each.error, 5),
            round(each.average_rank + each.error, 5),
            0,
            last is not None and last.average_rank - each.average_rank > sqrt(each.error**2 + last.error**2),
        )
        for place, (last, each) in enumerate(zip(below, found, strict=False), start=1)
    )


def main(words: Sequence[str]) -> int:
    """Runs the study. Returns 1 if more play-outs do not make a stronger sparring bot."""
    parser = ArgumentParser(prog="python -m studies.sparring")
    parser.add_argument("part", choices=["squash"])
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS)
    parser.add_argument("--keep", type=Path, help="write the rungs into this file")
    given = parser.parse_args(words)
    began = process_time()
    found = strengths(given.budgets)
    for each in rungs(found):
        mark = "apart" if each.apart else ""
        print(f"{each.rung:3} {each.bot:10} {each.average_rank:.5f} {each.low:.5f} {each.high:.5f} {mark}")
    print(f"{process_time() - began:.0f} s of CPU time")
    if given.keep:
        keep(rungs_of(GAME, 2, {}, rungs(found)), given.keep)
    sparring = [int(each.bot.removeprefix(PREFIX)) for each in found if each.bot.startswith(PREFIX)]
    return 0 if all(one < two for one, two in pairwise(sparring)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
