"""Tests Elo ratings: the differences for known shares of points, intervals, and extreme averages."""

from itertools import chain

import pytest

from harness.results.statistics.elo import POINTS, elo_of
from harness.results.statistics.floats import logistic
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.round_robin import RoundRobinAverages
from tests.results.statistics.tables import wins

NONE = [[0.0] * 4 for _ in range(4)]


def shares_of(strengths: list[float]) -> list[float]:
    others = len(strengths) - 1
    return [(sum(logistic(one - two) for two in strengths) - 0.5) / others for one in strengths]


def test_a_bot_that_wins_three_quarters_has_191_points_more() -> None:
    first, second = elo_of([0.75, 0.25], [[0.0] * 2] * 2)
    assert first.value - second.value == pytest.approx(190.85, abs=0.01)
    assert first.value == pytest.approx(-second.value)


@pytest.mark.parametrize("strengths", [[1.0, 0.5, -0.5, -1.0], [9.0, 0.0, -4.0, -5.0]])
def test_the_ratings_are_the_strengths_that_give_the_shares(strengths: list[float]) -> None:
    found = elo_of(shares_of(strengths), NONE)
    assert [each.value for each in found] == pytest.approx([POINTS * each for each in strengths], abs=0.01)
    assert all(each.low == each.value == each.high for each in found)


def test_an_interval_follows_the_error_of_the_share() -> None:
    """Near 1/2, the share of points changes by 1/4 if the difference of the two strengths changes by 1."""
    error = 0.02
    covariance = [[error**2, -(error**2)], [-(error**2), error**2]]
    first, second = elo_of([0.5, 0.5], covariance)
    assert first.high - first.low == pytest.approx(2 * 1.96 * error * 4 / 2 * POINTS, rel=1e-4)
    assert (second.low, second.high) == pytest.approx((-first.high, -first.low))


def test_elo_ratings_order_bots_as_ratings_do_and_have_the_mean_0() -> None:
    parts = [wins(1, "ab", 14, 6), wins(2, "bc", 12, 8), wins(3, "ad", 15, 5), wins(4, "cd", 20, 0)]
    model = RoundRobinAverages(meetings_of(chain(*parts)), 2)
    found = model.elo()
    assert sorted(found, key=lambda bot: -found[bot].value) == sorted("abcd", key=model.average)
    assert sum(each.value for each in found.values()) == pytest.approx(0)
    assert all(each.low < each.value < each.high for each in found.values())


def test_no_bot_has_no_rating() -> None:
    assert elo_of([], []) == []
