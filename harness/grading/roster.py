"""Reads a roster: which student is in which team; also the lists that learning platforms export.

A roster is a CSV file with a header. `team` is the name of the bot in the plan. The gradebook identifies
students by the other columns: `student`, `id`, `sis_user_id`, `sis_login_id`, `section` for Canvas;
`username`, `id_number`, `email` for Moodle; `github` is a user name there.

A list that a platform exports is a roster too: exported_roster.py reads its columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from harness.config.names import MOST_NAME
from harness.config.nearest import name_meant
from harness.errors import InputError

COLUMNS = (
    "team",
    "student",
    "id",
    "sis_user_id",
    "sis_login_id",
    "section",
    "username",
    "id_number",
    "email",
    "github",
    "participant",
)
ALSO = {"name": "student", "e-mail": "email", "group": "team"}
"""What people write for a column in a list of their own."""
MOST_QUOTED = 60


class Student(NamedTuple):
    """A student, with everything that may identify the student in a gradebook."""

    team: str
    student: str = ""
    id: str = ""
    sis_user_id: str = ""
    sis_login_id: str = ""
    section: str = ""
    username: str = ""
    id_number: str = ""
    email: str = ""
    github: str = ""
    participant: str = ""
    """The number that Moodle gives a student in one assignment."""


def read_roster(text: str, where: str, teams: Collection[str] | None = None) -> tuple[Student, ...]:
    """The students in this text, in its order. `teams` has the allowed teams; None allows all.

    Raises InputError, with the line, if it is not a roster of these teams.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = next(iter(lines), "")
    reader = csv.reader(lines, delimiter=max(",;\t", key=first.count))
    header = [name.strip() for name in next(reader, [])]
    columns = columns_of(header)
    exported = columns is not None
    if columns is None:
        columns = _own(header, where)
    students: list[Student] = []
    for cells in reader:
        place = f"{where}:{reader.line_num}"
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            hint = "; put a text that has a comma into quotes" if len(cells) > len(header) else ""
            raise InputError(
                f"the line has {len(cells)} cells, but the header has {len(header)}{hint}", place
            )
        cells = [cell.strip() for cell in cells]
        known = naming(columns, cells) if exported else dict(zip(columns, cells, strict=True))
        if not known:
            continue
        student = Student(**({"team": ""} | known))
        if exported and not student.team:
            student = student._replace(team=team_of(known, {each.team for each in students}))
        if not student.team:
            raise InputError("team: this cell is empty", place)
        if teams is not None and student.team not in teams:
            raise InputError(f"team: no team is called {student.team!r}; there are {', '.join(teams)}", place)
        students.append(student)
    if not students:
        raise InputError("the roster has no students", where)
    return tuple(students)


def _own(header: Sequence[str], where: str) -> list[str]:
    columns = [name.lower() for name in header]
    columns = [ALSO[name] if ALSO.get(name, name) not in columns else name for name in columns]
    if "team" not in columns or len(set(columns)) < len(columns) or len(columns) < 2:
        begins = f"; the first line here is {','.join(header)[:MOST_QUOTED]!r}" if header else ""
        raise InputError(
            "the header must have `team` and at least one other column, each once, "
            f"for example team,student,email{begins}",
            f"{where}:1",
        )
    for name in columns:
        if name not in COLUMNS:
            hint = name_meant(name, (*COLUMNS, *ALSO)) or f"; there are {', '.join(COLUMNS)}"
            raise InputError(f"there is no column {name!r}{hint}", f"{where}:1")
    return columns


# -- lists of students that platforms export ---------------------------------------------------------
#
#     Canvas      gradebook: Student, ID, SIS User ID, SIS Login ID, Section, one column for each assignment
#                 groups: name, canvas_user_id, user_id, login_id, sections, group_name, ...
#     Moodle      grading worksheet: Identifier ("Participant 4711"), Full name, Email address, Status, ...
#                 participants and gradebook: First name, Last name, ID number, Email address, Groups, ...
#     Gradescope  First Name, Last Name, SID, Email, Role, Sections
#     Classroom   identifier, github_username, github_id, name; with group_name for teams
#
# A column `team` may be added to each. Without one, the group is the team; without a group, each student is
# a team that has the name of the student.


FIRST, LAST, ROLE, IDENTIFIER, GROUP = "first name", "last name", "role", "identifier", "group"
"""Columns that are no column of a roster, but part of one."""
KNOWN: Mapping[str, str] = {
    "team": "team",
    "student": "student",
    "id": "id",
    "sis user id": "sis_user_id",
    "sis login id": "sis_login_id",
    "section": "section",
    "name": "student",
    "canvas_user_id": "id",
    "user_id": "sis_user_id",
    "login_id": "sis_login_id",
    "sections": "section",
    "group_name": GROUP,
    "identifier": IDENTIFIER,
    "full name": "student",
    "first name": FIRST,
    "last name": LAST,
    "surname": LAST,
    "id number": "id_number",
    "username": "username",
    "email address": "email",
    "group": GROUP,
    "groups": GROUP,
    "sid": "id_number",
    "email": "email",
    "role": ROLE,
    "github_username": "github",
    "roster_identifier": IDENTIFIER,
}
MARKS = frozenset(
    (
        "sis user id",
        "sis login id",
        "canvas_user_id",
        "login_id",
        "full name",
        "email address",
        "first name",
        "sid",
        "github_username",
    )
)
"""A header with one of these is of an export; a roster that a person wrote has no such column."""
NOBODY = re.compile(r"points possible|student, test|test student", re.I)
"""What Canvas writes in lines that are no student."""
NUMBERED = re.compile(r"\D+ (\d+)")
NAMES_OF_ONE = ("sis_login_id", "username", "github", "id_number", "id", "participant", "email")


def columns_of(header: Sequence[str]) -> list[str] | None:
    """The meaning of each column, "" if it has none for us; None if this is not the header of an export."""
    names = [name.lower() for name in header]
    if MARKS.isdisjoint(names):
        return None
    found = [KNOWN.get(name, "") for name in names]
    return [name if name not in found[:number] else "" for number, name in enumerate(found)]


def naming(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """What a line says about a student; {} if the line is no student."""
    given = {column: cell for column, cell in zip(columns, cells, strict=True) if column and cell}
    whole = " ".join(given[part] for part in (FIRST, LAST) if part in given)
    if given.get(ROLE, "Student").casefold() != "student":
        return {}
    if identifier := given.get(IDENTIFIER):
        # Moodle counts its participants; in Classroom the teacher chose what identifies a student.
        number = NUMBERED.fullmatch(identifier)
        given.setdefault("participant" if number else "id_number", number[1] if number else identifier)
    if GROUP in given:
        given.setdefault("team", given[GROUP])
    if whole:
        given.setdefault("student", whole)
    known = {key: cell for key, cell in given.items() if key not in (FIRST, LAST, ROLE, IDENTIFIER, GROUP)}
    says_who = known.keys() - {"team", "section"}
    return {} if not says_who or NOBODY.fullmatch(known.get("student", "")) else known


def team_of(known: Mapping[str, str], taken: Collection[str]) -> str:
    """The name of a team of one: the student's name, with a number or user name if it is taken."""
    last, comma, first = known.get("student", "").partition(",")
    ways = [known[key] for key in NAMES_OF_ONE if key in known]
    name = " ".join(f"{first} {last}".split()) if comma else last or next(iter(ways), "")
    short = _cut(name, MOST_NAME)
    if short not in taken or not ways:
        return short
    return f"{_cut(name, max(1, MOST_NAME - len(ways[0]) - 1))} {ways[0]}"[:MOST_NAME]


def _cut(name: str, most: int) -> str:
    """The name with as many of its words as fit."""
    if len(name) <= most:
        return name
    return (name[: most + 1].rpartition(" ")[0] or name[:most]).strip()
