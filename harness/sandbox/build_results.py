"""Copies the results of a build from the copy in which it worked back into the bot's folder.

The results come from a stranger's program. So this code runs none of them and follows no link. It copies only
plain files, which get new modes, and links that do not leave the folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from filecmp import cmp
from pathlib import Path


def take(copy: Path, folder: Path) -> None:
    """Copies new and changed files from the copy into the folder."""
    for path in files(copy):
        target = folder / path.relative_to(copy)
        if not _within(target.parent, folder):
            continue
        if path.is_symlink():
            if not os.path.lexists(target) and _within(path, copy):
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(path.readlink())
        elif path.is_file() and (target.is_symlink() or not target.is_file() or not cmp(path, target, False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            _put(path, target)


def files(folder: Path) -> Iterator[Path]:
    """Yields all files below a folder. It follows no links and leaves out links to folders."""
    for where, _, names in os.walk(folder):
        yield from (Path(where, name) for name in names)


def size(folder: Path) -> tuple[int, int]:
    """Returns the number of files below a folder, and the sum of their sizes in bytes."""
    count = total = 0
    for path in files(folder):
        count += 1
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return count, total


def put_text(target: Path, text: bytes) -> None:
    """Replaces a file in the bot's folder. If it is a link, the file behind it does not change."""
    new = target.with_name(f".{target.name}.new")
    new.unlink(missing_ok=True)
    with new.open("xb") as file:
        file.write(text)
    new.replace(target)


def _within(path: Path, folder: Path) -> bool:
    """Whether this path is in the folder after all links in it have been followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _put(path: Path, target: Path) -> None:
    """Makes a new file beside the target and renames it to the target.

    If the target is a link, this replaces the link and does not change the file behind it.
    """
    runs = path.stat().st_mode & 0o111
    new = target.with_name(f".{target.name}.new")
    new.unlink(missing_ok=True)
    with path.open("rb") as source, new.open("xb") as copy:
        shutil.copyfileobj(source, copy)
    new.chmod(0o755 if runs else 0o644)
    new.replace(target)
