"""Writes a mail for each team, and sends mails through an SMTP server, always over TLS."""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Callable, Iterable, Mapping
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import SplitResult, urlsplit

import msgspec

from harness.errors import UNREADABLE, InputError, MachineError
from harness.escape import shown
from harness.league.delivery import TeamPage, addresses
from harness.record.disk import put_whole

SENT = "sent.json"

PASSWORD = "HARNESS_SMTP_PASSWORD"
"""The variable of the environment with the password for the mail server."""
PATIENCE = 30.0
"""The longest time to wait for an answer of the mail server, in seconds."""
PORTS = {"smtp": 587, "smtps": 465}
FORM = "expected smtp://USER@HOST:PORT or smtps://USER@HOST:PORT; USER and PORT may be missing"


class Server(NamedTuple):
    """A mail server. With `smtps`, the connection uses TLS from its start. With `smtp`, it changes to TLS
    before the login."""

    scheme: str
    host: str
    port: int
    user: str


def server_at(address: str) -> Server:
    """Reads the address of a mail server. Raises InputError if the address does not have the form in FORM."""
    try:
        found: SplitResult = urlsplit(address)
        port = found.port
    except ValueError:
        raise InputError(FORM, "--smtp") from None
    if found.scheme not in PORTS or not found.hostname or found.password or found.path.strip("/"):
        raise InputError(FORM, "--smtp")
    return Server(found.scheme, found.hostname, port or PORTS[found.scheme], found.username or "")


def mail(page: TeamPage, sender: str, subject: str, text: str, name: str) -> EmailMessage:
    """Returns a mail to the students of a team, with the page of this team as a file that is called `name`.
    The same arguments always make the same bytes."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = ", ".join(addresses(page.students))
    message["Subject"] = " ".join(shown(subject).split())
    message.set_content(text)
    message.add_attachment(page.content, maintype="text", subtype="html", filename=name)
    message.set_boundary(f"={sha256(page.content).hexdigest()[:40]}=")
    return message


class SentMails:
    """Remembers in a file of a folder which mails were sent, so that no mail is sent twice.

    A mail is marked as "begun" before it is sent, and as "sent" when the server has taken it. If the
    connection breaks between these two marks, the mail stays "begun", and nobody knows whether it was sent. A
    mail with a changed content counts as a new mail.
    """

    def __init__(self, folder: Path) -> None:
        """Raises InputError if the file in this folder is damaged."""
        self._path = folder / SENT
        try:
            known = self._path.read_bytes() if self._path.is_file() else b"{}"
            self._known = msgspec.json.decode(known, type=dict[str, Literal["begun", "sent"]])
        except UNREADABLE as error:
            raise InputError(
                f"this file does not say which mails were sent: {error}", str(self._path)
            ) from None

    def state(self, message: EmailMessage) -> Literal["", "begun", "sent"]:
        """Returns "sent" if the mail was sent, "begun" if nobody knows whether it was sent, or "" if it was
        not sent."""
        return self._known.get(_name(message), "")

    def mark(self, message: EmailMessage, state: Literal["", "begun", "sent"]) -> None:
        """Marks a mail. The mark is on disk when the method returns."""
        self._known.pop(_name(message), None)
        if state:
            self._known[_name(message)] = state
        put_whole(self._path, [msgspec.json.format(msgspec.json.encode(self._known)), b"\n"])


def _name(message: EmailMessage) -> str:
    """The name of a mail in the file of `SentMails`: the addresses of the mail, and its digest."""
    return f"{message['To']} {sha256(message.as_bytes()).hexdigest()}"


def send(
    server: Server,
    mails: Iterable[EmailMessage],
    known: SentMails,
    told: Callable[[EmailMessage, Mapping[str, str]], object],
) -> None:
    """Sends these mails, one after the other, and marks them in `known`. After each mail, calls `told` with
    the mail, and with the addresses that the server refused, each with the reason.

    Raises MachineError if the server cannot be reached, has no TLS, refuses the login, or goes away.
    """
    try:
        with _connected(server) as connection:
            for message in mails:
                connection.noop()  # This fails if the server has gone away. Then the mail is not marked.
                known.mark(message, "begun")
                refused = _sent(connection, message, known)
                told(message, {address: _reason(*why) for address, why in refused.items()})
    except (smtplib.SMTPException, OSError) as error:
        raise MachineError(
            f"the mail server {server.host}:{server.port} failed: {shown(' '.join(str(error).split()))}"
        ) from None


def _connected(server: Server) -> smtplib.SMTP:
    secure = ssl.create_default_context()
    if server.scheme == "smtps":
        connection: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=PATIENCE, context=secure
        )
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=PATIENCE)
    try:
        if server.scheme == "smtp":
            connection.starttls(context=secure)
        if server.user:
            connection.login(server.user, os.environ.get(PASSWORD, ""))
    except BaseException:
        connection.close()
        raise
    return connection


def _sent(connection: smtplib.SMTP, message: EmailMessage, known: SentMails) -> dict[str, tuple[int, bytes]]:
    """Sends a mail and marks it. Returns the addresses that the server refused. If the server refused all
    addresses, the mail was not sent."""
    try:
        refused = connection.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        known.mark(message, "")
        return dict(error.recipients)
    except smtplib.SMTPResponseException:
        known.mark(message, "")  # The server answered that it does not take the mail.
        raise
    known.mark(message, "sent")
    return refused


def _reason(code: int, why: bytes) -> str:
    return f"{code} {' '.join(why.decode('utf-8', 'replace').split())}"
