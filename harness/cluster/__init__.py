"""Plays a tournament on several machines at once.

The package dask.distributed connects the machines. This package is an optional dependency. So a command that
needs a cluster calls `check_extra` before it imports other files of this folder.
"""

from __future__ import annotations

from importlib.util import find_spec

from harness import install_command
from harness.errors import InputError

EXTRA = ("distributed", "cryptography")
"""The additional packages that pip installs for `tournament-harness[cluster]`."""


def check_extra() -> None:
    """Raises InputError if a package of EXTRA is missing. The message has the command that installs these
    packages."""
    missing = [package for package in EXTRA if find_spec(package) is None]
    if missing:
        told = " and ".join(missing)
        verb = "is" if len(missing) == 1 else "are"
        raise InputError(f"{told} {verb} not installed; a cluster needs: {install_command(*EXTRA)}")
