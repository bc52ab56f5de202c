"""Removes folders in which bots could write.

A bot or a build can leave a folder that is thousands of levels deep. `shutil.rmtree` and
`tempfile.TemporaryDirectory` call themselves for each level, and fail with RecursionError. So `remove` moves
each inner folder up to the top before it empties this folder. Then no path becomes long, and the calls of
functions are never nested deeply.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
"""The flags with which the system opens a folder, but no link to a folder. A bot can make a link to any
folder."""


def remove(folder: Path | str) -> None:
    """Removes a folder with all that is in it, except files and folders that the system does not let us
    remove."""
    with suppress(OSError):
        top = os.open(folder, FOLDER)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(folder)


def _empty(top: int) -> None:
    """Removes all that is in the open folder `top`."""
    numbers = count()
    waiting = _emptied(top, top, numbers)
    while waiting:
        name = waiting.pop()
        with suppress(OSError):
            inner = os.open(name, FOLDER, dir_fd=top)
            try:
                waiting += _emptied(inner, top, numbers)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=top)


def _emptied(folder: int, top: int, numbers: Iterator[int]) -> list[str]:
    """Removes the files in an open folder, and moves its folders to `top`. Returns the names that these
    folders have in `top`."""
    moved = []
    with suppress(OSError):
        os.fchmod(folder, 0o700)  # A bot may have taken away our right to change this folder.
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        with suppress(OSError):
            if is_folder:
                new = _free_name(top, numbers)
                os.rename(name, new, src_dir_fd=folder, dst_dir_fd=top)
                moved.append(new)
            else:
                os.unlink(name, dir_fd=folder)
    return moved


def _free_name(top: int, numbers: Iterator[int]) -> str:
    for number in numbers:
        name = f"removed-{number}"
        try:
            os.stat(name, dir_fd=top, follow_symlinks=False)
        except OSError:
            return name
    raise AssertionError("the numbers never end")


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Makes a folder that only our user can enter, and removes it at the end of the `with` block."""
    place = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield place
    finally:
        remove(place)
