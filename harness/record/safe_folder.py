"""Refuses a folder of logs if another user could use the folder to make harness read or write other files.

A link in the folder could lead to any file. Then a tournament would overwrite that file, or a report would
show its content. If the folder belongs to another user, that user could replace files during the tournament,
and could read the seed.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_ISDIR, S_ISVTX

from harness.errors import InputError, RecordError
from harness.record.frames import SHARDS

_OTHERS = 0o022


def check_plain(folder: Path) -> None:
    """Raises RecordError if the record in this folder has a link, a pipe or a device."""
    for entry in _entries(folder):
        if entry.is_symlink():
            raise RecordError("this is a link; a record has only plain files and folders", entry.path)
        if not entry.is_file(follow_symlinks=False) and not entry.is_dir(follow_symlinks=False):
            raise RecordError("this is no plain file; a record has only plain files and folders", entry.path)


def check_own(folder: Path, say: Callable[[str], object]) -> None:
    """Checks a folder before a tournament is played in it. A folder that does not exist yet is fine.

    Raises InputError if the folder belongs to another user, and RecordError as `check_plain` does. Calls
    `say` with a warning if other users may write to the folder. Also warns if other users may write to the
    parent folder, because then they can replace the folder.
    """
    _check_around(folder.parent, say)
    if not os.path.lexists(folder):
        return
    for status in (folder.lstat(), folder.stat()):
        if status.st_uid != os.geteuid():
            raise InputError(
                f"this folder belongs to {_name(status.st_uid)}, who could change the record and read the "
                "seed; name a folder of your own with --logs",
                str(folder),
            )
    if S_ISDIR(status.st_mode):
        check_plain(folder)
        if status.st_mode & _OTHERS:
            say(f"warning: others may write to {folder}, and could change the record: chmod go-w {folder}")


def is_inside(path: Path, folder: Path) -> bool:
    """Returns whether a path, which may not exist yet, is this folder or something in it. It does not matter
    through which links or mounts the path leads there."""
    real = path.resolve()
    return folder.exists() and any(each.exists() and each.samefile(folder) for each in (real, *real.parents))


def _check_around(parent: Path, say: Callable[[str], object]) -> None:
    if not parent.is_dir():
        return
    status = parent.stat()
    if status.st_uid not in (0, os.geteuid()):
        say(f"warning: {parent} belongs to {_name(status.st_uid)}, who could replace the record")
    elif status.st_mode & _OTHERS and not status.st_mode & S_ISVTX:
        say(f"warning: others may write to {parent}, and could replace the record: chmod go-w {parent}")


def _entries(folder: str | Path, below: bool = False) -> Iterator[os.DirEntry[str]]:
    """Yields the entries of this folder, and all entries in its folders `run-1`, `run-2`, ... and `shards`.
    Other folders are not part of the record."""
    with os.scandir(folder) as entries:
        for entry in entries:
            yield entry
            if (below or entry.name.startswith(("run-", SHARDS))) and entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path, below=True)


def _name(user: int) -> str:
    try:
        return f"the user {pwd.getpwuid(user).pw_name}"
    except KeyError:
        return f"the user with the number {user}"
