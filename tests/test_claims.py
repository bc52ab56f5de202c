"""Tests claims: their doubts, their correction for many claims, and how often they are wrong."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from harness.results.claims import Claim, Looks, beating, held, ranking
from harness.results.comparison import Deal, Deals

BOTH: list[Looks] = ["any", "once"]


def deals(*ranks: float) -> dict[str, Deal]:
    """Deals of one match each, at a table of two."""
    return {str(number): Deal(rank, 1, ("x",)) for number, rank in enumerate(ranks)}


def pair(wins: int, losses: int = 0) -> tuple[Deals, Deals]:
    """Two bots of which the first wins and loses this many deals."""
    return deals(*[1] * wins, *[2] * losses), deals(*[2] * wins, *[1] * losses)


@pytest.mark.parametrize(("looks", "deals"), [("once", 5), ("any", 7)])
def test_who_may_look_at_any_time_needs_more_deals(looks: Looks, deals: int) -> None:
    assert beating(*pair(deals), looks).ahead <= 0.05 < beating(*pair(deals - 1), looks).ahead
    assert beating({}, {}, looks).more(0.05) == deals
    assert beating(*pair(deals), looks).behind == 1


@pytest.mark.parametrize("looks", BOTH)
@pytest.mark.parametrize("compare", [beating, ranking])
def test_the_same_deals_say_the_same_of_both_bots(
    compare: Callable[[Deals, Deals, Looks], Claim], looks: Looks
) -> None:
    own, other = pair(9, 2)
    found, back = compare(own, other, looks), compare(other, own, looks)
    assert (found.deals, found.doubt) == (back.deals, back.doubt)
    assert (back.ahead, back.behind) == pytest.approx((found.behind, found.ahead))
    assert found.turned()[:3] == pytest.approx(back[:3])
    assert found.more(0.001) == back.more(0.001)


@pytest.mark.parametrize("wins", range(2, 12))
def test_a_few_deals_that_do_not_vary_are_no_proof_of_a_place(wins: int) -> None:
    """Two equal bots show this in one of 2 ** (wins - 1) cases."""
    assert ranking(*pair(wins), "once").doubt == pytest.approx(0.5 ** (wins - 1))


def test_a_place_needs_a_test_on_both_sides() -> None:
    """At 0.95, 8 deals to 2 are enough for a test on one side, but not for one on both sides."""
    found = ranking(*pair(8, 2), "once")
    judged = ttest_1samp([1] * 8 + [-1] * 2, 0).pvalue
    assert found.doubt == pytest.approx(judged)
    assert found.ahead <= 0.05 < found.doubt


# -- many claims -----------------------------------------------------------------------------------


def test_the_smallest_doubt_is_multiplied_by_the_number_of_claims_the_next_by_one_less() -> None:
    found = held({"a": 0.03, "b": 0.01, "c": 0.02, "d": 0.9})
    assert {name: each.doubt for name, each in found.items()} == pytest.approx(
        {"b": 0.04, "c": 0.06, "a": 0.06, "d": 0.9}
    )
    assert {name: each.among for name, each in found.items()} == {"b": 4, "c": 3, "a": 2, "d": 1}


@given(st.lists(st.floats(0, 1), max_size=12))
def test_a_corrected_doubt_is_no_smaller_keeps_the_order_and_is_at_most_1(doubts: list[float]) -> None:
    named = dict(enumerate(doubts))
    found = held(named)
    assert all(named[name] <= found[name].doubt <= 1 for name in named)
    by_own = sorted(named, key=named.__getitem__)
    assert [found[name].doubt for name in by_own] == sorted(each.doubt for each in found.values())


# -- how often they are wrong ----------------------------------------------------------------------


def table(random: Random, bots: int, deals: int) -> dict[int, dict[str, Deal]]:
    """Deals of equal bots at one table."""
    found: dict[int, dict[str, Deal]] = {bot: {} for bot in range(bots)}
    for deal in range(deals):
        for rank, bot in enumerate(random.sample(range(bots), bots), start=1):
            found[bot][str(deal)] = Deal(rank, 1, tuple(str(other) for other in found if other != bot))
    return found


@pytest.mark.parametrize("bots", [2, 4])
@pytest.mark.parametrize("count", [6, 20])
def test_two_equal_bots_are_told_apart_in_no_more_than_5_of_100_cases(bots: int, count: int) -> None:
    random = Random(bots * count)
    wrong = 0
    for _ in range(400):
        played = table(random, bots, count)
        wrong += ranking(played[0], played[1], "once").doubt <= 0.05
    assert wrong <= 400 * 0.05 + 10


def test_of_all_pairs_of_equal_bots_probably_none_is_told_apart_at_any_of_ten_looks() -> None:
    random = Random(16)
    wrong = 0
    for _ in range(20):
        played = table(random, 4, 50)
        wrong += any(
            found.doubt <= 0.05
            for look in range(5, 51, 5)
            for found in held(
                {
                    (one, other): ranking(_first(played[one], look), _first(played[other], look), "any").doubt
                    for one in range(4)
                    for other in range(one)
                }
            ).values()
        )
    assert wrong <= 1


def _first(deals: Deals, count: int) -> Deals:
    return dict(list(deals.items())[:count])
