"""Tests the bound with which the study of schedules compares schedules."""

from math import comb

import pytest

from studies.schedules import fewest, schedule


@pytest.mark.parametrize(("bots", "seats"), [(7, 3), (13, 4), (10, 2)])
def test_where_each_pair_can_meet_exactly_once_the_bound_is_that_design(bots: int, seats: int) -> None:
    assert fewest(bots, seats) == comb(bots, 2) // comb(seats, 2)
    assert schedule(bots, seats).meetings == (1, 1)
    assert schedule(bots, seats).longer == 1


@pytest.mark.parametrize(("bots", "seats"), [(5, 3), (9, 4), (11, 5)])
def test_no_schedule_is_shorter_than_the_bound(bots: int, seats: int) -> None:
    found = schedule(bots, seats)
    assert found.encounters >= found.fewest
    assert found.meetings[0] >= 1
