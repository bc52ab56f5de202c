"""Tests that the standings of a ladder list the bots that still play above its former bots."""

from itertools import combinations

from harness.results.former import playing_first
from harness.results.standings import standings
from tests.record.recorded import a_ladder, began, both, history


def test_the_bots_that_play_come_first_and_have_places_of_their_own() -> None:
    told = a_ladder(["".join(pair) for pair in combinations("abcde", 2)], "ba", "d", "e")
    table = playing_first(standings(told, "disqualify", None), told)
    assert [(each.place, each.bot, each.former) for each in table.rows] == [
        (1, "b", False),
        (2, "d", False),
        (3, "e", False),
        (4, "a", True),
        (5, "c", True),
    ]
    assert (table.playing, table.former) == (table.rows[:3], table.rows[3:])
    assert table.rows[3].matches == 4, "its matches still count"


def test_bots_that_share_a_place_share_it_among_those_that_play_too() -> None:
    told = a_ladder(["xa", "xb", "xc"], "a", "b", "c")
    table = playing_first(standings(told, "disqualify", None), told)
    assert [(each.place, each.bot) for each in table.rows] == [(1, "a"), (1, "b"), (1, "c"), (4, "x")]


def test_other_standings_stay_as_they_are() -> None:
    told = history(began(1, "ab"), both(1, 1, "ab"))
    table = standings(told, "disqualify", None)
    assert playing_first(table, told) is table
