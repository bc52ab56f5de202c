"""Tests conditions of standings: which results they choose, how standings name them, and wrong conditions."""

import json
import re
import shutil
from pathlib import Path

import pytest

from harness.errors import InputError
from harness.model import Order
from harness.results.standings import Standings, standings
from harness.results.tables import as_markdown, as_text
from harness.results.where import chosen, parsed
from tests.cli.door import harness
from tests.record.recorded import began, brief, fault, history, played

NAMES = {name: name for name in ("a", "b", "c", "two words")}


def table(condition: str, order: Order = "rank") -> Standings:
    """Three bots at three seats, one encounter of three sittings:

    | seats | scores | ranks     |
    |-------|--------|-----------|
    | a b c | 9 4 4  | 1 2.5 2.5 |
    | b c a | 7 2 7  | 1.5 3 1.5 |
    | c a b | 0 5 1  | 3 1 2     |

    In the last match, bot c broke a rule: its answer was late.
    """
    told = history(
        began(1, "abc", seats=3, encounters=1, sittings=3),
        played("1.1.1", "abc", brief((9, 4, 4))),
        played("1.1.2", "bca", brief((7, 2, 7))),
        played("1.1.3", "cab", brief((0, 5, 1), fault(1, "late"))),
    )
    found = standings(told, "forfeit", None)
    return chosen(found, told, condition, {"dice": 2, "late": True, "map": "small"}, order)


@pytest.mark.parametrize(
    ("condition", "matches"),
    [
        ("seat = 1", {"a": 1, "b": 1, "c": 1}),
        ("seat != 1", {"a": 2, "b": 2, "c": 2}),
        ("rank <= 1.5", {"a": 3, "b": 1, "c": 0}),
        ("score > 4 and score < 9", {"a": 2, "b": 1, "c": 0}),
        ("opponent = a", {"a": 0, "b": 3, "c": 3}),
        ("opponent != 'a'", {"a": 3, "b": 0, "c": 0}),
        ("fault = late", {"a": 0, "b": 0, "c": 1}),
        ('fault = "none" AND seat>=2', {"a": 2, "b": 2, "c": 2}),
        ("round = 1 and encounter = 1", {"a": 3, "b": 3, "c": 3}),
        ("seat = 4", {"a": 0, "b": 0, "c": 0}),
        ("option.dice >= 2 and option.late = yes", {"a": 3, "b": 3, "c": 3}),
        ("option.map = small and seat = 1", {"a": 1, "b": 1, "c": 1}),
        ("option.map = 'large'", {"a": 0, "b": 0, "c": 0}),
        ("option.late != yes", {"a": 0, "b": 0, "c": 0}),
    ],
)
def test_a_condition_chooses_results(condition: str, matches: dict[str, int]) -> None:
    assert {row.bot: row.matches for row in table(condition).rows} == matches


def test_the_numbers_are_those_of_the_chosen_results() -> None:
    found = table("seat = 1")
    rows = {row.bot: row for row in found.rows}
    assert [(row.bot, row.place, row.average_rank, row.points) for row in found.rows] == [
        ("a", 1, 1, 9),
        ("b", 2, 1.5, 7),
        ("c", 3, 3, 0),
    ]
    assert (rows["b"].wins, rows["b"].win_share, rows["c"].faults) == (0.5, 0.5, 1)
    assert [(kind.fault, kind.bots) for kind in found.faults] == [("late", ("c",))]
    assert [row.bot for row in table("seat != 1", "score").rows] == ["a", "c", "b"]


def test_it_says_that_the_choice_came_after_the_matches_and_claims_nothing() -> None:
    found = table("seat = 1")
    assert not found.has_intervals
    assert all(row.low is row.best is row.rating is None for row in found.rows)
    for text in (as_text(found), as_markdown(found)):
        told = " ".join(text.split())
        assert "Only results with seat = 1, by average rank, from 3 matches of run 1" in told.replace(
            "\\", ""
        )
        assert "Somebody chose this condition after the matches." in told
        assert "95 %" not in told


WRONG = [
    ("", "expected KEY OP VALUE, for example 'seat = 1'"),
    ("seat", 'or option.NAME; not "seat"'),
    ("seat = 1 and", "expected KEY OP VALUE"),
    ("sea = 1", '"sea" is no key; did you mean seat?'),
    ("seat = x", 'seat: expected a number, not "x"'),
    ("seat = nan", 'seat: expected a number, not "nan"'),
    ("opponent < a", "opponent: expected = or !=, not <"),
    ("opponent = 'two wordz'", '"two wordz" is no bot; did you mean two words?'),
    ("fault = latte", "did you mean late?"),
    ("option.size = 2", 'the game has no option "size"; there are dice, map'),
    ("option.mapp = 2", 'the game has no option "mapp"; did you mean map?'),
    ("option.map < large", 'option.map <: expected a number, not "large"'),
    ("seat = 1 or seat = 2", 'expected `and` between two conditions, not "or seat = 2"'),
]


@pytest.mark.parametrize(("condition", "told"), WRONG)
def test_a_wrong_condition_gets_one_sentence(condition: str, told: str) -> None:
    with pytest.raises(InputError, match=f"^--where: .*{re.escape(told)}"):
        parsed(condition, NAMES, ("dice", "map"))


def test_the_name_that_the_user_knows_stands_for_the_name_on_record() -> None:
    [term] = parsed("opponent = 'New name'", {"New name": "old"}, ())
    assert term.value == "old"


def test_the_command_prints_the_chosen_results(record: Path) -> None:
    done = harness("standings", record, "--where", "seat = 1", "--json")
    found = json.loads(done.stdout)
    assert found["where"] == "seat = 1"
    whole = json.loads(harness("standings", record, "--json").stdout)
    assert sum(row["matches"] for row in found["standings"]) == whole["matches"]
    for option in (("--rating", "elo"), ("--order", "rating")):
        done = harness("standings", record, "--where", "seat = 1", *option)
        assert (done.exit_code, "a rating needs all results" in done.output) == (2, True)


def test_options_choose_records_of_a_season(record: Path, tmp_path: Path) -> None:
    other = shutil.copytree(record, tmp_path / "other")
    plan = json.loads((other / "plan.json").read_bytes())
    key, value = next((key, value) for key, value in plan["options"].items() if type(value) is int)
    plan["options"][key] = value + 1
    (other / "plan.json").write_text(json.dumps(plan))
    done = harness("standings", record, other, "--where", f"option.{key} = {value}")
    assert done.exit_code == 0, done.output
    assert f"1 of 2 LOGS have option.{key} = {value}." in done.stderr
    assert "after you saw their results" in done.stderr
    for condition, told in (
        (f"option.{key} > {value + 1}", "none of the 2 LOGS meets this condition"),
        ("seat = 1", "seat: this key is for one LOGS; for several LOGS, the key is option.NAME"),
    ):
        done = harness("standings", record, other, "--where", condition)
        assert (done.exit_code, done.output) == (2, f"Error: --where: {told}\n")
