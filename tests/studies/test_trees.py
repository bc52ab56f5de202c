"""Tests the search by a tree of moves: it uses no hidden facts, and tries good moves more than bad ones."""

from __future__ import annotations

from harness import games
from harness.chance import Seeded
from harness.sparring.search import choice
from studies.trees import Tree, points


def test_what_is_hidden_never_changes_the_choice_of_a_tree() -> None:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 3, Seeded(1))
    others = [state.alike(1, Seeded(seed)) for seed in range(4)]
    assert any(other != state for other in others)
    chosen = {choice(other, 1, 40, 7, Tree().lead) for other in (state, *others) if other is not None}
    assert len(chosen) == 1


def test_a_tree_plays_good_moves_more_often() -> None:
    game = games.find("sevens")
    state, _ = game.start(game.options(), 2, Seeded(1))
    [move, *_] = state.legal(1)
    tree = Tree()
    for seed in range(300):
        tree.lead(state, 1, move, seed)
    arms = sorted(tree.first[move].arms.values(), key=lambda arm: -arm.played)
    assert sum(arm.played for arm in arms) == 300
    often = [arm.total / arm.played for arm in arms if arm.played >= 10]
    seldom = [arm.total / arm.played for arm in arms if arm.played < 10]
    assert sum(often) / len(often) > sum(seldom) / len(seldom)


def test_a_pair_of_matches_gives_points_to_both_seats() -> None:
    game = games.find("squash")
    assert {points(game, 4, number) for number in range(6)} <= {0.0, 0.5, 1.0}
