"""Tests how standings are written: readable, escaped, and always the same."""

import csv
import json
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from harness.escape import WIDTH
from harness.events import Disqualified
from harness.model import Order
from harness.results.columns import NAMED
from harness.results.ordering import BY_FORMAT
from harness.results.standings import Row, Standings
from harness.results.tables import (
    APART,
    FORMER,
    as_csv,
    as_json,
    as_markdown,
    as_pipes,
    as_text,
    filled,
    in_text,
    winner,
)
from harness.results.totals import FaultKind
from tests.results.rows import a_row
from tests.tables import cells, rows_in_markdown, rows_in_text

OUT = Disqualified(1, 3, "cheat", "1.5.2.1", "illegal", "5 is claimed, 3 is due", "move 4000", "5D 5 5")
TABLE = Standings(
    rows=(
        a_row(
            1,
            "planner",
            matches=24,
            average_rank=1.375,
            low=1.2,
            high=1.55,
            wins=17.5,
            points=412,
            rating=1.391,
            score=17.166667,
            win_share=0.729167,
        ),
        a_row(
            2,
            "random",
            matches=24,
            average_rank=2.625,
            low=2.45,
            high=2.8,
            wins=6.333333,
            points=-3.25,
            faults=1,
            rating=2.609,
            score=-0.135417,
            win_share=0.263889,
        ),
        a_row(3, "idle"),
    ),
    disqualified=(OUT,),
    policy="disqualify",
    strikes=None,
    run=2,
    runs=2,
    alone=True,
    matches=24,
    missing=0,
)
LEFT = ("place", "bot", "matches", "average", "95 % interval")
EMPTY = Standings((), (), "forfeit", None, 0, 0, True, 0, 0)


SOME = [
    NAMED[name]
    for name in ("place", "bot", "matches", "average_rank", "interval", "wins", "points", "faults")
]
"""The columns of the tables that tests compare letter by letter. So a new column breaks no test."""


def test_a_table_in_text_has_its_numbers_on_the_right() -> None:
    expected = """\
        place  bot      matches  average  95 % interval  wins  points  faults
        -----  -------  -------  -------  -------------  ----  ------  ------
            1  planner       24    1.375    1.20 - 1.55  17.5     412       0
            2  random        24    2.625    2.45 - 2.80  6.33   -3.25       1
            3  idle           0        -              -     0       0       0"""
    assert in_text(filled(TABLE.rows, SOME, "rank", str)) == dedent(expected)


def test_a_table_in_markdown_has_its_numbers_on_the_right() -> None:
    expected = """\
        |   place | bot     |   matches |   average |   95 % interval |   wins |   points |   faults |
        |--------:|:--------|----------:|----------:|----------------:|-------:|---------:|---------:|
        |       1 | planner |        24 |     1.375 |     1.20 - 1.55 |   17.5 |      412 |        0 |"""
    assert as_pipes(filled(TABLE.rows[:1], SOME, "rank", str)) == dedent(expected)


def test_text_shows_places_then_who_is_out_and_why_then_what_counts() -> None:
    table, rest = as_text(TABLE).split("\n\n", 1)
    assert rows_in_text(table)[0].keys() == {*LEFT, "faults"}
    assert cells(rows_in_text(table), *LEFT, "faults") == [
        ("1", "planner", "24", "1.375", "1.20 - 1.55", "0"),
        ("2", "random", "24", "2.625", "2.45 - 2.80", "1"),
        ("3", "idle", "0", "-", "-", "0"),
    ]
    expected = """\
        disqualified:
          cheat, illegal in match 1.5.2.1 (round 3 of run 1):
            5 is claimed, 3 is due
            asked: move 4000
            said:  5D 5 5

        By average rank in the 24 matches of run 2 of 2 that count (policy: disqualify)."""
    assert rest == dedent(expected)


def test_text_has_the_other_numbers_on_request() -> None:
    table, _ = as_text(TABLE, every=True).split("\n\n", 1)
    assert cells(rows_in_text(table), *LEFT, "wins", "points", "faults")[0] == (
        "1",
        "planner",
        "24",
        "1.375",
        "1.20 - 1.55",
        "17.5",
        "412",
        "0",
    )


def test_a_sentence_says_who_won_and_whether_that_is_certain() -> None:
    first, second, idle = TABLE.rows
    assert (
        winner(TABLE) == "planner is first (average rank 1.375); harness did not compute how certain this is."
    )
    settled = replace(TABLE, rows=(replace(TABLE.rows[0], best=1, worst=1), *TABLE.rows[1:]))
    assert winner(settled) == "planner won (average rank 1.375)."
    open_ = replace(TABLE, rows=(replace(first, best=1, worst=2), second, idle))
    assert winner(open_) == (
        "planner is first (average rank 1.375), but more matches could still put another bot there."
    )
    shared = replace(TABLE, rows=(first, replace(second, place=1), idle))
    assert winner(shared) == "The first place is shared: planner, random."
    assert winner(replace(TABLE, why=BY_FORMAT)) == "planner won."
    aleph, bet = (replace(TABLE.rows[0], bot=name, place=1) for name in "\u05d0\u05d1")
    assert winner(replace(TABLE, rows=(aleph, bet))) == "The first place is shared: \u05d0, \u05d1."
    assert winner(EMPTY) == winner(replace(TABLE, rows=(replace(idle, place=1),))) == ""


def test_text_says_what_is_provisional_and_whose_run_it_was() -> None:
    table = replace(TABLE, policy="strikes", strikes=2, alone=False, run=1)
    told = as_text(replace(table, missing=7, encounters=(2, 6)))
    assert told.endswith(
        "By average rank in the 24 matches of run 1 of 2 that count (policy: strikes =\n2).\n"
        "These bots had no run of their own: only matches without a disqualified bot\ncount.\n"
        "Provisional: only 2 of 6 encounters of run 1 are complete, and 7 matches are\nmissing."
    )


def test_without_a_match_that_counts_the_text_says_so_and_explains_no_places() -> None:
    alone = replace(
        TABLE, rows=(TABLE.rows[2],), matches=0, alone=False, faults=(), disqualified=(), why="equal"
    )
    assert as_text(alone).endswith(
        "\n\nNo match of run 2 of 2 counts (policy: disqualify).\n"
        "This bot had no run of its own: only matches without a disqualified bot count."
    )
    assert "No match of run 2 of 2 with seat = 9 counts (policy" in as_text(replace(alone, where="seat = 9"))


def test_large_numbers_in_sentences_have_their_digits_in_groups() -> None:
    told = as_text(replace(TABLE, matches=20_544, missing=1_064, encounters=(2_568, 2_576), run=1, runs=1))
    assert "By average rank in the 20,544 matches of run 1 that count" in told
    assert "only 2,568 of 2,576 encounters of run 1 are complete, and 1,064\nmatches" in told


def test_no_sentence_is_wider_than_80_columns() -> None:
    table = replace(RATED, rows=tuple(replace(row, best=1, worst=3) for row in RATED.rows), alone=False)
    *_, sentences = as_text(replace(table, policy="strikes", strikes=2, missing=7, runs=12)).split("\n\n")
    assert max(map(len, sentences.split("\n"))) in range(70, 81)


def test_a_remark_explains_the_brackets_if_there_are_any() -> None:
    first, second, third = TABLE.rows
    settled = replace(TABLE, rows=(replace(first, best=1, worst=1), second, third))
    assert "In brackets" not in as_text(settled)
    told = as_text(replace(TABLE, rows=(first, replace(second, best=1, worst=2), third)))
    assert cells(rows_in_text(told), "place", "bot")[1] == ("2 (1-2)", "random")
    assert told.endswith(
        "\nIn brackets: the best and the worst place that more matches could still give to\na bot."
    )


def test_a_remark_says_why_intervals_are_apart_though_places_are_open() -> None:
    first, second, third = TABLE.rows
    pair = replace(first, best=1, worst=2), replace(second, best=1, worst=2)

    def told(*rows: Row) -> str:
        return " ".join(as_text(replace(TABLE, rows=(*rows, third))).split())

    assert APART in told(*pair)
    assert APART not in told(pair[0], replace(pair[1], low=1.5))
    assert APART not in told(replace(pair[0], worst=1), pair[1])


def test_the_former_bots_of_a_ladder_have_a_table_of_their_own_and_no_place() -> None:
    first, *rest = TABLE.rows
    table = replace(TABLE, rows=(*rest, replace(first, place=3, former=True)), disqualified=())
    for told, read in ((as_text(table), rows_in_text), (as_markdown(table), rows_in_markdown)):
        playing, said, former, _ = told.split("\n\n")
        assert said == FORMER
        assert [row["bot"] for row in read(playing)] == ["random", "idle"]
        assert cells(read(former), "place", "bot") == [("-", "planner")]
    assert [row["bot"] for row in csv.DictReader(as_csv(table).split("\n"))] == ["random", "idle", "planner"]
    assert [row["former"] for row in json.loads(as_json(table))["standings"]] == [False, False, True]


def test_void_attempts_have_a_column_where_there_are_any() -> None:
    rows = tuple(replace(row, voids=2) for row in TABLE.rows)
    assert "voids" not in as_text(TABLE)
    assert cells(rows_in_text(as_text(replace(TABLE, rows=rows))), "voids") == [("2",)] * 3


def test_no_line_of_text_is_wider_than_a_screen() -> None:
    long = "x" * 4096
    widest = a_row(
        1000,
        long,
        matches=1_000_000,
        average_rank=13.999,
        low=10.001,
        high=14.0,
        wins=100000.333333,
        points=-123456789012345,
        faults=100000,
        voids=99999,
    )
    out = replace(OUT, bot=long, reason=long, ask=long, said=long, match="10.100000.14.100")
    told = as_text(replace(TABLE, rows=(widest, TABLE.rows[0]), disqualified=(out,)))
    assert max(map(len, told.splitlines())) == WIDTH


def test_a_name_of_twenty_characters_is_shown_whole() -> None:
    assert f"  {'n' * 20}  " in as_text(replace(TABLE, rows=(replace(TABLE.rows[0], bot="n" * 20),)))


def test_a_name_that_looks_like_a_number_stays_a_name() -> None:
    told = as_text(
        replace(TABLE, rows=(replace(TABLE.rows[0], bot="007"), replace(TABLE.rows[1], bot="1e3")))
    )
    assert "  007  " in told
    assert "  1e3  " in told


def test_a_place_that_is_not_settled_has_its_range() -> None:
    first, second, *rest = TABLE.rows
    rows = (replace(first, best=1, worst=2), replace(second, best=2, worst=2), *rest)
    table = replace(TABLE, rows=rows)
    for read in (rows_in_text(as_text(table)), rows_in_markdown(as_markdown(table))):
        assert [row["place"] for row in read] == ["1 (1-2)", "2", "3"]


@given(st.text())
def test_no_name_breaks_out_of_its_cell(name: str) -> None:
    table = replace(TABLE, rows=(replace(TABLE.rows[0], bot=name),), disqualified=(replace(OUT, bot=name),))
    assert len(as_text(table).split("\n")) == 11
    assert len(as_markdown(table).split("\n")) == 9
    [header, line, expelled] = csv.reader(as_csv(table).split("\n"))
    assert len(header) == len(line) == len(expelled) == len(Row.__struct_fields__) + 2
    assert all(text.isprintable() for text in as_text(table).split("\n"))
    told = json.loads(as_json(table))
    assert told["standings"][0]["bot"] == told["disqualified"][0]["bot"] == name


def test_markdown_is_two_tables_and_a_sentence() -> None:
    standings, rest = as_markdown(replace(TABLE, rows=TABLE.rows[:1])).split("\n\n", 1)
    assert cells(rows_in_markdown(standings), *LEFT, "wins", "points", "faults") == [
        ("1", "planner", "24", "1.375", "1.20 - 1.55", "17.5", "412", "0")
    ]
    expected = """\
        | disqualified   | run   | round   | match   | fault   | reason                 |
        |:---------------|:------|:--------|:--------|:--------|:-----------------------|
        | cheat          | 1     | 3       | 1.5.2.1 | illegal | 5 is claimed, 3 is due |

        By average rank in the 24 matches of run 2 of 2 that count (policy: disqualify)."""
    assert rest == dedent(expected)


def test_csv_has_a_line_for_each_bot_and_each_disqualified() -> None:
    found = csv.DictReader(as_csv(TABLE).split("\n"))
    assert found.fieldnames == [*Row.__struct_fields__, "disqualified_for", "disqualified_in"]
    planner, _, idle, cheat = found
    given = {name: str(value) for name, value in asdict(TABLE.rows[0]).items() if value is not None}
    assert {name: text for name, text in planner.items() if text} == given
    assert (planner["average_rank"], planner["wins"], planner["score"]) == ("1.375", "17.5", "17.166667")
    assert (idle["matches"], idle["average_rank"]) == ("0", "")
    assert {name: text for name, text in cheat.items() if text} == {
        "bot": "cheat",
        "disqualified_for": "illegal",
        "disqualified_in": "1.5.2.1",
    }


def test_csv_guards_names_that_are_formulas() -> None:
    named = replace(TABLE, rows=(replace(TABLE.rows[0], bot="=HYPERLINK(1)"),))
    first, *_ = csv.DictReader(as_csv(named).split("\n"))
    assert first["bot"] == "'=HYPERLINK(1)"


def test_json_has_the_evidence_and_is_plain_ascii() -> None:
    named = replace(TABLE, rows=(replace(TABLE.rows[0], bot="bidi \u202e \x9b"),))
    told = as_json(named)
    assert told.isascii()
    found = json.loads(told)
    assert found.pop("standings") == [asdict(named.rows[0])]
    assert found == {
        "faults": [],
        "disqualified": [
            {
                "bot": "cheat",
                "run": 1,
                "round": 3,
                "match": "1.5.2.1",
                "fault": "illegal",
                "reason": "5 is claimed, 3 is due",
                "ask": "move 4000",
                "said": "5D 5 5",
            }
        ],
        "policy": "disqualify",
        "strikes": None,
        "run": 2,
        "runs": 2,
        "alone": True,
        "matches": 24,
        "missing": 0,
        "encounters": [0, 0],
        "order": "rank",
        "adaptive": False,
        "where": "",
    }


def test_without_a_run_every_form_says_so_or_is_empty() -> None:
    assert as_text(EMPTY) == as_markdown(EMPTY) == "No run has started."
    assert len(as_csv(EMPTY).split("\n")) == 1
    assert json.loads(as_json(EMPTY))["standings"] == []


# -- other orders ----------------------------------------------------------------------------------

RATED = replace(
    TABLE,
    rows=tuple(
        replace(
            row,
            rating_low=row.rating and row.rating - 0.1,
            rating_high=row.rating and row.rating + 0.1,
            score_low=row.score and row.score - 5,
            score_high=row.score and row.score + 5,
            win_share_low=row.win_share and row.win_share - 0.1,
            win_share_high=row.win_share and row.win_share + 0.1,
        )
        for row in TABLE.rows
    ),
    disqualified=(),
    differ=True,
)


def test_the_number_that_decides_comes_first_with_its_interval() -> None:
    by_rating = replace(RATED, order="rating", why="not all pairs of bots meet equally often")
    table, rest = as_text(by_rating, every=True).split("\n\n", 1)
    assert list(rows_in_text(table)[0])[:5] == ["place", "bot", "matches", "rating", "95 % interval"]
    assert cells(rows_in_text(table), "bot", "rating", "95 % interval", "average") == [
        ("planner", "1.391", "1.29 - 1.49", "1.375"),
        ("random", "2.609", "2.51 - 2.71", "2.625"),
        ("idle", "-", "-", "-"),
    ]
    expected = """\
        By rating in the 24 matches of run 2 of 2 that count (policy: disqualify).
        The places go by rating: not all pairs of bots meet equally often.
        The rating of a bot is the average rank that it would have if all bots had met
        the same opponents."""
    assert rest == dedent(expected)
    by_score = as_text(replace(RATED, order="score", why="as the plan says"), every=True)
    ranked = ("score", "95 % interval", "average", "rating")
    assert cells(rows_in_text(by_score), *ranked)[0] == ("17.167", "12.17 - 22.17", "1.375", "1.391")
    assert by_score.endswith("The places go by mean score: as the plan says.")
    by_wins = as_text(replace(RATED, order="wins", why="as the plan says", differ=False), every=True)
    assert cells(rows_in_text(by_wins), "won", "95 % interval", "average")[0] == (
        "0.729",
        "0.63 - 0.83",
        "1.375",
    )


def test_standings_by_rank_show_the_rating_if_opponents_differ() -> None:
    assert "rating" in rows_in_text(as_text(RATED, every=True))[0]
    assert "rating" not in as_text(replace(RATED, differ=False), every=True)


def test_a_sentence_says_that_the_rating_would_order_two_bots_the_other_way() -> None:
    first, second, idle = RATED.rows
    other = replace(RATED, rows=(replace(first, rating=2.7), second, idle), why="as the document says")
    said = "By rating, random would be before planner, because not all bots met the same opponents."
    assert said in " ".join(as_text(other).split())
    assert said in as_markdown(other)
    third = replace(idle, place=3, average_rank=2.9, rating=2.0)
    many = replace(other, rows=(replace(first, rating=2.7), second, third))
    assert "before planner, and 2 more pairs would change places, because not" in " ".join(
        as_text(many).split()
    )
    gone = replace(other, rows=(first, second, replace(third, former=True)))
    for same in (RATED, replace(other, differ=False), replace(other, order="score"), gone):
        assert "By rating, " not in as_text(same)


def test_the_sentence_about_the_rating_escapes_names() -> None:
    first, second, idle = RATED.rows
    table = replace(RATED, rows=(replace(first, rating=2.7), replace(second, bot="<b>\x1b"), idle), why="x")
    assert "\x1b" not in as_text(table)
    assert "<b>" not in as_markdown(table)


def test_scores_of_the_same_deals_say_what_is_taken_off() -> None:
    told = as_text(replace(RATED, order="score", why="as the plan says", same=True))
    assert told.endswith(
        "is subtracted from the scores of this deal, because\nall bots of a table play the same deals."
    )


def test_the_kinds_of_faults_have_a_table_if_there_are_any() -> None:
    many = FaultKind("no-start", 48, tuple(f"bot{number}" for number in range(7)))
    told = as_text(replace(TABLE, disqualified=(), faults=(many, FaultKind("late", 1, ("slow",)))))
    assert cells(rows_in_text(told.split("\n\n")[1]), "fault", "matches", "bots", "who") == [
        ("no-start", "48", "7", "bot0, bot1, bot2, bot3, bot4 and 2 more"),
        ("late", "1", "1", "slow"),
    ]
    assert json.loads(as_json(replace(TABLE, faults=(many,))))["faults"][0]["matches"] == 48


def test_elo_ratings_have_a_column_if_there_are_any() -> None:
    first = replace(TABLE.rows[0], elo=0, elo_low=-9, elo_high=9)
    rows = (first, replace(TABLE.rows[1], elo=-61, elo_low=-70, elo_high=-52), TABLE.rows[2])
    assert "Elo" not in as_text(TABLE)
    assert cells(rows_in_text(as_text(replace(TABLE, rows=rows))), "Elo") == [
        ("+0 (-9 to +9)",),
        ("-61 (-70 to -52)",),
        ("-",),
    ]


def test_a_table_keeps_the_elo_ratings_that_were_asked_for_and_loses_the_matches() -> None:
    rows = tuple(
        replace(row, bot=f"a name of {row.bot:x<20}", elo=-518, elo_low=-1028, elo_high=-9)
        for row in TABLE.rows
    )
    headers = rows_in_text(as_text(replace(TABLE, rows=rows)))[0].keys()
    assert ("Elo" in headers, "matches" in headers) == (True, False)


@pytest.mark.parametrize("order", ["rank", "rating", "score", "wins"])
def test_a_table_that_would_be_too_wide_loses_its_least_important_columns(order: Order) -> None:
    widest = replace(
        RATED.rows[0],
        bot="x" * 40,
        place=1000,
        matches=1_000_000,
        wins=100000.333333,
        points=-123456789012345,
        score=-123456789.123,
        score_low=-1e9,
        score_high=1e9,
        faults=100_000,
        voids=99_999,
        elo=-1000,
        elo_low=-1100,
        elo_high=-900,
    )
    told = as_text(
        replace(RATED, order=order, why="as --order says", rows=(widest, RATED.rows[1])), every=True
    )
    assert max(map(len, told.splitlines())) <= WIDTH
    headers = rows_in_text(told)[0].keys()
    assert {"rank": "average", "rating": "rating", "score": "score", "wins": "won"}[order] in headers
    assert "points" not in headers
    assert "faults" in headers


def test_an_interval_is_drawn_beside_its_row_where_there_is_room() -> None:
    plain, drawn = as_text(TABLE).splitlines(), as_text(TABLE, screen=120).splitlines()
    assert plain[:2] == drawn[:2]
    bars = [line.removeprefix(before) for before, line in zip(plain[2:4], drawn[2:4], strict=True)]
    assert all(bar.count("●") == 1 and set(bar) == {" ", "─", "●"} for bar in bars)
    assert bars[0].index("●") < bars[1].index("●"), "a better rank is more to the left"
    assert max(map(len, drawn)) <= 120
    assert as_text(TABLE, screen=40) == as_text(TABLE)
