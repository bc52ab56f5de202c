"""Compares the quantiles of Student's t with scipy and printed tables, and tests rules for all quantiles."""

from math import inf
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from harness.results.statistics.student import MANY, quantile, tail

SHARES = [0.55, 0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9999]
FREE = [0.3, 1, 1.0001, 1.5, 2, 2.0001, 2.5, 3, 3.3, 4, 7, 8.8, 15, 30.5, 99, 500, MANY - 1, MANY, 1e6, 1e12]


@pytest.mark.parametrize("free", FREE)
def test_quantiles_are_those_of_scipy(free: float) -> None:
    assert [quantile(share, free) for share in SHARES] == pytest.approx(t.ppf(SHARES, free), rel=1e-11)


def test_few_degrees_of_freedom_have_the_values_of_the_printed_tables() -> None:
    table = [[31.821, 6.965, 4.541], [6.314, 2.920, 2.353], [318.309, 22.327, 10.215]]
    assert [[round(quantile(share, free), 3) for free in (1, 2, 3)] for share in (0.99, 0.95, 0.999)] == table


def test_without_limit_it_is_the_normal_distribution() -> None:
    assert quantile(0.975, inf) == NormalDist().inv_cdf(0.975)


def test_without_any_degree_of_freedom_nothing_is_sure() -> None:
    assert quantile(0.975, 0) == inf


def test_a_quantile_too_large_for_a_number_is_infinite() -> None:
    assert quantile(0.99, 0.001) == inf


@given(st.floats(0.001, 0.999), st.floats(0.5, 2 * MANY))
def test_the_distribution_is_symmetric_and_its_tails_shrink_with_the_degrees(
    share: float, free: float
) -> None:
    assert quantile(1 - share, free) == pytest.approx(-quantile(share, free), rel=1e-9, abs=1e-12)
    assert abs(quantile(share, free + 0.5)) <= abs(quantile(share, free)) + 1e-12


@pytest.mark.parametrize("share", [0, 1, -0.5, 2])
def test_a_share_that_is_no_probability_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        quantile(share, 3)


@pytest.mark.parametrize("free", FREE)
def test_tails_are_those_of_scipy(free: float) -> None:
    values = [0, 1e-6, 0.3, 1, 1.7, 2.5, 6, 40, 1e6]
    for value in [*values, *(-each for each in values)]:
        assert tail(value, free) == pytest.approx(t.sf(value, free), rel=1e-9, abs=1e-300)


def test_a_tail_without_a_degree_of_freedom_says_nothing_and_one_beyond_all_values_is_empty() -> None:
    assert (tail(5, 0), tail(inf, 3), tail(-inf, 3), tail(inf, 0)) == (0.5, 0, 1, 0.5)
    assert tail(1.5, inf) == NormalDist().cdf(-1.5)
