"""Tests by which number standings order the bots, and the numbers of each order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from harness.config import FrozenBot
from harness.errors import RecordError
from harness.events import Ended, RoundBegan, RunBegan
from harness.model import Order
from harness.record.history import History, Run
from harness.results.columns import columns, ranged
from harness.results.ordering import (
    AS_PLANNED,
    BY_DOCUMENT,
    BY_FORMAT,
    HALF_PLAYED,
    OTHER_OPPONENTS,
    SAME_HOUSE,
    SAME_OPPONENTS,
    Ordering,
    Wish,
    ordering,
    wish,
)
from harness.results.ranges import with_ranges
from harness.results.standings import NO_INTERVALS, STOPPED, Row, Standings, standings
from harness.results.tables import as_markdown, as_text
from tests.judge.test_rules import plan
from tests.record.recorded import began, both, brief, history, out, played

FREE = Wish()
BOTS = tuple(FrozenBot(name, name, "", ("run",), (), "") for name in "abcd")
PLAN = plan(bots=BOTS)
ORDERS = ((1, 2), (2, 1))


def certified(pairs: list[list[int]], bots: str = "abcd", seats: int = 2) -> RunBegan:
    """A run whose certificate has these pairs: each item says how many pairs meet how often."""
    return replace(began(1, bots, seats=seats), certificate={"pairs": pairs})


def by(told: History, wished: Wish) -> Standings:
    """The standings in the order of this wish."""
    return standings(told, "disqualify", None, wished)


@pytest.mark.parametrize(
    ("pairs", "order", "why"),
    [
        ([[1, 6]], "rank", SAME_OPPONENTS),
        ([[7, 6]], "rank", SAME_OPPONENTS),
        ([[0, 2], [1, 4]], "rating", OTHER_OPPONENTS),
        ([[1, 5], [2, 1]], "rating", OTHER_OPPONENTS),
    ],
)
def test_the_certificate_decides_if_the_plan_does_not(pairs: list[list[int]], order: str, why: str) -> None:
    found = ordering(FREE, Run(certified(pairs)), alone=True)
    assert found == Ordering(order, why, order == "rating")  # type: ignore[arg-type]


def test_the_plan_decides_whatever_the_certificate_says() -> None:
    uneven = Run(certified([[0, 2], [1, 4]]))
    assert ordering(Wish("score", AS_PLANNED), uneven, alone=True) == Ordering("score", AS_PLANNED, True)
    assert ordering(Wish("rank"), uneven, alone=True) == Ordering("rank", "", True)


def test_a_plan_without_an_order_leaves_it_to_the_schedule() -> None:
    assert wish(PLAN) == FREE
    assert wish(replace(PLAN, order="wins")) == Wish("wins", AS_PLANNED)
    house = wish(replace(PLAN, format="gauntlet", house=("a",)))
    assert ordering(house, Run(certified([[1, 6]])), alone=True).why == SAME_HOUSE


def test_the_document_of_the_game_decides_if_the_plan_does_not() -> None:
    found = wish(replace(PLAN, game=replace(PLAN.game, order="rank")))
    assert found == Wish(document="rank")
    uneven = Run(certified([[0, 2], [1, 4]]))
    assert ordering(found, uneven, alone=True) == Ordering("rank", BY_DOCUMENT, True)
    assert ordering(found, Run(certified([[1, 6]])), alone=True) == Ordering("rank", BY_DOCUMENT, False)
    planned = wish(replace(PLAN, game=replace(PLAN.game, order="rank"), order="rating"))
    assert ordering(planned, uneven, alone=True) == Ordering("rating", AS_PLANNED, True)


def test_the_document_does_not_decide_where_results_decide_who_meets_whom() -> None:
    swiss = Run(replace(certified([]), stages=("swiss",)))
    assert ordering(Wish(document="rank"), swiss, alone=True) == Ordering(
        "rating", OTHER_OPPONENTS, True, adaptive=True
    )


def test_the_bots_of_one_table_meet_equally_often_whatever_the_results() -> None:
    both_at_it = wish(replace(PLAN, bots=BOTS[:2]))
    adaptive = replace(certified([]), stages=("round-robin",))
    assert ordering(wish(PLAN), Run(adaptive), alone=True).order == "rating"
    assert ordering(both_at_it, Run(adaptive), alone=True).order == "rank"
    assert ordering(both_at_it, Run(adaptive, open_field=True), alone=True).order == "rating"
    two = replace(adaptive, stages=("swiss", "round-robin"))
    assert ordering(both_at_it, Run(two), alone=True).order == "rating"


def test_matches_without_some_bots_are_even_only_at_tables_of_two() -> None:
    for seats, order in ((2, "rank"), (3, "rating")):
        run = Run(certified([[2, 6]], seats=seats))
        assert ordering(FREE, run, alone=True).order == "rank"
        assert ordering(FREE, run, alone=False).order == order


def test_opponents_differ_where_results_decide_who_meets_whom() -> None:
    run = Run(replace(certified([[1, 6]]), stages=("swiss",)))
    assert ordering(FREE, run, alone=True).order == "rating"
    assert ordering(FREE, None, alone=True).order == "rank"


# A round robin of four bots. Two of its six encounters are complete, and one is half complete.
HALF = history(
    replace(began(1, "abcd", encounters=6), certificate={"pairs": [[1, 6]]}),
    both(1, 1, "ab"),
    both(2, 2, "ac"),
    played("3.3.1", "ad"),
)


def test_a_half_played_table_is_by_rating_and_says_how_much_was_played() -> None:
    table = by(HALF, FREE)
    assert (table.order, table.why, table.differ) == ("rating", HALF_PLAYED, True)
    told = " ".join(as_text(table).split())
    assert "only 2 of 6 encounters of run 1 are complete, and 7 matches are missing." in told
    assert SAME_OPPONENTS not in told


def test_a_complete_table_is_by_rank() -> None:
    whole = history(
        replace(began(1, "abc", encounters=3), certificate={"pairs": [[1, 3]]}),
        both(1, 1, "ab"),
        both(2, 2, "ac"),
        both(3, 3, "bc"),
    )
    table = by(whole, FREE)
    assert (table.order, table.why, table.missing, table.encounters) == ("rank", SAME_OPPONENTS, 0, (3, 3))
    assert "Provisional" not in as_text(table)


def test_a_half_played_table_is_by_what_the_plan_says_if_it_says_something() -> None:
    table = by(HALF, Wish("rank", AS_PLANNED))
    assert (table.order, table.why, table.differ) == ("rank", AS_PLANNED, True)
    assert by(HALF, FREE._replace(one_table=True)).order == "rank"


# -- places ----------------------------------------------------------------------------------------

# Bot a beats b twice, by 1 point. Bots c and d have high scores: they tie once, and c wins once.
SCORES = history(
    replace(began(1, "abcd", orders=ORDERS, sittings=1, deals=2), certificate={"pairs": [[0, 4], [1, 2]]}),
    played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
    played("1.2.1", "cd", brief([50, 50]), brief([40, 60])),
)


def test_by_score_is_by_the_mean_of_scores() -> None:
    table = by(SCORES, Wish("score", AS_PLANNED))
    assert [(row.place, row.bot, row.score) for row in table.rows] == [
        (1, "c", 55),
        (2, "d", 45),
        (3, "a", 1),
        (4, "b", 0),
    ]
    assert (table.order, table.why, table.same) == ("score", AS_PLANNED, False)
    for row in table.rows:
        assert row.score is not None
        assert row.score_low is not None
        assert row.score_high is not None
        assert row.score_low < row.score < row.score_high


def test_by_wins_is_by_the_share_of_wins() -> None:
    rows = by(SCORES, Wish("wins", AS_PLANNED)).rows
    assert [(row.place, row.bot, row.win_share) for row in rows] == [
        (1, "a", 1),
        (2, "c", 0.75),
        (3, "d", 0.25),
        (4, "b", 0),
    ]
    assert all(row.win_share_low != row.win_share_high for row in rows)


def test_by_rating_is_by_the_rating() -> None:
    table = by(SCORES, FREE)
    assert (table.order, table.why, table.differ) == ("rating", OTHER_OPPONENTS, True)
    assert [row.bot for row in table.rows] == ["a", "c", "d", "b"]
    ratings = [row.rating for row in table.rows]
    assert ratings == sorted(ratings, key=lambda rating: rating or 9)
    assert all(row.rating_low != row.rating_high for row in table.rows)


def test_intervals_that_decide_nothing_are_left_out() -> None:
    for wished in (Wish("rank"), Wish("rating"), FREE):
        [row, *_] = by(SCORES, wished).rows
        assert row.score_low is row.score_high is row.win_share_low is row.win_share_high is None
        assert row.rating_low is not None
    even = history(replace(began(1, "ab", encounters=1), certificate={"pairs": [[1, 1]]}), both(1, 1, "ab"))
    [row, *_] = by(even, FREE).rows
    assert row.rating is not None
    assert row.rating_low is None


def test_the_mean_of_a_deal_is_taken_off_if_it_is_played_in_every_seat() -> None:
    # The second deal gives high scores to both bots. In one of its two matches, b has 10 points more.
    told = history(
        began(1, "ab", deals=2),
        played("1.1.1", "ab", brief([3, 1]), brief([100, 100])),
        played("1.1.2", "ba", brief([2, 2]), brief([110, 100])),
    )
    table = by(told, Wish("score", AS_PLANNED))
    assert [(row.bot, row.score, row.points) for row in table.rows] == [("b", 1, 213), ("a", -1, 205)]
    assert table.same


def test_places_by_equal_scores_are_shared() -> None:
    told = history(
        began(1, "abc", sittings=1, orders=ORDERS),
        played("1.1.1", "ab", brief([7, 7])),
        played("2.2.1", "bc", brief([7, 1])),
    )
    rows = by(told, Wish("score", AS_PLANNED)).rows
    assert [(row.place, row.bot) for row in rows] == [(1, "a"), (1, "b"), (3, "c")]
    flat = history(began(1, "ab", sittings=1, orders=ORDERS), played("1.1.1", "ab", brief([7, 7])))
    assert [row.score_low for row in by(flat, Wish("score", AS_PLANNED)).rows] == [None, None]


@pytest.mark.parametrize("order", ["rank", "rating", "score", "wins"])
def test_standings_for_a_screen_lack_only_what_it_does_not_show(order: Order) -> None:
    told = history(began(1, "abc"), both(1, 1, "ab"), both(1, 2, "bc"), both(2, 3, "bc"))
    whole = standings(told, "forfeit", None, Wish(order, AS_PLANNED))
    small = standings(told, "forfeit", None, Wish(order, AS_PLANNED), whole=False)
    for row, known in zip(small.rows, whole.rows, strict=True):
        assert (row.place, row.bot, row.average_rank) == (known.place, known.bot, known.average_rank)
        assert ranged(row, order) == ranged(known, order)
        assert (row.rating is None) == (order != "rating")
    assert (small.seats, small.matches) == ((), whole.matches)


def test_the_places_that_the_format_decides_stand_whatever_the_order() -> None:
    told = history(SCORES.runs[0].began, played("1.1.1", "ab", brief([1, 0]), brief([0, 1])))
    told.add(Ended("", order=(("d",), ("b", "a"), ("c",))))
    table = by(told, Wish("score", AS_PLANNED))
    assert [(row.place, row.bot) for row in table.rows] == [(1, "d"), (2, "a"), (2, "b"), (4, "c")]
    assert table.why == BY_FORMAT
    assert "By the format in the 2 matches" in as_text(table)


@pytest.mark.parametrize("order", ["rank", "rating", "score", "wins"])
def test_the_disqualified_and_those_without_a_match_are_where_they_were(order: str) -> None:
    told = history(began(1, "abcd"), both(1, 1, "ab"), both(1, 2, "cd", "d"), out("d", "1.2.1.1", 1))
    rows = by(told, Wish(order, AS_PLANNED)).rows  # type: ignore[arg-type]
    assert [row.bot for row in rows] == ["a", "b", "c"] or order != "rank"
    assert rows[-1].bot == "c"
    assert rows[-1].matches == 0
    assert rows[-1].place == 3


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.integers(-9, 9), min_size=2, max_size=2), min_size=1, max_size=12))
def test_the_order_of_two_bots_is_the_same_by_rank_rating_and_wins(results: list[list[int]]) -> None:
    told = history(
        began(1, "ab", sittings=1, deals=len(results)), played("1.1.1", "ab", *map(brief, results))
    )
    orders = [
        [(row.place, row.bot) for row in by(told, Wish(order)).rows] for order in ("rank", "rating", "wins")
    ]
    assert orders[0] == orders[1] == orders[2]


# -- pairing by results ----------------------------------------------------------------------------

# Four bots that play in pairs. Every bot met two others.
ADAPTIVE = history(
    replace(began(1, "abcd", orders=ORDERS, sittings=1, deals=2), stages=("swiss",)),
    RoundBegan(1, 1, 1, (("a", "b"), ("c", "d"))),
    played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
    played("1.2.1", "cd", brief([1, 0]), brief([1, 0])),
    RoundBegan(1, 1, 2, (("a", "c"), ("b", "d"))),
    played("1.3.1", "ac", brief([1, 0]), brief([1, 0])),
    played("1.4.1", "bd", brief([1, 0]), brief([1, 0])),
)


LUCKY = history(
    replace(
        began(1, "ab", orders=ORDERS, sittings=1, deals=2, encounters=2), certificate={"pairs": [[2, 1]]}
    ),
    played("1.1.1", "ab", *(replace(brief(scores), luck=(0.5, -0.5)) for scores in ([1, 0], [0, 1]))),
    played("2.2.1", "ab", *(replace(brief(scores), luck=(-0.5, 0.5)) for scores in ([1, 0], [1, 0]))),
)
"""The history of two bots whose luck is on record."""


@pytest.mark.parametrize(("order", "beside"), [("rank", "average_rank"), ("score", "score")])
def test_one_column_has_the_luck_taken_off_and_the_number_with_luck_beside_it(
    order: Order, beside: str
) -> None:
    found = columns(by(LUCKY, Wish(order, AS_PLANNED, luck_off=True)))
    assert [column.header for column in found].count("luck off") == 1
    assert beside in [column.name for column in found]


@pytest.mark.parametrize(
    "wished", [Wish("wins", AS_PLANNED, luck_off=True), Wish(document="wins", luck_off=True)]
)
def test_luck_is_not_taken_off_if_wins_decide(wished: Wish) -> None:
    table = with_ranges(by(LUCKY, wished), LUCKY)
    assert table == with_ranges(by(LUCKY, wished._replace(luck_off=False)), LUCKY)
    assert "Luck is taken off" not in as_text(table)
    text = as_text(by(LUCKY, Wish("rank", AS_PLANNED, luck_off=True)))
    assert "Luck is taken off" in text
    assert "By average rank, luck taken off, in the 4 matches of run 1" in text


def test_a_certificate_without_a_list_of_pairs_is_refused() -> None:
    told = history(replace(began(1, "ab"), certificate={"pairs": 5}))
    with pytest.raises(RecordError, match="the certificate of run 1 has no list of pairs"):
        by(told, Wish())


def test_no_average_has_an_interval_if_results_decide_when_a_tournament_ends() -> None:
    told = history(
        replace(began(1, "ab", orders=ORDERS, sittings=1, deals=2), stages=("sprt",)),
        RoundBegan(1, 1, 1, (("a", "b"),)),
        played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
    )
    wished = Wish(one_table=True)
    assert "95 %" in as_text(by(told, wished))
    table = with_ranges(by(told, wished._replace(stops=True)), told)
    assert [(row.place, row.low, row.best) for row in table.rows] == [(1, None, 1), (2, None, 1)]
    text = " ".join(as_text(table).split())
    assert "95 %" not in text
    assert STOPPED in text
    assert "In brackets" in text


@pytest.mark.parametrize("order", ["rank", "score", "wins"])
def test_after_pairing_by_results_only_ratings_have_intervals_and_ranges(order: Order) -> None:
    table = with_ranges(by(ADAPTIVE, Wish(order, AS_PLANNED)), ADAPTIVE)
    assert table.adaptive
    ends = [
        getattr(row, name)
        for row in table.rows
        for name in Row.__struct_fields__
        if name in ("best", "worst") or (name.endswith(("low", "high")) and not name.startswith("rating"))
    ]
    assert set(ends) == {None}
    assert all(row.rating_low is not None for row in table.rows)
    assert "95 %" not in as_text(table) + as_markdown(table)
    assert all(
        " ".join(told.split()).count(NO_INTERVALS) == 1 for told in (as_text(table), as_markdown(table))
    )


@pytest.mark.parametrize("wished", [FREE, Wish("rating", AS_PLANNED)])
def test_after_pairing_by_results_ratings_have_intervals_and_ranges_of_one_model(wished: Wish) -> None:
    table = with_ranges(by(ADAPTIVE, wished), ADAPTIVE)
    assert table.adaptive
    assert table.by_model
    assert {(row.best, row.worst) for row in table.rows} == {(1, 4)}
    assert "95 %" in as_text(table)
    assert NO_INTERVALS not in " ".join(as_text(table).split())
    assert "no order is claimed" in " ".join(as_text(table).split())


def test_two_groups_that_have_not_met_get_no_intervals_and_the_reason() -> None:
    told = history(
        replace(began(1, "abcd", orders=ORDERS, sittings=1, deals=2), stages=("ladder",)),
        RoundBegan(1, 1, 1, (("a", "b"), ("c", "d"))),
        played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
        played("1.2.1", "cd", brief([1, 0]), brief([1, 0])),
    )
    table = with_ranges(by(told, FREE), told)
    assert all(row.rating_low is None for row in table.rows)
    assert "if a chain of meetings connects any two bots" in " ".join(as_text(table).split())


def test_the_same_matches_have_intervals_if_the_schedule_was_known_before() -> None:
    known = history(
        replace(
            began(1, "abcd", orders=ORDERS, sittings=1, deals=2), certificate={"pairs": [[0, 2], [1, 4]]}
        ),
        played("1.1.1", "ab", brief([1, 0]), brief([0, 1])),
        played("1.2.1", "cd", brief([1, 0]), brief([1, 0])),
    )
    table = with_ranges(by(known, FREE), known)
    assert not table.adaptive
    assert all(row.rating_low is not None and row.best is not None for row in table.rows)
    assert NO_INTERVALS not in " ".join(as_text(table).split())
