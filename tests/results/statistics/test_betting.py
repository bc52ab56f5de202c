"""Tests bets: even with a look at the results after every deal, false claims are as rare as promised."""

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.results.statistics.betting import BETS, MOST_MORE, Bets, bets, least_doubt

DIFFERENCES = st.lists(st.sampled_from([-1, -0.5, -1 / 3, 0, 0.25, 2 / 3, 1]), max_size=60)


def test_seven_deals_won_in_a_row_are_surer_than_nineteen_in_twenty_and_six_are_not() -> None:
    assert bets([1] * 7).doubt < 0.05 < bets([1] * 6).doubt


def test_without_a_deal_or_with_even_deals_all_is_in_doubt() -> None:
    assert bets([]).doubt == bets([0, 0, 0]).doubt == bets([1, -1]).doubt == bets([-1] * 9).doubt == 1


@given(DIFFERENCES)
def test_each_gambler_owns_the_product_of_its_bets(differences: list[float]) -> None:
    expected = [prod(1 + part * each for each in differences) for part in BETS]
    assert bets(differences).owned == pytest.approx(expected, rel=1e-12)


@given(DIFFERENCES, st.randoms(use_true_random=False))
def test_the_order_of_deals_changes_no_bit(differences: list[float], random: Random) -> None:
    mixed = random.sample(differences, len(differences))
    assert bets(mixed) == bets(differences)


def test_no_number_of_deals_is_too_large_for_a_float() -> None:
    assert bets([1] * 100_000).doubt < 1e-300
    assert 0 < bets([1] * 5_000 + [-1] * 4_000).doubt < 1e-20
    assert bets([-1] * 100_000).owned == (0.0,) * len(BETS)


@pytest.mark.parametrize(
    "means", [(0, 0, 0, 0), (0.5, -0.5, 0.25, -0.25), (1, -1, 0, 0), (0.9, -0.3, -0.3, -0.3), (-0.5, 0, 0, 0)]
)
def test_nobody_can_expect_to_win_where_the_means_add_up_to_nothing(means: tuple[float, ...]) -> None:
    """Each of `means` is the mean of one deal, which is won (1) or lost (-1). All outcomes are tried, with
    exact probabilities."""
    for part in map(Fraction, BETS):
        expected = Fraction(0)
        for outcome in product((1, -1), repeat=len(means)):
            chance = prod((1 + sign * Fraction(mean)) / 2 for sign, mean in zip(outcome, means, strict=True))
            expected += chance * prod(1 + part * sign for sign in outcome)
        assert expected <= 1


def test_a_look_after_every_deal_leaves_the_error_below_the_promised_one() -> None:
    """200 pairs of equal bots play 200 deals each. A test for a single look would decide 40 % of them."""
    random = Random(12)
    wrong = 0
    for _ in range(200):
        owned, decided = [1.0] * len(BETS), False
        for _ in range(200):
            difference = random.choice((-1, -0.5, 0, 0, 0.5, 1))
            owned = [money * (1 + part * difference) for money, part in zip(owned, BETS, strict=True)]
            decided = decided or Bets(1, tuple(owned)).doubt <= 0.1
        wrong += decided
    assert 1 <= wrong <= 20


@given(st.lists(st.sampled_from([-1, -0.5, 0, 0.5, 1]), min_size=1, max_size=15))
def test_the_least_doubt_is_that_of_the_best_look(differences: list[float]) -> None:
    looks = [bets(differences[:deals]).doubt for deals in range(len(differences) + 1)]
    assert least_doubt(differences) == pytest.approx(min(looks), rel=1e-12)


def test_the_least_doubt_is_small_as_seldom_as_promised() -> None:
    """Of all results of twelve deals of equal bots, 1 % to 5 % have a doubt of at most 0.05."""
    found = sum(least_doubt(signs) <= 0.05 for signs in product((1, -1), repeat=12))
    assert 0.01 * 2**12 < found <= 0.05 * 2**12


def test_the_least_doubt_of_many_deals_is_a_number() -> None:
    assert 0 < least_doubt([1] * 5_000) < 1e-290
    assert least_doubt([-1] * 5_000) == 1


def test_more_deals_of_the_same_kind_are_as_many_as_it_says() -> None:
    played = [1, 1, -1, 1, 0]
    more = bets(played).more(0.01)
    longer = played * 20
    needed = next(n for n in range(5, 101, 5) if bets(longer[:n]).doubt <= 0.01)
    assert needed - 5 < 5 + more <= needed


def test_a_bot_that_has_not_played_needs_at_least_the_deals_that_a_sure_winner_needs() -> None:
    assert bets([]).more(0.05) == 7


@pytest.mark.parametrize("differences", [[1, -1], [-1, -1], [0]])
def test_who_is_not_ahead_would_play_for_ever(differences: list[float]) -> None:
    assert bets(differences).more(0.05) == MOST_MORE


def test_what_is_decided_needs_one_more_deal_at_most() -> None:
    assert bets([1] * 20).more(0.05) == 1
