"""Tests known designs: how many encounters they need, and that all pairs meet equally often."""

import pytest

from harness.schedule.certificate import certify
from harness.schedule.designs.blocks import Meet, Rounds, fewest
from harness.schedule.designs.choice import rounds_for

SMALL = [(7, 3, 7), (8, 4, 14), (9, 3, 12), (6, 3, 10), (7, 4, 7), (9, 6, 12)]
STEINER = [
    *((21, 3), (25, 4), (28, 4), (37, 4), (40, 4), (64, 4), (49, 4), (52, 4), (76, 4), (85, 4), (88, 4)),
    *((100, 4), (21, 5), (41, 5), (45, 5), (65, 5), (81, 5), (85, 5), (125, 5), (31, 6), (57, 8), (73, 9)),
]


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
    meets_all = n == (k - 1) ** 2 + k  # In a projective plane, each round has only one encounter.
    assert reached.stopped_per_bot <= (6 if meets_all else 3)


@pytest.mark.parametrize("n", [303, 501])
def test_a_design_of_a_large_field_is_even_at_any_time(n: int) -> None:
    reached = certify(n, rounds_for(n, 3, Meet(1)))
    assert reached.per_pair == (1, 1)
    assert reached.stopped_per_bot <= 2


@pytest.mark.parametrize(("n", "k", "number"), [(64, 4, 3), (64, 4, 6), (27, 3, 5), (125, 5, 4)])
def test_the_first_rounds_of_a_design_connect_all_bots(n: int, k: int, number: int) -> None:
    reached = certify(n, rounds_for(n, k, Rounds(number)))
    assert (reached.rounds, reached.per_bot) == (number, (number, number))
    assert reached.per_pair == (0, 1)
    assert reached.connected


@pytest.mark.parametrize(("n", "k"), [(6, 4), (13, 4), (9, 3), (25, 5), (16, 4), (64, 8), (81, 9)])
def test_where_a_design_is_known_every_two_bots_meet_equally_often(n: int, k: int) -> None:
    least, most = certify(n, rounds_for(n, k, Meet(1))).per_pair
    assert least == most
