"""Reads a roster: which student is in which team.

A roster is a CSV file with a header. `team` is the name of the bot in the plan. The gradebook identifies
students by the other columns: `student`, `id`, `sis_user_id`, `sis_login_id`, `section` for Canvas;
`username`, `id_number`, `email` for Moodle; `github` is a user name there.
"""

from __future__ import annotations

import csv
from collections.abc import Collection
from typing import NamedTuple

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
)


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


def read_roster(text: str, where: str, teams: Collection[str] | None = None) -> tuple[Student, ...]:
    """The students in this text, in its order. `teams` has the allowed teams; None allows all.

    Raises InputError, with the line, if it is not a roster of these teams.
    """
    reader = csv.reader(text.lstrip("\ufeff").splitlines())
    header = [name.strip().lower() for name in next(reader, [])]
    for name in header:
        if name not in COLUMNS:
            raise InputError(f"there is no column {name!r}; there are {', '.join(COLUMNS)}", f"{where}:1")
    if "team" not in header or len(set(header)) < len(header) or len(header) < 2:
        raise InputError("the header must have `team` and at least one other column, each once", f"{where}:1")
    students = []
    for cells in reader:
        place = f"{where}:{reader.line_num}"
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            raise InputError(f"the line has {len(cells)} cells, but the header has {len(header)}", place)
        student = Student(**dict(zip(header, map(str.strip, cells), strict=True)))
        if teams is not None and student.team not in teams:
            raise InputError(f"team: no team is called {student.team!r}; there are {', '.join(teams)}", place)
        students.append(student)
    if not students:
        raise InputError("the roster has no students", where)
    return tuple(students)
