"""Tests that computing once for all equal encounters gives the same as computing for each encounter."""

from random import Random

import pytest

from harness.events import Brief
from harness.record.history import History
from harness.results import totals
from harness.results.standings import standings
from harness.results.statistics import intervals
from tests.record.recorded import began, brief, history, played

ORDERS = ((1, 2), (2, 1))
ENCOUNTERS = 60


def short_encounters() -> History:
    """Encounters with four matches each. Many of them have equal results, some of them with other bots."""
    draw = Random(3)
    run = began(1, "abcd", encounters=ENCOUNTERS, sittings=1, deals=4, orders=ORDERS)
    lines = [
        played(f"{number}.{number}.1", draw.choice(("ab", "ba", "cd", "ac")), *_matches(draw))
        for number in range(1, ENCOUNTERS + 1)
    ]
    return history(run, *lines)


def _matches(draw: Random) -> list[Brief]:
    return [brief([draw.randrange(3), draw.randrange(3)]) for _ in range(4)]


@pytest.mark.parametrize(("place", "value"), [("SHORT", 0), ("MOST_EQUAL", 0)])
def test_standings_do_not_depend_on_what_is_remembered(
    place: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = short_encounters()
    found = standings(told, "forfeit", None)
    monkeypatch.setattr(intervals if place == "SHORT" else totals, place, value)
    assert standings(told, "forfeit", None) == found


def test_bots_have_numbers_by_their_seats_in_the_first_match() -> None:
    [run] = short_encounters().runs
    [*matches] = run.sitting((1, 1))
    assert intervals.seated(matches) == (0, 1, 1, 0) * 2


def test_bots_sit_the_same_in_a_match_alone_and_among_all_matches_of_a_sitting() -> None:
    run = began(1, "abc", seats=3, sittings=4, deals=3, orders=((1, 2, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)))
    bots = ("c", "a", "b")
    alone = [run.by_seat(bots, sitting, number) for sitting in (1, 2, 3, 4) for number in (1, 2, 3)]
    assert alone == [each for sitting in (1, 2, 3, 4) for each in run.by_match(bots, sitting)]
    assert alone[:5] == [("c", "a", "b"), ("a", "b", "c"), ("b", "c", "a"), ("b", "a", "c"), ("c", "a", "b")]
