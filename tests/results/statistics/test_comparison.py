"""Compares the permutation test with a count of all patterns of signs, and tests comparisons of averages."""

from itertools import product
from math import inf, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.results.statistics.betting import MOST_MORE
from harness.results.statistics.comparison import MOST_EXACT, Deal, gap, lead, more


def deals(*totals: float, matches: int = 2, others: str = "x", run: int = 1) -> dict[str, Deal]:
    """Deals of a bot with these sums of its ranks, played against these other bots."""
    return {f"{run}.{n}": Deal(total, matches, tuple(others)) for n, total in enumerate(totals, start=1)}


def test_five_deals_won_in_a_row_are_surer_than_nineteen_in_twenty() -> None:
    found = lead(deals(2, 2, 2, 2, 2), deals(4, 4, 4, 4, 4))
    assert (found.deals, found.sure) == (5, 1 - 1 / 32)
    assert lead(deals(2, 2, 2, 2), deals(4, 4, 4, 4)).sure < 0.95


def test_only_deals_of_both_tell_who_is_ahead() -> None:
    found = lead(deals(1, 1), {"1.2": Deal(2, 1, ("x",)), "1.3": Deal(1, 1, ("x",))})
    assert (found.deals, found.sure) == (1, 0.5)


def test_who_never_met_or_always_tied_is_not_ahead() -> None:
    assert lead(deals(1), {}).sure == 0
    assert lead(deals(3, 3), deals(3, 3)) == (2, 0, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(2, 12), st.integers(2, 12)), max_size=9))
def test_the_count_is_that_of_all_coins(pairs: list[tuple[int, int]]) -> None:
    own, other = (deals(*(pair[side] / 2 for pair in pairs)) for side in (0, 1))
    differences = [theirs - mine for mine, theirs in pairs]
    tossed = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(pairs))
    ]
    smaller = sum(each < sum(differences) for each in tossed) / len(tossed)
    assert lead(own, other).sure == pytest.approx(smaller)


def test_many_deals_are_taken_for_normal_and_agree_with_the_count() -> None:
    few = [3 + (number % 3 == 0) for number in range(MOST_EXACT)]
    many = [*few, 3]
    counted = lead(deals(*few), deals(*([3.3] * len(few)))).sure
    normal = lead(deals(*many), deals(*([3.3] * len(many)))).sure
    assert normal == pytest.approx(counted, abs=0.05)


def test_a_gap_of_averages_needs_no_meeting() -> None:
    first = deals(*(2 + n % 2 for n in range(20)))
    second = deals(*(5 + n % 2 for n in range(20)), run=2)
    found = gap(first, second)
    assert found.difference == pytest.approx(1.5)
    assert found.free == 38
    # The standard error of each of the two averages is 0.25 * sqrt(20 / 19) / sqrt(20).
    assert found.errors == pytest.approx(1.5 / (0.25 * sqrt(2 / 19)))
    assert gap(second, first).errors == pytest.approx(-found.errors)


def test_where_both_met_the_same_others_whom_they_met_makes_no_doubt() -> None:
    """Both bots always lose against s. One always wins against w, and one never does. So nothing varies."""
    own = deals(6, 6, others="s") | deals(2, 2, others="w", run=2)
    other = deals(6, 6, others="s", run=3) | deals(4, 4, others="w", run=4)
    assert gap(own, other).errors == inf


def test_where_they_met_others_it_is_tables_that_vary() -> None:
    own = deals(6, 6, others="s") | deals(2, 2, others="w", run=2)
    other = deals(6, 6, others="t", run=3) | deals(4, 4, others="w", run=4)
    found = gap(own, other, None)
    assert found.free == 3
    assert 0 < found.errors < 1


def test_what_opponents_can_do_at_most_is_taken_off() -> None:
    own, other = deals(2, 3, 2, 3), deals(4, 5, 5, 4, run=2)
    error = gap(own, other).difference / gap(own, other).errors
    assert gap(own, other).difference == 1
    assert gap(own, other, 0.25).errors == pytest.approx(0.75 / error)
    assert gap(other, own, 0.25).errors == pytest.approx(-0.75 / error)
    assert gap(own, other, 2).errors == 0


def test_where_two_met_what_one_won_the_other_lost() -> None:
    """A common deal counts once. For the differences 2, 0, 2, -2, the squares about the mean sum to 11."""
    own, other = deals(2, 3, 2, 4, others="b"), deals(4, 3, 4, 2, others="a")
    assert gap(own, other).errors == pytest.approx(0.25 / (sqrt(11 * 4 / 3) / 8))


def test_tables_of_one_deal_are_taken_together_and_leave_doubt() -> None:
    own = {f"1.{n}": Deal(2 + 2 * (n % 2), 2, (f"x{n}",)) for n in range(8)}
    other = {f"2.{n}": Deal(3 + n % 2, 2, (f"x{n}",)) for n in range(8)}
    found = gap(own, other)
    assert found.free == 15
    assert 0 < found.errors < 2


def test_a_gap_in_which_nothing_varies_is_beyond_doubt_and_one_deal_proves_nothing() -> None:
    assert gap(deals(2, 2), deals(4, 4)).errors == inf
    assert gap(deals(2), deals(4)).errors == 0
    assert gap(deals(2, 3), deals(2, 3)).errors == 0


def test_twice_as_sure_needs_four_times_as_much() -> None:
    assert more(0.95, 0.8225, 10) == 30
    assert more(0.95, -0.8225, 10) == 30
    assert more(0.95, 0, 10) == MOST_MORE
    assert more(0.95, 0, 0) == 5
