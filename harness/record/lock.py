"""Locks a tournament's folder. The lock lets only one controller use the folder, and only after the workers
of an earlier controller have ended.

The controller is the process that runs a tournament. Its workers are the processes that play the matches.

If several machines share a file system, a lock of the kernel may stop only processes of the same machine. So
the locked file also contains the ID of the process that owns the lock, the host of this process, and an ID
for the last start of this host. The owner updates the modification time of the file again and again. If the
file names another machine, a controller that needs the folder waits for some time and checks whether the
modification time still changes.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from socket import gethostname
from typing import IO, NamedTuple

from harness.errors import InputError
from harness.job import threads
from harness.record.disk import no_link

CONTROLLER = ".controller"
WORKERS = ".workers"
PATIENCE = 5.0
"""The most seconds to wait for the workers of a killed controller. These workers end within milliseconds."""
BEAT = 5.0
"""The number of seconds after which a controller updates the modification time of the locked file again."""
SILENT = 6
"""The controller of another machine counts as dead if the modification time does not change for SILENT times
BEAT seconds."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")


@contextlib.contextmanager
def lock_for_controller(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Locks the folder for this process.

    If another process has locked the folder, raises InputError with the ID of that process.
    """
    until = time.monotonic() + patience
    with _open(folder / CONTROLLER) as mine, _open(folder / WORKERS) as theirs:
        _acquire(mine, until, folder)
        _acquire(theirs, until, folder)
        if not _is_there(mine, folder / CONTROLLER):
            raise InputError("the folder was moved while another run used it; try again", str(folder))
        fcntl.flock(theirs, fcntl.LOCK_UN)
        _check_elsewhere(folder)
        mine.truncate(0)
        mine.write(str(_own()))
        mine.flush()
        try:
            with _beating(mine):
                yield
        finally:
            mine.truncate(0)


class _Owner(NamedTuple):
    """A controller that locks a folder."""

    process: str
    host: str = ""
    boot: str = ""
    """An ID that differs for each start of a machine. All containers of a machine have the same ID."""

    def __str__(self) -> str:
        return " ".join(self)

    @property
    def is_elsewhere(self) -> bool:
        """True if the owner is on another machine. Then this machine's kernel may not know that the owner has
        locked the file."""
        own = _own()
        return bool(self.host) and self.host != own.host and (self.boot != own.boot or not own.boot)


def _own() -> _Owner:
    try:
        boot = _BOOT.read_text().strip()
    except OSError:  # This system is not Linux.
        boot = ""
    return _Owner(str(os.getpid()), gethostname(), boot)


@contextlib.contextmanager
def _beating(file: IO[str]) -> Iterator[None]:
    """Updates the modification time of the file again and again, in a thread.

    The thread blocks all signals, because the main thread decides when signals are handled. If the thread did
    not block signals, it could receive a signal while the event loop of the main thread closes.
    """
    over = threading.Event()

    def beat() -> None:
        while not over.wait(BEAT):
            with contextlib.suppress(OSError):
                os.utime(file.fileno())

    threads.keep()
    thread = threading.Thread(target=beat, daemon=True)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        thread.start()  # A new thread inherits the blocked signals.
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    try:
        yield
    finally:
        over.set()
        thread.join()


def _check_elsewhere(folder: Path) -> None:
    """Raises InputError if a controller on another machine uses the folder."""
    path = folder / CONTROLLER
    owner = _owner(folder)
    if owner is None or not owner.is_elsewhere:
        return
    touched = _touched(path)
    for _ in range(SILENT):
        time.sleep(BEAT)
        if _touched(path) != touched:
            raise InputError(
                f"another run uses this folder ({_named(owner)}); wait for it or end it", str(folder)
            )


def _touched(path: Path) -> int:
    with path.open() as file:  # An open file shows its newest times, even on a shared file system.
        return os.fstat(file.fileno()).st_mtime_ns


@contextlib.contextmanager
def lock_for_worker(folder: str) -> Iterator[None]:
    """Locks the folder as long as a worker may have bots that run. Several workers can have this lock at the
    same time."""
    if not folder:
        yield
        return
    with _open(Path(folder, WORKERS)) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield


def _open(path: Path) -> IO[str]:
    return open(path, "a+", opener=no_link)


def _is_there(file: IO[str], path: Path) -> bool:
    """Returns whether an open file still has this path. If the file was moved, its lock protects another
    path."""
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
                owner = _owner(folder)
                who = f" ({_named(owner)}); wait for it or end it" if owner else ""
                raise InputError(f"another run uses this folder{who}", str(folder)) from None
            time.sleep(0.05)


def _owner(folder: Path) -> _Owner | None:
    try:
        written = (folder / CONTROLLER).read_text(errors="replace").split()
    except OSError:
        return None
    return _Owner(*written[:3]) if written else None


def _named(owner: _Owner) -> str:
    host = f" on {owner.host}" if owner.host else ""
    return f"process {owner.process}{host}"
