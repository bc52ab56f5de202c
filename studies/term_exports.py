"""Writes archives of submissions as Canvas, Moodle and Gradescope export them, with the names and folders
that these platforms use."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

Files: TypeAlias = Mapping[str, str]
"""The files of a hand-in: the keys are the names of the files, and the values are their texts."""
MOMENT = (2026, 3, 1, 12, 0, 0)


class Person(NamedTuple):
    """A student, with the number and the mail address that platforms have for the student."""

    name: str
    number: int
    team: str

    @property
    def email(self) -> str:
        return f"s{self.number}@example.org"

    @property
    def sortable(self) -> str:
        """The student's name in the form that Canvas uses in names of files: the last name first, without
        spaces."""
        first, last = self.name.split(" ")
        return f"{last}{first}".lower()


class Submission(NamedTuple):
    """One submission of a student on a platform: its files and its time."""

    person: Person
    files: Files
    handed: str = "2026-03-01 12:00:00.000000000 Z"
    late: bool = False


def packed(path: Path, files: Files) -> Path:
    """Writes a zip with these files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name, MOMENT), text)
    return path


def canvas(path: Path, submissions: Iterable[Submission], first: int) -> Path:
    """Writes `submissions.zip`, which Canvas exports with "Download Submissions". Canvas numbers all files of
    a term; `first` is the number of the first file in this archive."""
    room = path.parent / f"{path.stem}-parts"
    for number, each in enumerate(submissions, start=first):
        late = "LATE_" if each.late else ""
        packed(room / f"{each.person.sortable}_{late}{each.person.number}_{number}_bot.zip", each.files)
    return _together(path, room)


def moodle(path: Path, submissions: Iterable[Submission]) -> Path:
    """Writes `COURSE-ASSIGNMENT-NUMBER.zip`, which Moodle exports with "Download all submissions". It has a
    folder for each participant."""
    room = path.parent / f"{path.stem}-parts"
    for each in submissions:
        folder = room / f"{each.person.name}_{each.person.number}_assignsubmission_file_"
        packed(folder / "bot.zip", each.files)
    return _together(path, room)


def gradescope(path: Path, submissions: Iterable[Submission], first: int) -> Path:
    """Writes `assignment_NUMBER_export.zip`, which Gradescope exports with "Export Submissions". It has the
    unpacked files of each submission."""
    room = path.parent / f"{path.stem}-parts" / path.stem
    people = ["---"]
    for number, each in enumerate(submissions, start=first):
        for name, text in each.files.items():
            file = room / f"submission_{number}" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        people += (
            f"submission_{number}:",
            "  :submitters:",
            f"  - :name: {each.person.name}",
            f"    :sid: '{each.person.number}'",
            f"    :email: {each.person.email}",
            f"  :created_at: {each.handed}",
        )
    room.mkdir(parents=True, exist_ok=True)
    (room / "submission_metadata.yml").write_text("\n".join(people) + "\n")
    return _together(path, room.parent)


def gradebook(path: Path, people: Iterable[Person]) -> None:
    """Writes the roster: the students as in the gradebook of Canvas, with one more column, `team`."""
    lines = [f"{each.name},{each.number},{each.email},{each.number},{each.team}" for each in people]
    path.write_text("\n".join(("Student,ID,email,participant,team", *lines)) + "\n")


def _together(path: Path, room: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for each in sorted(room.rglob("*")):
            if each.is_file():
                file.write(each, each.relative_to(room))
    return path
