"""Tests that the listed coverings are coverings, that they are even, and when a schedule uses them."""

from collections import Counter
from itertools import combinations

import pytest

from harness.schedule.certificate import certify
from harness.schedule.designs import Meet, rounds_for
from harness.schedule.designs.blocks import fewest
from harness.schedule.designs.coverings import COVERINGS, covering


@pytest.mark.parametrize(("n", "k"), COVERINGS)
def test_all_pairs_meet_and_all_bots_play_about_equally_often(n: int, k: int) -> None:
    blocks = covering(n, k)
    assert all(len({*block}) == len(block) == k for block in blocks)
    met = Counter(pair for block in blocks for pair in combinations(block, 2))
    assert met.keys() == {*combinations(range(n), 2)}
    assert max(met.values()) <= 3
    plays = Counter(bot for block in blocks for bot in block)
    assert max(plays.values()) - min(plays.values()) <= 1
    assert fewest(n, k, 1) <= len(blocks)


@pytest.mark.parametrize(("n", "k"), COVERINGS)
def test_a_schedule_is_as_long_as_its_covering_and_even_after_each_round(n: int, k: int) -> None:
    found = certify(n, rounds_for(n, k, Meet(1)))
    assert found.encounters == len(covering(n, k))
    assert found.per_bot[1] - found.per_bot[0] <= 1
    assert found.stopped_per_bot <= 2 + (n in (17, 18, 19) and k == 5)
    assert found.stopped_per_pair <= 3


def test_of_other_fields_no_covering_is_known() -> None:
    assert covering(4, 3) == []
