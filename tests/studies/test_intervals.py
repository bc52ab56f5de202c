"""Tests on simulated tournaments how often intervals contain the truth, and tests the simulation itself."""

from random import Random
from statistics import fmean, pvariance

import pytest

from studies.intervals import Cell, Field, counted, measured, simulated

FRESH = [
    Field(2, 2, 1, 10, fresh=True, spread=False),
    Field(8, 2, 4, 2, fresh=True, spread=True),
    Field(8, 2, 4, 10, fresh=True, spread=False),
    Field(8, 4, 2, 10, fresh=True, spread=True),
]
SAME = [
    Field(8, 2, 4, 10, fresh=False, spread=True),
    Field(16, 4, 4, 10, fresh=False, spread=False),
    Field(32, 2, 16, 1, fresh=False, spread=True),
]


@pytest.mark.parametrize("field", FRESH + SAME)
def test_93_to_97_of_100_intervals_contain_the_truth_and_are_hardly_wider_than_needed(field: Field) -> None:
    cell = measured(field, 1_000, seed=2)
    assert cell.marks == ""
    assert cell.times < 1.2


@pytest.mark.parametrize("field", [Field(4, 2, 3, 1, True, True), Field(4, 4, 1, 1, False, True)])
def test_with_few_deals_intervals_are_rather_too_wide_than_too_narrow(field: Field) -> None:
    cell = measured(field, 400)
    assert cell.right > 0.97
    assert not cell.empty


@pytest.mark.parametrize("fresh", [True, False])
def test_nine_times_the_deals_need_and_make_a_third_of_the_width(fresh: bool) -> None:
    few, many = (measured(Field(8, 2, 3, deals, fresh, spread=True), 400) for deals in (10, 90))
    assert few.width / many.width == pytest.approx(3, rel=0.15)
    assert few.needed / many.needed == pytest.approx(3, rel=0.05)


@pytest.mark.parametrize("field", [Field(4, 4, 1, 3, True, True), Field(4, 4, 1, 3, False, True)])
def test_the_truth_is_what_the_simulation_comes_to(field: Field) -> None:
    """The middles of intervals of many deals are on average the truth, and spread as `error` says."""
    many = field._replace(deals=400)
    drawn = list(simulated(many, 150, Random(3)))
    for strength in {each.strength for each in drawn}:
        own = [each for each in drawn if each.strength == strength]
        middles = [(each.interval.low + each.interval.high) / 2 - each.truth for each in own]
        error = fmean(each.error for each in own)
        assert fmean(middles) == pytest.approx(0, abs=4 * error / len(own) ** 0.5)
        assert pvariance(middles) == pytest.approx(error**2, rel=0.4)


def test_bots_that_sit_out_a_round_have_a_truth_of_their_own() -> None:
    drawn = list(simulated(Field(5, 2, 3, 50, True, True), 1, Random(1)))
    assert all(1 < each.truth < 2 for each in drawn)
    assert sum(each.interval.low <= each.truth <= each.interval.high for each in drawn) >= 4


def test_marks_tell_which_bar_a_cell_misses() -> None:
    field = Field(2, 2, 4, 3, True, True)
    good = Cell(field, 2_000, right=0.95, width=1.2, needed=1.0, empty=0)
    marks = [
        good._replace(**change).marks
        for change in ({}, {"right": 0.9}, {"right": 0.98}, {"width": 1.4}, {"empty": 1})
    ]
    assert marks == ["", "<", ">", "w", "0"]
    assert list(counted([good, good._replace(right=0.98)])) == [
        "1 of 2 cells keep the bar.",
        "> too many intervals contain the truth: 1 cells, with at most 12 deals of a bot in each seat.",
    ]
