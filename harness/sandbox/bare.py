"""Starts the process of a bot without a sandbox.

`Popen` gets no `preexec_fn`. With a `preexec_fn`, Python calls fork instead of vfork, and then each start
takes 4 to 25 ms.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import IO, TypeVar

from harness.model import Limits
from harness.sandbox import Launch
from harness.sandbox.own_user import Owner

BY_THE_FILE = frozenset(
    (
        errno.EACCES,
        errno.EISDIR,
        errno.ELOOP,
        errno.ENOENT,
        errno.ENOEXEC,
        errno.ENOTDIR,
        errno.EPERM,
        errno.ETXTBSY,
    )
)
"""The errors with which the kernel says that it cannot start a certain file. Other errors can mean that the
machine lacks memory or descriptors."""

T = TypeVar("T")


def in_thread(begin: Callable[[], T]) -> T:
    """Calls this function in a thread of its own. The function may change settings of this thread. These
    changes end with the thread. Returns the result of the function, or raises its exception."""
    found: list[T] = []
    errors: list[BaseException] = []

    def called() -> None:
        try:
            found.append(begin())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=called)
    thread.start()
    thread.join()
    for error in errors:
        raise error
    return found[0]


def start(
    launch: Launch, stdin: int, stdout: int | IO[bytes], stderr: int, owner: Owner | None = None
) -> subprocess.Popen[bytes]:
    """Starts the process of a bot as our user or as `owner`. Raises OSError if the machine cannot start the
    process.

    A bot without a sandbox can remove or damage its own program. But the match of this bot must not become
    void because of the missing program. So if the machine can start processes but not the bot's program,
    another process starts instead of the bot, and ends immediately.
    """

    def popen(argv: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            argv,
            cwd=folder,
            env=launch.environment,
            start_new_session=True,
            bufsize=0,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            user=owner.user if owner else None,
            group=owner.group if owner else None,
            extra_groups=() if owner else None,
        )

    try:
        if owner is None:
            return popen(launch.argv, launch.folder)
        if not os.access(launch.argv[0], os.X_OK):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        return popen((*_limited(launch.limits), *launch.argv), launch.folder)
    except OSError as error:
        program, folder = Path(launch.argv[0]), Path(launch.folder)
        if error.errno not in BY_THE_FILE or (folder.is_dir() and not program.is_relative_to(folder)):
            raise
        return popen(("/bin/sh", "-c", 'echo "$0" >&2; exit 127', f"{program}: {error.strerror}"), "/")


def _limited(limits: Limits) -> tuple[str, ...]:
    """Returns the first words of the command that starts a bot as another user. These words set the limits of
    the bot's process. Returns no words if this machine has no program `prlimit`.

    The process sets its limits itself, before it executes the bot's program, because in most containers root
    may not change the limits of other users' processes.
    """
    program = shutil.which("prlimit")
    most = resources(limits, processes=True).items()
    return (program, *(f"--{name}={number}" for name, number in most), "--") if program else ()


def resources(limits: Limits, processes: bool) -> dict[str, int]:
    """Returns the largest amount of each resource that a process may use. The keys are the names of the
    resources in `prlimit`. If `processes` is true, the number of processes is limited too."""
    # Message queues outlive a process, so a bot could leave notes in them for a later match. Our user may
    # have the right to a high priority. With this right, a bot could keep the core from its opponent and from
    # us.
    none = dict.fromkeys(("core", "msgqueue", "nice", "rtprio"), 0)
    return none | {"nofile": limits.open_files} | ({"nproc": limits.processes} if processes else {})
