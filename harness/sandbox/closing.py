"""Closes workspaces to bots that run as separate users, and says what such bots can still read.

At the level "user" a bot can read all files that every user can read, so an open workspace would show the bot
the roster, the plans and the bots of other teams. So the code here removes the rights of other users to the
folder of the workspace. The owner and the group of the workspace keep their rights, because no bot is in this
group. If other users need something in a workspace, the workspace stays as it is. In this case a sentence
tells the user how to close parts of the workspace.
"""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import harness
from harness.config.languages import PYTHONS, packages
from harness.config.workspace import LEAGUE, workspaces_around
from harness.escape import shown
from harness.sandbox.own_user import barred
from harness.sandbox.places import SYSTEM, toolchain

OTHERS = stat.S_IRWXO
PARTS = (LEAGUE, "roster.csv", "bots", "entries", "logs", "tournaments")
"""The parts of a workspace that a bot should not read."""


def close_workspaces(private: Iterable[Path], needed: Iterable[str] = ()) -> Iterator[str]:
    """Closes each workspace that contains one of these private paths. Then only the owner and the group
    of the workspace may enter it.

    `needed` has the paths outside the system that bots need. Yields a sentence for each workspace that was
    closed or could not be closed, and for each needed path that bots cannot reach.
    """
    needed = tuple(needed)
    for folder in dict.fromkeys(found for path in private for found in workspaces_around(path)):
        if is_open(folder):
            yield _closed(folder, needed)
    for path in map(os.path.realpath, needed):
        if os.path.exists(path) and (why := barred(Path(path))):
            yield f"bots cannot use {shown(path)}: {shown(why)}"


def readable(private: Iterable[Path]) -> Iterator[str]:
    """Yields a sentence that says which of these paths bots can read, with the command that closes them.

    Leaves out paths that come with the harness. Also leaves out paths in a workspace, because
    `close_workspaces` has already said something about the workspace.
    """
    own = Path(harness.__file__).parent
    found = [
        path
        for path in dict.fromkeys(each.absolute() for each in private)
        if is_open(path) and not path.is_relative_to(own) and not any(workspaces_around(path))
    ]
    if found:
        around = Path(os.path.commonpath(found))
        paths = [around] if len(found) > 1 and _need(around, ()) is None else found
        yield f"bots can read {_listed(paths)}, because every user can; to change this: {_command(paths)}"


def is_open(path: Path) -> bool:
    """Returns whether any user of the machine, even without special rights, can read this file, or list or
    enter this folder."""
    try:
        real = Path(os.path.realpath(path, strict=True))
        return not barred(real) and bool(real.stat().st_mode & (stat.S_IROTH | stat.S_IXOTH))
    except OSError:
        return False


def _closed(folder: Path, needed: Iterable[str]) -> str:
    """Closes a workspace, unless other users need something in it. Returns a sentence that says what was
    done, or why nothing was done."""
    if place := _need(folder, needed):
        inside = (folder / part for part in PARTS)
        parts = [part for part in inside if is_open(part) and _need(part, needed) is None]
        return (
            f"bots can read the workspace {_listed([folder])}, and it stays open, because other users need "
            f"{shown(str(place))}; to change this: {_command(parts or [folder])}"
        )
    mode = stat.S_IMODE(folder.stat().st_mode)
    try:
        folder.chmod(mode & ~OTHERS)
    except OSError as error:
        why = f"it could not be closed ({error.strerror})"
    else:
        why = "its file system stores no rights of users"
    if is_open(folder):
        return (
            f"bots can read the workspace {_listed([folder])}, because {why}; "
            f"to close it: {_command([folder])}"
        )
    had = "".join(right for right, bit in zip("rwx", (4, 2, 1), strict=True) if mode & bit)
    return (
        f"closed the workspace {_listed([folder])} to other users, because each bot runs as another user; "
        f"to open it: chmod o+{had} {shlex.quote(shown(str(folder)))}"
    )


def _need(folder: Path, needed: Iterable[str]) -> Path | None:
    """Returns a path in this folder that other users need, or None if there is no such path. Other users need
    the system, Python, the programs of bots, and their own home folders."""
    programs = (shutil.which(program) for program in packages() if program not in PYTHONS)
    tools = (place for program in programs if program for place in (program, *toolchain(program).places))
    homes = (each.pw_dir for each in pwd.getpwall() if os.path.isabs(each.pw_dir))
    python = (sys.executable, sys.base_prefix)
    paths = (*needed, *tools, *python, *homes, tempfile.gettempdir(), *SYSTEM)
    real = (Path(os.path.realpath(path)) for path in paths)
    return next((path for path in real if path.is_relative_to(folder.resolve())), None)


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(shown(str(path)) for path in paths)


def _command(paths: Iterable[Path]) -> str:
    return "chmod o-rwx " + " ".join(shlex.quote(shown(str(path))) for path in paths)
