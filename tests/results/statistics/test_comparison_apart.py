"""Tests which deals of two bots are compared, and how much unequal opponents can change an average."""

import pytest

from harness.results.statistics.comparison import MOST_SKEW, Deal, Ranks, apart, in_turn, met, skew


def ranks(bot: str, tables: dict[str, list[float]], matches: int = 2) -> Ranks:
    """The deals of a bot. `tables` has its sums of ranks by opponents, whose names are one letter each."""
    found = {
        f"{''.join(sorted(others + bot))}.{number}": Deal(total, matches, tuple(others))
        for others, totals in tables.items()
        for number, total in enumerate(totals)
    }
    return Ranks(bot, found)


def test_a_difference_is_a_share_of_the_largest_possible_one() -> None:
    """In a match of four bots, ranks differ by up to 3. A deal has two matches, so sums differ by up to 6."""
    own, other = ranks("a", {"bcd": [2, 8, 5, 5]}), ranks("b", {"acd": [8, 2, 4, 4]})
    assert met(own, other) == {1: 1, -1: 1, (2 - 2.5) / 3: 2}
    assert met(own, ranks("x", {"y": [2]})) == {}


def test_differences_come_in_the_order_of_the_deals() -> None:
    own = Ranks("a", {"2": Deal(4, 2, ("b",)), "1": Deal(2, 2, ("b",)), "3": Deal(2, 2, ("c",))})
    other = Ranks("b", {"1": Deal(4, 2, ("a",)), "2": Deal(2, 2, ("a",))})
    assert in_turn(own, other) == [-1, 1]
    assert in_turn(other, own) == [-1, 1]
    assert in_turn(Ranks("a", own.deals, 2.0), other) == [-0.5, 0.5]


def test_deals_that_only_one_played_are_compared_by_opponents() -> None:
    own, other = ranks("a", {"s": [2, 4], "w": [2, 3]}), ranks("b", {"w": [3, 2], "s": [4, 4]})
    assert apart(own, other)[:2] == ({1: 1, 0: 1, 0.5: 1, -0.5: 1}, 0)


def test_deals_are_compared_with_those_of_other_tables_if_no_table_is_alike() -> None:
    """Both bots met each of s, t, u and v in two deals, but at different tables."""
    own, other = ranks("a", {"st": [2, 4], "uv": [6, 2]}), ranks("b", {"su": [2, 2], "tv": [6, 4]})
    assert apart(own, other)[:2] == ({0: 2, -0.5: 1, 0.5: 1}, 0)


def test_whole_tables_are_compared_if_two_bots_met_others() -> None:
    own, other = ranks("a", {"s": [2, 2, 4, 4]}), ranks("b", {"t": [4, 4]})
    assert skew(own, other) == 1 > MOST_SKEW
    assert apart(own, other)[:2] == ({0.5: 1}, 0)


def test_who_played_more_deals_is_compared_as_long_as_the_other_played() -> None:
    own, other = ranks("a", {"s": [2, 2, 2, 2]}), ranks("b", {"s": [4, 4]})
    assert apart(own, other)[:2] == ({1: 2}, 0)


def test_whom_two_met_together_makes_no_skew() -> None:
    assert skew(ranks("a", {"bs": [4, 3]}), ranks("b", {"as": [2, 3]})) == 0


def test_a_meeting_more_can_change_an_average_by_half_a_rank_in_a_deal() -> None:
    """In 40 deals, one bot met s 21 times, and the other bot 20 times; s always wins. All else is equal."""
    own, other = ranks("a", {"s": [4] * 21, "w": [2] * 19}), ranks("b", {"s": [4] * 20, "w": [2] * 20})
    assert skew(own, other) == pytest.approx(0.025)
    found = apart(own, other)
    assert found.skew == skew(own, other)
    assert sum(each * times for each, times in found.differences.items()) / 40 == pytest.approx(-0.025)
