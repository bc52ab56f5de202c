"""Tests who meets whom in a part of a round robin. The judge of graphs is numpy."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.certificate import certify
from harness.schedule.designs.blocks import Block, Meet, Round, Rounds
from harness.schedule.designs.choice import rounds_for


def table(n: int, rounds: Sequence[Round]) -> np.ndarray:
    """How often each bot meets each other."""
    met = np.zeros((n, n), dtype=int)
    for one, other in (pair for pairs in rounds for pair in pairs):
        met[one, other] += 1
        met[other, one] += 1
    return met


def connectivity(n: int, rounds: Sequence[Round]) -> float:
    """The algebraic connectivity: the second smallest eigenvalue of the Laplacian matrix."""
    met = table(n, rounds)
    return float(np.linalg.eigvalsh(np.diag(met.sum(axis=0)) - met)[1])


def by_lot(n: int, number: int, seed: int) -> list[Round]:
    """Rounds in which chance alone decides who meets whom."""
    random = Random(seed)
    orders = [random.sample(range(n), n) for _ in range(number)]
    return [tuple(zip(order[: n // 2], order[n // 2 :], strict=False)) for order in orders]


@pytest.mark.parametrize(
    ("n", "number"), [(8, 3), (8, 4), (10, 5), (64, 6), (65, 6), (200, 12), (201, 12), (64, 33), (100, 30)]
)
def test_some_rounds_of_two_connect_all_bots_as_well_as_pairs_by_lot(n: int, number: int) -> None:
    random = sum(connectivity(n, by_lot(n, number, seed)) for seed in range(3)) / 3
    assert connectivity(n, rounds_for(n, 2, Rounds(number))) >= 0.7 * random


def test_few_rounds_of_many_bots_are_few_meetings_apart() -> None:
    reached = certify(600, rounds_for(600, 2, Rounds(12)))
    assert reached.connected
    assert reached.diameter is not None
    assert reached.diameter <= 5, "the first rounds of a circle need 29"


@settings(max_examples=40, deadline=None)
@given(n=st.integers(2, 40), number=st.integers(1, 90))
def test_no_pair_meets_twice_more_than_another(n: int, number: int) -> None:
    rounds = rounds_for(n, 2, Rounds(number))
    assert len(rounds) == number
    assert all(len(pairs) == n // 2 for pairs in rounds)
    assert all(len({bot for pair in pairs for bot in pair}) == n // 2 * 2 for pairs in rounds)
    met = table(n, rounds)[np.triu_indices(n, 1)]
    assert met.max() - met.min() <= 1
    reached = certify(n, rounds)
    assert reached.stopped_per_bot <= 1
    assert reached.stopped_per_pair <= 1
    assert reached.connected == (n == 2 or number > 1)


@pytest.mark.parametrize(("n", "times"), [(7, 1), (8, 3), (101, 1)])
def test_each_pair_meets_as_often_as_wanted(n: int, times: int) -> None:
    assert set(table(n, rounds_for(n, 2, Meet(times)))[np.triu_indices(n, 1)]) == {times}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_certificate_says_how_bots_are_linked(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 12))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(lambda pair: pair[0] != pair[1])
    blocks: list[Block] = data.draw(st.lists(pair, min_size=1, max_size=30))
    reached = certify(n, [(block,) for block in blocks])
    near = table(n, [tuple(blocks)]) > 0
    common = (near.astype(int) @ near)[np.triu_indices(n, 1)]
    assert reached.common == common.min()
    steps, reach = 1, near | np.eye(n, dtype=bool)
    while not reach.all() and steps < n:
        steps, reach = steps + 1, (reach.astype(int) @ (near | np.eye(n, dtype=bool))) > 0
    assert reached.connected == reach.all()
    assert reached.diameter == (steps if reach.all() else None)
    assert ("groups that never meet" in reached.text) != reached.connected
    assert (f"at most {steps} meetings" in reached.text) == (reached.connected and steps > 1)


def test_in_a_gauntlet_the_house_links_the_listed_bots() -> None:
    rounds = (((0, 3), (1, 4)), ((0, 4), (1, 3)), ((2, 3),), ((2, 4),))
    reached = certify(5, rounds, listed=[0, 1, 2])
    assert (reached.diameter, reached.common) == (2, 2)
    assert not certify(5, rounds[:1], listed=[0, 1, 2]).connected


def test_of_very_large_fields_nobody_counts_common_opponents() -> None:
    reached = certify(1200, rounds_for(1200, 2, Rounds(4)))
    assert reached.connected
    assert reached.common is None
    assert "in common" not in reached.text
