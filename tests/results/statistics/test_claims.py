"""Tests claims: their doubts, the correction of doubts for many claims, and how often claims are wrong."""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from harness.results.statistics.betting import bets
from harness.results.statistics.claims import Claim, Looks, beating, held, ranking
from harness.results.statistics.comparison import Deal, Deals, Ranks

BOTH: list[Looks] = ["any", "once"]


def pair(wins: int, losses: int = 0) -> tuple[Ranks, Ranks]:
    """The ranks of two bots, a and b, that play at a table of two. Bot a wins and loses so many deals."""
    ranks = [1] * wins + [2] * losses
    one = {str(number): Deal(rank, 1, ("b",)) for number, rank in enumerate(ranks)}
    other = {str(number): Deal(3 - rank, 1, ("a",)) for number, rank in enumerate(ranks)}
    return Ranks("a", one), Ranks("b", other)


@pytest.mark.parametrize(("looks", "deals"), [("once", 5), ("any", 7)])
def test_who_may_look_at_any_time_needs_more_deals(looks: Looks, deals: int) -> None:
    assert beating(*pair(deals), looks).ahead <= 0.05 < beating(*pair(deals - 1), looks).ahead
    assert beating(Ranks("a", {}), Ranks("b", {}), looks).more(0.05) == deals
    assert beating(*pair(deals), looks).behind == 1


def test_if_results_decide_how_often_two_bots_meet_a_claim_that_held_still_holds() -> None:
    """The first bot wins 9 deals, and then loses 9. The claim that it is better held after 9 deals."""
    held_once = beating(*pair(9, 9), "any", adaptive=True)
    assert (held_once.deals, held_once.ahead) == (18, beating(*pair(9), "any").ahead)
    assert beating(*pair(9, 9), "any").ahead == 1
    turned = beating(*pair(9, 60), "any", adaptive=True)
    assert turned.behind <= 0.05 < turned.ahead, "the smaller doubt decides"


@pytest.mark.parametrize("looks", BOTH)
@pytest.mark.parametrize("compare", [beating, ranking])
def test_the_same_deals_say_the_same_of_both_bots(
    compare: Callable[[Ranks, Ranks, Looks], Claim], looks: Looks
) -> None:
    own, other = pair(9, 2)
    found, back = compare(own, other, looks), compare(other, own, looks)
    assert (found.deals, found.doubt) == (back.deals, back.doubt)
    assert (back.ahead, back.behind) == pytest.approx((found.behind, found.ahead))
    assert found.turned()[:3] == pytest.approx(back[:3])
    assert found.more(0.001) == back.more(0.001)


@pytest.mark.parametrize("wins", range(2, 12))
def test_a_few_deals_that_do_not_vary_are_no_proof_of_a_place(wins: int) -> None:
    """One of two equal bots wins all these deals with the probability 0.5 ** (wins - 1)."""
    assert ranking(*pair(wins), "once").doubt == pytest.approx(0.5 ** (wins - 1))


def test_a_place_needs_a_test_on_both_sides() -> None:
    """At 0.95, 8 won and 2 lost deals are enough for a one-sided test, but not for a two-sided test."""
    found = ranking(*pair(8, 2), "once")
    judged = ttest_1samp([1] * 8 + [-1] * 2, 0).pvalue
    assert found.doubt == pytest.approx(judged)
    assert found.ahead <= 0.05 < found.doubt


@given(st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=30), st.integers(0, 30))
def test_whoever_is_behind_has_won_no_bet(ranks: list[int], ahead: int) -> None:
    """A bot that is behind has won no bet, so `ranking` need not compute the bets on this bot."""
    differences = [(5 - 2 * rank) / 3 for rank in ranks] + [1 / 3] * ahead
    if sum(differences) <= 0:
        assert bets(differences).doubt == 1
    if sum(differences) >= 0:
        assert bets([-each for each in differences]).doubt == 1


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


def table(random: Random, bots: str, deals: int) -> list[dict[str, Deal]]:
    """The results of so many deals that equal bots play at one table, with a list item for each bot."""
    found: dict[str, dict[str, Deal]] = {bot: {} for bot in bots}
    for deal in range(deals):
        for rank, bot in enumerate(random.sample(bots, len(bots)), start=1):
            found[bot][str(deal)] = Deal(rank, 1, tuple(other for other in bots if other != bot))
    return list(found.values())


def first(bots: str, played: Sequence[Deals], count: int) -> list[Ranks]:
    """The ranks of these bots in their first deals."""
    return [Ranks(bot, dict(list(deals.items())[:count])) for bot, deals in zip(bots, played, strict=True)]


@pytest.mark.parametrize("bots", ["ab", "abcd"])
@pytest.mark.parametrize("count", [6, 20])
def test_two_equal_bots_are_told_apart_in_no_more_than_5_of_100_cases(bots: str, count: int) -> None:
    random = Random(len(bots) * count)
    wrong = 0
    for _ in range(400):
        one, other, *_ = first(bots, table(random, bots, count), count)
        wrong += ranking(one, other, "once").doubt <= 0.05
    assert wrong <= 400 * 0.05 + 10


def test_of_all_pairs_of_equal_bots_probably_none_is_told_apart_at_any_of_ten_looks() -> None:
    random = Random(16)
    wrong = 0
    for _ in range(20):
        played = table(random, "abcd", 50)
        looks = [first("abcd", played, count) for count in range(5, 51, 5)]
        wrong += any(
            found.doubt <= 0.05
            for look in looks
            for found in held(
                {
                    (one.bot, other.bot): ranking(one, other, "any").doubt
                    for one, other in combinations(look, 2)
                }
            ).values()
        )
    assert wrong <= 1
