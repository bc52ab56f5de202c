"""Runs a build without a sandbox, and at the end kills all processes of the build that still run.

A build may start processes that leave its process group. Such processes would go on after the build. The
overseer adopts them, because it is a subreaper: if a descendant of the overseer loses its parent, the kernel
makes the overseer its new parent. When the build ends, or when standard input is closed, the overseer kills
all these processes. Standard input is a pipe from the harness. So if somebody kills the harness, the build
ends too.

This file is a program of its own, and imports nothing of the harness. Only Linux has subreapers. In a
sandbox the first process adopts the others, so a build needs no overseer there.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from functools import cache

CHILD_SUBREAPER = 36


def command(argv: Sequence[str]) -> tuple[str, ...]:
    """Returns a command that runs the given command under an overseer. Returns the given command itself if
    this system cannot have an overseer."""
    return (*_program(), *argv) if sys.platform == "linux" else tuple(argv)


def oversees(argv: Sequence[str]) -> bool:
    """Returns whether this command runs an overseer."""
    return tuple(argv[: len(_program())]) == _program()


@cache
def _program() -> tuple[str, ...]:
    # Perhaps the user who runs the build cannot read this file. So the new command contains the text of this
    # file.
    with open(__file__, encoding="utf-8") as text:
        return (os.path.realpath(sys.executable), "-I", "-S", "-c", text.read())


def _overseen(argv: Sequence[str]) -> int:
    """Runs the command until it ends or standard input is closed, and then kills all processes of the
    command.

    Returns the exit status of the command; a negative status is the number of a signal.
    """
    ctypes.CDLL(None).prctl(CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        build = subprocess.Popen(argv, stdin=subprocess.DEVNULL)
    except OSError as error:
        os.write(2, f"{argv[0]}: {error.strerror}\n".encode(errors="surrogateescape"))
        return 127
    ended = os.pidfd_open(build.pid)
    select.select([ended, 0], [], [])
    status = build.poll()
    spared: set[int] = set()
    while left := [pid for pid in _children() if pid not in spared]:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            # The process got more rights, for example by sudo, so the overseer cannot kill it.
            except PermissionError:
                spared.add(pid)
            except (ProcessLookupError, ChildProcessError):
                pass
    return -signal.SIGKILL if status is None else status


def _children() -> list[int]:
    with open("/proc/thread-self/children") as file:
        return [int(pid) for pid in file.read().split()]


if __name__ == "__main__":
    status = _overseen(sys.argv[1:])
    if status < 0:  # A signal ended the build. The overseer ends itself by the same signal.
        os.kill(os.getpid(), -status)
    os._exit(status)
