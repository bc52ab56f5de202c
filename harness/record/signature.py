"""Signs a record with an SSH key, and checks such a signature; `ssh-keygen -Y` does the work.

The signature is of tournament.jsonl, whose last digest covers all other files of the record. It is in the
file tournament.jsonl.sig, in the usual form of OpenSSH. So anyone can check it without harness:

    ssh-keygen -Y check-novalidate -n harness-record -s tournament.jsonl.sig < tournament.jsonl
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from harness.errors import InputError, RecordError
from harness.escape import shown
from harness.record.disk import put
from harness.record.log import JOURNAL

SIGNATURE = f"{JOURNAL}.sig"
NAMESPACE = "harness-record"
"""A signature is valid only in its namespace, so nobody can present a signature of something else here."""
TOOL = "ssh-keygen"

_KEY = re.compile(r"with (\S+) key (SHA256:[A-Za-z0-9+/=]+)")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/=]+")


class Signed(NamedTuple):
    """A valid signature: the fingerprint of its key, and who has this key ("" if nobody said whose keys to
    trust)."""

    key: str
    signer: str = ""


def fingerprint(key: Path) -> str:
    """The fingerprint of a key. Raises InputError if ssh-keygen is missing or cannot read the key."""
    found = _run(None, "-l", "-E", "sha256", "-f", str(key.absolute()))
    match = _FINGERPRINT.search(found.stdout)
    if found.returncode or not match:
        raise InputError(f"this is not an SSH key: {_reason(found)}", str(key))
    return match[0]


def sign(folder: Path, key: Path) -> Signed:
    """Signs the record in this folder and replaces an older signature.

    Raises InputError if ssh-keygen is missing or cannot sign with this key.
    """
    found = _run(folder / JOURNAL, "-Y", "sign", "-q", "-n", NAMESPACE, "-f", str(key.absolute()))
    if found.returncode or not found.stdout.startswith("-----BEGIN SSH SIGNATURE-----"):
        raise InputError(f"the record is not signed with this key: {_reason(found)}", str(key))
    new = folder / f"{SIGNATURE}.new"
    put(new, 0, found.stdout.encode())
    new.replace(folder / SIGNATURE)
    signed = signature_of(folder)
    assert signed is not None
    return signed


def is_signed(folder: Path) -> bool:
    """Whether the record has a signature, valid or not."""
    return (folder / SIGNATURE).is_file()


def signature_of(folder: Path, signers: Path | None = None) -> Signed | None:
    """Checks the signature of a record; returns None if it has none.

    `signers` is a file of allowed signers, as `man ssh-keygen` describes it: the key must be in it. Raises
    RecordError if the record is not as it was signed, or if `signers` is given and does not have the key, or
    if it is given and there is no signature. Raises InputError if ssh-keygen is missing.
    """
    path = (folder / SIGNATURE).absolute()
    if signers is not None and not signers.is_file():
        raise InputError("there is no such file of allowed signers", str(signers))
    if not is_signed(folder):
        if signers is not None:
            raise RecordError("the record is not signed", str(path))
        return None
    found = _run(folder / JOURNAL, "-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(path))
    match = _KEY.search(found.stdout)
    if found.returncode or not match:
        raise RecordError(
            "this is not a signature of the record as it is now: the record was changed, or continued, after "
            f"it was signed ({_reason(found)})",
            str(path),
        )
    return Signed(match[2], "" if signers is None else _signer(folder, signers, match[2]))


def _signer(folder: Path, signers: Path, key: str) -> str:
    """The name in `signers` that the key of the signature has."""
    allowed, path = str(signers.absolute()), str((folder / SIGNATURE).absolute())
    found = _run(None, "-Y", "find-principals", "-f", allowed, "-s", path)
    for name in found.stdout.splitlines():
        terms = ("-n", NAMESPACE, "-f", allowed, "-I", name, "-s", path)
        if not _run(folder / JOURNAL, "-Y", "verify", *terms).returncode:
            return name
    raise RecordError(f"the record is signed with the key {key}, which {signers} does not allow", path)


def missing() -> str:
    """Says how to install ssh-keygen if it is missing; else ""."""
    return "" if shutil.which(TOOL) else f"{TOOL} is not installed: sudo apt-get install openssh-client"


def _run(read: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs ssh-keygen. It asks for a passphrase on the terminal if it needs one."""
    if why := missing():
        raise InputError(why)
    with open(os.devnull if read is None else read, "rb") as file:
        return subprocess.run(
            [TOOL, *arguments],
            stdin=file,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )


def _reason(found: subprocess.CompletedProcess[str]) -> str:
    lines = (found.stderr or found.stdout).split("\n")
    said = "; ".join(line.strip(" .\r") for line in lines if line.strip(" .\r") and not line.startswith("@"))
    return shown(said) or f"{TOOL} ends with exit code {found.returncode}"
