"""Tests which bots meet at two seats, in all rounds or in some, and with numpy how well bots are linked."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.certificate import certify
from harness.schedule.designs.blocks import Meet, Round, Rounds
from harness.schedule.designs.choice import rounds_for


def table(n: int, rounds: Sequence[Round]) -> np.ndarray:
    """How often each bot meets each other bot."""
    met = np.zeros((n, n), dtype=int)
    for one, other in (pair for pairs in rounds for pair in pairs):
        met[one, other] += 1
        met[other, one] += 1
    return met


def connectivity(n: int, rounds: Sequence[Round]) -> float:
    """The algebraic connectivity of a schedule: the second smallest eigenvalue of its Laplacian matrix."""
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
