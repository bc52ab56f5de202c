"""Measures whether sparring bots become stronger if a search tree chooses the moves after the first move,
with the same number of play-outs.

    python -m studies.trees                          # four games, 20 pairs of matches each
    python -m studies.trees --games sevens --pairs 100 --play-outs 64

The tree search is information-set Monte Carlo tree search: there is one tree for all positions that look the
same to the searching seat. Each play-out draws one of these positions, follows the tree through moves that
are legal there, adds one node to the tree, and goes on with random moves. In the tree, each seat on turn
chooses the move with the highest upper confidence bound:

    mean / width + C * sqrt(ln(times this move was legal) / times it was played)

Here `mean` is the mean result of the move, and `width` is the difference between the highest and the lowest
result so far. Source: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search" (2012). Both
searches choose the first move by sequential halving, so they differ only in the moves after it. The two
matches of a pair have the same deal.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from math import fsum, log, sqrt
from statistics import fmean, stdev
from typing import Any, TypeAlias

from harness import games
from harness.chance import Chance, Seeded, Unnamed, derived
from harness.games import Game, State
from harness.sparring.play_out import played_out
from harness.sparring.search import Measure, choice

GAMES = ("biplane", "sevens", "squadron", "squash")
C = 0.5
Z = 1.96
Moves: TypeAlias = Mapping[int, str]


class Arm:
    """A move of a seat in a node: how often the move was legal, how often it was played, and the sum of its
    results."""

    def __init__(self) -> None:
        self.legal = self.played = 0
        self.total = 0.0


class Node:
    """A node of the tree. It stands for a sequence of moves after the first move, in all positions that look
    the same to the searching seat."""

    def __init__(self) -> None:
        self.next: dict[tuple[str, ...], Node] = {}
        self.arms: dict[tuple[int, str], Arm] = {}


class Tree:
    """The tree for one choice of a move. Its method `lead` replaces `harness.sparring.search.lead`."""

    def __init__(self) -> None:
        self.first: dict[str, Node] = {}
        self._low, self._high = float("inf"), float("-inf")

    def lead(self, state: State, seat: int, move: str, seed: int) -> float:
        """Plays out a move: the tree chooses the first moves after it, and the later moves are random.
        Returns how far the seat is ahead of the others at the end."""
        chance = Unnamed(seed)
        here = state.alike(seat, chance)
        assert here is not None
        moves = {
            each: move if each == seat else here.some(each, 1, chance, "move")[0] for each in here.to_act()
        }
        here, _ = here.play(moves, chance)
        node = self.first.setdefault(move, Node())
        visited: list[tuple[Node, Moves]] = []
        left = state.ahead
        while left and (acting := here.to_act()):
            moves = {each: self._chosen(node, here, each, chance) for each in acting}
            visited.append((node, moves))
            here, _ = here.play(moves, chance)
            left -= 1
            said = tuple(moves.values())
            if said not in node.next:
                node.next[said] = Node()
                break
            node = node.next[said]
        leads = _leads(played_out(here, chance, left))
        self._learn(visited, leads)
        return leads[seat - 1]

    def _chosen(self, node: Node, here: State, seat: int, chance: Chance) -> str:
        legal = tuple(here.legal(seat))
        arms = {move: node.arms.setdefault((seat, move), Arm()) for move in legal}
        for arm in arms.values():
            arm.legal += 1
        if new := [move for move, arm in arms.items() if not arm.played]:
            return chance.sample("new", new, 1)[0]
        width = self._high - self._low or 1.0

        def bound(move: str) -> float:
            arm = arms[move]
            return arm.total / arm.played / width + C * sqrt(log(arm.legal) / arm.played)

        return max(legal, key=bound)

    def _learn(self, visited: Sequence[tuple[Node, Moves]], leads: Sequence[float]) -> None:
        self._low, self._high = min(self._low, *leads), max(self._high, *leads)
        for node, moves in visited:
            for seat, move in moves.items():
                arm = node.arms[seat, move]
                arm.played += 1
                arm.total += leads[seat - 1]


def _leads(end: State) -> list[float]:
    worth = end.worth()
    total = fsum(worth)
    return [own - (total - own) / (len(worth) - 1) for own in worth]


def points(game: Game, play_outs: int, number: int) -> float:
    """Plays a pair of matches between the two searches. Returns the mean points of the search with the tree:
    1 for a win, and half a point for a draw."""
    return fmean(2.0 - _ranks(game, play_outs, number, own)[own - 1] for own in (1, 2))


def _ranks(game: Game, play_outs: int, number: int, own: int) -> Sequence[float]:
    chance = Seeded(number)
    state, _ = game.start(game.options(**game.brief), 2, chance)
    step = 0
    while (outcome := state.outcome()) is None:
        step += 1
        moves = {}
        for seat in state.to_act():
            by: Measure | None = Tree().lead if seat == own else None
            moves[seat] = choice(state, seat, play_outs, derived(number, step, seat), by)
        state, _ = state.play(moves, chance)
    return outcome.ranks


def main(words: Sequence[str]) -> int:
    """Runs the study. Always returns 0, because each result is useful and there is no bound."""
    parser = ArgumentParser(prog="python -m studies.trees")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--play-outs", type=int, default=32)
    given: Any = parser.parse_args(words)
    for name in given.games:
        won = [points(games.find(name), given.play_outs, number) for number in range(given.pairs)]
        error = Z * stdev(won) / sqrt(len(won))
        print(f"{name:10} the tree wins {fmean(won):.3f} ± {error:.3f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
