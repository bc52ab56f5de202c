"""Tests the orders of seats in the matches of one set of bots."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from harness.schedule.sittings import seat_orders

ALONE = ((1,), (2,), (3,), (4,))
TWO_ON_TWO = ((1, 3), (2, 4))
TWO_ON_ONE = ((1, 3), (2,))


@pytest.mark.parametrize("size", [2, 3, 5, 9, 14])
def test_without_alliances_every_bot_has_every_seat_once(size: int) -> None:
    orders = seat_orders(range(size), [(seat,) for seat in range(1, size + 1)])
    assert len(orders) == size
    for seat in range(size):
        assert {order[seat] for order in orders} == set(range(size))


def test_without_alliances_the_cyclic_order_stays() -> None:
    assert seat_orders("abcd", ALONE) == (tuple("abcd"), tuple("bcda"), tuple("cdab"), tuple("dabc"))


@pytest.mark.parametrize(("bots", "sides"), [("abcd", TWO_ON_TWO), ("abc", TWO_ON_ONE)])
def test_with_alliances_every_bot_has_every_seat_equally_often(
    bots: str, sides: tuple[tuple[int, ...], ...]
) -> None:
    orders = seat_orders(bots, sides)
    for seat in range(len(bots)):
        assert len(set(Counter(order[seat] for order in orders).values())) == 1
    assert len(set(orders)) == len(orders)


@pytest.mark.parametrize(("bots", "sides"), [("abcd", TWO_ON_TWO), ("abc", TWO_ON_ONE)])
def test_with_alliances_every_two_bots_are_beside_and_against_each_other_equally_often(
    bots: str, sides: tuple[tuple[int, ...], ...]
) -> None:
    beside: Counter[frozenset[str]] = Counter()
    for order in seat_orders(bots, sides):
        for side in sides:
            beside.update(frozenset(pair) for pair in combinations([order[seat - 1] for seat in side], 2))
    assert set(beside) == {frozenset(pair) for pair in combinations(bots, 2)}
    assert len(set(beside.values())) == 1


def test_of_four_in_two_alliances_any_two_bots_are_in_any_two_seats_once() -> None:
    orders = seat_orders("abcd", TWO_ON_TWO)
    for first, second in permutations(range(4), 2):
        assert len({(order[first], order[second]) for order in orders}) == len(orders) == 12
