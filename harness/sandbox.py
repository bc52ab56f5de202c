"""Owns what surrounds a bot's process, argv to argv: its command, folder and environment; starts nothing.

Bots get an explicit, minimal environment: an inherited PYTHONUNBUFFERED would hide a bot that never
flushes, and the harness's own variables are nobody's business.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness.errors import InputError

PYTHONS = ("python", "python3")


class Launch(NamedTuple):
    """All that is needed to start a bot's process."""

    argv: tuple[str, ...]
    folder: str
    environment: dict[str, str]


def resolved(run: Sequence[str], folder: Path) -> tuple[str, ...]:
    """The command with its program as an absolute path.

    `python3` is the Python that runs the harness, without the packages of its virtual environment. A
    program with a slash, or one that lies in the bot's folder, is taken from there. Raises InputError
    where the program does not exist or cannot be executed.
    """
    program = run[0]
    if program in PYTHONS:
        return (os.path.realpath(sys.executable), *run[1:])
    inside = folder / program
    if "/" in program or inside.is_file():
        if not inside.is_file():
            raise InputError(
                f"the run command {program!r} does not exist; is there a build to be done?", str(folder)
            )
        if not os.access(inside, os.X_OK):
            raise InputError(f"the run command {program!r} is not executable (chmod +x)", str(folder))
        if not _says_what_runs_it(inside):
            raise InputError(f"the first line of {program!r} is to name what runs it: `#!...`", str(folder))
        return (str(inside.resolve()), *run[1:])
    found = shutil.which(program)
    if found is None:
        raise InputError(f"the run command {program!r} is not on the PATH", str(folder))
    return (found, *run[1:])


def _says_what_runs_it(program: Path) -> bool:
    """Whether the kernel can start it: a script with `#!`, or no text at all, as a binary."""
    with program.open("rb") as file:
        head = file.read(64)
    return head.startswith(b"#!") or not head.isascii() or b"\0" in head


def launch(argv: Sequence[str], folder: Path, scratch: Path) -> Launch:
    """How to start this command in the bot's folder, with `scratch` as its private, empty directory."""
    return Launch(
        tuple(argv),
        str(folder),
        {
            "PATH": os.environ.get("PATH", os.defpath),
            "LANG": "C.UTF-8",
            "HOME": str(scratch),
            "TMPDIR": str(scratch),
            "SCRATCH": str(scratch),
        },
    )
