"""Simulates a term of a course with 24 teams that use 14 languages, and counts what the instructor does.

    python -m studies.term             # about ten minutes
    python -m studies.term FOLDER      # keeps the course in this new folder

Teams hand in by Canvas, Moodle, Gradescope and mail. Three teams hand in broken bots, one team gets a new
name, one team leaves, two teams become one team, and a student makes a team of her own. One team hands in
late, and one appeals against its grade. Two teams hand in the same program, and a third team hands in a
translation of this program.

The instructor downloads one export of each platform in a week with hand-ins, and types commands. A *step by
hand* is anything else: to edit a file, to upload a file, to talk to a team. The study prints both counts, and
the minutes that the commands took. The exit code is 1 if a result is wrong, or if the term needs more than
MOST_BY_HAND steps by hand.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple, TypeAlias

import click

from studies.term_exports import Files, Person, Submission, canvas, gradebook, gradescope, moodle, packed
from studies.term_mail import Inbox, mail_server, write_certificate

ROOT = Path(__file__).parents[1]
STARTERS = ROOT / "bots" / "starters"
ALIKE = ROOT / "tests" / "league" / "alike"
"""The folder with a program, its translation, and a program that somebody else wrote."""
MOST_BY_HAND = 15
PASSWORD = "of the mail server"
# fmt: off
LANGUAGES = (
    "c", "cpp", "csharp", "go", "haskell", "java", "javascript", "lua", "ocaml", "perl", "php", "python",
    "ruby", "rust",
)
TEAMS = (
    "Ants", "Bees", "Cats", "Dogs", "Elks", "Foxes", "Goats", "Hens", "Ibises", "Jays", "Kiwis", "Lynxes",
    "Moles", "Newts", "Owls", "Pumas", "Quails", "Rats", "Seals", "Toads", "Urchins", "Voles", "Wasps",
    "Yaks",
)
# fmt: on
ON_MOODLE, ON_GRADESCOPE, BY_MAIL = TEAMS[10:16], TEAMS[16:22], TEAMS[22:]
DEADLINE, LATER = "2026-05-01T23:59:00Z", "2026-05-08T23:59:00Z"
LATE = "2026-05-10 08:00:00.000000000 Z"
"""The time of the late hand-in: between one and two days after the deadline `LATER`."""
PYTHON = 'run = ["python3", "main.py"]\n'
C = 'build = ["cc", "-O2", "-o", "bot", "main.c"]\nrun = ["./bot"]\n'
BROKEN = ("Bees", "Goats", "Jays")
EQUAL, TRANSLATED = ("Yaks", "Wasps"), ("Yaks", "Voles")
"""Two teams with the same program, and two teams with a program and its translation."""
AUTOGRADER = "\n[autograder]\ndeals = 16\n"
LATE_RULE = "\n[late]\ndays = 3\npoints = 4\n"


Variables: TypeAlias = Mapping[str, str]
NONE: Variables = {}


class Step(NamedTuple):
    """Something that the instructor does: a command with its seconds, a download, or a step by hand."""

    week: int
    kind: str
    told: str
    seconds: float = 0.0


class Instructor:
    """The instructor of the course. Counts the steps."""

    def __init__(self, course: Path) -> None:
        self.course = course
        self.week = 0
        self.steps: list[Step] = []
        self.wrong: list[str] = []
        self.noted = ""
        """What the last command wrote to standard error."""

    def by_hand(self, told: str) -> None:
        """Counts a step by hand."""
        self.steps.append(Step(self.week, "by hand", told))

    def download(self, path: Path) -> Path:
        """Counts the download of an export."""
        self.steps.append(Step(self.week, "download", path.name))
        return path

    def types(self, *words: str | Path, code: int = 0, variables: Variables = NONE) -> str:
        """Types a command: runs `harness` with these words and environment variables, and returns what it
        printed."""
        argv = [str(ROOT / ".venv" / "bin" / "harness"), *map(str, words)]
        began = monotonic()
        done = subprocess.run(
            argv,
            cwd=self.course.parent,
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, **variables},
        )
        told = " ".join(Path(str(word)).name if "/" in str(word) else str(word) for word in words)
        self.steps.append(Step(self.week, "command", f"harness {told}", monotonic() - began))
        self.check(
            done.returncode == code, f"{told}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        )
        self.noted = done.stderr
        return done.stdout

    def check(self, holds: bool, told: str) -> None:
        """Checks a result. If `holds` is false, `told` is recorded as wrong."""
        if not holds:
            self.wrong.append(f"week {self.week}: {told}")


def starter(language: str, broken: bool = False) -> Files:
    """The files of a team's first bot, which is the starter of its language. If `broken` is true, the bot
    answers `hello` wrongly."""
    files = {path.name: path.read_text() for path in (STARTERS / language).iterdir()}
    if broken:
        files = {name: text.replace("hello 1 legal", "hi") for name, text in files.items()}
    return files


def program(name: str) -> Files:
    """The files of a bot that students wrote without a starter. Its program comes from the tests of
    `harness similar`."""
    text = (ALIKE / f"{name}.txt").read_text()
    return {"bot.toml": C, "main.c": text} if name == "translated" else {"bot.toml": PYTHON, "main.py": text}


def people() -> list[Person]:
    """All students of the course, two for each team."""
    return [
        Person(f"{first} {team[:-1]}son", 1000 + 2 * number + second, team)
        for number, team in enumerate(TEAMS)
        for second, first in enumerate(("Ada", "Ben"))
    ]


def prepare(me: Instructor) -> None:
    """Week 0: the course."""
    me.types("init", me.course, "--game", "sevens")
    league = me.course / "league.toml"
    text = league.read_text().replace("meet = 5 ", "meet = 1 ").replace("deals = 16 ", "deals = 2 ")
    league.write_text(text.replace("# deadline = 2030-12-01T23:59:00+01:00", f"deadline = {DEADLINE}"))
    league.write_text(league.read_text() + AUTOGRADER)
    me.by_hand("write the deadline and the number of matches into league.toml")
    scheme = me.course / "tournaments" / "grading.toml"
    scheme.write_text(scheme.read_text() + LATE_RULE)
    me.by_hand("write the rule for late days into grading.toml")
    gradebook(me.course / "roster.csv", people())
    me.by_hand("save the list of students as roster.csv, with a column for teams")


def first_hand_ins(me: Instructor, desk: Path) -> None:
    """Weeks 2 and 3: every team hands in, and three bots from Canvas are broken."""
    of = {each.team: each for each in people() if each.name.startswith("Ada")}
    bots = {team: starter(LANGUAGES[number % len(LANGUAGES)]) for number, team in enumerate(TEAMS)}
    for team in BROKEN:
        bots[team] = starter("python", broken=True)
    bots |= {"Yaks": program("alpha"), "Wasps": program("alpha"), "Voles": program("translated")}
    bots["Urchins"] = program("honest")
    me.week = 2
    rest = [*TEAMS[:10]]
    source = canvas(desk / "submissions.zip", [Submission(of[team], bots[team]) for team in rest], 9001)
    said = me.types("collect", me.course, me.download(source), "--notes", desk / "notes-2")
    me.check("Answer `hello` with" in said, "the broken bot of the Bees gets no hint")
    me.by_hand("upload the notes of the broken bots to Canvas")
    me.week = 3
    of_moodle = [Submission(of[team], bots[team]) for team in ON_MOODLE]
    of_gradescope = [Submission(of[team], bots[team]) for team in ON_GRADESCOPE]
    sources = [
        me.download(moodle(desk / "SEV26-Sevens-4711.zip", of_moodle)),
        me.download(gradescope(desk / "assignment_815_export.zip", of_gradescope, 501)),
        *(me.download(packed(desk / f"mail-{team}.zip", bots[team])) for team in BY_MAIL),
    ]
    mails = [f"--team=mail-{team}.zip={team}" for team in BY_MAIL]
    said = me.types("collect", me.course, *sources, *mails, "--notes", desk / "notes-3")
    me.check("21 of 24 teams can play" in said, f"another number of teams can play: {said[-300:]}")


def tournaments(me: Instructor, desk: Path) -> None:
    """Week 4: the first tournament, and the ladder."""
    me.week = 4
    me.types("run", me.course)
    me.types("report", me.course / "logs" / "run-1", "--mask", "--out", desk / "web")
    me.by_hand("put the pages on the site of the course")
    me.types("ladder", me.course, "--matches", "100", "--mask")


def changes(me: Instructor, desk: Path) -> None:
    """Weeks 5 and 7: teams change their names and members, and mend the broken bots."""
    me.week = 5
    moved = {"Ants": "Aces", "Dogs": "Cats", "Foxes": ""}
    now = [each._replace(team=moved.get(each.team, each.team)) for each in people()]
    now = [each._replace(team="Emus") if each.name == "Ben Elkson" else each for each in now if each.team]
    gradebook(me.course / "roster.csv", now)
    me.by_hand("save the new list of students as roster.csv")
    of = {each.team: each for each in now if each.name.startswith("Ada")}
    mended = [Submission(of[team], starter("python")) for team in BROKEN]
    mended.append(Submission(of["Aces"], starter("go")))
    source = canvas(desk / "submissions-7.zip", mended, 9101)
    me.types("collect", me.course, me.download(source), "--notes", desk / "notes-7")
    me.check("--rename Ants Aces" in me.noted, f"collect does not propose to rename the Ants: {me.noted}")
    me.types(
        "teams", me.course, "--rename", "Ants", "Aces", "--merge", "Dogs", "Cats", "--split", "Elks", "Emus"
    )
    me.week = 7
    mended = [Submission(of["Moles"], starter("lua"))]
    again = [Submission(of["Quails"], starter("perl"), "2026-04-12 10:00:00.000000000 Z")]
    sources = (
        me.download(moodle(desk / "SEV26-Sevens-4711 (1).zip", mended)),
        me.download(gradescope(desk / "assignment_815_export-7.zip", again, 601)),
    )
    said = me.types("collect", me.course, *sources, "--notes", desk / "notes-7b")
    me.check("23 of 23 teams can play" in said, f"another number of teams can play: {said[-300:]}")


def rehearsal(me: Instructor) -> None:
    """Weeks 8 and 9: a rehearsal of the final, and a search for programs that look alike."""
    me.week = 8
    me.types("run", me.course)
    me.types("grade", me.course, "--record", "run-2")
    me.week = 9
    found = json.loads(me.types("similar", me.course, "--json"))
    alike = {tuple(sorted(name.split("@")[0] for name in (each["one"], each["two"]))) for each in found}
    wanted = {tuple(sorted(pair)) for pair in (EQUAL, TRANSLATED, ("Wasps", "Voles"))}
    me.check(alike - {("Elks", "Emus")} == wanted, f"these look alike: {sorted(alike)}")
    me.by_hand("talk to the three teams on the list")


def the_final(me: Instructor, desk: Path) -> None:
    """Weeks 10 and 11: the deadline is moved by a week, a team hands in late, and the final is played."""
    me.week = 10
    league = me.course / "league.toml"
    league.write_text(league.read_text().replace(DEADLINE, LATER))
    me.by_hand("give the teams one more week: change the deadline in league.toml")
    late = next(each for each in people() if each.team == "Rats")
    source = gradescope(desk / "assignment_815_export-10.zip", [Submission(late, starter("c"), LATE)], 701)
    me.types("collect", me.course, me.download(source))
    me.week = 11
    me.types("check", "plan", me.course, "--final")
    me.types("run", me.course, "--final")
    me.types("verify", me.course)


def grades(me: Instructor, desk: Path) -> None:
    """Week 12: grades, their delivery, and an appeal."""
    me.week = 12
    forms = [word for form in ("canvas", "moodle", "gradescope", "mail") for word in ("--deliver", form)]
    sender = ("--sender", "course@example.org")
    graded: tuple[str | Path, ...] = (
        "grade",
        me.course,
        "--canvas",
        me.course / "roster.csv",
        *forms,
        *sender,
    )
    inbox, certificate = Inbox(), write_certificate(desk / "server.pem")
    variables = {"SSL_CERT_FILE": str(certificate), "HARNESS_SMTP_PASSWORD": PASSWORD}
    found = me.course / "logs" / "final" / "grades"
    with mail_server(inbox, certificate, "smtp", PASSWORD) as url:
        sending = (*graded, "--smtp", url.replace("://", "://course@"), "--send")
        me.types(*sending, variables=variables)
        delivered(me, found)
        mailed(me, found, inbox)
        corrected(me, found, sending, variables)
        again = [mail["Subject"] for _, mail in inbox.mails[23:]]
        me.check("final: Hens" in again, f"the new page of the Hens was not sent, only {again}")
        different = {mail.as_bytes() for _, mail in inbox.mails}
        me.check(len(different) == len(inbox.mails), "a mail was sent twice")


def corrected(me: Instructor, found: Path, sending: Sequence[str | Path], variables: Variables) -> None:
    """Week 12: a team appeals, and only its new page is delivered."""
    for told in ("canvas.zip to Canvas", "moodle.zip to Moodle", "gradescope.zip to Gradescope"):
        me.by_hand(f"upload {told}")
    me.types("mark", me.course, me.course / "entries" / "Hens" / "1" / "files")
    me.types("verify", me.course)
    scheme = me.course / "tournaments" / "grading.toml"
    why = "why = 'the page of the game was wrong until week 6'"
    scheme.write_text(scheme.read_text() + f'\n[[off]]\nteam = "Hens"\npoints = -3\n{why}\n')
    me.by_hand("the appeal of the Hens is right: write three points into grading.toml")
    before = scores(found)
    me.types(*sending, variables=variables)
    after = scores(found)
    me.check(
        after["Hens"] == before["Hens"] + 3, f"the Hens have {before['Hens']} and {after['Hens']} points"
    )
    me.by_hand("import canvas.csv into the gradebook")
    me.by_hand("upload canvas.zip again, with the new page of the Hens")
    me.check(lost(found) == {"Rats": -8, "Hens": 3}, f"points off: {lost(found)}")
    me.check({"Foxes", "Dogs", "Ants"}.isdisjoint(after), f"graded: {sorted(after)}")
    me.check({"Aces", "Cats", "Emus", "Bees"} <= after.keys(), f"graded: {sorted(after)}")


def scores(found: Path) -> dict[str, float]:
    """The score of each team, from grades.csv."""
    with (found / "grades.csv").open(newline="") as file:
        return {row["team"]: float(row["score"]) for row in csv.DictReader(file)}


def lost(found: Path) -> dict[str, float]:
    """The points that a team lost because it was late, or got because the page of the game was wrong, from
    grades.csv."""
    with (found / "grades.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    columns = ("Late", "the page of the game was wrong until week 6")
    return {row["team"]: float(row[name]) for row in rows for name in columns if row.get(name)}


def delivered(me: Instructor, found: Path) -> None:
    """Checks that the archives for Canvas and Moodle give each student the page of the student's own team."""
    pages = {path.stem: path.read_bytes() for path in (found / "feedback").glob("*.html")}
    known = {str(each.number): each.team for each in people()}
    moved = {"Ants": "Aces", "Dogs": "Cats"}
    for name, at in (("canvas", 1), ("moodle", 1)):
        with zipfile.ZipFile(found / "delivery" / f"{name}.zip") as file:
            me.check(len(file.namelist()) >= 6, f"{name}.zip has only {file.namelist()}")
            for each in file.namelist():
                number = next(part for part in each.split("_")[at:] if part.isdecimal())
                team = "Emus" if number == str(1009) else moved.get(known[number], known[number])
                me.check(
                    file.read(each) == pages[team], f"{each} in {name}.zip is not the page of the {team}"
                )


def mailed(me: Instructor, found: Path, inbox: Inbox) -> None:
    """Checks that the mail server got one mail for each team. Each mail must go to the team's own students,
    with the team's own page."""
    pages = {path.stem: path.read_bytes() for path in (found / "feedback").glob("*.html")}
    me.check(len(inbox.mails) == 23, f"{len(inbox.mails)} mails")
    for to, mail in inbox.mails:
        team = mail["Subject"].removeprefix("final: ")
        [page] = mail.iter_attachments()
        me.check(page.get_payload(decode=True) == pages.get(team), f"not the page of the {team}")
        me.check(mail["To"] == ", ".join(to), f"the mail to {mail['To']} went to {to}")


@contextmanager
def _desk(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        folder.mkdir()
        yield folder
        return
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def main(folder: Path | None) -> None:
    """Simulate a term, and count the steps of the instructor."""
    with _desk(folder) as desk:
        desk = desk.resolve()
        me = Instructor(desk / "course")
        prepare(me)
        first_hand_ins(me, desk)
        tournaments(me, desk)
        changes(me, desk)
        rehearsal(me)
        the_final(me, desk)
        grades(me, desk)
    for step in me.steps:
        seconds = f"{step.seconds:6.1f} s" if step.kind == "command" else " " * 8
        click.echo(f"{step.week:4}  {step.kind:8}  {seconds}  {step.told[:100]}")
    count = {kind: sum(each.kind == kind for each in me.steps) for kind in ("command", "download", "by hand")}
    minutes = sum(each.seconds for each in me.steps) / 60
    click.echo(
        f"\n{count['command']} commands in {minutes:.1f} minutes, {count['download']} downloads, "
        f"{count['by hand']} steps by hand"
    )
    for told in me.wrong:
        click.echo(f"WRONG {told}", err=True)
    sys.exit(1 if me.wrong or count["by hand"] > MOST_BY_HAND else 0)


if __name__ == "__main__":
    main()
