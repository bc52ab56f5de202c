"""Tests how often confidence intervals contain the true average, and that they are reproducible."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.results.interval import BLOCKS, Sample, intervals

RANKS = [1, 1.5, 2, 2.5, 3, 3.5, 4]


def one(totals: Sequence[float], counts: Sequence[int], seed: int = 1) -> tuple[float, float]:
    """The interval of one sample of ranks from 1 to 4."""
    [found] = intervals([Sample(totals, counts)], seed, 1, 4)
    assert found is not None
    return found


def test_less_than_two_encounters_say_nothing_of_how_sure_an_average_is() -> None:
    assert intervals([Sample([], []), Sample([8], [4])], 1, 1, 4) == [None, None]


def test_encounters_that_all_agree_leave_no_doubt() -> None:
    assert one([4, 8, 4], [2, 4, 2]) == (2, 2)


def test_two_encounters_that_differ_say_next_to_nothing() -> None:
    assert one([2, 4], [2, 2]) == (1, 4)


def test_matches_of_one_encounter_are_not_taken_for_strangers() -> None:
    """Four matches with always the same result count as one, not as four."""
    once = [1, 4, 2, 3, 1, 2, 4, 3]
    assert one([4 * rank for rank in once], [4] * 8) == one(list(once), [1] * 8)


def test_the_same_seed_gives_the_same_interval_on_every_python() -> None:
    values = [1 + (7 * place) % 4 for place in range(40)]
    assert one(values, [1] * 40, seed=2013) == pytest.approx((2.1341984854606, 2.8658015145394), abs=1e-12)
    assert one(values, [1] * 40, seed=2014) != one(values, [1] * 40, seed=2013)


def test_an_interval_does_not_hang_on_what_else_is_asked() -> None:
    samples = [Sample([1, 4, 2], [1, 1, 1]), Sample([3, 4, 2, 2], [1] * 4), Sample([2, 2, 4], [1, 1, 1])]
    together = intervals(samples, 5, 1, 4)
    assert together == [intervals([sample], 5, 1, 4)[0] for sample in samples]


@given(st.integers(1, 5 * BLOCKS))
def test_blocks_are_few_and_lose_no_match(size: int) -> None:
    whole = Sample(list(range(size)), [place % 3 for place in range(size)])
    blocks = whole.blocks()
    assert len(blocks.totals) == len(blocks.counts) == min(size, BLOCKS)
    assert sum(blocks.totals) == sum(whole.totals)
    assert sum(blocks.counts) == sum(whole.counts)


def test_blocks_are_of_nearly_one_size() -> None:
    sizes = Sample([1] * 777, [1] * 777).blocks().counts
    assert set(sizes) == {3, 4}


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(RANKS), st.integers(1, 3)), min_size=2, max_size=12))
def test_the_average_lies_within_its_interval_and_that_within_the_possible(
    ranks: list[tuple[float, int]],
) -> None:
    totals, counts = [rank * count for rank, count in ranks], [count for _, count in ranks]
    low, high = one(totals, counts)
    assert 1 <= low <= sum(totals) / sum(counts) + 1e-9
    assert sum(totals) / sum(counts) - 1e-9 <= high <= 4


@pytest.mark.parametrize("size", [4, 8, 30])
def test_about_95_of_100_intervals_hold_the_true_average(size: int) -> None:
    """Ranks of an average bot in encounters of three correlated matches."""
    random = Random(size).random
    samples = []
    for _ in range(400):
        leans = [random() for _ in range(size)]
        samples.append(
            Sample([sum(1 + int(4 * (lean + random()) / 2) for _ in range(3)) for lean in leans], [3] * size)
        )
    found = [each for each in intervals(samples, 1, 1, 4) if each is not None]
    held = sum(low <= 2.5 <= high for low, high in found) / len(found)
    assert 0.93 <= held <= 0.98
