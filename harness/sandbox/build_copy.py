"""Makes the copy of a folder in which a bot is built, and takes the results back.

A stranger's build made the results, so none of them is run, and no link is followed. Only plain files are
taken, and links that stay within the folder; the files get new modes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from filecmp import cmp
from pathlib import Path


@contextlib.contextmanager
def build_copy(folder: Path) -> Iterator[Path]:
    """A copy of the folder that any user may write to, in a place that only we can reach.

    Raises OSError or shutil.Error if a file cannot be copied.
    """
    with tempfile.TemporaryDirectory(prefix="harness-build-") as place:
        copy = Path(place).resolve() / "bot"
        shutil.copytree(folder, copy, symlinks=True)
        for path in (copy, *copy.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o777 if path.is_dir() else path.stat().st_mode | 0o666)
        yield copy


def take(copy: Path, folder: Path) -> None:
    """Copies what was made or changed in the copy into the folder."""
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
    """All files below a folder, without following links; links to folders are left out."""
    for where, _, names in os.walk(folder):
        yield from (Path(where, name) for name in names)


def size(folder: Path) -> int:
    """Bytes of all files below a folder."""
    total = 0
    for path in files(folder):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total


def _within(path: Path, folder: Path) -> bool:
    """Whether this path, with all its links followed, is in the folder."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def _put(path: Path, target: Path) -> None:
    """Copies beside the target, then replaces it: a file that the target links to stays as it is."""
    runs = path.stat().st_mode & 0o111
    new = target.with_name(f".{target.name}.new")
    new.unlink(missing_ok=True)
    with path.open("rb") as source, new.open("xb") as copy:
        shutil.copyfileobj(source, copy)
    new.chmod(0o755 if runs else 0o644)
    new.replace(target)
