"""Writes to files of a record so that a crash or a full disk leaves them whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path


def put(path: Path, size: int, data: bytes) -> None:
    """Writes `data` after the first `size` bytes of a file, and cuts off what stood there before.

    Raises OSError with the name of the file; then nothing was written.
    """
    with naming(path), FileIO(path, "r+", opener=_made) as file:
        file.truncate(size)
        write_at(file, size, data)


def _made(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, 0o666)


def write_at(file: FileIO, at: int, data: bytes) -> None:
    """Writes all of `data` from this byte on, or nothing. Raises OSError."""
    rest = memoryview(data)
    try:
        file.seek(at)
        while rest:  # A disk that is almost full takes a part and reports no error.
            rest = rest[file.write(rest) :]
    except OSError:
        with suppress(OSError):
            file.truncate(at)
        raise


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Puts the name of the file into each OSError."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise


def cut_off(path: Path, size: int) -> None:
    """Cuts a file, if there is one, to its first `size` bytes; a file cut to 0 bytes is deleted."""
    if size and path.exists():
        os.truncate(path, size)
    elif not size:
        path.unlink(missing_ok=True)


def repair(path: Path) -> None:
    """Cuts a file off after its last newline: the next line must not continue half a line."""
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
