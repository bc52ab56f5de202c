"""Writes to the files of a record so that a crash or a full disk does not damage them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path

from harness.errors import naming

UNFINISHED = ".new"
"""The end of the name of a file that is not complete yet."""


def put(path: Path, size: int, data: bytes) -> None:
    """Keeps the first `size` bytes of a file and replaces the rest by `data`.

    If the disk cannot take all of `data`, no part of `data` stays in the file, and OSError with the name of
    the file is raised.
    """
    with naming(path), FileIO(path, "r+", opener=no_link) as file:
        # A call of `truncate` takes as much time as the creation of a file, so `truncate` is called only if
        # it is needed.
        if os.fstat(file.fileno()).st_size != size:
            file.truncate(size)
        write_at(file, size, data)


def no_link(path: str, flags: int) -> int:
    """Opens a file, and makes it if it does not exist. This function can be the `opener` of `open`.

    Raises OSError if the path is a link, because a link can lead to any file.
    """
    return os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, 0o666)


def write_at(file: FileIO, at: int, data: bytes) -> None:
    """Writes all of `data` at the position `at`. If the disk cannot take all of `data`, no part of `data`
    stays in the file, and OSError is raised."""
    rest = memoryview(data)
    try:
        file.seek(at)
        while rest:  # If the disk is almost full, `write` writes a part and reports no error.
            rest = rest[file.write(rest) :]
    except OSError:
        with suppress(OSError):
            file.truncate(at)
        raise


def put_whole(path: Path, parts: Iterable[bytes]) -> None:
    """Writes a file completely or not at all. So somebody who reads the file never gets an unfinished file.

    Raises OSError, with the name of the file, if the file cannot be written.
    """
    new = path.with_name(f"{path.name}{UNFINISHED}")
    with naming(path), new.open("wb") as file:
        file.writelines(parts)
    os.replace(new, path)


def cut_off(path: Path, size: int) -> None:
    """Cuts an existing file to its first `size` bytes. If `size` is 0, deletes the file."""
    if size and path.exists():
        os.truncate(path, size)
    elif not size:
        path.unlink(missing_ok=True)


def repair(path: Path) -> None:
    """Removes an unfinished line at the end of a file, so that the next line begins correctly."""
    with path.open("r+b") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - 65_536)
            file.seek(start)
            newline = file.read(end - start).rfind(b"\n")
            if newline >= 0:
                file.truncate(start + newline + 1)
                return
            end = start
        file.truncate(0)
