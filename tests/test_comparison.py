"""Owns the tests of how sure a comparison is: against all coins tossed one by one, and Student's t."""

from itertools import product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.comparison import MOST_EXACT, MOST_MORE, Ranks, gap, lead, more, wanted


def ranks(*totals: float, matches: int = 2) -> Ranks:
    """So many deals or encounters with these sums of ranks."""
    return {f"1.{number}": (total, matches) for number, total in enumerate(totals, start=1)}


def test_five_deals_won_in_a_row_are_surer_than_nineteen_in_twenty() -> None:
    found = lead(ranks(2, 2, 2, 2, 2), ranks(4, 4, 4, 4, 4))
    assert (found.deals, found.sure) == (5, 1 - 1 / 32)
    assert lead(ranks(2, 2, 2, 2), ranks(4, 4, 4, 4)).sure < 0.95


def test_only_deals_of_both_tell_who_is_ahead() -> None:
    found = lead({"1.1": (1, 1), "1.2": (1, 1)}, {"1.2": (2, 1), "1.3": (1, 1)})
    assert (found.deals, found.sure) == (1, 0.5)


def test_who_never_met_or_always_tied_is_not_ahead() -> None:
    assert lead(ranks(1), {}).sure == 0
    assert lead(ranks(3, 3), ranks(3, 3)) == (2, 0, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(2, 12), st.integers(2, 12)), max_size=9))
def test_the_count_is_that_of_all_coins(pairs: list[tuple[int, int]]) -> None:
    own, other = (ranks(*(pair[side] / 2 for pair in pairs)) for side in (0, 1))
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
    counted = lead(ranks(*few), ranks(*([3.3] * len(few)))).sure
    normal = lead(ranks(*many), ranks(*([3.3] * len(many)))).sure
    assert normal == pytest.approx(counted, abs=0.05)


def test_a_gap_of_averages_needs_no_meeting() -> None:
    first = {f"1.{n}": (2 + n % 2, 2) for n in range(20)}
    second = {f"2.{n}": (5 + n % 2, 2) for n in range(20)}
    found = gap(first, second)
    assert found.difference == pytest.approx(1.5)
    assert found.errors > 10
    assert gap(second, first).errors == pytest.approx(-found.errors)


def test_a_gap_in_which_nothing_varies_is_beyond_doubt_and_one_encounter_proves_nothing() -> None:
    assert gap(ranks(2, 2), ranks(4, 4)).errors == inf
    assert gap(ranks(2), ranks(4)).errors == 0
    assert gap(ranks(2, 3), ranks(2, 3)).errors == 0


@pytest.mark.parametrize(
    ("confidence", "encounters", "quantile"),
    [(0.95, 3, 2.920), (0.95, 11, 1.812), (0.95, 31, 1.697), (0.99, 11, 2.764), (0.9, 6, 1.476)],
)
def test_few_encounters_want_what_students_t_says(
    confidence: float, encounters: int, quantile: float
) -> None:
    assert wanted(confidence, encounters) == pytest.approx(quantile, rel=0.02)


def test_one_encounter_can_never_be_enough() -> None:
    assert wanted(0.95, 1) == inf
    assert wanted(0.95) == pytest.approx(1.645, abs=0.001)


def test_twice_as_sure_needs_four_times_as_much() -> None:
    assert more(0.95, 0.8225, 10) == 30
    assert more(0.95, -0.8225, 10) == 30
    assert more(0.95, 0, 10) == MOST_MORE
    assert more(0.95, 0, 0) == 5
