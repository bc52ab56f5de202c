"""Tests that each team gets its own page, in the formats of the platforms, and no text of another team."""

from __future__ import annotations

import email
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from harness.cli.delivering import DELIVERED
from studies.term_mail import Inbox, mail_server, write_certificate
from tests.cli.door import harness
from tests.cli.graded import ROSTER, a_league

OTHERS = {"anna": ("<h1>bert", "Bob", "bob@"), "bert": ("<h1>anna", "Ann Adams", "Amy", "ann@", "amy@")}
MAIL = ("--deliver", "mail", "--sender", "course@x.org")


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return a_league(tmp_path / "course")


def delivered(league: Path, *options: str, code: int = 0) -> Path:
    done = harness("grade", league, *options)
    assert done.exit_code == code, done.output
    return league / "logs" / "final" / "grades" / DELIVERED


def files_in(path: Path) -> dict[str, str]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def mails_in(folder: Path) -> dict[str, EmailMessage]:
    paths = sorted(folder.glob("*.eml"))
    return {path.stem: email.message_from_bytes(path.read_bytes(), policy=default) for path in paths}


def check_private(team: str, text: str) -> None:
    """Checks that the text is the page of this team, and that the other team is named only as an opponent."""
    assert f"<h1>{team}" in text
    assert not [word for word in OTHERS[team] if word in text]


def test_canvas_gets_a_file_for_each_team_with_the_numbers_of_its_hand_in(league: Path) -> None:
    files = files_in(delivered(league, "--deliver", "canvas") / "canvas.zip")
    assert [*files] == ["adamsann_LATE_101_9001_feedback.html", "bakerbob_103_9003_feedback.html"]
    for team, text in zip(("anna", "bert"), files.values(), strict=True):
        check_private(team, text)


def test_a_student_who_is_in_another_team_now_gets_no_page_of_the_former_team(league: Path) -> None:
    (league / "roster.csv").write_text(ROSTER.replace("anna,Ann", "bert,Ann"))
    done = harness("grade", league, "--deliver", "canvas")
    assert "anna is not in the zip: no student of this team has handed in through Canvas." in done.stderr
    files = files_in(league / "logs/final/grades/delivery/canvas.zip")
    assert [*files] == ["bakerbob_103_9003_feedback.html"]


def test_moodle_gets_a_file_for_each_student(league: Path) -> None:
    files = files_in(delivered(league, "--deliver", "moodle") / "moodle.zip")
    assert [*files] == [
        "Ann Adams_4711_assignsubmission_file_/feedback.html",
        "Amy Allen_4712_assignsubmission_file_/feedback.html",
        "Bob Baker_4713_assignsubmission_file_/feedback.html",
    ]
    for team, text in zip(("anna", "anna", "bert"), files.values(), strict=True):
        check_private(team, text)


def test_who_cannot_get_a_file_is_named(league: Path) -> None:
    (league / "roster.csv").write_text(ROSTER + "carl,Cal Cole,,,\n")
    said = harness(
        "grade", league, "--deliver", "canvas", "--deliver", "moodle", "--deliver", "gradescope", *MAIL
    )
    told = said.stderr
    assert "carl is not in the zip: no student of this team has handed in through Canvas." in told
    assert "carl is not in the zip: the roster has no numbers of participants" in told
    assert "carl has no mail: the roster has no mail address of its students." in told


@pytest.mark.parametrize(
    ("users", "score"),
    [
        ([{"email": "Amy@x.org"}], True),
        ([{"email": "zoe@x.org"}], False),
        ([{"email": "ann@x.org"}, {"email": "bob@x.org"}], False),
    ],
)
def test_gradescope_gives_a_submission_the_results_of_its_own_team(
    league: Path, tmp_path: Path, users: list[dict[str, str]], score: bool
) -> None:
    path = delivered(league, "--deliver", "gradescope") / "gradescope.zip"
    home = tmp_path / "autograder"
    (home / "results").mkdir(parents=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(home / "source")
        assert archive.getinfo("run_autograder").external_attr >> 16 & 0o111
    (home / "submission_metadata.json").write_text(json.dumps({"users": users}))
    script = (home / "source" / "run_autograder").read_text().replace("/autograder", str(home), 1)
    subprocess.run([sys.executable, "-c", script], check=True)
    found = json.loads((home / "results" / "results.json").read_text())
    own = json.loads((league / "logs/final/grades/gradescope/anna/results.json").read_text())
    assert (found == own) == score
    assert score or found["score"] == 0


def test_teams_without_a_page_for_the_same_reason_share_a_line(league: Path) -> None:
    (league / "roster.csv").write_text("team,student,id\nanna,Ann Adams,101\nbert,Bob Baker,103\n")
    done = harness("grade", league, "--deliver", "moodle", *MAIL)
    assert "anna, bert are not in the zip: the roster has no numbers of participants" in done.stderr
    assert "anna, bert have no mail: the roster has no mail address of their students." in done.stderr
    assert "0 mails" not in done.stderr
    assert "--smtp URL" not in done.stderr


def test_each_team_has_a_mail_with_its_page_and_nothing_is_sent(league: Path) -> None:
    mails = mails_in(delivered(league, *MAIL) / "mail")
    assert {team: mail["To"] for team, mail in mails.items()} == {
        "anna": "ann@x.org, amy@x.org",
        "bert": "bob@x.org",
    }
    for team, mail in mails.items():
        [page] = mail.iter_attachments()
        assert page.get_filename() == "feedback.html"
        check_private(team, page.get_content())
        body = mail.get_body()
        assert body is not None
        told = f"{mail['Subject']} {body.get_content()}"
        assert team in told
        assert not any(each in told for each in mails if each != team)


def test_a_renamed_team_gets_its_page(league: Path) -> None:
    assert harness("teams", league, "--rename", "anna", "otters").exit_code == 0
    mails = mails_in(delivered(league, *MAIL) / "mail")
    assert mails["otters"]["To"] == "ann@x.org, amy@x.org"
    [page] = mails["otters"].iter_attachments()
    assert "otters" in page.get_content()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--deliver", "mail"), "--sender: expected the address of the sender"),
        (
            ("--deliver", "mail", "--sender", "me@x.org\nBcc: all@x.org"),
            "--sender: expected the address of the sender",
        ),
        ((*MAIL, "--send"), "--smtp: expected the mail server"),
        ((*MAIL, "--smtp", "mail.x.org"), "--smtp: expected smtp://USER@HOST:PORT"),
        ((*MAIL, "--smtp", "smtp://me:secret@x.org"), "--smtp: expected smtp://USER@HOST:PORT"),
        (("--send",), "--send: this option needs --deliver mail"),
        (("--deliver", "canvas", "--no-pages"), "--no-pages: without pages there is nothing to deliver"),
    ],
)
def test_what_does_not_fit_together_is_told(league: Path, options: tuple[str, ...], told: str) -> None:
    done = harness("grade", league, *options)
    assert (done.exit_code, told in done.stderr) == (2, True), done.stderr


# -- a real mail server ------------------------------------------------------------------------------


class ShyInbox(Inbox):
    """An inbox that refuses some addresses, and closes some connections."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: set[str] = set()
        self.leaves = ""
        """When the server closes the connection: "between" the first and the second mail, or "inside" the
        second."""

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.refused:
            return f"550 no {address} here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_NOOP(self, server: Any, session: Any, envelope: Any, arg: str) -> str:
        if self.leaves == "between" and self.mails:
            server.transport.abort()
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.leaves == "inside" and self.mails:
            server.transport.abort()
        return await super().handle_DATA(server, session, envelope)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_certificate(tmp_path_factory.mktemp("tls") / "server.pem")


@pytest.fixture(params=["smtp", "smtps", "plain"])
def server(request: pytest.FixtureRequest, certificate: Path) -> Iterator[tuple[str, ShyInbox]]:
    """A mail server on this machine: TLS after STARTTLS, TLS at once, or no TLS."""
    inbox = ShyInbox()
    with mail_server(inbox, certificate, request.param) as url:
        yield url, inbox


def test_mails_are_sent_over_tls_each_to_its_own_team(
    league: Path, server: tuple[str, ShyInbox], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, inbox = server
    plain = url.startswith("plain")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    done = harness("grade", league, *MAIL, "--smtp", url.replace("plain", "smtp"), "--send")
    if plain:
        assert (done.exit_code, inbox.mails) == (3, [])
        assert "STARTTLS extension not supported" in done.stderr
        return
    assert done.exit_code == 0, done.output
    assert [to for to, _ in inbox.mails] == [["ann@x.org", "amy@x.org"], ["bob@x.org"]]
    for team, (_, mail) in zip(("anna", "bert"), inbox.mails, strict=True):
        [page] = mail.iter_attachments()
        check_private(team, page.get_content())
    assert "sent to bob@x.org" in done.stderr


@pytest.mark.parametrize("server", ["smtp", "smtps"], indirect=True)
def test_a_server_that_nobody_vouches_for_gets_no_mail(league: Path, server: tuple[str, ShyInbox]) -> None:
    url, inbox = server
    done = harness("grade", league, *MAIL, "--smtp", url, "--send")
    assert (done.exit_code, inbox.mails) == (3, [])
    assert "CERTIFICATE_VERIFY_FAILED" in done.stderr


SMTPS = pytest.mark.parametrize("server", ["smtps"], indirect=True)


def sent(league: Path, url: str, code: int = 0) -> str:
    """Sends the mails. Returns what the command printed."""
    done = harness("grade", league, *MAIL, "--smtp", url, "--send")
    assert done.exit_code == code, done.output
    return done.stderr


@SMTPS
def test_a_mail_is_not_sent_twice_until_its_page_changes(
    league: Path, server: tuple[str, ShyInbox], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, inbox = server
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    inbox.refused = {"amy@x.org", "bob@x.org"}
    told = sent(league, url)
    assert [to for to, _ in inbox.mails] == [["ann@x.org"]]
    assert "sent to ann@x.org: " in told
    assert "refused by the server: amy@x.org: 550 no amy@x.org here" in told
    assert "not sent: bob@x.org; run the same command again to send it" in told
    inbox.refused = set()
    told = sent(league, url)
    assert [to for to, _ in inbox.mails] == [["ann@x.org"], ["bob@x.org"]]
    assert "not sent again to ann@x.org, amy@x.org: this mail was sent" in told
    scheme = next(league.rglob("grading.toml"), league / "scheme.toml")
    scheme.write_text(scheme.read_text() + "\n[[off]]\nteam = 'bert'\npoints = 1\nwhy = 'late'\n")
    sent(league, url)
    assert [to for to, _ in inbox.mails][2:] == [["bob@x.org"]]


@SMTPS
@pytest.mark.parametrize(
    ("leaves", "said", "again"),
    [
        ("between", "not sent: bob@x.org; run the same command again to send it", "sent to bob@x.org"),
        ("inside", "perhaps sent, the server did not say: bob@x.org", "not sent again to bob@x.org: nobody"),
    ],
)
def test_a_server_that_goes_away_gets_no_mail_twice_and_the_rest_is_told(
    league: Path,
    server: tuple[str, ShyInbox],
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
    leaves: str,
    said: str,
    again: str,
) -> None:
    url, inbox = server
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    inbox.leaves = leaves
    told = sent(league, url, code=3)
    assert "sent to ann@x.org, amy@x.org: " in told
    assert said in told
    assert "failed: Connection unexpectedly closed" in told
    inbox.leaves = ""
    assert again in sent(league, url)
    assert [to for to, _ in inbox.mails] == [["ann@x.org", "amy@x.org"], ["bob@x.org"]]


@pytest.mark.parametrize("server", ["smtp", "smtps"], indirect=True)
def test_a_refused_login_sends_nothing_and_says_so(
    league: Path, server: tuple[str, ShyInbox], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, inbox = server
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    url = url.replace("://", "://me@")
    assert "--smtp: the variable HARNESS_SMTP_PASSWORD must have the password" in sent(league, url, code=2)
    monkeypatch.setenv("HARNESS_SMTP_PASSWORD", "wrong")
    told = sent(league, url, code=3)
    assert inbox.mails == []
    assert "not sent: bob@x.org; run the same command again to send it" in told
    assert "failed: (535" in told
