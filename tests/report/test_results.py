"""Tests the counts of a report: pairs, places, seats, averages over time, answer times."""

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from harness import __version__
from harness.config import FrozenPlan
from harness.events import Brief, Fault, Turn
from harness.record.masking import unmasked
from harness.report import grids, opponents
from harness.report.fault_groups import fault_groups
from harness.report.grids import evenness, met_evenly
from harness.report.names import Names
from harness.report.pace import Pace, Paces
from harness.report.results import Results, results
from harness.report.survey import LoggedFault
from tests.record.recorded import began, brief, history, played, voided


def _plan(**changes: object) -> FrozenPlan:
    plan = {
        "harness": __version__,
        "name": "cup",
        "game": {"name": "sevens", "version": 1, "find": "sevens", "digest": ""},
        "seats": 3,
        "seed": 1,
        "options": {},
        "bots": [],
        "text": "",
        "deals": 1,
        "policy": "forfeit",
    }
    return msgspec.convert(plan | changes, FrozenPlan)


def _two_matches(**changes: object) -> Results:
    first = played("1.1.1", "abc", brief((5, 3, 3)))
    second = played("1.1.2", "bca", brief((9, 1, 4)), size=200)
    return results(history(began(1, "abc", seats=3, sittings=3), first, second), _plan(**changes))


def test_a_tie_is_half_a_win_for_either() -> None:
    pairs = _two_matches().pairs
    assert pairs["b", "c"] == (2, 1.5)
    assert pairs["c", "b"] == (2, 0.5)
    assert pairs["a", "c"].share == 1


def test_a_shared_place_is_shared() -> None:
    assert _two_matches().places == {"a": (1, 1, 0), "b": (1, 0.5, 0.5), "c": (0, 0.5, 1.5)}


def test_it_is_counted_who_sat_where() -> None:
    found = _two_matches()
    assert found.sat == {"a": (1, 0, 1), "b": (1, 1, 0), "c": (0, 1, 1)}
    assert found.by_seat == (1, 2.75, 2.25)


def test_averages_are_those_of_the_standings_in_the_end() -> None:
    found = _two_matches()
    last = {point.bot: point.value for point in found.progress if point.matches == 2}
    assert last == pytest.approx({row.bot: row.average_rank for row in found.standings.rows})


def test_ratings_are_those_of_the_standings_in_the_end() -> None:
    found = _two_matches(order="rating")
    assert {point.matches for point in found.ratings} == {1, 2}
    last = {each.bot: (each.value, each.low, each.high) for each in found.ratings if each.matches == 2}
    rows = found.standings.rows
    assert last.keys() == set("abc")
    for row in rows:
        assert last[row.bot] == pytest.approx((row.rating, row.rating_low, row.rating_high))
    assert not _two_matches().ratings


def test_bots_stand_in_the_order_of_the_standings() -> None:
    assert _two_matches().bots == ("a", "b", "c")


def test_a_tournament_that_has_not_begun_has_no_results() -> None:
    assert results(history(), _plan()).pairs == {}


def _met(*lines: tuple[str, Brief], house: tuple[str, ...] = (), kind: Any = "gauntlet") -> Results:
    """The results of matches of two bots. Each of `lines` has the names of the bots, one letter each."""
    matches = [played(f"1.{place}.1", bots, one) for place, (bots, one) in enumerate(lines, start=1)]
    bots = "".join(sorted({bot for names, _ in lines for bot in names}))
    plan = replace(_plan(seats=2), house=house, format=kind)
    return results(history(began(1, bots, seats=2, sittings=1), *matches), plan)


def test_a_gauntlet_has_a_column_for_each_house_bot_alone() -> None:
    pairs = ("ga", "gb", "gc", "ha", "hb", "hc")  # The house bots g and h do not meet each other.
    found = _met(*((pair, brief((2, 1))) for pair in pairs), house=("h", "g"))
    assert found.across == ("g", "h")
    assert grids.beats(found, Names(unmasked("abcgh"), False)).columns == ("Bot", "g", "h")
    assert met_evenly(found)
    assert evenness(found)[0] == "Each bot played 1 match with each house bot."
    more = _met(*((pair, brief((2, 1))) for pair in (*pairs, "ga", "ga")), house=("h", "g"))
    assert not met_evenly(more)


def test_a_gauntlet_is_drawn_as_a_list_of_bars_for_each_house_bot() -> None:
    found = _met(("ga", brief((2, 1))), ("gb", brief((1, 2))), house=("g",))
    svg = opponents.against_house(found.pairs, ["a", "b"], ["g"], str.upper).svg("Head to head")
    assert re.findall(r'class="number"[^>]*>([0-9]+)<', svg) == ["0", "100"]
    assert "<title>A against G: better in 0 % of 1 match</title>" in svg
    assert 'href="index.html#' in svg


def test_other_tables_of_opponents_have_all_bots_as_columns() -> None:
    pairs = ("ab", "bc", "cd", "de", "ef", "fa")
    for house in ((), ("a", "b")):  # A ladder has house bots too, but they meet everybody.
        ring = _met(*((pair, brief((2, 1))) for pair in pairs), house=house, kind="ladder")
        assert ring.across == ring.bots


def test_that_bots_met_evenly_is_said_only_if_they_did() -> None:
    even = _met(("ab", brief((2, 1))), ("bc", brief((2, 1))), ("ca", brief((2, 1))))
    assert met_evenly(even)
    assert evenness(even)[0] == "Every two bots played 1 match together."
    uneven = _met(*[("ab", brief((2, 1)))] * 3, ("bc", brief((2, 1))), ("ca", brief((2, 1))))
    assert not met_evenly(uneven)
    assert not any("together" in said for said in evenness(uneven))


def test_faults_are_grouped_by_bot_and_kind_with_the_first_reason() -> None:
    once, again = Fault(1, "illegal", "first"), Fault(1, "illegal", "second")
    record = history(
        began(1, "abc", seats=2, sittings=1),
        played("1.1.1", "ab", Brief((2, 1), (0, 1), (once, again, Fault(2, "late", "slow")))),
        played("1.2.1", "ac", Brief((2, 1), (0, 1), (again,))),
    )
    groups = fault_groups(
        record, [LoggedFault("1.1.1.1", "a", once, "x", 7, "")], Names(unmasked("abc"), False), True
    )
    assert [(each.bot, each.fault, each.said, each.reason) for each in groups] == [
        ("a", "illegal", "3 faults in 2 matches", "first"),
        ("b", "late", "1 fault in 1 match", "slow"),
    ]
    assert groups[0].to_matches == "index.html#matches?bot=a&fault=illegal&counts=all"
    assert groups[0].first[0]["href"] == "match.html#1.1.1.1/fault"


@given(st.lists(st.integers(1, 10_000_000), min_size=1, max_size=200))
@settings(max_examples=50, deadline=None)
def test_a_quantile_is_known_to_within_a_class(times: list[int]) -> None:
    pace = Pace()
    for us in times:
        pace.add(Turn(1, "play", "play 5D", us, limit_us=1_000_000))
    found, ordered = pace.times(), sorted(times)
    exact = ordered[(len(ordered) + 1) // 2 - 1]
    assert exact / 1.1 <= found.median_us <= exact * 1.1
    assert found.median_us <= found.most_of_us <= found.slowest_us == ordered[-1]
    assert found.closest == ordered[-1] / 1_000_000
    assert found.total_us == sum(times)


def test_a_sparring_bot_has_no_times_of_answers() -> None:
    paces = Paces()
    for bot, us in (("rung 5", 0), ("rung 5", 0), ("a", 0), ("a", 3)):
        paces.add(bot, Turn(1, "play", "play 5D", us, limit_us=1_000_000))
    assert [*paces.times()] == ["a"]


@pytest.mark.parametrize(("hidden", "reason"), [(False, "a: no sandbox: stderr"), (True, "a: no sandbox")])
def test_void_attempts_are_listed_with_their_reason(hidden: bool, reason: str) -> None:
    void = voided("1.1.1", "ab")
    past = history(began(1, "ab"), replace(void, note="a: no sandbox: stderr"), replace(void, attempt=2))
    [first, second] = grids.voids(past, Names(unmasked("ab"), hidden)).rows
    assert [cell.text for cell in first] == ["1", "1", "1", "1", "1", "a, b", reason]
    assert [cell.text for cell in second[4:]] == ["2", "a, b", "a worker was lost"]
