"""Reads what a student packed: a zip, a tar or a folder; lists it and yields the bytes of its files.

Python's own `zipfile` and `tarfile` read the formats. Nothing here writes a file, and no amount of data that
an archive expands to is read beyond a limit.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from harness.config.folder import CHUNK, KINDS, MOST_DEEP, NOT_FOLLOWED
from harness.escape import shown
from harness.league import tars
from harness.league.member import Broken, Member, told

OTHERS = {
    b"Rar!": "a rar archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
}
USTAR_AT = 257
LEAST_HEAD = 30
"""The bytes in a zip before the name of a file and its data."""
MOST_LISTED = 1_000_000
"""The most members of an archive, junk included, that are looked at."""


def is_archive(path: Path) -> bool:
    """Whether this file is an archive, readable or not, as far as its first bytes tell."""
    try:
        return path.is_file() and not path.is_symlink() and _kind(path) != ""
    except Broken:
        return True


def members(path: Path) -> list[Member]:
    """Lists all that was packed. Raises Broken if it cannot be read, or is no zip, tar or folder."""
    if path.is_symlink():
        raise Broken("this is a link")
    if path.is_dir():
        return [member for member, _ in _in_folder(path)]
    if not path.is_file():
        raise Broken(f"this is {KINDS.get(stat.S_IFMT(path.stat().st_mode), 'nothing that can be read')}")
    if _kind(path) == "zip":
        with told("the zip archive"), zipfile.ZipFile(path) as file:
            _check_apart(file.infolist(), path.stat().st_size)
            return [_of_zip(file, info) for info in _few(file.infolist())]
    if _kind(path) != "tar":
        raise Broken("this is no zip or tar archive, or its beginning is broken")
    with told("the tar archive"), tars.opened(path) as file:
        return [tars.of_tar(info) for info in tars.small(_few(file))]


def contents(path: Path) -> Iterator[tuple[int, Iterator[bytes]]]:
    """Yields, for each file, its number in the list of `members`, and its bytes in chunks."""
    if path.is_dir():
        for number, (member, inside) in enumerate(_in_folder(path)):
            if stat.S_ISREG(member.mode):
                yield number, _chunks_of(inside, path)
    elif _kind(path) == "zip":
        with told("the zip archive"), zipfile.ZipFile(path) as file:
            for number, info in enumerate(file.infolist()):
                if stat.S_ISREG(_of_zip(file, info).mode):
                    yield number, _chunks(file.open(info), "the zip archive")
    else:
        with told("the tar archive"), tars.opened(path) as tar:
            for number, entry in enumerate(tar):
                if entry.isreg() and (data := tar.extractfile(entry)):
                    yield number, _chunks(data, "the tar archive")


def _kind(path: Path) -> str:
    with told("the file"), path.open("rb") as file:
        head = file.read(512)
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head[USTAR_AT:].startswith(b"ustar") or any(head.startswith(magic) for magic in tars.COMPRESSED):
        return "tar"
    other = next((name for magic, name in OTHERS.items() if head.startswith(magic)), "")
    if other:
        raise Broken(f"this is {other}; only zip and tar archives are read")
    return ""


def _chunks_of(path: Path, folder: Path) -> Iterator[bytes]:
    """The bytes of a file in a folder. It is opened only if they are wanted."""
    with _readable(folder):
        file = open(os.open(path, NOT_FOLLOWED), "rb")  # noqa: SIM115
    yield from _chunks(file, "the folder")


def _chunks(file: IO[bytes], what: str) -> Iterator[bytes]:
    with file:
        while True:
            with told(what):
                chunk = file.read(CHUNK)
            if not chunk:
                break
            yield chunk


def _few(found: Any) -> Iterator[Any]:
    for number, each in enumerate(found):
        if number >= MOST_LISTED:
            raise Broken(f"the archive has more than {MOST_LISTED} members")
        yield each


# -- zip -------------------------------------------------------------------------------------------


def _check_apart(found: list[zipfile.ZipInfo], size: int) -> None:
    """Raises Broken if two files are the same bytes of the archive, or if one lies in another or outside.

    Then readers of zips disagree about what is in it, and a small archive can be a large bomb.
    """
    end = 0
    for info in sorted(found, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise Broken("the zip archive is broken: its files overlap")
        end = info.header_offset + LEAST_HEAD + info.compress_size
    if end > size:
        raise Broken("the zip archive is broken: one of its files is longer than the archive")


def _of_zip(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> Member:
    if info.flag_bits & 1:
        raise Broken("the zip archive has a password; only archives without one are read")
    mode = info.external_attr >> 16 if info.create_system == 3 else 0
    if stat.S_ISREG(mode) and info.is_dir():  # Some packers know only one type.
        mode = stat.S_IFDIR | stat.S_IMODE(mode)
    if not stat.S_IFMT(mode):
        mode |= stat.S_IFDIR if info.filename.endswith(("/", "\\")) else stat.S_IFREG
    target = ""
    if stat.S_ISLNK(mode):
        with file.open(info) as link:
            target = link.read(4_097).decode(errors="replace")
    return Member(info.filename, mode, info.file_size, target)


# -- a folder --------------------------------------------------------------------------------------


def _in_folder(folder: Path) -> Iterator[tuple[Member, Path]]:
    """Yields all that is below a folder, in the order of names. It follows no link, and lists no folder that
    is too deep for a bot."""
    with _readable(folder):
        for where, folders, files in os.walk(folder, onerror=_raised):
            folders.sort()
            for name in sorted((*folders, *files)):
                path = Path(where, name)
                state = path.lstat()
                target = os.readlink(path) if stat.S_ISLNK(state.st_mode) else ""
                size = state.st_size if stat.S_ISREG(state.st_mode) else 0
                yield Member(path.relative_to(folder).as_posix(), state.st_mode, size, target), path
            if len(Path(where).relative_to(folder).parts) >= MOST_DEEP:
                folders.clear()


def _raised(error: OSError) -> None:
    raise error


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """Turns an error of the system into a sentence with the path in this folder."""
    try:
        yield
    except OSError as error:
        where = shown(os.path.relpath(error.filename or folder, folder))[:200]
        raise Broken(f"{where!r} cannot be read: {error.strerror}") from None
