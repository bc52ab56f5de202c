"""Reads a roster (which student is in which team), or a list that a learning platform exports.

A roster is a CSV file with a header. `team` is the name of the bot in the plan. The gradebook identifies
students by the other columns. The columns for Canvas are `student`, `id`, `sis_user_id`, `sis_login_id` and
`section`. The columns for Moodle are `username`, `id_number` and `email`. `github` is a user name on GitHub.

A list that a platform exports is a roster too. `columns_of` translates the header of such a list.
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
"""Other names that people use for columns in their own lists."""
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
    """Returns the students in this text, in the order of its lines. `teams` has the allowed teams. If `teams`
    is None, all teams are allowed.

    Raises InputError, with the line, if the text is not a roster of these teams.
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
#     Classroom   identifier, github_username, github_id, name, and group_name for teams
#
# Each of these lists may have an additional column `team`. Without this column, each group is a team. Without
# groups, each student is a team, which has the name of the student.


FIRST, LAST, ROLE, IDENTIFIER, GROUP = "first name", "last name", "role", "identifier", "group"
"""Columns of exported lists that a roster does not have. Cells of the roster are computed from these columns.
But ROLE only says whether a line is about a student."""
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
"""A header with one of these columns belongs to an exported list. A roster that a person wrote has no such
column."""
NOBODY = re.compile(r"points possible|student, test|test student", re.I)
"""The names that Canvas writes in lines that are not about a student."""
NUMBERED = re.compile(r"\D+ (\d+)")
NAMES_OF_ONE = ("sis_login_id", "username", "github", "id_number", "id", "participant", "email")


def columns_of(header: Sequence[str]) -> list[str] | None:
    """Returns the name that each column has in a roster, or "" for a column that a roster does not use.

    Returns None if this is not the header of an exported list.
    """
    names = [name.lower() for name in header]
    if MARKS.isdisjoint(names):
        return None
    found = [KNOWN.get(name, "") for name in names]
    return [name if name not in found[:number] else "" for number, name in enumerate(found)]


def naming(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    """Returns the cells of a line, with the column of each cell as its key. Returns {} if the line is not
    about a student."""
    given = {column: cell for column, cell in zip(columns, cells, strict=True) if column and cell}
    whole = " ".join(given[part] for part in (FIRST, LAST) if part in given)
    if given.get(ROLE, "Student").casefold() != "student":
        return {}
    if identifier := given.get(IDENTIFIER):
        # In Moodle the identifier is the number of a participant. In Classroom the teacher chooses it.
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
    """Returns the name of a team with a single student. The name of the team is the student's name, with a
    number or a user name if another team has this name."""
    last, comma, first = known.get("student", "").partition(",")
    ways = [known[key] for key in NAMES_OF_ONE if key in known]
    name = " ".join(f"{first} {last}".split()) if comma else last or next(iter(ways), "")
    short = _cut(name, MOST_NAME)
    if short not in taken or not ways:
        return short
    return f"{_cut(name, max(1, MOST_NAME - len(ways[0]) - 1))} {ways[0]}"[:MOST_NAME]


def _cut(name: str, most: int) -> str:
    """Returns the first words of the name that fit into `most` characters."""
    if len(name) <= most:
        return name
    return (name[: most + 1].rpartition(" ")[0] or name[:most]).strip()
