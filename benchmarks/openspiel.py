"""Compares the speed of random matches of OpenSpiel's games in OpenSpiel's own loop, in `harness.env`, and
with the referee of harness.

    python -m benchmarks.openspiel [GAME ...]

Each figure is the number of moves in a second of CPU time. OpenSpiel's loop comes from an example of
OpenSpiel: it draws one of the legal actions, and draws chance outcomes by their weights. `harness.env` also
makes the texts of moves and the events of each seat. The referee also reads and judges answers, and makes the
record.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from random import Random
from statistics import median

import pyspiel
from tabulate import tabulate

import harness
from harness.events import Turn
from harness.testing import play_out
from harness.worlds.simulator import Simulator

GAMES = (
    "backgammon",
    "breakthrough",
    "connect_four",
    "goofspiel",
    "hex",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice",
    "othello",
    "tic_tac_toe",
)
SECONDS = 0.2
ROUNDS = 3


_loaded = cache(pyspiel.load_game)


@cache
def _env(call: str) -> Simulator:
    return harness.env(f"openspiel:{call}")


def own_loop(call: str, seed: int) -> int:
    """Plays a match with OpenSpiel alone, and returns the number of its moves."""
    luck, moves = Random(seed), 0
    state = _loaded(call).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(actions, weights)[0])
        elif state.is_simultaneous_node():
            legal = [state.legal_actions(player) for player in range(state.num_players())]
            moves += sum(map(bool, legal))
            state.apply_actions([luck.choice(each) if each else 0 for each in legal])
        else:
            moves += 1
            state.apply_action(luck.choice(state.legal_actions()))
    return moves


def simulated(call: str, seed: int) -> int:
    """Plays a match in `harness.env`, and returns the number of its moves."""
    luck, moves = Random(seed), 0
    env = _env(call)
    env.reset(seed)
    while env.seat is not None:
        env.step(luck.choice(env.legal()))
        moves += 1
    return moves


def refereed(call: str, seed: int) -> int:
    """Plays a match with the referee and a record, and returns the number of its moves."""
    done = play_out(_env(call).game, seed=seed)
    return sum(isinstance(record, Turn) and record.said != "ready" for record in done.records)


def rate(play: Callable[[str, int], int], call: str, first: int) -> float:
    """The moves in a second of CPU time, measured with matches for SECONDS seconds."""
    moves, seed, began = 0, first, time.process_time()
    while (used := time.process_time() - began) < SECONDS:
        moves += play(call, seed)
        seed += 1
    return moves / used


def main() -> None:
    """Prints the table. Each round measures all three ways to play, so that a busy machine slows down all of
    them."""
    rows = []
    titles = ("game", "OpenSpiel", "env", "referee", "times env", "times referee")
    for call in sys.argv[1:] or GAMES:
        rates = [[rate(play, call, seed) for play in PLAYS] for seed in range(ROUNDS)]
        own, env, referee = (median(column) for column in zip(*rates, strict=True))
        rows.append(
            (call, round(own), round(env), round(referee), f"{own / env:.1f}", f"{own / referee:.1f}")
        )
    print(tabulate(rows, titles))


PLAYS = (own_loop, simulated, refereed)


if __name__ == "__main__":
    main()
