"""Tests by simulation the forecasts of how many deals are needed to tell bots apart."""

from math import sqrt
from random import Random

import pytest

from harness.results.statistics.betting import bets
from harness.schedule.bouts import ERROR, LONGER
from harness.schedule.forecast import goes_on, told_by_bets


@pytest.mark.parametrize(("deals", "doubt"), [(40, 0.025), (131, 0.025), (306, 0.05 / 240)])
def test_the_better_of_two_bots_is_found_in_about_half_of_all_cases(deals: int, doubt: float) -> None:
    found = told_by_bets(deals, 1.0, doubt)
    assert found is not None
    random, told = Random(5), 0
    for _ in range(200):
        won = sum(random.random() < (1 + found) / 2 for _ in range(deals))
        told += bets({1.0: won, -1.0: deals - won}).doubt <= doubt
    assert 0.35 <= told / 200 <= 0.65


def test_a_few_deals_tell_nothing_apart() -> None:
    assert told_by_bets(4, 1.0, 0.025) is None
    assert told_by_bets(9, 0.0, 0.025) == pytest.approx(0.6, abs=0.2)


def test_more_deals_find_smaller_differences_and_a_smaller_doubt_needs_more() -> None:
    one, four = told_by_bets(100, 1.0, 0.025), told_by_bets(400, 1.0, 0.025)
    wary = told_by_bets(100, 1.0, 0.001)
    assert one is not None
    assert four is not None
    assert wary is not None
    assert one / four == pytest.approx(2, rel=0.15)
    assert wary > one


@pytest.mark.parametrize("matches", [1, 4, 10])
def test_how_often_a_better_bot_goes_on_from_a_table_whose_ties_are_played_on(matches: int) -> None:
    """After a tie, the simulation plays until bets know which bot is better, as a real table does."""
    random, went = Random(7), 0
    for _ in range(2_000):
        signs = [1 if random.random() < 0.6 else -1 for _ in range(LONGER * matches)]
        played = matches
        if not sum(signs[:played]):
            while played < LONGER * matches:
                played *= 2
                ahead = 1 if sum(signs[:played]) > 0 else -1
                if 2 * bets([float(ahead * sign) for sign in signs[:played]]).doubt <= ERROR:
                    break
        went += (sum(signs[:played]) or random.choice((-1, 1))) > 0
    assert goes_on(0.6, matches, LONGER) == pytest.approx(went / 2_000, abs=3 * sqrt(0.24 / 2_000))


def test_many_matches_are_no_trouble() -> None:
    """For 2,000 matches, the number of possible results is too large for a float."""
    assert goes_on(0.6, 2_000, LONGER) == pytest.approx(1)
    assert goes_on(0.5, 1_000, LONGER) == pytest.approx(0.5)
