"""Tests that the iterated prisoner's dilemma gives the same points as the library Axelrod."""

from __future__ import annotations

import json
from random import Random

import pytest

from harness.chance import Chance, Seeded
from harness.games import State
from harness.testing import assert_conforms, play_out
from harness.worlds.dilemma import GAME, DilemmaOptions, DilemmaState
from tests.worlds.axelrod_table import TABLE
from tests.worlds.strategies import STRATEGIES

RECORDED = json.loads(TABLE.read_text())


def points(one: str, other: str) -> tuple[float, ...]:
    """The points of a match between two strategies by the rules of our game."""

    def choose(state: State, seat: int, chance: Chance) -> str:
        assert isinstance(state, DilemmaState)
        own, theirs = state.moves[seat - 1], state.moves[2 - seat]
        return f"act {STRATEGIES[(one, other)[seat - 1]]([*own], [*theirs], Random(0))}"

    return play_out(GAME, DilemmaOptions(turns=RECORDED["turns"]), choose=choose).outcome.scores


@pytest.mark.parametrize("row", RECORDED["points"], ids=lambda row: f"{row[0]} - {row[1]}")
def test_each_deterministic_match_has_the_points_of_the_library(row: tuple[str, str, int, int]) -> None:
    one, other, *theirs = row
    assert points(one, other) == tuple(theirs)


def test_the_table_has_all_pairs_of_the_deterministic_strategies() -> None:
    random = {"Random", "First by Joss", "GTFT"}
    names = STRATEGIES.keys() - random
    pairs = {frozenset(row[:2]) for row in RECORDED["points"]}
    assert pairs == {frozenset((one, other)) for one in names for other in names}


def test_other_payments_are_options() -> None:
    options = DilemmaOptions(turns=1, reward=30, sucker=-1, temptation=50, punishment=10)
    wanted = {"CC": (30, 30), "CD": (-1, 50), "DC": (50, -1), "DD": (10, 10)}
    for moves, scores in wanted.items():
        start, _ = GAME.start(options, 2, Seeded(0))
        assert start.play({1: f"act {moves[0]}", 2: f"act {moves[1]}"}, Seeded(0))[0].scores() == scores


def test_it_keeps_the_laws() -> None:
    assert_conforms(GAME, matches=2)
