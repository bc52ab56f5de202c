"""Writes the files that bring each team its own page: zip files for platforms such as Canvas, and mails."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from email.message import EmailMessage
from pathlib import Path
from typing import Any, NamedTuple

import click

from harness.cli.output import say
from harness.errors import InputError
from harness.escape import count_of, shown
from harness.grading import Grades, by_team
from harness.grading.grade_folder import CourseFacts, stems
from harness.grading.gradebook import in_words
from harness.league import is_league
from harness.league.collecting import Collected
from harness.league.delivery import (
    Packed,
    TeamPage,
    addresses,
    for_canvas,
    for_gradescope,
    for_moodle,
    team_page,
)
from harness.league.entries import Entries, Until, days_late
from harness.league.league import League, read_league
from harness.league.mail import PASSWORD, SENT, SentMails, mail, send, server_at
from harness.record.disk import put_whole
from harness.record.run_folder import make

DELIVERED, PAGE = "delivery", "feedback.html"
FORMS = ("canvas", "moodle", "gradescope", "mail")
UPLOADS = {
    "canvas": 'in the gradebook of Canvas, "Upload Submissions" of the assignment',
    "moodle": 'in Moodle, "Upload multiple feedback files in a zip" of the assignment',
    "gradescope": 'in Gradescope, "Configure Autograder" of the assignment, then "Regrade All Submissions"',
}


SENT_BEFORE = {
    "sent": "this mail was sent before",
    "begun": "nobody knows whether this mail was sent; to send it again, remove its line from {path}",
}


class Delivery(NamedTuple):
    """The choices of the user: the forms in which pages are delivered, and the mail server."""

    deliver: tuple[str, ...]
    sender: str | None
    smtp: str | None
    send: bool


def delivery_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds to a command the options that become a `Delivery`."""
    for option in (
        click.option(
            "--send", is_flag=True, help="Send the mails; without --send, harness only writes them to files."
        ),
        click.option(
            "--smtp", metavar="URL", help="The mail server, such as smtp://me@mail.example.org:587."
        ),
        click.option("--sender", metavar="ADDRESS", help="The address from which the mails are sent."),
        click.option(
            "--deliver",
            multiple=True,
            type=click.Choice(FORMS),
            help="Also pack the page of each team for this platform, or into a mail; may be repeated.",
        ),
    ):
        command = option(command)
    return command


def delivery_of(logs: Path, pages: bool, given: Mapping[str, Any]) -> Delivery:
    """Returns what the user wants to deliver. Raises InputError if an option is missing, or does not fit the
    other options."""
    wanted = Delivery(**given)
    if wanted.deliver and not is_league(logs):
        raise InputError(
            "only a league knows the students of each team; give the folder of a league", "--deliver"
        )
    if wanted.deliver and not pages:
        raise InputError("without pages there is nothing to deliver", "--no-pages")
    if "mail" not in wanted.deliver and (wanted.sender or wanted.smtp or wanted.send):
        raise InputError("this option needs --deliver mail", "--send" if wanted.send else "--sender")
    sender = wanted.sender or ""
    if "mail" in wanted.deliver and not ("@" in sender and sender.isprintable()):
        raise InputError("expected the address of the sender, such as me@example.org", "--sender")
    if wanted.send and not wanted.smtp:
        raise InputError("expected the mail server, such as smtp://me@mail.example.org:587", "--smtp")
    if wanted.smtp and server_at(wanted.smtp).user and wanted.send and not os.environ.get(PASSWORD):
        raise InputError(f"the variable {PASSWORD} must have the password of the user in this URL", "--smtp")
    return wanted


class GradedPages(NamedTuple):
    """A folder of grades: the grades, the facts about the course, and the published name of each team."""

    folder: Path
    made: Grades
    course: CourseFacts
    published: Mapping[str, str]

    @property
    def stems(self) -> Mapping[str, str]:
        """For each team, the name that its files have, without the ending."""
        teams = [*(each.team for each in self.made.grades), *self.made.absent]
        stem = stems([self.published[team] for team in teams])
        return {team: stem[self.published[team]] for team in teams}


def deliver(league_folder: Path, graded: GradedPages, wanted: Delivery) -> None:
    """Writes the zips and mails into the folder of grades, and says what to do with these files."""
    if not wanted.deliver:
        return
    league = read_league(league_folder)
    place = make(graded.folder / DELIVERED)
    for form in dict.fromkeys(wanted.deliver):
        if form == "mail":
            _mails(league, graded, wanted, place)
            continue
        packed = _packed(league, graded, form)
        path = place / f"{form}.zip"
        put_whole(path, [packed.content])
        say(f"{shown(str(path))}: upload it {UPLOADS[form]}.")
        say_left_out(packed.left_out)


def say_left_out(left_out: Mapping[str, str]) -> None:
    """Says which teams a zip leaves out, with a line for each reason."""
    for why in dict.fromkeys(left_out.values()):
        teams = [team for team, each in left_out.items() if each == why]
        say(f"{_listed(teams)} {'is' if len(teams) == 1 else 'are'} not in the zip: {shown(why)}.")


def _listed(teams: Sequence[str]) -> str:
    return ", ".join(map(shown, teams))


def _packed(league: League, graded: GradedPages, form: str) -> Packed:
    if form == "gradescope":
        results = {each.team for each in graded.made.grades}
        return for_gradescope([each for team, each in _pages(league, graded, "json") if team in results])
    pages = [each for _, each in _pages(league, graded, "html")]
    return for_canvas(pages, PAGE) if form == "canvas" else for_moodle(pages, PAGE)


def _pages(league: League, graded: GradedPages, kind: str) -> Iterator[tuple[str, TeamPage]]:
    """Yields the page of each team, together with the name that this team has in the grades."""
    entries = Entries(league.folder)
    for team, stem in graded.stems.items():
        path = graded.folder / "feedback" / f"{stem}.html"
        if kind == "json":
            path = graded.folder / "gradescope" / stem / "results.json"
        content = path.read_bytes() if path.is_file() else b""
        now = entries.team(graded.course.named.present(team))
        yield team, team_page(now, league.teams, content)


# -- mails -------------------------------------------------------------------------------------------


def _mails(league: League, graded: GradedPages, wanted: Delivery, place: Path) -> None:
    """Writes a mail for each team, and sends the mails if the user wants this."""
    folder, mails, without = make(place / "mail"), [], []
    for team, each in _pages(league, graded, "html"):
        if not addresses(each.students):
            without.append(each.team)
            continue
        subject = f"{graded.made.title}: {each.team}"
        message = mail(each, wanted.sender or "", subject, _text(graded, team), PAGE)
        put_whole(folder / f"{graded.stems[team]}.eml", [message.as_bytes()])
        mails.append(message)
    if mails:
        say(f"{shown(str(folder))}: {count_of(len(mails), 'mail')}, one for each team.")
    if without:
        have, whose = ("has", "its") if len(without) == 1 else ("have", "their")
        say(f"{_listed(without)} {have} no mail: the roster has no mail address of {whose} students.")
    if not mails:
        return
    if not wanted.send or not wanted.smtp:
        say("Nothing was sent. To send the mails: --smtp URL --send")
        return
    # The next `harness grade` deletes the folder of mails, but not the folder with the grades.
    _send(wanted.smtp, mails, graded.folder)


def _send(smtp: str, mails: Sequence[EmailMessage], folder: Path) -> None:
    """Sends the mails that were not sent yet. At the end, or after an error, says which mails were not
    sent."""
    known = SentMails(folder)
    new = [message for message in mails if not known.state(message)]
    for message in mails:
        if state := known.state(message):
            say(f"not sent again to {shown(message['To'])}: {SENT_BEFORE[state].format(path=folder / SENT)}")
    refused: dict[str, str] = {}

    def told(message: EmailMessage, bad: Mapping[str, str]) -> None:
        refused.update(bad)
        good = [each for each in message["To"].split(", ") if each not in bad]
        if good:
            say(f"sent to {shown(', '.join(good))}: {shown(message['Subject'])}")

    try:
        send(server_at(smtp), new, known, told)
    finally:
        for address, why in refused.items():
            say(f"refused by the server: {shown(address)}: {shown(why)}")
        for message in new:
            if (state := known.state(message)) == "":
                say(f"not sent: {shown(message['To'])}; run the same command again to send it")
            elif state == "begun":
                say(f"perhaps sent, the server did not say: {shown(message['To'])}")


def _text(graded: GradedPages, team: str) -> str:
    grade = by_team(graded.made).get(team)
    if grade is None:
        return f"0 of {graded.made.out_of:g}: {graded.made.absent[team]}.\n"
    return f"{in_words(grade, graded.made.out_of)}\n\nThe page {PAGE} of this mail has the details.\n"


# -- notes about hand-ins ----------------------------------------------------------------------------


NOTES = "notes.txt"


def write_notes(league: League, rows: Sequence[Collected], folder: Path) -> None:
    """Writes a note for each team that handed in. If hand-ins came from Canvas or Moodle, also packs the
    notes about these hand-ins into a zip file for that platform."""
    by: dict[str, list[Collected]] = {}
    for row in rows:
        if row.team and row.source:
            by.setdefault(row.team, []).append(row)
    entries, stem = Entries(league.folder), stems(by)
    make(folder)
    pages = []
    for team, own in by.items():
        text = "\n".join(_note(each, league.until) for each in own).encode("utf-8", "backslashreplace")
        put_whole(folder / f"{stem[team]}.txt", [text])
        pages.append(team_page(entries.team(team), league.teams, text))
    say(f"{shown(str(folder))}: {count_of(len(pages), 'note')}, one for each team that handed in.")
    for form, packed in (("canvas", for_canvas(pages, NOTES)), ("moodle", for_moodle(pages, NOTES))):
        if len(packed.left_out) < len(pages):
            put_whole(folder / f"{form}.zip", [packed.content])
            say(f"{shown(str(folder / form))}.zip: upload it {UPLOADS[form]}.")


def _note(row: Collected, until: Until) -> str:
    """Returns the note about one hand-in, for the students of its team."""
    receipt = row.receipt
    lines = [f"{row.team}, {row.source.rpartition(': ')[2]}"]
    if receipt:
        lines.append(f"This is version {receipt.version}.")
    lines.append(f"It cannot play: {row.trouble}" if row.trouble else "It can play.")
    lines += [f"Note: {note}" for note in row.notes]
    lines.append(f"Version {row.plays} plays now." if row.plays else "No version of your team can play now.")
    if receipt and days_late(receipt, until) and row.plays == receipt.version:
        lines.append("Because this version is late, it may be left out of the final.")
    return "".join(f"{shown(line)}\n" for line in lines)
