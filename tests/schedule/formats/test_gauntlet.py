"""Tests who meets whom in a gauntlet."""

from collections import Counter
from itertools import combinations

import pytest

from harness.chance import derived
from harness.config.terms import PlanTerms, Stage, Stop
from harness.schedule.designs import Each, Meet, Rounds, Wanted
from harness.schedule.formats import NumberedField
from harness.schedule.formats.gauntlet import FORMAT
from tests.schedule.formats.simulated import a_stage, names, number, simulated


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


@pytest.mark.parametrize(
    ("settled", "seats", "fits"),
    [("beats h", 2, True), ("beats a", 2, False), ("beats h", 3, False), ("places", 2, False)],
)
def test_with_two_seats_a_gauntlet_settles_who_beats_a_house_bot(
    settled: str, seats: int, fits: bool
) -> None:
    terms = PlanTerms(stop=Stop(settled), house=("h", "i"))
    found = FORMAT.trouble(terms, Stage(format="gauntlet"), seats, 4)
    assert (found is None) == fits


def test_each_listed_bot_meets_the_house_bot_until_it_is_settled() -> None:
    low, *_, high = names(3)
    found = simulated(
        [a_stage("gauntlet", meet=1)],
        3,
        2,
        lambda bot, match: number(bot) * 4 + derived(bot, match) % 9,
        house=(names(3)[1],),
        stop=Stop(f"beats {names(3)[1]}", most=400),
    )
    assert found.ended.note == f"settled at an error of 0.05: beats {names(3)[1]}"
    assert found.past.met()[frozenset((low, high))] == 0
