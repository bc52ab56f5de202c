"""Writes a mail for each team, and sends mails through an SMTP server, always over TLS."""

from __future__ import annotations

import os
import smtplib
import ssl
from collections.abc import Callable, Iterable
from email.message import EmailMessage
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from harness.errors import InputError, MachineError
from harness.escape import shown
from harness.league.delivery import TeamPage, addresses

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
    """Returns the mail with the page of a team, to the students of this team. `name` is the name of the
    page."""
    message = EmailMessage()
    message["From"] = sender
    message["To"] = ", ".join(addresses(page.students))
    message["Subject"] = " ".join(shown(subject).split())
    message.set_content(text)
    message.add_attachment(page.content, maintype="text", subtype="html", filename=name)
    return message


def send(server: Server, mails: Iterable[EmailMessage], sent: Callable[[EmailMessage], object]) -> None:
    """Sends these mails, and calls `sent` after each.

    Raises MachineError if the server cannot be reached, has no TLS, or refuses a mail. The mails before the
    failed mail were sent.
    """
    secure = ssl.create_default_context()
    try:
        if server.scheme == "smtps":
            connection: smtplib.SMTP = smtplib.SMTP_SSL(
                server.host, server.port, timeout=PATIENCE, context=secure
            )
        else:
            connection = smtplib.SMTP(server.host, server.port, timeout=PATIENCE)
        with connection:
            if server.scheme == "smtp":
                connection.starttls(context=secure)
            if server.user:
                connection.login(server.user, os.environ.get(PASSWORD, ""))
            for message in mails:
                connection.send_message(message)
                sent(message)
    except (smtplib.SMTPException, OSError) as error:
        told = " ".join(str(error).split())
        raise MachineError(f"the mail server {server.host}:{server.port} failed: {shown(told)}") from None
