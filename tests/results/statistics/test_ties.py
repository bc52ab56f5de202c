"""Compares our code of Davidson's model of ties with its formula, and tests that ratings use this model."""

from itertools import chain, combinations
from math import exp, log
from random import Random

import pytest

from harness.results.statistics import mixed, parts
from harness.results.statistics.meetings import Sums, TableResults, meetings_of
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.ties import LARGEST, log_without_ties, share_and_slope, weight_of_ties
from tests.results.statistics.tables import encounter

KINDS = (parts._Single, parts._Two, parts._Many, parts._Quick)


def shares(apart: float, ties: float) -> tuple[float, float]:
    """The probabilities of a win and of a tie for two bots with this difference of strengths."""
    whole = exp(apart / 2) + ties + exp(-apart / 2)
    return exp(apart / 2) / whole, ties / whole


@pytest.mark.parametrize("ties", [0.0, 0.5, 20.0])
@pytest.mark.parametrize("apart", [-6.0, 0.0, 0.3, 2.5])
def test_a_tie_is_half_a_win_and_the_slope_is_the_derivative(apart: float, ties: float) -> None:
    won, tied = shares(apart, ties)
    share, slope = share_and_slope(apart, ties)
    assert share == pytest.approx(won + tied / 2)
    near = [share_and_slope(apart + step, ties)[0] for step in (1e-5, -1e-5)]
    assert slope == pytest.approx((near[0] - near[1]) / 2e-5, rel=1e-5)
    assert slope == pytest.approx(won + tied / 4 - share * share), "the variance of a match"
    assert log_without_ties(apart, ties) == pytest.approx(log(1 - tied))


def test_the_weight_is_found_that_makes_so_many_ties() -> None:
    duels = [(10.0, 0.0), (30.0, 2.0), (5.0, -7.0)]
    tied = sum(matches * shares(apart, 3.0)[1] for matches, apart in duels)
    assert weight_of_ties(duels, tied / 45) == pytest.approx(3.0)
    assert weight_of_ties(duels, 1.0) == pytest.approx(LARGEST)


@pytest.mark.parametrize("kind", KINDS)
def test_the_likelihood_of_a_table_is_largest_where_the_shares_are_the_expected(
    kind: type[parts._Single],
) -> None:
    """A bot has 0.6 of the points. The likelihood is largest at the difference of strengths for which 0.6 is
    the expected share."""
    table = TableResults((0, 1), [Sums(20, [12.0], 14)])
    own, gap = kind(table, 1.0, 4.0), 0.0
    for _ in range(8):
        matrix, right = [[0.0, 0.0], [0.0, 0.0]], [0.0, 0.0]
        own.eliminate([gap, 0.0], 0.0, 0.0, matrix, right)
        own.settle([gap, 0.0], 0.0, 0.0)
        gap = right[0] / matrix[0][0]
    assert share_and_slope(gap, 4.0)[0] == pytest.approx(0.6)
    around = [own.log_likelihood([gap + step, 0.0], 0.0, 0.0) for step in (-0.1, 0.0, 0.1)]
    assert around[1] == max(around)
    assert list(own.duels([gap, 0.0])) == [(20, gap)]


def test_a_field_with_ties_has_their_weight_and_the_averages_of_its_results() -> None:
    """All pairs of four bots meet. The strengths are 3 apart, and ties have the weight 30."""
    random, played = Random(7), []
    for number, (one, two) in enumerate(combinations(range(4), 2)):
        won, tied = shares(3.0 * (two - one), 30.0)
        draws = [random.random() for _ in range(400)]
        ranks = [(1, 2) if draw < won else (1.5, 1.5) if draw < won + tied else (2, 1) for draw in draws]
        played.append(encounter(number, [("abcd"[one] + "abcd"[two], each) for each in ranks]))
    meetings = meetings_of(chain(*played))
    assert 0.6 < meetings.ties < 0.8
    assert meetings.spread == pytest.approx(1, abs=0.1), "the deals are independent"
    assert mixed.Exact(meetings).ties == pytest.approx(30, rel=0.1)
    true = 2 - sum(share_and_slope(3.0 * step, 30.0)[0] for step in (1, 2, 3)) / 3
    low, high = RoundRobinAverages(meetings, 2).interval("a")
    assert low < true < high


def test_a_field_in_which_all_matches_are_ties_is_equal() -> None:
    tie = [("ab", (1.5, 1.5))] * 20
    model = RoundRobinAverages(meetings_of([*encounter(1, tie), *encounter(2, [("bc", (1.5, 1.5))] * 20)]), 2)
    assert [model.average(bot) for bot in "abc"] == pytest.approx([1.5] * 3)
    assert model.ranges("abc", 0.95) == dict.fromkeys("abc", (1, 3))
