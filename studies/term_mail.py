"""A mail server on this machine for the study `term`. It has a certificate of its own, and keeps all mails
that it gets."""

from __future__ import annotations

import email
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HERE = "127.0.0.1"


class Inbox:
    """Keeps the mails that the server gets, with the addresses of their receivers."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], EmailMessage]] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append((envelope.rcpt_tos, email.message_from_bytes(envelope.content, policy=default)))
        return "250 OK"


def write_certificate(path: Path) -> Path:
    """Writes a self-signed certificate for this machine, and its private key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HERE))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@contextmanager
def mail_server(inbox: Inbox, certificate: Path, scheme: str, password: str = "") -> Iterator[str]:
    """Starts a server, and yields its address. With the scheme `smtp` a connection begins without TLS and
    then changes to TLS, with `smtps` it begins with TLS, and with `plain` it has no TLS. A login needs this
    password."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    tls = {"smtp": {"tls_context": context}, "smtps": {"ssl_context": context}, "plain": {}}

    def login(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        good = bool(password) and given.password == password.encode()
        return AuthResult(success=good, handled=False)

    controller = Controller(
        inbox,
        hostname=HERE,
        port=free_port(),
        authenticator=login,
        auth_require_tls=scheme == "smtp",
        **tls[scheme],  # type: ignore[arg-type]
    )
    controller.start()
    try:
        yield f"{scheme}://{HERE}:{controller.port}"
    finally:
        controller.stop()


def free_port() -> int:
    """The number of a port on which no program listens."""
    with socket.socket() as found:
        found.bind((HERE, 0))
        port: int = found.getsockname()[1]
        return port
