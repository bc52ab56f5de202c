"""Tests orders of seats: how often each bot sits directly before each other bot."""

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.schedule.certificate import Certificate, certify
from harness.schedule.designs.blocks import Block, Meet
from harness.schedule.designs.choice import rounds_for
from harness.schedule.designs.seats import IMPOSSIBLE, is_mendelsohn, mendelsohn, perfect_orders

NEIGHBOURS = [
    *((3, 3, 2), (13, 3, 2), (5, 5, 4), (7, 7, 6), (8, 8, 7), (9, 9, 8), (10, 10, 9), (5, 4, 3), (8, 7, 6)),
    *((9, 8, 7), (6, 5, 4), (10, 9, 8), (13, 4, 3), (16, 4, 3), (11, 5, 4), (25, 4, 3), (21, 5, 4)),
]


def certified(n: int, blocks: list[Block]) -> Certificate:
    return certify(n, [(block,) for block in blocks])


@pytest.mark.parametrize(("n", "k", "times"), NEIGHBOURS)
def test_where_it_is_known_each_bot_sits_before_each_other_equally_often(n: int, k: int, times: int) -> None:
    reached = certify(n, rounds_for(n, k, Meet(times)))
    assert reached.before == (1, 1)
    assert reached.per_pair == (times, times)


@pytest.mark.parametrize("k", [3, 5, 7, 8, 9, 10, 11])
def test_the_first_orders_of_a_table_repeat_no_neighbours(k: int) -> None:
    orders = perfect_orders(k)
    assert all(sorted(order) == list(range(k)) for order in orders)
    assert all(certified(k, orders[:number]).before[1] == 1 for number in range(1, k))
    assert certified(k, orders).before == (1, 1)


@settings(max_examples=20, deadline=None)
@given(st.integers(5, 50), st.data())
def test_each_perfect_order_is_perfect(n: int, data: st.DataObject) -> None:
    sizes = [k for k in range(3, n) if is_mendelsohn(n, k)]
    if sizes:
        k = data.draw(st.sampled_from(sizes))
        reached = certified(n, mendelsohn(n, k))
        assert (reached.before, reached.per_pair) == ((1, 1), (k - 1, k - 1))


def perfect(n: int, k: int, before: set[tuple[int, int]]) -> Iterator[list[Block]]:
    """All ways to fill tables with k seats so that each of these ordered pairs sits side by side once."""
    if not before:
        yield []
        return
    first, second = min(before)
    for rest in permutations(set(range(n)) - {first, second}, k - 2):
        block = (first, second, *rest)
        steps = set(zip(block, (*block[1:], first), strict=True))
        if steps <= before:
            yield from ([block, *others] for others in perfect(n, k, before - steps))


@pytest.mark.parametrize(("n", "k", "encounters"), sorted(IMPOSSIBLE))
def test_what_the_certificate_calls_impossible_is_impossible(n: int, k: int, encounters: int) -> None:
    everything = set(permutations(range(n), 2))
    assert encounters * k == len(everything)
    assert not any(len(pairs_met(blocks)) == n * (n - 1) // 2 for blocks in perfect(n, k, everything))
    times = encounters * k * (k - 1) // (n * (n - 1))
    assert "no order of seats makes it equal" in certify(n, rounds_for(n, k, Meet(times))).evenness


def pairs_met(blocks: list[Block]) -> set[tuple[int, ...]]:
    """The pairs that meet exactly as often as the average pair."""
    met = [pair for block in blocks for pair in combinations(sorted(block), 2)]
    return {pair for pair in met if met.count(pair) * len(set(met)) == len(met)}


def test_the_certificate_does_not_excuse_what_could_be_even() -> None:
    assert "no order of seats" not in certify(4, rounds_for(4, 4, Meet(2))).evenness
    assert "no order of seats" not in certify(5, rounds_for(5, 5, Meet(3))).evenness
