"""Tests schedules by counting anew: the encounters of bots and the meetings of pairs after each round."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.certificate import certify
from harness.schedule.designs.blocks import Block, Each, EverySet, Meet, Round, Rounds, Wanted
from harness.schedule.designs.choice import rounds_for, rounds_to_complete

SIZES = [(n, k) for n in (5, 7, 10, 13, 30, 200) for k in (2, 3, 4, 9) if k <= n]
LONGEST = (200, 9)
ALL_BLOCKS_INTERSECT = {(13, 4), (13, 9)}


def blocks_of(rounds: tuple[Round, ...]) -> list[Block]:
    return [block for blocks in rounds for block in blocks]


def meetings(n: int, blocks: list[Block]) -> Counter[tuple[int, ...]]:
    """How often each pair meets, with 0 for pairs that never meet."""
    counts: Counter[tuple[int, ...]] = Counter(dict.fromkeys(combinations(range(n), 2), 0))
    counts.update(pair for block in blocks for pair in combinations(sorted(block), 2))
    return counts


def spread(counts: Counter[int] | Counter[tuple[int, ...]]) -> int:
    return max(counts.values()) - min(counts.values())


def plays(n: int, blocks: list[Block]) -> Counter[int]:
    counts = Counter(dict.fromkeys(range(n), 0))
    counts.update(bot for block in blocks for bot in block)
    return counts


@contextmanager
def unmeasured() -> Iterator[None]:
    """Switches the measurement of coverage off: it makes a long search five times slower, and short searches
    cover the same lines."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


def assert_well_formed(n: int, k: int, rounds: tuple[Round, ...]) -> None:
    for blocks in rounds:
        seated = [bot for block in blocks for bot in block]
        assert len(set(seated)) == len(seated)
        assert all(len(block) == k and set(block) <= set(range(n)) for block in blocks)


@pytest.mark.parametrize(
    ("n", "k"),
    [
        *(size for size in SIZES if size != LONGEST),
        pytest.param(*LONGEST, marks=pytest.mark.soak),
    ],
)
def test_every_two_bots_meet_and_all_play_and_meet_as_often_as_promised(n: int, k: int) -> None:
    with unmeasured() if n == 200 else nullcontext():
        rounds = rounds_for(n, k, Meet(1))
    blocks = blocks_of(rounds)
    assert_well_formed(n, k, rounds)
    assert min(meetings(n, blocks).values()) >= 1
    assert spread(plays(n, blocks)) <= 1
    assert spread(meetings(n, blocks)) <= 2
    if (n, k) not in ALL_BLOCKS_INTERSECT:
        reached = certify(n, rounds)
        assert reached.stopped_per_bot <= 2
        assert reached.stopped_per_pair <= 3


@pytest.mark.parametrize(("n", "k", "number"), [(9, 3, 20), (16, 4, 20), (9, 6, 20), (9, 7, 20), (10, 6, 20)])
def test_so_many_rounds_are_as_even_as_promised(n: int, k: int, number: int) -> None:
    with unmeasured():
        reached = certify(n, rounds_for(n, k, Rounds(number)))
    assert reached.rounds == number
    assert reached.per_pair[1] - reached.per_pair[0] <= 2
    assert reached.stopped_per_bot <= 2
    assert reached.stopped_per_pair <= 3


def test_as_many_bots_as_seats_are_one_set() -> None:
    blocks = blocks_of(rounds_for(4, 4, Meet(3)))
    assert [set(block) for block in blocks] == [{0, 1, 2, 3}] * 3
    assert len(set(blocks)) == 3, "their cyclic orders differ, so that all sit before each other"


@pytest.mark.parametrize("wanted", [Meet(2), Rounds(9)])
def test_the_same_call_gives_the_same_rounds(wanted: Wanted) -> None:
    with unmeasured():
        assert rounds_for(11, 4, wanted) == rounds_for(11, 4, wanted)


@settings(max_examples=10, deadline=None)
@given(n=st.integers(2, 14), data=st.data())
def test_small_schedules_keep_every_promise(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, min(n, 6)))
    wanted: Wanted = data.draw(
        st.builds(Meet, st.integers(1, 3))
        | st.builds(Rounds, st.integers(1, 12))
        | st.builds(Each, st.integers(1, 6))
    )
    rounds = rounds_for(n, k, wanted)
    blocks = blocks_of(rounds)
    assert_well_formed(n, k, rounds)
    assert spread(plays(n, blocks)) <= 1
    if isinstance(wanted, Rounds):
        assert len(rounds) == wanted.number
    elif isinstance(wanted, Each):
        assert min(plays(n, blocks).values()) == wanted.number
    else:
        assert min(meetings(n, blocks).values()) >= wanted.times
        assert spread(meetings(n, blocks)) <= 2


@settings(max_examples=10, deadline=None)
@given(n=st.integers(4, 11), data=st.data())
def test_what_stands_is_completed_to_what_is_wanted(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(2, min(n - 1, 4)))
    gone = n
    before = blocks_of(rounds_for(n + 1, k, Meet(1)))
    standing = [block for block in before if gone not in block]
    rounds = rounds_to_complete(n, k, standing, Meet(1))
    assert_well_formed(n, k, rounds)
    together = [*standing, *blocks_of(rounds)]
    assert min(meetings(n, together).values()) >= 1
    assert spread(plays(n, together)) <= 1
    assert len(rounds) <= len(blocks_of(rounds_for(n, k, Meet(1))))


@pytest.mark.parametrize(
    ("n", "k", "number", "encounters"),
    [
        (7, 3, 3, 7),
        (7, 3, 6, 14),
        (8, 4, 7, 14),
        (9, 3, 4, 12),
        (10, 4, 4, 10),
        (100, 2, 9, 450),
        (5, 4, 8, 10),
    ],
)
def test_each_bot_plays_so_many_encounters(n: int, k: int, number: int, encounters: int) -> None:
    reached = certify(n, rounds_for(n, k, Each(number)))
    assert (reached.per_bot, reached.encounters) == ((number, number), encounters)


def test_each_bot_plays_one_more_where_tables_cannot_be_full() -> None:
    assert certify(11, rounds_for(11, 4, Each(3))).per_bot == (3, 4)
    standing = [(0, 1, 2, 3), (4, 5, 6, 7)]
    reached = certify(11, rounds_to_complete(11, 4, standing, Each(3)), standing)
    assert reached.per_bot == (3, 4)
    assert reached.standing == 2


@pytest.mark.parametrize(
    ("n", "k", "times", "encounters"), [(7, 3, 1, 35), (7, 3, 6, 70), (6, 2, 2, 30), (10, 4, 1, 210)]
)
def test_every_set_plays(n: int, k: int, times: int, encounters: int) -> None:
    rounds = rounds_for(n, k, EverySet(times))
    blocks = [block for blocks in rounds for block in blocks]
    assert len(blocks) == encounters
    assert {frozenset(block) for block in blocks} == set(map(frozenset, combinations(range(n), k)))
    assert certify(n, rounds).stopped_per_bot <= 2
