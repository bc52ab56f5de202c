"""Plays a tournament on several machines at once.

The package dask.distributed connects the machines. It is an optional dependency, so the command calls
`check_extra` before it imports other files of this folder.
"""

from __future__ import annotations

from importlib.util import find_spec

from harness import install_command
from harness.errors import InputError

EXTRA = ("distributed", "cryptography")
"""The packages of the extra `cluster`."""


def check_extra() -> None:
    """Raises InputError, with the command that installs them, if packages of the extra are missing."""
    missing = [package for package in EXTRA if find_spec(package) is None]
    if missing:
        told = " and ".join(missing)
        verb = "is" if len(missing) == 1 else "are"
        raise InputError(f"{told} {verb} not installed; a cluster needs: {install_command(*EXTRA)}")
