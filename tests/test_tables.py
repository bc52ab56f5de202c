"""Tests how standings are written: readable, escaped, and always the same."""

import csv
import json
from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from harness.events import Disqualified
from harness.results.standings import Row, Standings
from harness.results.tables import WIDTH, as_csv, as_json, as_markdown, as_text

OUT = Disqualified(1, 3, "cheat", "1.5.2.1", "illegal", "5 is claimed, 3 is due", "move 4000", "5D 5 5")
TABLE = Standings(
    rows=(
        Row(1, "planner", 24, 1.375, 1.2, 1.55, 17.5, 412, 0, 0),
        Row(2, "random", 24, 2.625, 2.45, 2.8, 6.333333, -3.25, 1, 0),
        Row(3, "idle", 0, None, None, None, 0, 0, 0, 0),
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
EMPTY = Standings((), (), "forfeit", None, 0, 0, True, 0, 0)


def test_text_shows_places_then_who_is_out_and_why_then_what_counts() -> None:
    expected = """\
        place  bot      matches  average  95 % interval  wins  points  faults
        -----  -------  -------  -------  -------------  ----  ------  ------
            1  planner       24    1.375    1.20 - 1.55  17.5     412       0
            2  random        24    2.625    2.45 - 2.80  6.33   -3.25       1
            3  idle           0        -              -     0       0       0

        disqualified:
          cheat, illegal in match 1.5.2.1 (round 3 of run 1):
            5 is claimed, 3 is due
            asked: move 4000
            said:  5D 5 5

        By average rank in the 24 matches of run 2 of 2 that count (policy: disqualify)."""
    assert as_text(TABLE) == dedent(expected)


def test_text_says_what_is_provisional_and_whose_run_it_was() -> None:
    told = as_text(replace(TABLE, policy="strikes", strikes=2, alone=False, missing=7, run=1))
    assert told.endswith(
        "By average rank in the 24 matches of run 1 of 2 that count (policy: strikes = 2).\n"
        "These bots had no run of their own: only matches without a disqualified bot count.\n"
        "Provisional: 7 matches of run 1 are not on record."
    )


def test_void_attempts_have_a_column_where_there_are_any() -> None:
    rows = tuple(replace(row, voids=2) for row in TABLE.rows)
    assert "voids" not in as_text(TABLE)
    assert as_text(replace(TABLE, rows=rows)).splitlines()[2].endswith("  0      2")


def test_no_line_of_text_is_wider_than_a_screen() -> None:
    long = "x" * 4096
    widest = Row(1000, long, 1_000_000, 13.999, 10.001, 14.0, 100000.333333, -123456789012345, 100000, 99999)
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


@given(st.text())
def test_no_name_breaks_out_of_its_cell(name: str) -> None:
    table = replace(TABLE, rows=(replace(TABLE.rows[0], bot=name),), disqualified=(replace(OUT, bot=name),))
    assert len(as_text(table).split("\n")) == 11
    assert len(as_markdown(table).split("\n")) == 9
    [header, line, expelled] = csv.reader(as_csv(table).split("\n"))
    assert len(header) == len(line) == len(expelled) == 12
    assert all(text.isprintable() for text in as_text(table).split("\n"))
    told = json.loads(as_json(table))
    assert told["standings"][0]["bot"] == told["disqualified"][0]["bot"] == name


def test_markdown_is_two_tables_and_a_sentence() -> None:
    expected = """\
        |   place | bot     |   matches |   average |   95 % interval |   wins |   points |   faults |
        |--------:|:--------|----------:|----------:|----------------:|-------:|---------:|---------:|
        |       1 | planner |        24 |     1.375 |     1.20 - 1.55 |   17.5 |      412 |        0 |

        | disqualified   | run   | round   | match   | fault   | reason                 |
        |:---------------|:------|:--------|:--------|:--------|:-----------------------|
        | cheat          | 1     | 3       | 1.5.2.1 | illegal | 5 is claimed, 3 is due |

        By average rank in the 24 matches of run 2 of 2 that count (policy: disqualify)."""
    assert as_markdown(replace(TABLE, rows=TABLE.rows[:1])) == dedent(expected)


def test_csv_has_a_line_for_each_bot_and_each_disqualified() -> None:
    assert as_csv(TABLE).split("\n") == [
        "place,bot,matches,average_rank,low,high,wins,points,faults,voids,disqualified_for,disqualified_in",
        "1,planner,24,1.375,1.2,1.55,17.5,412,0,0,,",
        "2,random,24,2.625,2.45,2.8,6.333333,-3.25,1,0,,",
        "3,idle,0,,,,0,0,0,0,,",
        ",cheat,,,,,,,,,illegal,1.5.2.1",
    ]


def test_csv_guards_names_that_are_formulas() -> None:
    named = replace(TABLE, rows=(replace(TABLE.rows[0], bot="=HYPERLINK(1)"),))
    assert as_csv(named).split("\n")[1].startswith("1,'=HYPERLINK(1),24")


def test_json_has_the_evidence_and_is_plain_ascii() -> None:
    named = replace(TABLE, rows=(replace(TABLE.rows[0], bot="bidi \u202e \x9b"),))
    told = as_json(named)
    assert told.isascii()
    assert json.loads(told) == {
        "standings": [
            {
                "place": 1,
                "bot": "bidi \u202e \x9b",
                "matches": 24,
                "average_rank": 1.375,
                "low": 1.2,
                "high": 1.55,
                "wins": 17.5,
                "points": 412,
                "faults": 0,
                "voids": 0,
            }
        ],
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
    }


def test_without_a_run_every_form_says_so_or_is_empty() -> None:
    assert as_text(EMPTY) == as_markdown(EMPTY) == "No run has started."
    assert len(as_csv(EMPTY).split("\n")) == 1
    assert json.loads(as_json(EMPTY))["standings"] == []
