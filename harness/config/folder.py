"""Lists and reads the files of a bot. These files come from a stranger, so files that a bot must not have are
refused.

A bot's folder holds plain files, folders, and links that stay inside the folder. The size of the folder and
the number of its files are limited. `survey` checks this, without reading the content of the files. `content`
and `opened` read files that `survey` has found. No function in this file follows a link. If somebody replaces
a file by a link after the survey, reading the file fails.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from harness.errors import InputError
from harness.escape import shown
from harness.model import MEGABYTE

MOST_DEEP = 64
"""The largest depth of nested folders. Each level needs a file descriptor while the folder is listed."""
MOST_LINKS = 40
"""The largest number of links in a path. A path through more links counts as a loop. The kernel has the same
limit."""
CHUNK = 1 << 20
NOT_FOLLOWED = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
ALLOWED = "a bot may have plain files, folders, and links that stay inside its folder"
KINDS = {
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFLNK: "a link",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}


class Bounds(NamedTuple):
    """The limits of a bot's folder: its size in megabytes (2^20 bytes), and the number of files and
    folders."""

    megabytes: int = 256
    files: int = 10_000


BOUNDS = Bounds()


class Listed(NamedTuple):
    """A file, folder or link of a bot. `path` is relative to the bot's folder. Only a link has a `target`."""

    path: str
    mode: int
    size: int = 0
    target: str = ""

    def is_folder(self) -> bool:
        """Tells whether this is a folder."""
        return stat.S_ISDIR(self.mode)


def survey(folder: Path, bounds: Bounds = BOUNDS, alone: str = "") -> tuple[Listed, ...]:
    """Lists the content of a bot's folder, or only its file `alone`. In the list, each folder comes before
    the files in it.

    Raises InputError if the folder has something that a bot must not have, or is too large. Raises OSError if
    a file or folder cannot be read.
    """
    if alone:
        return (_one_file(folder, alone, bounds),)
    found: dict[str, Listed] = {}
    room = bounds.megabytes * MEGABYTE
    root = os.open(folder, NOT_FOLLOWED | os.O_DIRECTORY)
    try:
        for each in _listed(root, "", MOST_DEEP):
            found[each.path] = each
            room -= each.size
            if len(found) > bounds.files:
                raise InputError(
                    f"the bot has more than {bounds.files} files and folders; "
                    "a plan may allow more (`folder_files`)",
                    shown(str(folder)),
                )
            if room < 0:
                raise _too_large(folder, bounds)
    except _NotAllowed as error:
        raise InputError(f"{ALLOWED}; {error}", shown(str(folder / error.path))) from None
    finally:
        os.close(root)
    for each in found.values():
        if each.target and (trouble := leaves(each, found)):
            raise InputError(f"{ALLOWED}; {trouble}", shown(str(folder / each.path)))
    return tuple(found.values())


def content(folder: Path, found: Listed) -> str:
    """Returns the SHA-256 digest of a file, in hexadecimal. For a link, returns the path of its target."""
    if found.target:
        return f"-> {Path(found.target)!r}"
    digest = sha256()
    for chunk in chunks(folder, found):
        digest.update(chunk)
    return digest.hexdigest()


def chunks(folder: Path, found: Listed) -> Iterator[bytes]:
    """Yields the bytes of a file. Raises InputError if the size of the file has changed since `survey` found
    the file, or if there is no plain file at this path any more."""
    descriptor = opened(folder, found)
    try:
        left = found.size
        while chunk := os.read(descriptor, CHUNK):
            left -= len(chunk)
            if left < 0:
                raise _changed(folder, found)
            yield chunk
        if left:
            raise _changed(folder, found)
    finally:
        os.close(descriptor)


def opened(folder: Path, found: Listed) -> int:
    """Opens a file for reading, and follows no link. Raises InputError if there is no plain file at this path
    any more."""
    at = os.open(folder, NOT_FOLLOWED | os.O_DIRECTORY)
    *folders, name = found.path.split("/")
    try:
        for each in folders:
            at, before = os.open(each, NOT_FOLLOWED | os.O_DIRECTORY, dir_fd=at), at
            os.close(before)
        descriptor = os.open(name, NOT_FOLLOWED, dir_fd=at)
    except OSError:
        raise _changed(folder, found) from None
    finally:
        os.close(at)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _changed(folder, found)
    return descriptor


class _NotAllowed(Exception):
    """Something in a bot's folder is not allowed. `path` is its path."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path


def _listed(folder: int, path: str, deep: int) -> Iterator[Listed]:
    with os.scandir(folder) as entries:
        for entry in entries:
            inside = f"{path}{entry.name}"
            state = entry.stat(follow_symlinks=False)
            if entry.is_symlink():
                yield Listed(inside, state.st_mode, 0, os.readlink(entry.name, dir_fd=folder))
            elif stat.S_ISREG(state.st_mode):
                yield Listed(inside, state.st_mode, state.st_size)
            elif not stat.S_ISDIR(state.st_mode):
                raise _NotAllowed(inside, f"this is {_kind(state.st_mode)}")
            elif deep == 0:
                raise _NotAllowed(inside, f"this folder is more than {MOST_DEEP} folders deep")
            else:
                yield Listed(inside, state.st_mode)
                inner = os.open(entry.name, NOT_FOLLOWED | os.O_DIRECTORY, dir_fd=folder)
                try:
                    yield from _listed(inner, f"{inside}/", deep - 1)
                finally:
                    os.close(inner)


def _one_file(folder: Path, name: str, bounds: Bounds) -> Listed:
    path = folder / name
    state = path.lstat()
    if not stat.S_ISREG(state.st_mode):
        raise InputError(
            f"a bot is a folder or a plain file, and this is {_kind(state.st_mode)}", shown(str(path))
        )
    if state.st_size > bounds.megabytes * MEGABYTE:
        raise _too_large(path, bounds)
    return Listed(name, state.st_mode, state.st_size)


def leaves(link: Listed, found: dict[str, Listed]) -> str:
    """Returns the reason why this link is not allowed: it leads out of the folder, or in a circle. Returns ""
    if the link is allowed.

    The function follows the link in the list of files that `survey` found, and not on disk. So a link may
    lead to a file that does not exist yet, but that a build makes later.
    """
    where, ahead, links = link.path.split("/")[:-1], link.target.split("/")[::-1], 1
    if link.target.startswith("/"):
        return f"this link leads to {_quoted(link)}, and an absolute path leads out of the folder"
    while ahead:
        part = ahead.pop()
        if part == "..":
            if not where:
                return f"this link leads out of the folder: {_quoted(link)}"
            where.pop()
        elif part not in ("", "."):
            where.append(part)
            target = found["/".join(where)].target if "/".join(where) in found else ""
            if target.startswith("/"):
                return f"this link leads out of the folder: {_quoted(link)}"
            if target:
                links += 1
                where.pop()
                ahead += target.split("/")[::-1]
            if links > MOST_LINKS:
                return f"this link leads in a circle: {_quoted(link)}"
    return ""


def _quoted(link: Listed) -> str:
    return shown(link.target[:200])


def _kind(mode: int) -> str:
    return KINDS.get(stat.S_IFMT(mode), "something else")


def _too_large(path: Path, bounds: Bounds) -> InputError:
    return InputError(
        f"the files of the bot have more than {bounds.megabytes} MB; a plan may allow more (`folder_mb`)",
        shown(str(path)),
    )


def _changed(folder: Path, found: Listed) -> InputError:
    return InputError("this file was changed while it was read; try again", shown(str(folder / found.path)))
