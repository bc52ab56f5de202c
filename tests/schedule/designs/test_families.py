"""Tests difference families: each difference occurs exactly once."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.designs.families import family, triples


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 166), st.sampled_from([1, 3]))
def test_at_three_seats_each_pair_meets_once_wherever_this_is_possible(t: int, rest: int) -> None:
    n = 6 * t + rest
    bases = triples(n)
    if n == 9:
        assert bases is None
        return
    assert bases is not None
    apart = [(one - other) % n for base in bases for one, other in permutations(base, 2)]
    third = {n // 3, 2 * n // 3} if rest == 3 else set()
    assert sorted(apart) == sorted(set(range(1, n)) - third)


@pytest.mark.parametrize(("n", "k"), [(61, 4), (101, 5), (181, 5), (31, 6), (151, 6)])
def test_fields_of_prime_numbers_have_difference_families(n: int, k: int) -> None:
    found = family(n, k)
    assert found
    apart = [(one - other) % n for base in found.bases for one, other in permutations(base, 2)]
    assert sorted(apart) == list(range(1, n))


def test_no_family_is_claimed_that_does_not_exist() -> None:
    assert all(family(n, k) is None for n, k in ((9, 3), (8, 3), (16, 4), (25, 4), (28, 4), (36, 6), (43, 7)))
