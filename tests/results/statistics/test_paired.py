"""Tests the interval of paired differences: a known example, and differences that have no interval."""

from __future__ import annotations

import pytest

from harness.chance import Seeded
from harness.results.statistics.paired import MeanDifference, mean_difference


def test_the_interval_is_that_of_student() -> None:
    """The sleep data of Student (1908): ten patients, two drugs."""
    found = mean_difference([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    assert (round(found.mean, 2), found.number, found.answer) == (1.58, 10, "better")
    assert (found.low, found.high) == pytest.approx((0.7001, 2.4599), abs=1e-4)


def test_one_difference_has_no_interval_and_few_give_no_answer() -> None:
    assert mean_difference([3.0]) == MeanDifference(3.0, None, None, 1)
    assert [mean_difference([3.0] * number).answer for number in (1, 5, 6)] == ["open", "open", "better"]
    assert mean_difference([-3.0, -2.0, -3.0, -2.0, -3.0, -2.0]).answer == "worse"
    assert mean_difference([-3.0, 3.0, -3.0, 3.0, -3.0, 3.0]).answer == "open"


def test_19_of_20_intervals_contain_the_true_mean() -> None:
    chance, contain = Seeded(7), 0
    for _ in range(1_000):
        values = [chance.roll("a", 6) - chance.roll("b", 6) for _ in range(12)]
        found = mean_difference(values)
        assert found.low is not None
        assert found.high is not None
        contain += found.low <= 0 <= found.high
    assert 930 <= contain <= 970


def test_a_few_equal_differences_have_no_interval() -> None:
    assert mean_difference([-3.0] * 4) == MeanDifference(-3.0, None, None, 4)
    assert mean_difference([-3.0] * 6).high == -3.0
