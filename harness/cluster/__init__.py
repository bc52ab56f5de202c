"""Plays a tournament on several machines at once: nodes, what travels to them, and a runner.

dask.distributed connects the machines. It is an extra, so no file here imports it before `check_extra`.
"""

from __future__ import annotations

from importlib.util import find_spec

from harness import install_command
from harness.errors import InputError

EXTRA = ("distributed", "cryptography")
"""The packages of the extra `cluster`."""


def check_extra() -> None:
    """Raises InputError with the command that installs what is missing to play on several machines."""
    missing = [package for package in EXTRA if find_spec(package) is None]
    if missing:
        told = " and ".join(missing)
        verb = "is" if len(missing) == 1 else "are"
        raise InputError(f"{told} {verb} not installed; a cluster needs: {install_command(*EXTRA)}")
