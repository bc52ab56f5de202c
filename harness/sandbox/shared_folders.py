"""Removes the files that a user has left in folders in which every user can write.

A bot with a user of its own could leave a note in such a folder, and read the note in a later match. A bot in
a sandbox has private folders instead, which are removed with the sandbox. Files deeper down, in folders of
other users, stay.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from harness.sandbox.removal import remove

FOLDERS = (Path("/dev/shm"), Path("/tmp"), Path("/var/tmp"))


def remove_all(user: int, folders: Sequence[Path] = FOLDERS) -> None:
    """Removes all files and folders in these folders that belong to this user. Call this function only when
    the user has no more processes. In such folders, a user cannot rename or replace what belongs to other
    users."""
    for folder in folders:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == user:
                        _remove(entry)


def _remove(entry: os.DirEntry[str]) -> None:
    if entry.is_dir(follow_symlinks=False):
        remove(entry.path)
    else:
        os.unlink(entry.path)
