"""Tests the two groups of bots in the model, and compares their matrices with those of numpy."""

from collections.abc import Iterator
from itertools import chain, combinations
from math import comb, log, pi
from statistics import NormalDist

import numpy as np
import pytest

from harness.results.statistics import mixed
from harness.results.statistics.groups import CENTRES, TwoGroups, groups_of
from harness.results.statistics.meetings import meetings_of
from harness.results.statistics.round_robin import RoundRobinAverages
from harness.results.statistics.wide import WideAverages
from tests.results.statistics.tables import Match, wins

GROUPS = TwoGroups((3, 2), [-0.4, 0.6, -0.4, -0.4, 0.6])
STRENGTHS = [0.3, 2.5, -0.1, 0.4, 3.0]
OWN = 0.5
"""The standard deviation of the strengths in a group."""
COVARIANCE = OWN**2 * np.eye(5) + 2 * CENTRES**2 * np.outer(GROUPS.contrast, GROUPS.contrast)


def test_the_precision_is_that_of_strengths_around_unknown_centres() -> None:
    less = GROUPS.shared(OWN) * np.outer(GROUPS.contrast, GROUPS.contrast)
    assert np.eye(5) / OWN**2 - less == pytest.approx(np.linalg.inv(COVARIANCE))


def test_the_density_is_that_of_strengths_around_unknown_centres() -> None:
    own = np.array(STRENGTHS)
    expected = -own @ np.linalg.solve(COVARIANCE, own) / 2
    expected -= np.linalg.slogdet(COVARIANCE)[1] / 2 + 5 / 2 * log(2 * pi)
    known = sum(-log(OWN) - each**2 / OWN**2 / 2 - log(2 * pi) / 2 for each in STRENGTHS)
    allocation = log(2 / 4 / comb(5, 3))
    assert known + GROUPS.log_shared(STRENGTHS, OWN) == pytest.approx(expected + allocation)


def test_the_deviation_of_the_centres_counts_each_bot() -> None:
    assert GROUPS.apart([0, 5, 0, 0, 5]) == pytest.approx(5 * (0.6 * 0.4) ** 0.5)


def test_groups_are_found_by_strengths() -> None:
    found = groups_of([5 * each + 0.1 * place for place, each in enumerate(GROUPS.contrast)])
    assert found
    assert found.contrast == pytest.approx(GROUPS.contrast)


def test_a_normal_field_is_not_tried_as_two_groups() -> None:
    assert groups_of([NormalDist().inv_cdf((place + 0.5) / 400) for place in range(400)]) is None


def test_a_fit_with_groups_has_the_covariance_of_the_whole_precision() -> None:
    meetings = meetings_of(chain(*two_groups(gap=True)))
    at = mixed.Deviations(0.25, 0.0, 0.0)
    grouped = mixed.Exact(meetings).grouped(mixed.Deviations(1.0, 0.0, 0.0))
    assert grouped
    assert grouped.groups
    covariance = np.array(grouped.fitted(1.0, at).covariance)
    without = np.linalg.inv(np.array(grouped.equations.inverse()))
    less = grouped.groups.shared(0.25) * np.outer(grouped.groups.contrast, grouped.groups.contrast)
    assert covariance == pytest.approx(np.linalg.inv(without - less), abs=1e-6)


def two_groups(gap: bool) -> Iterator[list[Match]]:
    """Bots a to d are equal, and so are e to h. With a gap, a to d win nearly all matches against e to h."""
    for number, (one, other) in enumerate(combinations("abcdefgh", 2), start=1):
        apart = gap and one in "abcd" and other in "efgh"
        won = 38 if apart else 18 + number % 5
        yield wins(number, one + other, won, 40 - won)


def test_two_groups_are_told_apart_and_the_bots_of_a_group_are_not() -> None:
    meetings = meetings_of(chain(*two_groups(gap=True)))
    assert sum(each.weight for each in mixed.fits(meetings) if each.deviations.groups > 1) > 0.9
    ranges = RoundRobinAverages(meetings, 2).ranges(meetings.bots, 0.95)
    assert {ranges[bot] for bot in "abcd"} == {(1, 4)}
    assert {ranges[bot] for bot in "efgh"} == {(5, 8)}


def test_a_large_field_may_have_two_groups() -> None:
    meetings = meetings_of(chain(*two_groups(gap=True)))
    found = WideAverages(meetings, 2)
    assert found.probability(lambda each: each.groups > 1) == pytest.approx(1)
    assert {found.ranges(meetings.bots, 0.95)[bot] for bot in "abcd"} == {(1, 4)}


def test_one_scale_explains_two_groups() -> None:
    """The distance between the groups is a difference of strengths, so no other effect is needed."""
    assert RoundRobinAverages(meetings_of(chain(*two_groups(gap=True))), 2, credited=True).scale > 0.9


def test_equal_bots_are_no_two_groups() -> None:
    found = mixed.fits(meetings_of(chain(*two_groups(gap=False))))
    assert sum(each.weight for each in found if each.deviations.groups) < 0.1
