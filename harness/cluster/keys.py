"""Makes and finds the keys by which the machines of a cluster recognize each other.

All machines use the same certificate and its private key. For this certificate, harness makes a certificate
authority, which signs nothing else. The key of the authority is not kept, so nobody can make more
certificates. To exclude a machine, make new keys for the other machines. A person with the private key can
run any program on all machines of the cluster. So only the owner of the key file may read this file.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from harness.config.document import quoted
from harness.errors import InputError, naming
from harness.escape import shown

AUTHORITY, CERTIFICATE, KEY = "ca.pem", "cert.pem", "key.pem"
BEGIN, END = datetime(2020, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
"""The dates between which keys are valid. These dates are far apart, because clocks in a lab may be wrong."""
MOST_PORT = 65_535
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Keys(NamedTuple):
    """The folder with the keys of a cluster, and the paths of its files."""

    folder: Path

    @property
    def authority(self) -> Path:
        return self.folder / AUTHORITY

    @property
    def certificate(self) -> Path:
        return self.folder / CERTIFICATE

    @property
    def key(self) -> Path:
        return self.folder / KEY


def usual_folder() -> Path:
    """Returns the default folder of the keys, in the folder for the user's configuration files."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "harness" / "cluster"


def make_keys(folder: Path) -> Keys:
    """Makes new keys in this folder. Raises InputError if the folder already has keys."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
    from cryptography.x509 import (
        BasicConstraints,
        CertificateBuilder,
        Name,
        NameAttribute,
        random_serial_number,
    )
    from cryptography.x509.oid import NameOID

    keys = Keys(folder)
    if there := next((path for path in (keys.authority, keys.certificate, keys.key) if path.exists()), None):
        raise InputError(
            "this file exists already; to make new keys, delete the old keys first", shown(str(there))
        )

    def certified(name: str, public: ec.EllipticCurvePublicKey, is_authority: bool) -> bytes:
        told = Name([NameAttribute(NameOID.COMMON_NAME, name)])
        builder = CertificateBuilder().subject_name(told).issuer_name(issuer).public_key(public)
        builder = builder.serial_number(random_serial_number()).not_valid_before(BEGIN).not_valid_after(END)
        builder = builder.add_extension(BasicConstraints(ca=is_authority, path_length=None), critical=True)
        signed: bytes = builder.sign(authority, hashes.SHA256()).public_bytes(Encoding.PEM)
        return signed

    authority, own = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    issuer = Name([NameAttribute(NameOID.COMMON_NAME, "harness cluster")])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    secret = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    texts = {
        keys.key: secret,
        keys.certificate: certified("harness", own.public_key(), False),
        keys.authority: certified("harness cluster", authority.public_key(), True),
    }
    try:
        for path, text in texts.items():
            mode = 0o600 if path == keys.key else 0o666
            with naming(path), open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(text)
    except OSError:  # If only some of the files stayed, the next call would refuse to make keys.
        for path in texts:
            path.unlink(missing_ok=True)
        raise
    return keys


def find_keys(folder: Path | None) -> Keys:
    """Finds the keys in this folder, or in the usual folder.

    Raises InputError if a file is missing, if the private key belongs to another user, or if other users have
    any rights to this key.
    """
    keys = Keys(folder or usual_folder())
    for path in keys.authority, keys.certificate, keys.key:
        if not path.is_file():
            make = f"`harness cluster keys {shown(str(keys.folder))}` makes keys; copy them to each machine"
            raise InputError(f"this file is missing; {make}", shown(str(path)))
    where, about = shown(str(keys.key)), keys.key.stat()
    if about.st_uid != os.geteuid():
        told = "this key belongs to another user, who can then run programs on all machines of the cluster"
        raise InputError(f"{told}; make keys of your own with `harness cluster keys`", where)
    if about.st_mode & 0o077:
        told = "other users may read this key, and with the key they can enter all machines of the cluster"
        raise InputError(f"{told} (chmod 600 {where})", where)
    return keys


class Address(NamedTuple):
    """The address of a scheduler, which is the program of dask that connects harness and the nodes."""

    text: str
    host: str
    port: int


def read_address(text: str, option: str = "ADDRESS") -> Address:
    """Reads an address of the form tls://HOST:PORT. Raises InputError if the text has another form."""
    where = shown(option)
    found = re.fullmatch(r"(?:tls|(tcp))://([\w.-]+|\[[\da-fA-F:.]+\]):(\d{1,5})", text, re.ASCII)
    if not found or int(found[3]) > MOST_PORT:
        raise InputError(f"expected an address like tls://head:8786, not {quoted(text)}", where)
    if found[1]:
        raise InputError(
            "a scheduler runs everything that it receives, and each user of its machine can send something "
            f"to it, so connections must be encrypted: write tls://{found[2]}:{found[3]} "
            "(`harness cluster keys` makes the keys)",
            where,
        )
    return Address(text, found[2].strip("[]"), int(found[3]))
