"""Tests that Wilson's interval has the published values, and stays between 0 and 1."""

import pytest

from harness.results.statistics.wilson import share_interval


def test_the_interval_is_that_of_the_formula() -> None:
    # The values are from table I of Newcombe, "Two-sided confidence intervals for the single proportion"
    # (1998).
    assert share_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert share_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert share_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert share_interval(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_the_interval_of_a_half_is_even() -> None:
    low, high = share_interval(3.5, 7)
    assert low + high == pytest.approx(1)
    assert 0 < low < 0.5 < high < 1
