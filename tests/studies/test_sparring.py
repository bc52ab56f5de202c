"""Tests how often strategies of Evil Squash win: equal ones half of the matches, the best one as known."""

from __future__ import annotations

import pytest

from studies.sparring import HITS, LAST, Strength, best, of_shares, rungs, sensible, solved, tosses


def test_the_best_strategy_wins_as_often_as_the_page_of_the_game_says() -> None:
    assert solved(best, tosses) == pytest.approx(0.5155, abs=0.00005)


def test_equal_strategies_are_even() -> None:
    assert solved(sensible, sensible) == pytest.approx(0.5, abs=1e-5)


def test_shares_are_a_strategy() -> None:
    shares = of_shares(dict.fromkeys(HITS, 0.25))
    assert {shares(hit, 1.0, 0.0) for hit in HITS} == {0.25}
    assert all(hit.left < LAST and hit.square < LAST for hit in HITS)


def test_neighbours_are_apart_if_they_differ_by_more_than_their_error() -> None:
    found = [Strength("a", 1.6, 0.01), Strength("b", 1.59, 0.01), Strength("c", 1.5, 0.05)]
    assert [each.apart for each in rungs(found)] == [False, False, True]
