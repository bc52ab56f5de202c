"""Locks a tournament's folder, so that only one controller uses it, and only after old workers have ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from harness.errors import InputError

CONTROLLER = ".controller"
WORKERS = ".workers"
PATIENCE = 5.0
"""The most seconds to wait for the workers of a controller that was killed. They need only milliseconds."""


@contextlib.contextmanager
def lock_for_controller(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Locks the folder for this process. If another process has locked it, raises InputError with its id."""
    until = time.monotonic() + patience
    with _open(folder / CONTROLLER) as mine, _open(folder / WORKERS) as theirs:
        _acquire(mine, until, folder)
        _acquire(theirs, until, folder)
        if not _is_there(mine, folder / CONTROLLER):
            raise InputError("the folder was moved while another run used it; try again", str(folder))
        fcntl.flock(theirs, fcntl.LOCK_UN)
        mine.truncate(0)
        mine.write(str(os.getpid()))
        mine.flush()
        try:
            yield
        finally:
            mine.truncate(0)


@contextlib.contextmanager
def lock_for_worker(folder: str) -> Iterator[None]:
    """Locks the folder while a worker may have live bots. All workers share this lock."""
    if not folder:
        yield
        return
    with _open(Path(folder, WORKERS)) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def _open(path: Path) -> IO[str]:
    return open(path, "a+", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o666))


def _is_there(file: IO[str], path: Path) -> bool:
    """Whether an open file still has this path. The lock of a file that was moved protects nothing here."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _acquire(file: IO[str], until: float, folder: Path) -> None:
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise InputError(f"another run uses this folder{_owner(folder)}", str(folder)) from None
            time.sleep(0.05)


def _owner(folder: Path) -> str:
    try:
        pid = (folder / CONTROLLER).read_text().strip()
    except OSError:
        return ""
    return f" (process {pid}); wait for it or end it" if pid else ""
