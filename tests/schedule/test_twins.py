"""Tests that harness finds twins: two matches with the same deal, in which two bots had the same seat."""

from collections import Counter

import pytest

from harness.record.history import MatchResult
from harness.schedule.twins import leads, twins
from harness.schedule.view import Block, Past, PastRound, differences_without_luck


def a_match(name: str, bots: str, ranks: tuple[int, ...], deal: str = "") -> MatchResult:
    return MatchResult(name, "1.1", tuple(bots), ranks, ranks, (), deal or name)


def a_past(blocks: tuple[str, ...], *results: tuple[MatchResult, ...]) -> Past:
    tables: tuple[Block, ...] = tuple(tuple(block) for block in blocks)
    return Past(tuple("abhi"), len(blocks[0]), (PastRound(tuple("abhi"), 1, 1, tables, (), 0, results),))


def test_two_bots_at_one_table_have_each_seat_of_a_deal_one_after_the_other() -> None:
    first, second = a_match("1", "ab", (1, 2), "d"), a_match("2", "ba", (1, 2), "d")
    found = twins(a_past(("ab",), (first, second)), "a", "b")
    assert [(twin.seat, twin.own.id, twin.other.id, twin.lead) for twin in found] == [
        (1, "1", "2", 0),
        (2, "2", "1", 0),
    ]
    assert leads(found).played == Counter({0.0: 1})
    assert not leads(found).off


def test_a_bot_that_wins_in_both_seats_leads() -> None:
    results = (a_match("1", "ab", (1, 2), "d"), a_match("2", "ba", (2, 1), "d"))
    assert leads(twins(a_past(("ab",), results), "a", "b")).played == Counter({1.0: 1})
    assert leads(twins(a_past(("ab",), results), "b", "a")).played == Counter({-1.0: 1})


def test_leads_without_luck_tell_two_bots_apart_that_luck_hides() -> None:
    """Each of two bots wins half of the deals, but bot a needs less luck to win."""
    results = []
    for number in range(60):
        luck = 0.3 if number % 2 else -0.7
        for turn, bots in enumerate(("ab", "ba")):
            sign = 1 if turn == 0 else -1
            ranks, lucks = ((1, 2) if number % 2 else (2, 1)), (luck, -luck)
            match = a_match(f"{number}.{turn}", bots, ranks[::sign], str(number))
            results.append(match._replace(luck=lucks[::sign]))
    found = leads(twins(a_past(("ab",), tuple(results)), "a", "b"), luck_off=True)
    assert found.played == Counter({1.0: 30, -1.0: 30})
    assert [*found.off.elements()] == [pytest.approx(0.16)] * 60
    assert found.ahead
    assert found.doubt(2) < 0.05
    assert leads(twins(a_past(("ab",), tuple(results)), "a", "b")).doubt(2) == 1
    [of_pair] = [each for pair, each in differences_without_luck(results).items() if pair == ("a", "b")]
    assert [*of_pair.elements()] == [pytest.approx(0.16)] * 60


def test_more_luck_than_is_possible_keeps_leads_within_their_range() -> None:
    own = a_match("1", "ab", (1, 2), "d")._replace(luck=(-1e9, 1e9))
    results = (own, a_match("2", "ba", (1, 2), "d"))
    found = leads(twins(a_past(("ab",), results), "a", "b"), luck_off=True)
    assert found.off == Counter({1.0: 1})


def test_fresh_deals_at_one_table_have_no_twins() -> None:
    results = (a_match("1", "ab", (1, 2)), a_match("2", "ba", (2, 1)))
    assert twins(a_past(("ab",), results), "a", "b") == []


def test_the_same_matches_with_the_same_house_bots_are_twins() -> None:
    past = a_past(
        ("bhi", "ahi", "bhi", "ahi"),
        (a_match("1", "bhi", (3, 1, 2)), a_match("2", "hib", (1, 2, 3))),
        (a_match("3", "ahi", (1, 2, 3)), a_match("4", "hia", (1, 2, 3))),
        (a_match("5", "bhi", (3, 1, 2)),),
        (a_match("6", "ahi", (2, 1, 3)),),
    )
    found = twins(past, "a", "b")
    assert [(twin.seat, twin.own.id, twin.other.id) for twin in found] == [
        (1, "3", "1"),
        (3, "4", "2"),
        (1, "6", "5"),
    ]
    assert leads(found).played == Counter({1.0: 1, 0.0: 1, 0.5: 1})


def test_an_encounter_that_could_not_be_played_shifts_no_twins() -> None:
    past = a_past(
        ("bhi", "ahi", "bhi", "ahi"),
        (),
        (a_match("3", "ahi", (1, 2, 3)),),
        (a_match("5", "bhi", (3, 1, 2)),),
        (a_match("6", "ahi", (2, 1, 3)),),
    )
    assert [(twin.own.id, twin.other.id) for twin in twins(past, "a", "b")] == [("6", "5")]
