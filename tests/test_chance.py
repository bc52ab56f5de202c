"""Tests the kinds of chance: from a seed, recorded, from a script, and read back from a record."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chance import Chance, ReadBack, Recorded, Scripted, Seeded, derived
from harness.errors import RecordError
from harness.events import Drawn

CARDS = ("2C", "3C", "4C", "5C")


def test_the_sequences_of_a_seed_are_fixed_for_ever() -> None:
    chance = Seeded(1)
    assert derived(1, "deal") == 13_519_415_058_961_057_083
    assert chance.shuffle("deal", tuple(range(10))) == (1, 7, 3, 4, 8, 6, 9, 5, 0, 2)
    assert [chance.roll("throw", 6) for _ in range(12)] == [1, 1, 3, 5, 6, 3, 4, 1, 2, 3, 6, 6]
    assert chance.sample("draw", CARDS, 2) == ("4C", "2C")


def test_a_seed_is_derived_from_its_parts_in_their_order() -> None:
    seeds = [
        derived(),
        derived(1),
        derived(1, 2),
        derived(2, 1),
        derived(12),
        derived("1", "2 "),
        derived(1, 2, ""),
    ]
    assert len(set(seeds)) == len(seeds)
    assert derived(1, "2") == derived("1", 2)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_stream_yields_the_same_whatever_happens_in_others() -> None:
    alone, busy = Seeded(7), Seeded(7)
    busy.roll("throw 1", 6)
    busy.shuffle("deck", CARDS)
    assert alone.shuffle("deal", CARDS) == busy.shuffle("deal", CARDS)
    assert alone.roll("throw 2", 6) == busy.roll("throw 2", 6)


def test_a_stream_goes_on_where_it_was() -> None:
    chance = Seeded(7)
    assert len({chance.shuffle("deck", tuple(range(20))) for _ in range(50)}) == 50


def test_another_seed_yields_another_order() -> None:
    assert len({Seeded(seed).shuffle("deal", tuple(range(52))) for seed in range(100)}) == 100


def test_each_order_is_as_likely_as_the_others() -> None:
    chance = Seeded(1)
    orders = Counter(chance.shuffle("deal", "abcd") for _ in range(24_000))
    assert len(orders) == 24
    assert all(850 < count < 1_150 for count in orders.values())


def test_each_side_is_as_likely_as_the_others() -> None:
    chance = Seeded(1)
    sides = Counter(chance.roll("throw", 6) for _ in range(6_000))
    assert sorted(sides) == [1, 2, 3, 4, 5, 6]
    assert all(870 < count < 1_130 for count in sides.values())


@given(st.lists(st.integers(), max_size=30), st.integers(0, 40), st.integers(0, 9))
def test_a_sample_holds_each_item_at_most_once(items: list[int], count: int, seed: int) -> None:
    drawn = Seeded(seed).sample("draw", items, count)
    assert len(drawn) == min(count, len(items))
    assert not Counter(drawn) - Counter(items)


@given(st.lists(st.integers(), max_size=30), st.integers(0, 9))
def test_a_shuffle_holds_all_items_and_leaves_the_given_ones_alone(items: list[int], seed: int) -> None:
    before = list(items)
    assert Counter(Seeded(seed).shuffle("deal", items)) == Counter(before)
    assert items == before


def test_each_place_is_picked_as_often_as_its_weight_says() -> None:
    chance = Seeded(1)
    places = Counter(chance.pick("weather", (1, 0, 3)) for _ in range(4_000))
    assert sorted(places) == [1, 3]
    assert 2_900 < places[3] < 3_100


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=20).filter(any), st.integers(0, 99))
def test_a_place_without_weight_is_never_picked(weights: list[float], seed: int) -> None:
    assert weights[Seeded(seed).pick("weather", weights) - 1] > 0


# -- recorded and read back ------------------------------------------------------------------------


def luck(chance: Chance) -> list[object]:
    """Random results of each kind that chance offers."""
    return [
        chance.shuffle("deal", CARDS),
        chance.roll("throw", 6),
        chance.sample("draw", CARDS, 2),
        chance.roll("throw", 20),
        chance.sample("draw", CARDS, 9),
        chance.pick("weather", (0.5, 0, 1.5)),
    ]


def recorded(seed: int = 3) -> tuple[list[object], list[Drawn]]:
    records: list[Drawn] = []
    return luck(Recorded(Seeded(seed), records.append)), records


def test_recording_changes_no_luck() -> None:
    yielded, records = recorded()
    assert yielded == luck(Seeded(3))
    assert [record.value for record in records] == yielded
    assert [record.stream for record in records] == ["deal", "throw", "draw", "throw", "draw", "weather"]


def test_a_record_yields_the_same_again_even_from_its_json() -> None:
    yielded, records = recorded()
    lines = [msgspec.json.decode(msgspec.json.encode(record), type=Drawn) for record in records]
    assert luck(ReadBack(lines)) == yielded


def throw(chance: Chance) -> Any:
    return chance.roll("throw", 6)


def deal(chance: Chance) -> Any:
    return chance.shuffle("deal", CARDS)


def draw(chance: Chance) -> Any:
    return chance.sample("draw", CARDS, 2)


def pick(chance: Chance) -> Any:
    return chance.pick("weather", (0.5, 0, 0.5))


IMPOSSIBLE: list[tuple[Callable[[Chance], Any], str, Any, str]] = [
    (throw, "throw", 0, "chance 'throw' cannot be 0: expected a number from 1 to 6"),
    (throw, "throw", 7, "chance 'throw' cannot be 7: expected a number from 1 to 6"),
    (throw, "throw", True, "cannot be True"),
    (throw, "throw", 2.0, "cannot be 2.0"),
    (throw, "throw", "3", "cannot be '3'"),
    (throw, "throw", (3,), "cannot be"),
    (pick, "weather", 4, "chance 'weather' cannot be 4: expected a number from 1 to 3"),
    (pick, "weather", 2, "chance 'weather' cannot be 2: the weight of this number is 0"),
    (deal, "deal", ("2C", "3C", "4C"), "yields 3 items, expected 4"),
    (deal, "deal", ("2C", "3C", "4C", "4C"), "only its own items, each at most once"),
    (deal, "deal", ("2C", "3C", "4C", "6C"), "only its own items, each at most once"),
    (deal, "deal", ("2C", "3C", "4C", "5C", "6C"), "only its own items, each at most once"),
    (deal, "deal", 5, "only its own items, each at most once"),
    (deal, "deal", "2C3C4C5C", "only its own items, each at most once"),
    (draw, "draw", ("2C",), "yields 1 items, expected 2"),
    (draw, "draw", CARDS, "yields 4 items, expected 2"),
]


@pytest.mark.parametrize(("use", "stream", "value", "reason"), IMPOSSIBLE)
def test_a_record_of_what_cannot_be_is_refused(
    use: Callable[[Chance], Any], stream: str, value: Any, reason: str
) -> None:
    with pytest.raises(RecordError) as error:
        use(ReadBack([Drawn(stream, value)]))
    assert reason in str(error.value)


@pytest.mark.parametrize(("use", "stream", "value", "reason"), IMPOSSIBLE)
def test_a_script_of_what_cannot_be_is_refused(
    use: Callable[[Chance], Any], stream: str, value: Any, reason: str
) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        use(Scripted({stream: value}, Seeded(1)))
    assert reason in str(error.value)


def test_a_record_that_ends_early_is_refused() -> None:
    with pytest.raises(RecordError, match="the record ends, but the rules draw 'throw' from chance here"):
        ReadBack([]).roll("throw", 6)


@pytest.mark.parametrize("use", [deal, draw])
def test_a_record_of_another_stream_is_refused(use: Callable[[Chance], Any]) -> None:
    with pytest.raises(RecordError, match="the record has chance 'throw' here, but the rules draw"):
        use(ReadBack([Drawn("throw", 1)]))


# -- scripted --------------------------------------------------------------------------------------


def test_a_script_decides_the_streams_that_it_names_and_no_others() -> None:
    chance = Scripted({"deal": list(reversed(CARDS)), "throw": 5, "draw": ["4C", "2C"]}, Seeded(3))
    assert chance.shuffle("deal", CARDS) == tuple(reversed(CARDS))
    assert chance.roll("throw", 6) == 5
    assert chance.sample("draw", CARDS, 2) == ("4C", "2C")
    assert chance.roll("throw 2", 6) == Seeded(3).roll("throw 2", 6)


def test_a_script_speaks_once_for_each_stream() -> None:
    chance = Scripted({"deal": CARDS, "throw": 5, "draw": ["4C", "2C"]}, Seeded(3))
    for use in (deal, throw, draw):
        use(chance)
        assert use(chance) == use(Seeded(3))


def test_a_script_is_not_used_up_for_the_next_match() -> None:
    script = {"throw": 5}
    assert [Scripted(script, Seeded(1)).roll("throw", 6) for _ in range(2)] == [5, 5]
