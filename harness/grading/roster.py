"""Reads a roster: which student is in which team.

A roster is a CSV file with a header. `team` is the name of the bot in the plan. The gradebook identifies
students by the other columns: `student`, `id`, `sis_user_id`, `sis_login_id`, `section` for Canvas;
`username`, `id_number`, `email` for Moodle; `github` is a user name there.

A list that a platform exports is a roster too: exported_roster.py reads its columns.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from typing import NamedTuple

from harness.config.meant import name_meant
from harness.errors import InputError
from harness.grading.exported_roster import columns_of, naming, team_of

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
