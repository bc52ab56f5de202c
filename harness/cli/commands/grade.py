"""The command `grade`: makes a folder of grades and feedback from a record and a scheme."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from harness.cli.arguments import FILE, as_json
from harness.cli.command import Command
from harness.cli.delivering import DELIVERED, GradedPages, deliver, delivery_of, delivery_options
from harness.cli.leagues import graded
from harness.cli.output import print_json, table, tell
from harness.cli.progress import counting
from harness.config import FrozenPlan
from harness.config.document import text_of
from harness.config.names import looks
from harness.config.scheme import Beats
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.grading import Grade, Grades, by_team, grade_folder
from harness.grading.grade_folder import CourseFacts
from harness.grading.gradebook import NOT_HANDED_IN, canvas, moodle, placed, promise, settling
from harness.grading.roster import Student, read_roster
from harness.record.mask_key import key_path, mask_of
from harness.record.masking import Mask, unmasked
from harness.record.team_names import TeamNames
from harness.report import feedback

OURS = ("gradescope", "feedback", DELIVERED)
LAYOUTS = {"canvas.csv": canvas, "moodle.csv": moodle}


class GradedItem(msgspec.Struct, frozen=True):
    """The points of a team for one item of the scheme (`grading.awards.Award`)."""

    name: str
    points: float
    out_of: float
    why: str
    low: float
    """If more matches are played, the team may get from `low` to `high` points."""
    high: float
    more: int
    """The number of further matches that would settle the points, or 0."""
    against: str


class GradedTeam(msgspec.Struct, frozen=True):
    """The grade of a team."""

    team: str
    mask: str
    """The name of the team in masked pages."""
    score: float
    letter: str
    sum: float
    """The sum of the points for all items."""
    place: int | None
    places: tuple[int, int] | None
    """The best and the worst place that more matches could give the team."""
    disqualified: str | None
    """The fault for which the bot was disqualified."""
    low: float
    """If more matches are played, the team may get a score from `low` to `high`."""
    high: float
    letters: tuple[str, ...]
    more_matches: int
    """The number of further matches that would settle the grade, or 0."""
    awards: tuple[GradedItem, ...]


class GradedRecord(msgspec.Struct, frozen=True):
    """The grades of a tournament."""

    title: str
    out_of: float
    record: str
    """The digest of the record from which the grades were made."""
    provisional: int
    """The number of matches that are still to be played."""
    absent: Mapping[str, str]
    """The teams without a bot, each with the reason."""
    claims: int
    """The number of claims that the grades can make."""
    wrong_claims: float
    """If all bots were equally good, at most this number of claims would be wrong on average."""
    grades: tuple[GradedTeam, ...]


@click.command(
    cls=Command,
    prints={"grade": GradedRecord},
    examples=(
        "harness grade logs/first --scheme grading.toml",
        "harness grade my-course --canvas roster.csv",
    ),
)
@click.argument("logs", type=FILE)
@click.option(
    "--scheme",
    metavar="FILE",
    type=FILE,
    show_default="in a league, its scheme",
    help="The file that says what earns points.",
)
@click.option(
    "--out", metavar="DIR", type=FILE, show_default="LOGS/grades", help="The folder for the grades."
)
@click.option(
    "--canvas",
    "for_canvas",
    metavar="ROSTER",
    type=FILE,
    help="Also write canvas.csv, for the students of ROSTER.",
)
@click.option(
    "--moodle",
    "for_moodle",
    metavar="ROSTER",
    type=FILE,
    help="Also write moodle.csv, for the students of ROSTER.",
)
@click.option(
    "--record", metavar="NAME", show_default="final", help="Grade this record of a league, such as run-3."
)
@click.option(
    "--mask",
    is_flag=True,
    help="Mask the names of teams in the files to publish; the key to the names stays in LOGS.",
)
@click.option("--pages/--no-pages", default=True, help="Write a page of feedback for each team.")
@click.option(
    "--report", metavar="URL", help="The address of the published report; pages of feedback link to it."
)
@delivery_options
@as_json
def grade(
    logs: Path,
    scheme: Path | None,
    out: Path | None,
    for_canvas: Path | None,
    for_moodle: Path | None,
    record: str | None,
    mask: bool,
    pages: bool,
    report: str | None,
    as_json: bool,
    **delivery: Any,
) -> None:
    """Grade the teams of a tournament by a scheme.

    LOGS is the folder of a tournament, or a league. In a league, the command grades its final. If a team of
    the roster has no bot in the tournament, it gets 0 points and a remark.

    The command writes grades.csv for the gradebook. For each team it also writes a results.json for
    Gradescope, and a page of feedback, which shows no secrets of other teams. If more matches could change a
    grade, the table says so and says how many matches are needed to settle the grade. The place "3 (2-5)"
    means that the team is third now, but more matches could move it to any place from 2 to 5.

    A ROSTER is a CSV file with a column `team` and the columns by which the gradebook identifies students
    (for Canvas: student, id, sis_user_id, sis_login_id, section; for Moodle: username, id_number, email).
    """
    if report is not None and not report.startswith(("https://", "http://")):
        raise InputError("expected an address that begins with https:// or http://", "--report")
    wanted, league = delivery_of(logs, pages, delivery), logs
    logs, read, course = graded(logs, scheme, record)
    plan, history, made = grade_folder.made_from(logs, read, course)
    folder = out or logs / grade_folder.GRADES
    files, absent = _gradebooks({"canvas.csv": for_canvas, "moodle.csv": for_moodle}, plan, made, course)
    course, made = replace(course, absent=absent), made._replace(absent=absent)
    _make_room(folder)
    names = (*(bot.name for bot in plan.bots), *absent)
    hidden = mask_of(logs, plan, made.scheme.staff, absent) if mask else unmasked(names, course.named)
    grade_folder.write(folder, grade_folder.texts(made, hidden, course) | files)
    if pages:
        with counting("matches read") as seen:
            feedback.write(logs, plan, history, made, hidden, folder / "feedback", seen, report or "")
    if as_json:
        print_json(_as_json(made, hidden, course.named))
    else:
        _tell(made, folder, key_path(logs) if mask else None, pages, course)
    deliver(league, GradedPages(folder, made, course, hidden.table), wanted)


def _gradebooks(
    rosters: Mapping[str, Path | None], plan: FrozenPlan, made: Grades, course: CourseFacts
) -> tuple[dict[str, str], dict[str, str]]:
    """Returns two tables. The first has the texts of the files for gradebooks. Each file has a line for
    each student of its roster. The second has all teams without a bot, each with the reason."""
    files, absent = {}, dict(course.absent)
    for name, path in rosters.items():
        if path is not None:
            students = _students(path, made, plan, course)
            known = {course.named.present(team) for team in by_team(made)}
            new = {each.team: NOT_HANDED_IN for each in students if each.team not in known}
            # The league may know why a team has no bot. This reason is better than NOT_HANDED_IN.
            absent |= {team: why for team, why in new.items() if team not in absent}
            files[name] = LAYOUTS[name](made._replace(absent=absent), students, course.named)
    return files, absent


def _students(path: Path, made: Grades, plan: FrozenPlan, course: CourseFacts) -> tuple[Student, ...]:
    """Returns the students of a roster, without the students of teams that do not take part in the league. A
    team of the roster may have no bot. In this case its name must not look like the name of any bot."""
    named = course.named
    students = read_roster(text_of(path), str(path))
    teams = [name for grade in made.grades for name in named.of(grade.team)]
    left = {name for bot in course.left for name in named.of(bot)}
    forms = {form for bot in plan.bots for form in enumerate(looks(bot.name))}
    new = {each.team for each in students if forms.isdisjoint(enumerate(looks(each.team)))}
    students = read_roster(text_of(path), str(path), (*teams, *sorted(new | left)))
    return tuple(each._replace(team=named.present(each.team)) for each in students if each.team not in left)


def _make_room(folder: Path) -> None:
    """Deletes the teams' files from an earlier call. Raises InputError if the folder contains other files."""
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / grade_folder.SCHEME).is_file()):
        raise InputError("this folder holds something else; expected a new or an empty folder", str(folder))
    (folder / grade_folder.TEAMS).unlink(missing_ok=True)
    for name in OURS:
        shutil.rmtree(folder / name, ignore_errors=True)


def _tell(made: Grades, folder: Path, key: Path | None, pages: bool, course: CourseFacts) -> None:
    headers, named = ["team", "score", "letter", "place", "open", "why it is open"], course.named
    ordered = sorted(made.grades, key=lambda each: (-each.score, each.team))
    rows = [(named.present(each.team), *_row(made, each)) for each in ordered]
    if not made.scheme.letters:
        headers, rows = [*headers[:2], *headers[3:]], [(*row[:2], *row[3:]) for row in rows]
    if all(each.settled for each in made.grades):
        headers, rows = headers[:-2], [row[:-2] for row in rows]
    click.echo(table(headers, rows, right="score place"))
    tell(f"\n{made.title}: {count_of(len(made.grades), 'team')}, with scores out of {made.out_of:g}.")
    if made.provisional:
        tell(f"Provisional: {made.provisional} matches are still to be played.")
    for line in promise(made):
        tell(line)
    for team in _graded_opponents(made):
        tell(
            f'{shown(team)} gets a grade, but an item of the kind "beats" names it too; no bot beats itself.'
        )
    for team, why in made.absent.items():
        tell(f"{shown(team)} gets 0 points: {shown(why).rstrip('.')}.")
    for bot, why in course.left.items():
        tell(f"{shown(named.present(bot))} gets no grade: {shown(why)}.")
    files = "results.json and a page of feedback" if pages else "results.json"
    tell(f"In {shown(str(folder))}: grades.csv, and {files} for each team that played.")
    if pages and made.absent:
        tell("Each other team has a page that says why it gets no points.")
    if key is not None:
        tell(f"The key to the masked names is {shown(str(key))}: do not publish this file.")
    tell("Publish this digest with the grades; after that nobody can change the record unnoticed.")
    tell(f"Digest of the whole record: {made.record}")


def _graded_opponents(made: Grades) -> list[str]:
    """Returns the teams that the scheme grades and also names as bots to beat."""
    named = {bot for item in made.scheme.items if isinstance(item, Beats) for bot in item.bots}
    return [each.team for each in made.grades if each.team in named]


def _row(made: Grades, each: Grade) -> tuple[str, ...]:
    place = "out" if each.facts.out else placed(each) or "-"
    if each.settled:
        return (f"{each.score:g}", each.letter, place, "", "")
    could = each.in_letters or f"{each.low:g} to {each.high:g}"
    items = ", ".join(award.name for award in each.awards if not award.settled)
    more = settling(made, each)
    return (f"{each.score:g}", each.letter, place, could, f"{items}: {more}" if more else items)


def _as_json(made: Grades, mask: Mask, named: TeamNames) -> GradedRecord:
    return GradedRecord(
        title=made.title,
        out_of=made.out_of,
        record=made.record,
        provisional=made.provisional,
        absent=dict(made.absent),
        claims=made.claims,
        wrong_claims=made.wrong,
        grades=tuple(_of_team(each, named.present(each.team), mask.name(each.team)) for each in made.grades),
    )


def _of_team(grade: Grade, team: str, mask: str) -> GradedTeam:
    return GradedTeam(
        team=team,
        mask=mask,
        score=grade.score,
        letter=grade.letter,
        sum=grade.raw,
        place=grade.place,
        places=grade.places,
        disqualified=grade.facts.out.fault if grade.facts.out else None,
        low=grade.low,
        high=grade.high,
        letters=grade.letters,
        more_matches=grade.more,
        awards=tuple(GradedItem(*award) for award in grade.awards),
    )
