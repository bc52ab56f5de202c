"""Tests the range of places that each bot can still have."""

from random import Random

import pytest

from harness.model import Order
from harness.record.history import History
from harness.results.ordering import Wish
from harness.results.ranges import MOST_BOTS, by_number, deals_of, span_of, with_ranges
from harness.results.standings import standings
from harness.results.statistics.claims import Claim, Range, range_of, ranges
from harness.results.statistics.comparison import Deal
from tests.record.recorded import a_ladder, began, brief, history, played


def claim(ahead: float, behind: float) -> Claim:
    """A claim with these doubts."""
    return Claim(9, ahead, behind, lambda doubt: 1)


def test_the_best_place_is_below_those_surely_better_and_the_worst_above_those_surely_worse() -> None:
    averages = {"a": 2.0, "b": 1.0, "c": 3.0, "d": 1.5, "e": 4.0}
    claims = {"b": claim(1, 0.01), "c": claim(0.01, 1), "d": claim(1, 0.06), "e": claim(0.05, 1)}
    found = range_of("a", averages, claims, 0.95)
    assert found == Range(2, 3, (claims["d"],))
    assert range_of("a", averages, claims, 0.99)[:2] == (2, 4)
    assert range_of("a", {"a": 1.0}, {}, 0.95) == Range(1, 1, ())


def test_a_claim_that_the_averages_deny_does_not_count() -> None:
    claims = {"b": claim(0.01, 1), "c": claim(1, 0.01)}
    assert range_of("a", {"a": 2, "b": 2, "c": 2}, claims, 0.95)[:2] == (1, 3)
    assert range_of("a", {"a": 2, "b": 1, "c": 3}, claims, 0.95)[:2] == (1, 3)


def line(count: int) -> dict[str, dict[str, Deal]]:
    """The deals of three bots at one table. Bot a is always first; b and c are second by turns."""
    found: dict[str, dict[str, Deal]] = {"a": {}, "b": {}, "c": {}}
    for deal in range(count):
        found["a"][str(deal)] = Deal(1, 1, ("b", "c"))
        found["b"][str(deal)] = Deal(2 + deal % 2, 1, ("a", "c"))
        found["c"][str(deal)] = Deal(3 - deal % 2, 1, ("a", "b"))
    return found


def test_who_is_told_apart_from_all_has_one_place_and_the_others_share_the_rest() -> None:
    found = ranges(line(40), {"a": 1, "b": 2.5, "c": 2.5})
    assert {bot: each[:2] for bot, each in found.items()} == {"a": (1, 1), "b": (2, 3), "c": (2, 3)}


def test_after_few_deals_every_place_is_open() -> None:
    found = ranges(line(4), {"a": 1, "b": 2.5, "c": 2.5})
    assert {each[:2] for each in found.values()} == {(1, 3)}


def test_the_place_of_a_bot_is_always_in_its_range() -> None:
    random = Random(7)
    for bots in ("ab", "abcde"):
        deals: dict[str, dict[str, Deal]] = {bot: {} for bot in bots}
        for number in range(30):
            order = sorted(bots, key=lambda bot: ord(bot) + random.gauss(0, 2))
            for rank, bot in enumerate(order, start=1):
                deals[bot][str(number)] = Deal(rank, 1, tuple(other for other in bots if other != bot))
        averages = {bot: sum(deal.total for deal in own.values()) for bot, own in deals.items()}
        for bot, found in ranges(deals, averages).items():
            place = 1 + sum(other < averages[bot] for other in averages.values())
            assert found.best <= place <= found.worst


def test_the_deals_of_a_bot_have_the_sums_of_its_ranks_over_all_seats() -> None:
    run = began(1, "ab", encounters=1, sittings=2, deals=2)
    told = history(
        run,
        played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
        played("1.1.2", "ba", brief([1, 0]), brief([1, 1])),
    )
    found = deals_of(told.matches(told.runs[0]))
    names = sorted(found["a"])
    assert [found["a"][name] for name in names] == [Deal(3, 2, ("b",)), Deal(3.5, 2, ("b",))]
    assert [found["b"][name] for name in names] == [Deal(3, 2, ("a",)), Deal(2.5, 2, ("a",))]


def test_equal_deals_of_a_bot_are_in_memory_once() -> None:
    deals = list(deals_of(told(2).matches(told(2).runs[0]))["a"].values())
    assert deals[0] is deals[1]


def told(count: int, scores: tuple[int, ...] = (1, 0)) -> History:
    """The history of two bots that play so many encounters with these scores."""
    run = began(1, "ab", encounters=count, sittings=1)
    return history(run, [played(f"{n}.{n}.1", "ab", brief(scores)) for n in range(1, count + 1)])


@pytest.mark.parametrize("order", ["rank", "rating", "wins", "score"])
def test_standings_have_ranges_by_what_the_places_go_by(order: Order) -> None:
    for count, expected in ((7, [(1, 2), (1, 2)]), (8, [(1, 1), (2, 2)])):
        table = standings(told(count), "forfeit", None, Wish(order))
        found = with_ranges(table, told(count))
        assert [(row.best, row.worst) for row in found.rows] == expected
        assert [row.bot for row in found.rows] == ["a", "b"]


def test_a_bot_without_a_match_has_no_range() -> None:
    run = began(1, "abc", encounters=9, sittings=1)
    record = history(run, [played(f"{n}.{n}.1", "ab", brief([1, 0])) for n in range(1, 9)])
    found = with_ranges(standings(record, "forfeit", None), record)
    assert [(row.bot, row.best, row.worst) for row in found.rows] == [
        ("a", 1, 1),
        ("b", 2, 2),
        ("c", None, None),
    ]
    empty = history()
    assert with_ranges(standings(empty, "forfeit", None), empty).rows == ()


def test_ratings_decide_the_places_of_the_bots_of_a_ladder_that_play() -> None:
    told = a_ladder(["ca", "cb", "ab"], "a", "b")
    found = with_ranges(standings(told, "forfeit", None), told)
    assert [row.bot for row in found.rows] == ["a", "b", "c"]
    assert by_number(found)


def test_a_large_field_has_no_ranges() -> None:
    bots = [chr(0x100 + number) for number in range(MOST_BOTS + 1)]
    run = began(1, "".join(bots), encounters=len(bots), sittings=1)
    pairs = zip(bots, [*bots[1:], bots[0]], strict=True)
    record = history(run, [played(f"{n}.{n}.1", "".join(pair)) for n, pair in enumerate(pairs, start=1)])
    table = standings(record, "forfeit", None)
    assert with_ranges(table, record) == table


def test_the_span_of_scores_is_that_of_the_record() -> None:
    record = told(3, (40, -2))
    deals = deals_of(record.matches(record.runs[0]), "score")
    assert span_of(deals, "score") == 42
    assert (span_of(deals, "rank"), span_of(deals, "wins"), span_of({}, "score")) == (None, 1, 1)
    assert {deal.total for deal in deals["a"].values()} == {-40}
