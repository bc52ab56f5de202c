"""Tests who meets whom in a gauntlet."""

from collections import Counter
from itertools import combinations

import pytest

from harness.config.terms import Stage
from harness.schedule.designs import Each, Meet, Rounds, Wanted
from harness.schedule.formats import NumberedField
from harness.schedule.formats.gauntlet import FORMAT


@pytest.mark.parametrize(("house", "seats"), [(1, 2), (3, 2), (3, 3), (3, 4), (5, 3)])
@pytest.mark.parametrize("wanted", [Meet(1), Meet(4), Rounds(9), Each(5)])
def test_in_a_gauntlet_each_listed_bot_meets_the_whole_house_and_nobody_else(
    house: int, seats: int, wanted: Wanted
) -> None:
    listed, others = range(4), range(4, 4 + house)
    rounds = FORMAT.schedule(NumberedField(4 + house, seats, tuple(others), ()), wanted)
    assert all(len(set().union(*blocks)) == seats * len(blocks) for blocks in rounds)
    blocks = [block for blocks in rounds for block in blocks]
    assert all(len(set(block) & set(listed)) == 1 for block in blocks)
    counts = Counter(bot for block in blocks for bot in block)
    assert max(counts[bot] for bot in listed) - min(counts[bot] for bot in listed) <= 1
    if isinstance(wanted, Each):
        assert {counts[bot] for bot in listed} == {wanted.number}
    if isinstance(wanted, Meet):
        met = Counter(pair for block in blocks for pair in combinations(sorted(block), 2))
        assert min(met[bot, other] for bot in listed for other in others) >= wanted.times


@pytest.mark.parametrize(("house", "seats"), [(1, 2), (3, 2), (3, 3), (3, 4), (5, 3)])
@pytest.mark.parametrize("wanted", [Meet(1), Meet(4), Rounds(9)])
def test_the_size_is_the_number_of_encounters(house: int, seats: int, wanted: Meet | Rounds) -> None:
    field = NumberedField(4 + house, seats, tuple(range(4, 4 + house)), ())
    stage = (
        Stage(format="gauntlet", meet=wanted.times)
        if isinstance(wanted, Meet)
        else Stage(format="gauntlet", rounds=wanted.number)
    )
    assert FORMAT.size(stage, 4 + house, seats, house) == sum(map(len, FORMAT.schedule(field, wanted)))
