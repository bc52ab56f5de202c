"""Tests the lack of fit of ratings: circles of bots have one, but luck and single deals have none."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from harness.record.history import MatchResult
from harness.results.statistics.lack_of_fit import lack_of_fit
from harness.schedule.strength import strengths
from harness.schedule.view import Block, Past, PastRound, differences

BOTS = ("a", "b", "c")
PAIRS = (("a", "b"), ("b", "c"), ("c", "a"))


def past_of(results: Sequence[tuple[Block, Sequence[tuple[int, ...]]]], bots: tuple[str, ...] = BOTS) -> Past:
    """The past after one round with these tables. Each table has the ranks in each of its matches."""
    matches = [
        tuple(
            MatchResult(f"1.{table}.1.{deal}", f"1.{table}", block, ranks, ranks, (), f"{table}.{deal}")
            for deal, ranks in enumerate(each)
        )
        for table, (block, each) in enumerate(results)
    ]
    blocks = tuple(block for block, _ in results)
    return Past(bots, len(blocks[0]), (PastRound(bots, 1, 1, blocks, (), 0, tuple(matches)),))


def of(past: Past) -> Fraction:
    return lack_of_fit(differences(past.matches()), strengths(past))


def test_three_bots_that_beat_each_other_in_a_circle_do_not_fit_their_ratings() -> None:
    past = past_of([(pair, [(1, 2)] * 50) for pair in PAIRS])
    # The first bots of the pairs a-b, b-c and a-c win 1, 1 and -1. By their ratings, each would win 1/3.
    assert round(of(past), 6) == round(Fraction(4 + 4 + 16, 27), 6)


@pytest.mark.parametrize("better", [30, 40])
def test_results_that_the_ratings_explain_have_none(better: int) -> None:
    ranks = [(1, 2)] * better + [(2, 1)] * (40 - better)
    past = past_of([(("a", "b"), ranks), (("b", "c"), ranks)])
    assert of(past) == 0


def test_luck_is_no_lack_of_fit_at_larger_tables_too() -> None:
    random = Random(1)
    tables = [(("a", "b", "c"), [tuple(random.sample((1, 2, 3), 3)) for _ in range(20)]) for _ in range(20)]
    past = past_of(tables)
    assert of(past) < Fraction(1, 100)


def test_a_single_deal_says_nothing() -> None:
    past = past_of([(pair, [(1, 2)]) for pair in PAIRS])
    assert of(past) == 0
    assert of(Past(BOTS, 2, ())) == 0
