"""Tests in which standings the ratings come from the model, and what the standings say about it."""

from random import Random

import pytest
from msgspec.structs import replace

from harness.errors import InputError
from harness.record.history import History
from harness.results import round_robin
from harness.results.ordering import AS_PLANNED, Wish
from harness.results.ranges import with_ranges
from harness.results.round_robin import ONE_SITTING, TABLES_DIFFER, learnt, model_of, with_elo, with_model
from harness.results.standings import standings
from harness.results.tables import as_text
from tests.record.recorded import began, brief, history, played
from tests.results.statistics.tables import Match, wins

ORDERS = ((1, 2), (2, 1))


def told(results: dict[str, tuple[int, int]], seed: int = 1) -> History:
    """A record in which pairs of bots won these numbers of matches against each other."""
    random, lines = Random(seed), []
    for number, (pair, (won, lost)) in enumerate(results.items(), start=1):
        scores = [brief([1, 0])] * won + [brief([0, 1])] * lost
        random.shuffle(scores)
        lines.append(played(f"1.{number}.1", pair, *scores))
    run = began(1, "abcd", orders=((1, 2),), sittings=1, deals=20)
    return history(replace(run, certificate={"pairs": [[0, 2], [1, 4]]}), *lines)


UNEVEN = told({"ab": (15, 5), "bc": (15, 5), "cd": (15, 5), "ad": (19, 1)})


def test_a_rating_with_its_interval_and_range_comes_from_the_model() -> None:
    table = with_ranges(standings(UNEVEN, "forfeit", None, Wish()), UNEVEN)
    assert table.model
    assert [row.bot for row in table.rows] == list("abcd")
    for row in table.rows:
        assert row.rating == pytest.approx(table.model.average(row.bot), abs=1e-8)
        assert row.rating is not None
        assert row.rating_low is not None
        assert row.rating_high is not None
        assert 1 <= row.rating_low < row.rating < row.rating_high <= 2
    assert (table.rows[0].best, table.rows[-1].worst) == (1, 4)


def test_a_rating_stays_within_the_possible_ranks() -> None:
    """Least squares give a bot that won all matches against good opponents a rating better than rank 1."""
    record = told({"ab": (20, 0), "bc": (20, 0), "cd": (20, 0), "ac": (20, 0)})
    plain = standings(record, "forfeit", None, Wish())
    table = with_model(plain, record)
    assert min(row.rating or 0 for row in table.rows) > 1
    assert max(row.rating or 9 for row in table.rows) < 2


@pytest.mark.parametrize("wished", [Wish(), Wish("rating", AS_PLANNED)])
def test_standings_in_which_all_met_equally_often_stay_as_they_are(wished: Wish) -> None:
    run = began(1, "ab", orders=((1, 2), (2, 1)), sittings=1, deals=2)
    record = history(run, played("1.1.1", "ab", brief([1, 0]), brief([0, 1])))
    table = standings(record, "forfeit", None, wished._replace(one_table=True))
    assert with_model(table, record) == table
    assert with_model(table, record).model is None


def test_too_many_bots_or_matches_leave_the_ratings_of_least_squares(monkeypatch: pytest.MonkeyPatch) -> None:
    table = standings(UNEVEN, "forfeit", None, Wish())
    for limit, value in (("MOST_BOTS", 3), ("MOST_MATCHES", 79), ("MOST_WORK", 15)):
        with monkeypatch.context() as context:
            context.setattr(round_robin, limit, value)
            assert with_model(table, UNEVEN) == table
    assert with_model(table, UNEVEN) != table


def test_no_match_makes_no_model() -> None:
    assert model_of([], 2) is None
    empty = history(began(1, "ab", orders=ORDERS, sittings=1, deals=2))
    table = with_ranges(standings(empty, "forfeit", None, Wish("rating", AS_PLANNED)), empty)
    assert table.model is None


def test_two_groups_that_nothing_compares_make_no_model() -> None:
    apart = [*wins(1, "ab", 10, 3), *wins(2, "cd", 10, 3)]
    assert model_of(apart, 2) is None
    assert model_of([*apart, *wins(3, "bc", 1, 1)], 2)


def said(*parts: list[Match], open_bots: bool = False) -> str:
    model = model_of([match for part in parts for match in part], 2)
    assert model
    return " ".join(learnt(model, open_bots))


def test_equal_bots_and_few_matches_are_told_apart() -> None:
    even = [wins(number, pair, 100, 100) for number, pair in enumerate(("ab", "bc", "ca"), start=1)]
    assert "about equal" in said(*even, open_bots=True)
    assert "too few" in said(wins(1, "ab", 3, 0), wins(2, "bc", 2, 1), open_bots=True)
    assert said(*even) == ONE_SITTING


def test_a_circle_is_told_as_a_share_that_one_scale_explains() -> None:
    pairs = [(at, pair, each) for at, pair in enumerate(("ab", "bc", "ca"), start=1) for each in (1, 2)]
    assert "One scale of strength explains" in said(
        *(wins(at, pair, 38, 2, each) for at, pair, each in pairs)
    )
    line = [wins(1, "ab", 30, 10), wins(2, "bc", 30, 10), wins(3, "ac", 36, 4)]
    assert "One scale" not in said(*line)


def test_a_circle_in_one_sitting_a_table_may_be_an_effect_of_sittings() -> None:
    circle = [wins(number, pair, 38, 2) for number, pair in enumerate(("ab", "bc", "ca"), start=1)]
    assert said(*circle) == TABLES_DIFFER + ONE_SITTING


def test_sittings_that_agree_and_sittings_that_differ_are_told_apart() -> None:
    pairs = ("ab", "bc", "ca", "ad", "db", "cd")
    agree = [wins(at, pair, 10, 10, sitting) for at, pair in enumerate(pairs, 1) for sitting in (1, 2, 3)]
    assert "do not differ more than luck explains" in said(*agree)
    differ = [
        wins(at, pair, *((18, 2) if sitting % 2 else (2, 18)), sitting)
        for at, pair in enumerate(pairs, 1)
        for sitting in (1, 2)
    ]
    assert "Sittings differ more than luck explains" in said(*differ)
    assert said(*(wins(at, pair, 10, 10) for at, pair in enumerate(pairs, 1))) == ONE_SITTING


def test_the_table_says_what_the_model_has_learnt() -> None:
    record = told({"ab": (10, 10), "bc": (10, 10), "cd": (10, 10)})
    table = with_ranges(standings(record, "forfeit", None, Wish()), record)
    assert "no order is claimed" in " ".join(as_text(table).split())


def test_elo_ratings_have_intervals_in_every_format(monkeypatch: pytest.MonkeyPatch) -> None:
    table = with_elo(with_ranges(standings(UNEVEN, "forfeit", None, Wish()), UNEVEN), UNEVEN)
    first = table.rows[0]
    assert first.elo is not None
    assert first.elo_low is not None
    assert first.elo_high is not None
    assert 0 < first.elo_low < first.elo < first.elo_high
    assert f"{first.elo:+d} ({first.elo_low:+d} to {first.elo_high:+d})" in as_text(table)

    whole = history(began(1, "ab", sittings=1, deals=2), played("1.1.1", "ab", brief([1, 0]), brief([1, 0])))
    plain = standings(whole, "forfeit", None, Wish(one_table=True))
    assert [row.elo is None for row in with_elo(plain, whole).rows] == [False, False]
    monkeypatch.setattr(round_robin, "MOST_BOTS", 1)
    with pytest.raises(InputError, match="at most 1 bots"):
        with_elo(plain, whole)
