"""Compares standings with a table that was made by hand, and tests rules for all standings."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.events import Ended
from harness.model import ranks
from harness.record.history import History
from harness.results.ordering import Wish
from harness.results.ranges import deals_in, with_ranges
from harness.results.standings import Row, Standings, standings
from harness.results.tables import as_text
from tests.record.recorded import began, both, brief, fault, history, out, played, voided
from tests.results.rows import a_row


def of(told: History, policy: str = "disqualify", strikes: int | None = None) -> Standings:
    """The standings under a policy."""
    return standings(told, policy, strikes)


def row(table: Standings, bot: str) -> Row:
    """The row of a bot."""
    [found] = [each for each in table.rows if each.bot == bot]
    return found


def test_a_small_tournament_worked_out_by_hand() -> None:
    """Three bots at three seats, one encounter of three sittings:

    | seats | scores | ranks     |
    |-------|--------|-----------|
    | a b c | 9 4 4  | 1 2.5 2.5 |
    | b c a | 7 2 7  | 1.5 3 1.5 |
    | c a b | 0 5 1  | 3 1 2     |
    """
    told = history(
        began(1, "abc", seats=3, encounters=1, sittings=3),
        played("1.1.1", "abc", brief([9, 4, 4])),
        played("1.1.2", "bca", brief([7, 2, 7])),
        played("1.1.3", "cab", brief([0, 5, 1])),
    )
    table = of(told)
    assert [(each.bot, each.average_rank, each.low, each.high) for each in table.rows] == [
        ("a", round(3.5 / 3, 6), 1, 2.760904),
        ("b", 2.0, 1, 3),
        ("c", round(8.5 / 3, 6), 1.239096, 3),
    ]
    counts = [(each.place, each.matches, each.wins, each.points, each.faults) for each in table.rows]
    assert counts == [(1, 3, 2.5, 21, 0), (2, 3, 0.5, 12, 0), (3, 3, 0, 6, 0)]


def test_faults_are_summed_up_by_kind_the_most_frequent_first() -> None:
    late, wrong = fault(1, "late"), fault(2, "malformed")
    told = history(
        began(1, "abc", sittings=1),
        played("1.1.1", "ab", brief([0, 5], late)),
        played("1.2.1", "ca", brief([0, 5], late)),
        played("2.3.1", "bc", brief([6, 2], wrong)),
        played("2.4.1", "ba", brief([6, 2], wrong, wrong)),
    )
    found = standings(told, "forfeit", None).faults
    assert [(kind.fault, kind.matches, kind.bots) for kind in found] == [
        ("late", 2, ("a", "c")),
        ("malformed", 2, ("a", "c")),
    ]


def test_bots_of_one_average_share_a_place_and_the_next_is_skipped() -> None:
    told = history(
        began(1, "dcba", sittings=1),
        played("1.1.1", "ba", brief([5, 5])),
        played("1.2.1", "dc", brief([5, 5])),
        played("2.3.1", "bc", brief([6, 2])),
    )
    assert [(each.place, each.bot, each.average_rank) for each in of(told).rows] == [
        (1, "b", 1.25),
        (2, "a", 1.5),
        (2, "d", 1.5),
        (4, "c", 1.75),
    ]


def test_a_bot_without_a_match_stands_last_with_no_average() -> None:
    told = history(began(1, "abcd"), both(1, 1, "ab"))
    assert [(each.place, each.bot) for each in of(told).rows] == [(1, "a"), (1, "b"), (3, "c"), (3, "d")]
    assert row(of(told), "c") == a_row(3, "c")


def test_the_interval_comes_from_the_deals_of_the_matches_that_count() -> None:
    deals = [brief([2, n % 3]) for n in range(20)]
    few, many = (
        row(of(history(began(1, "ab", deals=each), played("1.1.1", "ab", *deals[:each]))), "a")
        for each in (2, 20)
    )
    assert (few.low, few.high) == pytest.approx((1, 1.7325), abs=1e-4)
    assert many.low is not None
    assert many.high is not None
    assert many.low < (many.average_rank or 0) < many.high < many.low + 0.4


def test_the_interval_knows_which_matches_had_the_same_deal() -> None:
    """Seat 1 always wins. If all seats play the same deals, this is no luck; with fresh deals it can be."""
    same = history(
        began(1, "ab", deals=3),
        played("1.1.1", "ab", *[brief([2, 1])] * 3),
        played("1.1.2", "ba", *[brief([2, 1])] * 3),
    )
    fresh = history(
        began(1, "ab", sittings=1, deals=6, orders=((1, 2), (2, 1))),
        played("1.1.1", "ab", *[brief([2, 1])] * 6),
    )
    narrow, wide = row(of(same), "a"), row(of(fresh), "a")
    assert narrow.average_rank == wide.average_rank == 1.5
    assert (narrow.low or 0) > (wide.low or 0) + 0.1


def test_faults_are_faulty_matches_and_voids_are_void_attempts() -> None:
    told = history(
        began(1, "ab", deals=2),
        voided("1.1.1", "ab"),
        played("1.1.1", "ab", brief([0, 1], fault(1), fault(1, "crash")), brief([0, 0], fault(1), fault(2))),
    )
    table = of(told, "forfeit")
    assert [(each.bot, each.faults, each.voids) for each in table.rows] == [("b", 1, 1), ("a", 2, 1)]


def test_the_disqualified_are_listed_and_only_the_last_run_counts() -> None:
    told = history(
        began(1, "abcd"),
        both(1, 1, "ab"),
        both(1, 2, "cd", "d"),
        out("d", "1.2.1.1", 1),
        began(2, "abc", encounters=3),
        both(1, 1, "bc", run=2),
        both(2, 2, "ca", run=2),
        both(3, 3, "ab", run=2),
    )
    table = of(told)
    assert table.disqualified == (out("d", "1.2.1.1", 1),)
    assert [each.bot for each in table.rows] == ["a", "b", "c"]
    assert (table.run, table.runs, table.matches, table.missing, table.alone) == (2, 2, 6, 0, True)
    assert all(each.matches == 4 for each in table.rows)


def test_the_last_line_of_a_record_changes_nothing_in_the_standings() -> None:
    told = history(began(1, "abc"), both(1, 1, "ab"), both(2, 2, "bc", "c"), out("c", "1.2.1.1", 2))
    before = of(told)
    told.add(Ended("too few bots are left", standings="digest of what stands"))
    assert of(told) == before


def test_a_forfeit_record_is_judged_again_by_another_policy() -> None:
    told = history(began(1, "abc", encounters=3), both(1, 1, "ab", "a"), both(2, 2, "bc"), both(3, 3, "ca"))
    assert [(each.bot, each.matches) for each in of(told, "forfeit").rows] == [("b", 4), ("c", 4), ("a", 4)]
    strict = of(told, "disqualify")
    assert [(each.bot, each.matches) for each in strict.rows] == [("b", 2), ("c", 2)]
    assert (strict.alone, strict.missing) == (False, 0)


def test_before_the_first_run_there_is_nobody_to_place() -> None:
    table = of(history())
    assert (table.rows, table.run, table.runs, table.matches) == ((), 0, 0, 0)


BOTS = "abcde"
scores = st.lists(st.integers(-9, 9), min_size=3, max_size=3)
matches = st.lists(st.tuples(st.permutations(BOTS), st.lists(scores, min_size=2, max_size=2)), max_size=9)


def tournament(drawn: list[tuple[list[str], list[list[int]]]]) -> History:
    """Each encounter has one sitting: the first three bots of the list play two deals with these scores."""
    sittings = (
        played(f"{n}.{n}.1", "".join(order[:3]), *map(brief, results))
        for n, (order, results) in enumerate(drawn, start=1)
    )
    return history(began(1, BOTS, seats=3, sittings=1, deals=2), sittings)


@settings(max_examples=25)
@given(matches)
def test_sums_and_order_are_right_whatever_was_played(drawn: list[tuple[list[str], list[list[int]]]]) -> None:
    table = of(tournament(drawn))
    rows = table.rows
    assert table.matches == 2 * len(drawn)
    assert float(sum(each.wins for each in rows)) == pytest.approx(table.matches, abs=1e-5)
    assert sum(each.matches for each in rows) == 3 * table.matches
    assert sum(each.points for each in rows) == sum(sum(map(sum, results)) for _, results in drawn)
    assert sum((each.average_rank or 0) * each.matches for each in rows) == pytest.approx(
        6 * table.matches, abs=1e-3
    )
    averages = [each.average_rank or 9 for each in rows]
    assert averages == sorted(averages)
    for each in rows:
        assert each.place == 1 + sum(other < (each.average_rank or 9) for other in averages)
        if each.low is not None and each.high is not None and each.average_rank is not None:
            assert 1 <= each.low <= each.average_rank <= each.high <= 3
        assert (each.low is None) == (each.high is None) == (each.matches == 0)


@settings(max_examples=25)
@given(matches)
def test_an_average_is_that_of_the_ranks_themselves(drawn: list[tuple[list[str], list[list[int]]]]) -> None:
    for each in of(tournament(drawn)).rows:
        own = [
            Fraction(ranks(keys)[order.index(each.bot)])
            for order, results in drawn
            for keys in results
            if each.bot in order[:3]
        ]
        assert each.average_rank == (round(float(sum(own) / len(own)), 6) if own else None)


# -- sittings ----------------------------------------------------------------------------------------


def in_sittings(*won: int) -> History:
    """Two encounters of two bots, in sittings of eight matches. `won` has the first bot's wins by sitting."""
    lines = [
        played(f"1.{encounter}.{sitting}", "ab", *[brief([1, 0])] * wins, *[brief([0, 1])] * (8 - wins))
        for encounter in (1, 2)
        for sitting, wins in enumerate(won, start=1)
    ]
    run = began(1, "ab", orders=((1, 2),) * 8, sittings=len(won), deals=8, encounters=2)
    return history(run, lines)


def test_sittings_that_differ_count_as_one_deal_and_are_told() -> None:
    wished = Wish(one_table=True)
    even, uneven = in_sittings(5, 4, 4, 3), in_sittings(8, 0, 8, 0)
    for told, differ in ((even, False), (uneven, True)):
        table = with_ranges(standings(told, "forfeit", None, wished), told)
        assert table.by_sitting is differ
        assert ("Sittings differ more than luck explains" in " ".join(as_text(table).split())) is differ
        deals, _ = deals_in(told, table)
        assert len(deals["a"]) == (8 if differ else 64)
    wide, narrow = (standings(told, "forfeit", None, wished).rows[0] for told in (uneven, even))
    assert wide.high is not None
    assert wide.low is not None
    assert narrow.high is not None
    assert narrow.low is not None
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)
    digest = standings(uneven, "forfeit", None, wished, whole=False)
    assert not digest.by_sitting
    assert digest.rows[0].average_rank == standings(uneven, "forfeit", None, wished).rows[0].average_rank
