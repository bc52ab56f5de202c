"""Tests known designs: how many encounters they need, and that all pairs and neighbours are even."""

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.config.terms import PlanTerms
from harness.schedule.certificate import Certificate, certify, participation
from harness.schedule.designs.blocks import Block, Each, EverySet, Meet, Rounds, fewest
from harness.schedule.designs.choice import rounds_for, rounds_to_complete
from harness.schedule.designs.families import family, triples
from harness.schedule.designs.seats import IMPOSSIBLE, is_mendelsohn, mendelsohn, perfect_orders
from harness.schedule.plan_checks import too_long

SMALL = [(7, 3, 7), (8, 4, 14), (9, 3, 12), (6, 3, 10), (7, 4, 7), (9, 6, 12)]
STEINER = [(21, 3), (25, 4), (28, 4), (37, 4), (40, 4), (64, 4), (49, 4), (52, 4), (76, 4), (85, 4), (88, 4)]
STEINER += [
    (100, 4),
    (21, 5),
    (41, 5),
    (45, 5),
    (65, 5),
    (81, 5),
    (85, 5),
    (125, 5),
    (31, 6),
    (57, 8),
    (73, 9),
]
NEIGHBOURS = [(3, 3, 2), (13, 3, 2), (5, 5, 4), (7, 7, 6), (8, 8, 7), (9, 9, 8), (10, 10, 9), (5, 4, 3)]
NEIGHBOURS += [(8, 7, 6), (9, 8, 7), (6, 5, 4)]
NEIGHBOURS += [(10, 9, 8), (13, 4, 3), (16, 4, 3), (11, 5, 4), (25, 4, 3), (21, 5, 4)]


def certified(n: int, blocks: list[Block]) -> Certificate:
    return certify(n, [(block,) for block in blocks])


@pytest.mark.parametrize(("n", "k", "encounters"), SMALL)
def test_a_small_field_has_a_small_balanced_design(n: int, k: int, encounters: int) -> None:
    reached = certify(n, rounds_for(n, k, Meet(1)))
    assert reached.encounters == encounters
    assert reached.per_bot[0] == reached.per_bot[1]
    assert reached.per_pair[0] == reached.per_pair[1]
    assert reached.stopped_per_bot <= 2


@pytest.mark.parametrize(("n", "k"), STEINER)
def test_where_a_design_is_known_each_pair_meets_once(n: int, k: int) -> None:
    reached = certify(n, rounds_for(n, k, Meet(1)))
    assert reached.per_pair == (1, 1)
    assert reached.encounters == fewest(n, k, 1) == n * (n - 1) // (k * (k - 1))
    meets_all = n == (k - 1) ** 2 + k  # In a projective plane each round is one encounter.
    assert reached.stopped_per_bot <= (6 if meets_all else 3)


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


@pytest.mark.parametrize("n", [303, 501])
def test_a_design_of_a_large_field_is_even_at_any_time(n: int) -> None:
    reached = certify(n, rounds_for(n, 3, Meet(1)))
    assert reached.per_pair == (1, 1)
    assert reached.stopped_per_bot <= 2


@pytest.mark.parametrize(("n", "k"), [(61, 4), (101, 5), (181, 5), (31, 6), (151, 6)])
def test_fields_of_prime_numbers_have_difference_families(n: int, k: int) -> None:
    found = family(n, k)
    assert found
    apart = [(one - other) % n for base in found.bases for one, other in permutations(base, 2)]
    assert sorted(apart) == list(range(1, n))


def test_no_family_is_claimed_that_does_not_exist() -> None:
    assert all(family(n, k) is None for n, k in ((9, 3), (8, 3), (16, 4), (25, 4), (28, 4), (36, 6), (43, 7)))


@pytest.mark.parametrize(("n", "k", "number"), [(64, 4, 3), (64, 4, 6), (27, 3, 5), (125, 5, 4)])
def test_the_first_rounds_of_a_design_connect_all_bots(n: int, k: int, number: int) -> None:
    reached = certify(n, rounds_for(n, k, Rounds(number)))
    assert (reached.rounds, reached.per_bot) == (number, (number, number))
    assert reached.per_pair == (0, 1)
    assert reached.connected


# -- neighbours ------------------------------------------------------------------------------------


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
    """All ways to seat tables of k so that each of these bots sits directly before the other once."""
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
    """The pairs that meet as often as all would if all met equally often."""
    met = [pair for block in blocks for pair in combinations(sorted(block), 2)]
    return {pair for pair in met if met.count(pair) * len(set(met)) == len(met)}


def test_the_certificate_does_not_excuse_what_could_be_even() -> None:
    assert "no order of seats" not in certify(4, rounds_for(4, 4, Meet(2))).evenness
    assert "no order of seats" not in certify(5, rounds_for(5, 5, Meet(3))).evenness


# -- encounters of each bot, and every set ---------------------------------------------------------


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


def test_every_set_of_many_bots_is_too_much() -> None:
    found = too_long(4, 40, PlanTerms(every_set=True))
    assert found == (("every_set",), "this makes about 91390 encounters; at most 5000 are allowed")
    assert too_long(4, 18, PlanTerms(every_set=True, meet=100)) is None
    assert too_long(2, 40, PlanTerms(every_set=True)) is None


def test_check_plan_says_how_much_each_bot_plays() -> None:
    assert participation(certify(200, rounds_for(200, 2, Each(12))), 2).text == (
        "matches of each bot: 24; it meets 12 of 199 other bots"
    )
    fano = participation(certify(7, rounds_for(7, 3, Meet(1))), 3)
    assert fano.text == "matches of each bot: 9; it meets all 6 other bots"
    assert participation(certify(11, rounds_for(11, 4, Each(3))), 4).matches == (12, 16)
    house = certify(5, (((0, 3), (1, 4)), ((0, 4), (1, 3)), ((2, 3),), ((2, 4),)), listed=[0, 1, 2])
    assert participation(house, 2) == ((4, 4), 2, 2)
