"""Measures how strong sparring bots are against the Monte Carlo tree search of OpenSpiel, which other people
wrote.

    python -m studies.judge                      # three games, 40 matches for each budget
    python -m studies.judge --games connect_four --matches 200

This search is the judge. It has the same number of simulations for each move in all matches. A match is
played in the process of the study, and each side begins half of the matches. A bot gets a point for a win and
half a point for a draw. The study needs `pip install open_spiel`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from harness import games
from harness.chance import Seeded, derived
from harness.games import Game
from harness.sparring.search import choice

GAMES = ("tic_tac_toe", "connect_four", "breakthrough(rows=5,columns=5)")
BUDGETS = (1, 8, 64)
SIMULATIONS = 32
"""The number of simulations that the judge has for each move."""
Z = 1.96


def judge(game: Any, seed: int) -> Any:
    """Returns the judge: OpenSpiel's player that chooses moves by this search."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 100, False, seed, False)


def points(game: Game, play_outs: int, number: int) -> float:
    """Plays a match of a sparring bot against the judge, and returns the points of the sparring bot."""
    chance, own = Seeded(number), number % 2 + 1
    state: Any = game.start(game.options(), 2, chance)[0]
    bot = judge(state.here.get_game(), number + 1)
    step = 0
    while state.outcome() is None:
        step += 1
        [seat] = state.to_act()
        if seat == own:
            move = choice(state, seat, play_outs, derived(number, step))
        else:
            move = state.check(seat, f"act {bot.step(state.here.clone())}")
        state, _ = state.play({seat: move}, chance)
    return 2.0 - float(state.outcome().ranks[own - 1])


def main(words: Sequence[str]) -> int:
    """Runs the study. Returns 1 if in some game the sparring bot with more play-outs does not get more
    points."""
    parser = ArgumentParser(prog="python -m studies.judge")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--matches", type=int, default=40)
    given = parser.parse_args(words)
    rising = True
    for name in given.games:
        game = games.find(f"openspiel:{name}")
        means = []
        for budget in BUDGETS:
            won = [points(game, budget, number) for number in range(given.matches)]
            means.append(fmean(won))
            error = Z * stdev(won) / sqrt(len(won))
            print(f"{name:32} spar:{budget:<4} {means[-1]:.3f} ± {error:.3f}", flush=True)
        rising &= all(low < high for low, high in pairwise(means))
    return 0 if rising else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
