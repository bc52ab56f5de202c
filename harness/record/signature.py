"""Signs a record with an SSH key, and checks such a signature. The program `ssh-keygen -Y` does this work.

The signature protects the file tournament.jsonl. The last digest in that file protects all other files of the
record. The signature is in the file tournament.jsonl.sig, in the usual format of OpenSSH. So anyone can check
it without harness:

    ssh-keygen -Y check-novalidate -n harness-record -s tournament.jsonl.sig < tournament.jsonl
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import msgspec

from harness.errors import InputError, RecordError
from harness.escape import shown
from harness.record.disk import put
from harness.record.log import JOURNAL

SIGNATURE = f"{JOURNAL}.sig"
NAMESPACE = "harness-record"
"""The namespace of these signatures. A signature that was made for another purpose is not valid in this
namespace."""
TOOL = "ssh-keygen"

_KEY = re.compile(r"with (\S+) key (SHA256:[A-Za-z0-9+/=]+)")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/=]+")


class CheckedSignature(msgspec.Struct, frozen=True):
    """A valid signature. `signer` is "" if no file of allowed signers was given."""

    key: str
    """The fingerprint of the key."""
    signer: str


def fingerprint(key: Path) -> str:
    """Returns the fingerprint of a key. Raises InputError if ssh-keygen is missing or cannot read the key."""
    found = _run(None, "-l", "-E", "sha256", "-f", str(key.absolute()))
    match = _FINGERPRINT.search(found.stdout)
    if found.returncode or not match:
        raise InputError(f"this is not an SSH key: {_reason(found)}", str(key))
    return match[0]


def sign(folder: Path, key: Path) -> CheckedSignature:
    """Signs the record in this folder. The new signature replaces an older one.

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
    """Returns whether the record has a signature, valid or not."""
    return (folder / SIGNATURE).is_file()


def signature_of(folder: Path, signers: Path | None = None) -> CheckedSignature | None:
    """Checks the signature of a record. Returns None if the record has no signature.

    `signers` is a file of allowed signers, as `man ssh-keygen` describes it. If `signers` is given, the
    record must have a signature, and its key must be in this file. Otherwise raises RecordError. Also raises
    RecordError if the record was changed after it was signed, and InputError if ssh-keygen is missing.
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
    return CheckedSignature(match[2], "" if signers is None else _signer(folder, signers, match[2]))


def _signer(folder: Path, signers: Path, key: str) -> str:
    """Returns the name that the key of the signature has in `signers`."""
    allowed, path = str(signers.absolute()), str((folder / SIGNATURE).absolute())
    found = _run(None, "-Y", "find-principals", "-f", allowed, "-s", path)
    for name in found.stdout.splitlines():
        terms = ("-n", NAMESPACE, "-f", allowed, "-I", name, "-s", path)
        if not _run(folder / JOURNAL, "-Y", "verify", *terms).returncode:
            return name
    raise RecordError(f"the record is signed with the key {key}, which {signers} does not allow", path)


def missing() -> str:
    """Says how to install ssh-keygen if it is missing. Otherwise returns ""."""
    return "" if shutil.which(TOOL) else f"{TOOL} is not installed: sudo apt-get install openssh-client"


def _run(read: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs ssh-keygen, which asks for a passphrase on the terminal if the key has one."""
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
