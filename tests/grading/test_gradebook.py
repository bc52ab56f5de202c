"""Tests the formats of grades: CSV that runs nothing in a spreadsheet, columns for gradebooks, and the format
that Gradescope publishes."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from harness.config.scheme import Gradescope, Scheme
from harness.errors import InputError
from harness.grading import MOST_MATCHES, Award, Grade, Grades
from harness.grading.facts import Facts
from harness.grading.grade_folder import stems
from harness.grading.gradebook import (
    as_csv,
    canvas,
    moodle,
    more_matches,
    placed,
    promise,
    results,
    settling,
)
from harness.grading.roster import Student, read_roster
from harness.results.statistics.comparison import Deal
from tests.config.test_scheme import ITEM, scheme
from tests.record.recorded import out
from tests.results.rows import a_row

AWARDS = (
    Award("Starts", 10, 10, "it started", 10, 10),
    Award("Beats random", 0, 10, "even", 0, 10, 40),
)
RESULTS = {
    # What https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format allows.
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number", "minimum": 0},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": {"$ref": "#/$defs/format"},
        "test_output_format": {"$ref": "#/$defs/format"},
        "test_name_format": {"$ref": "#/$defs/format"},
        "visibility": {"$ref": "#/$defs/visibility"},
        "stdout_visibility": {"$ref": "#/$defs/visibility"},
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": {"$ref": "#/$defs/format"},
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": {"$ref": "#/$defs/format"},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": {"$ref": "#/$defs/visibility"},
                    "extra_data": {"type": "object"},
                },
            },
        },
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "value"],
                "properties": {
                    "name": {"type": "string"},
                    "value": {"type": ["number", "string"]},
                    "order": {"enum": ["asc", "desc"]},
                },
            },
        },
    },
    "anyOf": [{"required": ["score"]}, {"required": ["tests"]}],
    "$defs": {
        "format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
    },
}


def a_grade(team: str = "anna", *, disqualified: bool = False, letter: str = "C") -> Grade:
    played = a_row(1, team, matches=24, average_rank=1.375, wins=17.5, points=412, faults=1)
    row = None if disqualified else played
    gone = out(team, "1.2.1.1", 1) if disqualified else None
    facts = Facts(team, 24, True, (("illegal", 1),), row, {"1.1.1": Deal(3, 2, ("bert",))}, gone)
    return Grade(team, 10, letter, 10, AWARDS, 10, 20, (letter, "A"), 40, None if disqualified else 1, facts)


@pytest.fixture
def sample(tmp_path: Path) -> Scheme:
    return scheme(tmp_path, ITEM)


def made(sample: Scheme, *made: Grade, title: str = "cup") -> Grades:
    return Grades(title, 20, made, "digest of the whole", 0, sample)


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))


def test_plain_csv_has_a_line_for_each_team_with_what_its_grade_is_made_of(sample: Scheme) -> None:
    book = as_csv(made(sample, a_grade(), a_grade("bert", disqualified=True)))
    anna, bert = csv.DictReader(book.splitlines())
    expected = {
        "team": "anna",
        "score": "10",
        "out_of": "20",
        "letter": "C",
        "sum": "10",
        "place": "1",
        "best_place": "",
        "worst_place": "",
        "average_rank": "1.375",
        "matches": "24",
        "faults": "1",
        "disqualified": "",
        "open": "C or A",
        "lowest": "10",
        "highest": "20",
        "more_matches": "40",
        "Starts": "10",
        "Beats random": "0",
    }
    assert {name: anna[name] for name in expected} == expected
    assert bert["disqualified"] == "illegal in 1.2.1.1"


def test_a_place_that_is_not_settled_has_its_range() -> None:
    third = a_grade()._replace(place=3, places=(2, 5))
    assert placed(third) == "3 (2-5)"
    assert placed(third._replace(places=(3, 3))) == placed(third._replace(places=None)) == "3"
    assert placed(a_grade(disqualified=True)) == ""


def test_the_range_of_a_place_has_two_columns(sample: Scheme) -> None:
    [found] = csv.DictReader(as_csv(made(sample, a_grade()._replace(place=3, places=(2, 5)))).splitlines())
    assert (found["place"], found["best_place"], found["worst_place"]) == ("3", "2", "5")


@pytest.mark.parametrize(
    ("keys", "sentences"),
    [
        (
            "",
            [
                "These grades can make 180 claims: a team beats a bot, or a place is settled. "
                "If all bots were equal, up to 9 of these claims would be wrong on average.",
                "This is true however often you look: you may play more matches, and grade again.",
            ],
        ),
        (
            'claims = "all"\nlooks = "once"\n',
            [
                "These grades can make 180 claims: a team beats a bot, or a place is settled. "
                "With a probability of 0.95, none of them is wrong.",
                "This is true if you look only once, at the end: do not play on because of these grades.",
            ],
        ),
    ],
)
def test_grades_say_how_many_of_their_claims_may_be_wrong(
    tmp_path: Path, keys: str, sentences: list[str]
) -> None:
    by = scheme(tmp_path, f"{keys}{ITEM}")
    wrong = 0.05 if by.claims == "all" else 9
    assert list(promise(made(by, a_grade())._replace(claims=180, wrong=wrong))) == sentences
    assert list(promise(made(by, a_grade()))) == []


def test_a_scheme_with_one_look_asks_to_play_all_matches_first(sample: Scheme) -> None:
    once = made(structs.replace(sample, looks="once"), a_grade())._replace(claims=3, wrong=0.1, provisional=7)
    assert [*promise(once)][1].endswith("play all matches, whatever you see here.")
    assert [*promise(once._replace(provisional=0))][1].endswith("do not play on because of these grades.")


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=40), st.sampled_from(["", "=", "+", "-", "@", "\t=", " =", "\r@", "＝"]))
def test_no_name_runs_as_a_formula_or_breaks_a_line(name: str, sign: str) -> None:
    team = sign + name
    bare = Scheme((), "t", 1, 1, 1, 1, frozenset(), None, (), Gradescope(), "")  # type: ignore[arg-type]
    book = made(bare, a_grade(team, letter=sign + "A"), title=team)
    students = [Student(team, student=team, username=team, email=team)]
    for text in (as_csv(book), canvas(book, students), moodle(book, students)):
        assert len(rows(text)) == text.count("\n")
        for cell in (cell for row in rows(text) for cell in row):
            assert cell.isprintable()
            assert not cell.lstrip().startswith(("=", "+", "-", "@", "＝"))


def test_canvas_reads_its_columns_and_the_points_possible(sample: Scheme) -> None:
    students = [Student("anna", "Doe, Anna", "17", "sis-17", "adoe", "1"), Student("anna", "Roe", "18")]
    assert rows(canvas(made(sample, a_grade()), students)) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "cup"],
        ["    Points Possible", "", "", "", "", "20"],
        ["Doe, Anna", "17", "sis-17", "adoe", "1", "10"],
        ["Roe", "18", "", "", "", "10"],
    ]


def test_moodle_reads_its_columns_with_feedback(sample: Scheme) -> None:
    students = [Student("anna", username="adoe", id_number="17", email="a@example.org")]
    assert rows(moodle(made(sample, a_grade()), students)) == [
        ["Username", "ID number", "Email address", "cup", "cup (feedback)"],
        ["adoe", "17", "a@example.org", "10", "10 of 20 (C). Starts: 10 of 10; Beats random: 0 of 10"],
    ]


@pytest.mark.parametrize("disqualified", [False, True])
def test_results_hold_to_the_published_format(sample: Scheme, disqualified: bool) -> None:
    told = results(made(sample, grade := a_grade(disqualified=disqualified)), grade)
    found = json.loads(told)
    jsonschema.validate(found, RESULTS)
    assert told.isascii()
    assert (found["score"], [test["score"] for test in found["tests"]]) == (10, [10, 0])
    assert [test["status"] for test in found["tests"]] == ["passed", "failed"]
    assert ("Disqualified in match 1.2.1.1" in found["output"]) is disqualified
    assert "it could be 10 to 20. About 40 more matches would." in found["output"]


@pytest.mark.parametrize(
    ("more", "told"),
    [(1, "1 more match"), (40, "40 more matches"), (MOST_MATCHES, "more than 10,000 more matches")],
)
def test_the_matches_that_would_settle_a_grade_are_told_in_words(more: int, told: str) -> None:
    assert more_matches(a_grade()._replace(more=more)) == told


def test_a_scheme_that_allows_one_look_names_no_matches_that_would_settle_a_grade(tmp_path: Path) -> None:
    once = scheme(tmp_path, f'looks = "once"\n{ITEM}')
    assert settling(made(once, a_grade()), a_grade()) == ""
    assert json.loads(results(made(once, a_grade()), a_grade()))["output"].endswith("it could be 10 to 20.")
    often = scheme(tmp_path, ITEM)
    assert settling(made(often, a_grade()), a_grade()) == "40 more matches"


def test_the_scheme_says_who_sees_the_tests_and_whether_there_is_a_leaderboard(tmp_path: Path) -> None:
    quiet = scheme(tmp_path, f'{ITEM}[gradescope]\nvisibility = "hidden"\nleaderboard = false\n')
    found = json.loads(results(made(quiet, a_grade()), a_grade()))
    assert "leaderboard" not in found
    assert {test["visibility"] for test in found["tests"]} == {"hidden"}


# -- rosters ---------------------------------------------------------------------------------------


def test_a_roster_names_columns_in_any_order_and_teams_as_the_plan_does() -> None:
    text = "\ufeffemail, Team ,student\r\na@x,anna,Doe\r\n\r\nb@x,bert,Roe\r\n"
    assert read_roster(text, "roster.csv", ["anna", "bert"]) == (
        Student("anna", "Doe", email="a@x"),
        Student("bert", "Roe", email="b@x"),
    )


def test_a_list_that_a_person_wrote_may_have_the_usual_words_for_columns() -> None:
    assert read_roster("Group;Name;E-Mail\nanna;Ann Roe;a@x\n", "roster.csv") == (
        Student("anna", "Ann Roe", email="a@x"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "roster.csv:1: the header must have `team`"),
        ("team\nanna\n", "roster.csv:1: the header must have `team`"),
        (
            "Ants,Ann Adams\nBees,Bob Baker\n",
            "roster.csv:1: the header must have `team` and at least one other column, each once, "
            "for example team,student,email; the first line here is 'Ants,Ann Adams'",
        ),
        ("group,team,id\na,anna,1\n", "roster.csv:1: there is no column 'group'"),
        ("team,id\n,1\n", "roster.csv:2: team: this cell is empty"),
        (
            "team,name\nanna,Roe, Ann\n",
            "roster.csv:2: the line has 3 cells, but the header has 2; put a text",
        ),
        ("team,emial\nanna,a@x\n", "roster.csv:1: there is no column 'emial'; did you mean email?"),
        ("team,shoe size\nanna,44\n", "roster.csv:1: there is no column 'shoe size'"),
        ("team,id,id\nanna,1,2\n", "roster.csv:1: the header must have `team`"),
        ("team,id\nanna,1\nzoe,2\n", "roster.csv:3: team: no team is called 'zoe'; there are anna"),
        ("team,id\nanna\n", "roster.csv:2: the line has 1 cells, but the header has 2"),
        ("team,id\n", "roster.csv: the roster has no students"),
    ],
)
def test_a_slip_in_a_roster_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read_roster(text, "roster.csv", ["anna"])
    assert str(caught.value).startswith(told)


# -- names of files --------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(st.sets(st.text(min_size=1, max_size=40), max_size=8))
def test_no_two_teams_share_a_file_and_no_name_leads_elsewhere(names: set[str]) -> None:
    found = stems([*names, "../../etc/passwd", "ANNA", "anna", "a/b", "a b", ".."])
    lower = [stem.lower() for stem in found.values()]
    assert len(set(lower)) == len(found)
    assert all(stem.isascii() and "/" not in stem and "." not in stem and stem for stem in lower)
