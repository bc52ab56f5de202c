"""Tests that heat maps show each pair of bots, and lead to its matches."""

import re

import pytest

from harness.report.opponents import MOST_NUMBERED, beats, meetings
from harness.report.results import Met


@pytest.mark.parametrize("wins, shade", [(0, 0), (19, 0), (20, 1), (50, 3), (53, 4), (100, 6)])
def test_the_shade_of_a_cell_says_the_share(wins: int, shade: int) -> None:
    svg = beats({("a", "b"): Met(100, wins)}, ["a"], ["b"], str).svg("Head to head")
    assert re.findall(r'fill="var\(--heat([0-9])\)"', svg) == [str(shade)]
    assert f"a against b: better in {wins} % of 100 matches" in svg
    assert "#matches?bot=a&amp;against=b" in svg


def test_a_large_map_has_a_legend_instead_of_numbers() -> None:
    bots = [f"b{number}" for number in range(MOST_NUMBERED + 1)]
    pairs = {(one, other): Met(4, 1) for one in bots for other in bots if one != other}
    svg = beats(pairs, bots, bots, str).svg("Head to head")
    assert 'class="number"' not in svg
    assert "from 80 %" in svg


def test_a_pair_that_met_more_often_is_darker() -> None:
    pairs = {("a", "b"): Met(1_200, 3), ("b", "a"): Met(8, 3)}
    svg = meetings(pairs, ["a", "b"], ["a", "b"], str).svg("Matches together")
    assert re.findall(r"--count([0-9])", svg) == ["4", "0"]
    assert "1,200" in svg
