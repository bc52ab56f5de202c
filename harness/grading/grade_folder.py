"""Writes the folder of grades, and checks whether the folder still agrees with the record. The folder has:

    LOGS/grades/grades.csv               a line for each team, for the instructor
                scheme.toml              the scheme of these grades
                teams.json               facts about the teams that the record does not have, if there are any
                gradescope/TEAM/results.json
                feedback/TEAM.html       a page for each team

The names of files contain the published names of teams, which are masks if names are masked.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from harness.config import FrozenPlan
from harness.config.names import is_device
from harness.config.scheme import read_scheme
from harness.errors import UNREADABLE, InputError, RecordError, naming
from harness.grading import Grades, grades, masked
from harness.grading.gradebook import as_csv, results
from harness.grading.points_off import points_off
from harness.record.history import History
from harness.record.log import whole
from harness.record.mask_key import known_mask
from harness.record.masking import Mask, unmasked
from harness.record.run_folder import history_of, make, plan_of
from harness.record.team_names import TeamNames

GRADES = "grades"
SCHEME = "scheme.toml"
TEAMS = "teams.json"
_SPELT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae"}
    | {
        "ø": "oe",
        "Ø": "Oe",
        "œ": "oe",
        "Œ": "Oe",
        "å": "aa",
        "Å": "Aa",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
    }
)
"""Letters, each with the ASCII letters that people usually write instead of it. From all other letters,
`_in_ascii` only removes the accents."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


class CourseFacts(msgspec.Struct, frozen=True):
    """The facts about the teams of a course that the record does not have."""

    absent: dict[str, str] = {}
    """The teams without a bot in the tournament, each with the reason. These teams get 0 points."""
    left: dict[str, str] = {}
    """For the teams that do not take part any more: the name of each bot (or of the team, if it has no bot),
    with the reason. These bots and teams get no grade."""
    late: dict[str, int] = {}
    """The number of days by which the version of a bot was late; each day that has begun counts."""
    names: tuple[tuple[str, ...], ...] = ()
    """All names of each team that was renamed; the present name is the last."""

    @property
    def named(self) -> TeamNames:
        """Returns the names of the teams."""
        return TeamNames(self.names)


NO_COURSE = CourseFacts()


def made_from(
    logs: Path, scheme: Path, course: CourseFacts = NO_COURSE
) -> tuple[FrozenPlan, History, Grades]:
    """Returns the plan, the history, and the grades that this scheme gives. Raises InputError if a file is
    missing or wrong, and RecordError if the record is damaged."""
    plan, history = plan_of(logs), history_of(logs)
    bots, named = [bot.name for bot in plan.bots], course.named
    names = {bot: named.of(bot) for bot in bots}
    known = [*bots, *(name for of in names.values() for name in of if name not in bots)]
    read = read_scheme(scheme, plan.name, known, plan.house)
    if not {bot.name for bot in plan.bots} - read.staff - course.left.keys():
        raise InputError(
            "no team of this record takes part any more, so there is nothing to grade", str(logs)
        )
    # In the computation, the bots of teams that have left the course count as staff. But the names of
    # these bots are masked, unlike the names of staff.
    wanted = replace(read, staff=read.staff | course.left.keys())
    off = points_off(read, bots, course.late, names)
    made = grades(history, plan, wanted, whole(logs), off)
    return plan, history, made._replace(scheme=read, absent=course.absent)


def texts(made: Grades, mask: Mask, course: CourseFacts = NO_COURSE) -> dict[str, str]:
    """Returns the texts of all files that are made only from the grades. The key of each text is the path of
    its file in the folder."""
    stem = stems(mask.name(grade.team) for grade in made.grades)
    found = {"grades.csv": as_csv(made, course.named), SCHEME: made.scheme.text}
    if course != NO_COURSE:
        found[TEAMS] = msgspec.json.format(msgspec.json.encode(course), indent=2).decode() + "\n"
    for grade in made.grades:
        found[f"gradescope/{stem[mask.name(grade.team)]}/results.json"] = results(made, masked(grade, mask))
    return found


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Writes the files into the folder, which gets the same permissions as the record."""
    make(folder)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with naming(path):
            path.write_bytes(text.encode("utf-8", "backslashreplace"))


def check_grades(logs: Path) -> bool:
    """Returns whether the logs have a folder of grades.

    Raises RecordError, with file and line, if a file in this folder differs from the text that the record and
    the scheme give.
    """
    folder = logs / GRADES
    scheme = folder / SCHEME
    if not folder.is_dir():
        return False
    if not scheme.is_file():
        raise RecordError("the scheme of these grades is missing", str(scheme))
    try:
        course = _course(folder / TEAMS)
        plan, _, made = made_from(logs, scheme, course)
        mask = known_mask(logs, plan, made.scheme.staff)
    except InputError as error:
        raise RecordError(error.message, error.where) from None
    expected = texts(made, mask, course) if mask else {}
    expected |= texts(made, unmasked((bot.name for bot in plan.bots), course.named), course)
    for path in sorted((folder / "grades.csv", *folder.glob("gradescope/*/results.json"))):
        name = path.relative_to(folder).as_posix()
        if name not in expected:
            raise RecordError("no graded team has a file of this name", str(path))
        _check(path, expected[name])
    return True


def _course(path: Path) -> CourseFacts:
    try:
        return msgspec.json.decode(path.read_bytes(), type=CourseFacts) if path.is_file() else NO_COURSE
    except UNREADABLE as error:
        raise RecordError(f"this file does not describe teams: {error}", str(path)) from None


def _check(path: Path, expected: str) -> None:
    there = path.read_bytes() if path.is_file() else b""
    if there == expected.encode("utf-8", "backslashreplace"):
        return
    lines, expected_lines = there.splitlines(), expected.encode("utf-8", "backslashreplace").splitlines()
    number = next(
        (n for n, pair in enumerate(zip(lines, expected_lines, strict=False)) if pair[0] != pair[1]), None
    )
    if number is None:
        number = min(len(lines), len(expected_lines))
    found = lines[number].decode(errors="replace") if number < len(lines) else "nothing"
    should = expected_lines[number].decode() if number < len(expected_lines) else "nothing"
    raise RecordError(
        f"the line is {found!r}, but the record and the scheme give {should!r}", f"{path}:{number + 1}"
    )


def _in_ascii(name: str) -> str:
    """Writes letters with accents and umlauts as letters that every system knows. Other letters stay."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", name).translate(_SPELT))
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def stems(names: Iterable[str], used: Iterable[str] = ()) -> dict[str, str]:
    """Returns a file name for each name, for example "Groesse-7" for "Größe 7". The file names are all
    different, and none of them is in `used`. No file name leads out of the folder."""
    found: dict[str, str] = {}
    taken = {each.lower() for each in used}
    for name in names:
        plain = "".join(sign if sign in _PLAIN else "-" for sign in _in_ascii(name)).strip("-") or "team"
        if is_device(plain):
            plain = f"team-{plain}"
        stem, number = plain, 1
        while stem.lower() in taken:
            number += 1
            stem = f"{plain}-{number}"
        taken.add(stem.lower())
        found[name] = stem
    return found
