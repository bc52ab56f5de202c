"""Tests that lists of students which platforms export can be read as rosters."""

from __future__ import annotations

import pytest

from harness.grading.roster import Student, read_roster

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,HW1 (4314282),Final Score
,,,,,Manual Posting,(read only)
    Points Possible,,,,,40,(read only)
"Doe, Jane",42,12345678,jdoe,Math 101,36,49
"Müller, Jürgen",43,,jm,Math 101,,
"Student, Test",99,,bbbc67,,,0
"""
CANVAS_TEAMS = """Student,ID,SIS User ID,SIS Login ID,Section,Team,HW1 (4314282)
    Points Possible,,,,,,40
"Doe, Jane",42,12345678,jdoe,Math 101,Owls,36
"Roe, Jim",43,12345679,jroe,Math 101,Owls,
"""
CANVAS_GROUPS = """name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id
Ada Park,101,9001,ada@x.org,CS 461,Tide Clock,55,7
Ben Ito,103,9003,ben@x.org,CS 461,Tide Clock,55,7
Kim Lee,102,9002,kim@x.org,CS 461,,,
"""
MOODLE = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 4711,Jane Doe,jd@x.org,"Submitted for grading - ",,100.00,
Participant 4712,Jane Doe,jane@x.org,No submission,,100.00,"<p>Well
done</p>"
"""
MOODLE_GROUPS = (
    '\ufeff"First name";"Last name";"ID number";"Email address";Groups\nJane;Doe;s1;jd@x.org;Owls\n'
)
GRADESCOPE = """First Name,Last Name,SID,Email,Role,Section
Ada,Lovelace,001,ada@x.edu,Student,A
Alan,Turing,,alan@x.edu,Instructor,
"""
CLASSROOM = """identifier,github_username,github_id,name
"Doe, Jane (i02)",janed,1001,Jane Doe
bob@x.org,,,
"""


@pytest.mark.parametrize(
    ("text", "students"),
    [
        (
            CANVAS,
            [
                Student("Jane Doe", "Doe, Jane", "42", "12345678", "jdoe", "Math 101"),
                Student("Jürgen Müller", "Müller, Jürgen", "43", "", "jm", "Math 101"),
            ],
        ),
        (
            CANVAS_GROUPS,
            [
                Student("Tide Clock", "Ada Park", "101", "9001", "ada@x.org", "CS 461"),
                Student("Tide Clock", "Ben Ito", "103", "9003", "ben@x.org", "CS 461"),
                Student("Kim Lee", "Kim Lee", "102", "9002", "kim@x.org", "CS 461"),
            ],
        ),
        (
            MOODLE,
            [
                Student("Jane Doe", "Jane Doe", email="jd@x.org", participant="4711"),
                Student("Jane Doe 4712", "Jane Doe", email="jane@x.org", participant="4712"),
            ],
        ),
        (MOODLE_GROUPS, [Student("Owls", "Jane Doe", id_number="s1", email="jd@x.org")]),
        (
            GRADESCOPE,
            [Student("Ada Lovelace", "Ada Lovelace", id_number="001", email="ada@x.edu", section="A")],
        ),
        (
            CLASSROOM,
            [
                Student("Jane Doe", "Jane Doe", id_number="Doe, Jane (i02)", github="janed"),
                Student("bob@x.org", id_number="bob@x.org"),
            ],
        ),
    ],
    ids=["canvas", "groups of canvas", "moodle", "groups of moodle", "gradescope", "classroom"],
)
def test_an_exported_list_is_a_roster(text: str, students: list[Student]) -> None:
    assert list(read_roster(text, "students.csv")) == students


def test_a_column_with_teams_may_be_added() -> None:
    assert [each.team for each in read_roster(CANVAS_TEAMS, "gradebook.csv")] == ["Owls", "Owls"]


def test_a_long_name_of_a_student_is_cut_to_that_of_a_team() -> None:
    name = "Maria Alejandra Fernandez Quintana de la Cruz"
    text = f"First Name,Last Name,SID\n{name},Gonzalez,17\n{name},Gonzalez,18\n"
    assert [each.team for each in read_roster(text, "roster.csv")] == [
        "Maria Alejandra Fernandez Quintana de la",
        "Maria Alejandra Fernandez Quintana de 18",
    ]
