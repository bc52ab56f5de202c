"""Tests the sums over meetings: pairs, sittings, seats and the spread of deals."""

from itertools import chain
from random import Random

import pytest

from harness.results.statistics.meetings import CAUTION, meetings_of
from tests.results.statistics.tables import encounter, wins


def test_pairs_are_counted_with_half_a_win_for_a_tie() -> None:
    found = meetings_of(encounter(1, [("abc", (1, 2.5, 2.5)), ("bca", (1, 2, 3)), ("cab", (3, 1, 2))]))
    [table] = found.tables
    assert table.places == (0, 1, 2)
    [sums] = table.sittings
    assert sums.matches == 3
    assert sums.wins == [2.0, 2.0, 2.5]
    assert sums.ties == 1
    assert found.ties == pytest.approx(1 / 9)


def test_sittings_of_a_table_stay_apart_also_over_encounters() -> None:
    found = meetings_of([*wins(1, "ab", 3, 1), *wins(2, "ba", 4, 0), *wins(2, "ba", 2, 2, sitting=2)])
    [table] = found.tables
    assert [(each.matches, each.wins) for each in table.sittings] == [(4, [3.0]), (4, [0.0]), (4, [2.0])]
    assert found.repeated
    assert found.merged().tables[0].sittings == [(12, [5.0], 0)]


def test_sittings_with_the_same_deals_count_as_one() -> None:
    first = encounter(1, [("ab", (1, 2)), ("ab", (1, 2))], deals=("x", "y"))
    second = encounter(1, [("ba", (1, 2)), ("ba", (2, 1))], sitting=2, deals=("x", "y"))
    found = meetings_of([*first, *second])
    assert [each.matches for each in found.tables[0].sittings] == [4]


def test_the_order_of_the_encounters_does_not_matter() -> None:
    parts = [wins(number, bots, number, 2) for number, bots in enumerate(("ab", "ca", "bc", "ad"), start=1)]
    assert meetings_of(chain(*parts)) == meetings_of(chain(*reversed(parts)))


def test_independent_deals_have_spread_1_and_paired_deals_less() -> None:
    random = Random(3)
    free = [("ab", (1, 2) if random.random() < 0.6 else (2, 1)) for _ in range(400)]
    assert meetings_of(encounter(1, free)).spread == pytest.approx(1.0)
    names = [str(number // 2) for number in range(400)]
    paired = [("ab", (1, 2)), ("ba", (1, 2))] * 200
    assert meetings_of(encounter(1, paired, deals=names)).spread == pytest.approx(CAUTION / 205.5, rel=0.01)


def test_ranks_without_a_difference_in_strength_have_spread_1_at_any_table() -> None:
    random = Random(4)
    results = [("abcd", tuple(random.sample((1, 2, 3, 4), 4))) for _ in range(2_000)]
    assert meetings_of(encounter(1, results)).spread == pytest.approx(1.0, abs=0.05)


def test_no_match_makes_no_meetings() -> None:
    found = meetings_of([])
    assert (found.bots, found.tables, found.spread) == ([], [], 1.0)


def test_if_no_sitting_has_two_deals_the_matches_of_a_deal_count_as_one() -> None:
    deal = [each._replace(deal="1.1.1.1") for each in wins(1, "ab", 1, 1)]
    assert meetings_of(deal).spread == 2
    assert meetings_of([*deal, *wins(2, "ab", 1, 1)]).spread < 2
