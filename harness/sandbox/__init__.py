"""Describes how to start a bot: its command, folder, environment and sandbox. This file starts nothing.

Bots get only the few environment variables that this file names. They inherit no variable from the
harness. For example, a bot that never flushes its output would work if it inherited PYTHONUNBUFFERED, and
nobody would notice its mistake.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from harness.config.languages import PYTHONS
from harness.config.nearest import name_meant
from harness.config.programs import in_folder, is_of_windows
from harness.config.sparring import play_outs_of
from harness.errors import InputError
from harness.job import Entrant
from harness.model import Limits
from harness.sandbox.places import NO_TOOLS, PRIVATE, SYSTEM_PATH, Toolchain, packages_of_python, toolchain

HOME = "/bot"
"""The path of the bot's folder inside a sandbox."""
SCRATCH = PRIVATE[0]
"""The path of the scratch folder inside a sandbox."""
USUAL = Limits()


class Sandbox(NamedTuple):
    """The files of the machine that a bot in a sandbox sees, besides the system's programs."""

    home: str
    """The folder of the machine that the bot sees as HOME."""
    alone: str = ""
    """The name of the only file in `home` that the bot sees; "" means that the bot sees all files."""
    places: tuple[str, ...] = ()
    """Files and folders that have the same paths inside the sandbox as outside."""
    hidden: tuple[str, ...] = ()
    """Folders of programs. The bot sees each of them as empty, except for `places` that are inside it."""
    writable: bool = False
    """True if the processes in the sandbox may write to HOME, which is allowed only in builds."""


class Launch(NamedTuple):
    """All data that `Spawned` needs to start a bot's process.

    If there is a `sandbox`, the paths in `argv` and `folder` are paths inside this sandbox.
    """

    argv: tuple[str, ...]
    folder: str
    environment: dict[str, str]
    limits: Limits = Limits()
    sandbox: Sandbox | None = None
    """The sandbox in which the process starts; None means no sandbox."""
    own_user: bool = False
    """True if the process runs as a user of its own instead of in a sandbox. Only root can start such a
    process."""
    counted: bool = False
    """True if the kernel should count the CPU time of a process without a sandbox from its first instruction
    on. In a sandbox, the kernel always does this if it can."""


def resolved(run: Sequence[str], folder: Path, path: str = "") -> tuple[str, ...]:
    """Returns the command with the absolute path of its program. The command of a sparring bot does not
    change.

    `python3` means the Python that runs the harness, without the packages of its virtual environment. If the
    name of a program has a slash, the program is in the bot's folder. Any other program is on the PATH.
    Raises InputError if the program does not exist or cannot be executed. The message of this error names the
    bot by `path`.
    """
    program, where = run[0], path or str(folder)
    if play_outs_of(run):
        return tuple(run)
    if program in PYTHONS:
        return (os.path.realpath(sys.executable), *run[1:])
    if "/" in program:
        # The links in the path are not resolved, so the program keeps its path in the bot's folder.
        inside = folder / os.path.normpath(program)
        if not inside.is_file() or not inside.resolve().is_relative_to(folder.resolve()):
            hint = name_meant(inside.name, _files(inside.parent)) or "; does the bot need a build?"
            raise InputError(f"the run command {program!r} does not exist{hint}", where)
        if not os.access(inside, os.X_OK):
            raise InputError(f"the run command {program!r} is not executable (chmod +x)", where)
        if not _says_what_runs_it(inside):
            raise InputError(f"the first line of {program!r} must name its interpreter: `#!...`", where)
        return (str(inside), *run[1:])
    found = shutil.which(program)
    if found is None:
        here = (folder / program).is_file() and not is_of_windows(program)
        own = f"; write {in_folder(program)} for the file in the bot's folder" if here else ""
        raise InputError(f"the run command {program!r} is not on the PATH{own}", where)
    return (os.path.abspath(found), *run[1:])


def _files(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []


def _says_what_runs_it(program: Path) -> bool:
    """Returns whether the kernel can start this file, because it is a script with `#!` or a binary."""
    with program.open("rb") as file:
        head = file.read(64)
    return head.startswith(b"#!") or not head.isascii() or b"\0" in head


def launch(argv: Sequence[str], folder: Path, scratch: Path | None, limits: Limits = USUAL) -> Launch:
    """Describes how to start this command without a sandbox. `scratch` is the bot's private, empty folder."""
    environment = _environment(os.environ.get("PATH", os.defpath), str(scratch))
    return Launch(tuple(argv), str(folder), environment, limits)


def launch_of(entrant: Entrant, limits: Limits, scratch: str) -> Launch:
    """Describes how to start this bot. At the level "bwrap" the bot starts in a sandbox, and at all other
    levels without a sandbox.

    A sandbox has its own scratch folder, so `scratch` is used only without a sandbox.
    """
    if not confined(entrant):
        command = launch(entrant.argv, Path(entrant.folder), Path(scratch), limits)
        own_user = entrant.isolation == "user"
        return command._replace(own_user=own_user, counted=own_user or limits.wall_ms > 0)
    sandbox = Sandbox(entrant.folder, entrant.alone, entrant.visible)
    return launch_in(sandbox, entrant.argv, limits)


def confined(entrant: Entrant) -> bool:
    """Returns whether this bot starts in a sandbox."""
    return entrant.isolation == "bwrap"


def launch_in(sandbox: Sandbox, argv: Sequence[str], limits: Limits, others: Toolchain = NO_TOOLS) -> Launch:
    """Describes how to start this command in a sandbox, and adds the files that its program needs.

    The tools of `others` are on the PATH in the sandbox. Each Python in the sandbox has its standard library.
    But packages that were installed for a Python are in the sandbox only if `sandbox.places` has their paths.
    """
    tools = others if _below(argv[0], sandbox.home) else toolchain(argv[0]).plus(others)
    python = toolchain(os.path.realpath(sys.executable))
    inside = tuple(
        HOME + word.removeprefix(sandbox.home) if _below(word, sandbox.home) else word for word in argv
    )
    path = dict.fromkeys((*tools.bins, *SYSTEM_PATH, *python.bins))
    environment = _environment(":".join(path), SCRATCH) | dict(tools.environment)
    programs = (*tools.places, *python.places)
    hidden = packages_of_python(programs, sandbox.places)
    shown = tuple(dict.fromkeys((*programs, *sandbox.places)))
    shut_in = sandbox._replace(places=shown, hidden=hidden)
    return Launch(inside, HOME, environment, limits, shut_in)


def _below(word: str, folder: str) -> bool:
    return word == folder or word.startswith(folder.rstrip("/") + "/")


def _environment(path: str, scratch: str) -> dict[str, str]:
    return {"PATH": path, "LANG": "C.UTF-8", "HOME": scratch, "TMPDIR": scratch, "SCRATCH": scratch}
