"""Gives each bot its own user id, and lets this user use the folders of the bot. Only root can do this.

This is the level of isolation "user", for machines on which no sandbox can be made, for example most
containers. The bot cannot write to the files of the harness or of other bots, and cannot send signals to
their processes. The bot cannot read the folders of other bots either, because each folder has a group of its
own. But the bot can use the network, and can read and write all files that every user can read and write. So
the code in harness.sandbox.closing removes the right of the bot to enter the workspace.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import platform
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from harness.sandbox import Launch, kernel_files, shared_folders, system_v
from harness.sandbox.pidfd import has_ended
from harness.sandbox.seccomp import ARCHITECTURES, DENIED

LOCK = ".groups"
"""The name of a file beside the folders of bots. A process locks this file while it gives a folder its
group."""
HIDDEN = frozenset(f"hidepid={each}" for each in ("1", "2", "4", "noaccess", "invisible", "ptraceable"))
"""The options of /proc that hide the command lines of other users' processes."""
HIDE = "mount -o remount,hidepid=invisible /proc"
"""The command that hides the processes of other users from bots."""
PATIENCE = 1.0
"""The number of seconds to wait for the end of a killed process."""


NO_NEW_PRIVS = 38
"""The number of this option of the kernel's call `prctl`."""


JOIN_SESSION_KEYRING = 1
"""The number of this command of the kernel's call `keyctl`."""


class Owner(NamedTuple):
    """The user and the group of a process."""

    user: int
    group: int


def missing() -> str:
    """Returns the reason why bots cannot have their own users on this machine, or "" if they can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "only root on Linux can start bots as other users"
    return barred(Path(os.path.realpath(sys.executable)))


def barred(path: Path) -> str:
    """Returns the reason why other users cannot reach this path, or "" if they can reach it. The path must
    not contain links."""
    closed = next((each for each in reversed(path.parents) if not each.stat().st_mode & stat.S_IXOTH), None)
    return f"other users cannot reach {path}, because {closed} is closed to them" if closed else ""


def hides_processes(mounts: Path = Path("/proc/self/mountinfo")) -> bool:
    """Returns whether /proc hides the command lines of other users' processes, so that a bot cannot see them.
    `mounts` is the file that lists all mounted file systems."""
    try:
        lines = [line.split() for line in mounts.read_text(errors="replace").splitlines()]
    except OSError:
        return False
    options = [words[-1].split(",") for words in lines if words[4] == "/proc"]
    # If several file systems are mounted at /proc, only the last one is seen.
    return bool(options) and not HIDDEN.isdisjoint(options[-1])


def close(folder: Path) -> None:
    """Closes the private copy of a bot to all other bots, until the function `owner` gives the copy a
    group."""
    folder.chmod(0o700)


def owner(launch: Launch, user: int) -> Owner:
    """Gives this user access to the bot's folder and to the bot's scratch folder. Returns the user and the
    group with which the bot starts."""
    folder, scratch = Path(launch.folder), Path(launch.environment["SCRATCH"])
    mode = stat.S_IMODE(folder.stat().st_mode)  # A build may write to its folder.
    group = _group_of(folder)
    folder.chmod(0o770 if mode & stat.S_IWOTH or mode & stat.S_IWGRP else 0o750)
    os.chown(scratch, user, group)
    # This step must come last: until the steps above are done, a build's folder may be open to all users.
    for path in (folder, scratch):
        _open_way(path)
    return Owner(user, group)


def _group_of(folder: Path) -> int:
    """Gives a folder a group that no folder beside it has. All workers that start the bot in this folder
    use this group.

    The copies of the bots of a tournament lie beside each other. Several workers may call this function at
    once, so a lock lets only one worker at a time choose a group. The workers lock a file, because the folder
    of the copies itself is locked as long as the tournament lasts. The path of the folder decides which group
    is tried first. So folders with different parents seldom get the same group.
    """
    lock = os.open(folder.parent / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        group: int = folder.stat().st_gid
        if group in STRANGERS:
            return group
        taken = {entry.stat(follow_symlinks=False).st_gid for entry in os.scandir(folder.parent)}
        first = crc32(os.fsencode(folder)) % len(STRANGERS)
        group = next(each for each in (*STRANGERS[first:], *STRANGERS[:first]) if each not in taken)
        os.chown(folder, -1, group)
        return group
    finally:
        os.close(lock)


def refuse_rights() -> None:
    """Takes rights away from all processes that this thread will start. These processes cannot get the rights
    of the owner of a file (set-uid), or the keys of our session.

    User ids are used again. A bot could leave behind a set-uid file that belongs to its user id. Later, when
    this id belongs to another bot, the first bot could run the file, get the id, and kill the other bot. If
    bots inherited our keyring, all of them could write keys into it.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
    if known := ARCHITECTURES.get(platform.machine()):
        library.syscall(DENIED["keyctl"][known[0]], JOIN_SESSION_KEYRING, None)


def end_all(user: int) -> None:
    """Kills all processes of this user, waits for their end and reaps them. Processes that left the process
    group of their bot are killed too. Then removes two other things that this user has left: the objects of
    System V in the kernel, and the files in folders in which every user can write.

    A shell that runs as this user sends one signal to all processes of the user. The kernel does this in one
    step, so no process can escape by starting another process. On Linux, the shell does not get its own
    signal, and ends by itself. This function waits only PATIENCE for each process, because the kernel cannot
    end a process that waits for a disk. When all these processes have ended, the processes that lost their
    parent have become our children. If we did not wait for these children, they would count as processes of
    the next bot of this user. The next bot would also see these children, and if it sent them a signal, the
    call would seem to succeed.
    """
    subprocess.run(("/bin/sh", "-c", "kill -KILL -1"), user=user, stderr=subprocess.DEVNULL, check=False)
    left = _processes_of(user)
    for process in left:
        has_ended(process, PATIENCE)
    for process in left:
        with contextlib.suppress(OSError):
            os.waitid(os.P_PIDFD, process, os.WEXITED | os.WNOHANG)
        os.close(process)
    system_v.remove_all(user)
    shared_folders.remove_all(user)


def _processes_of(user: int) -> list[int]:
    """Opens a descriptor (pidfd) for each process of this user. A descriptor becomes readable when its
    process has ended."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if has_user(int(pid), user):
                found.append(os.pidfd_open(int(pid)))
    return found


def has_user(pid: int, user: int) -> bool:
    """Returns whether this process runs as this user. The answer is also right for a process that has ended,
    until its parent waits for it."""
    try:
        return b"\nUid:\t%d\t" % user in kernel_files.read(f"/proc/{pid}/status")
    except OSError:
        return False


def _open_way(path: Path) -> None:
    """Lets every user pass through the temporary folders above a path. But other users still cannot list the
    files in these folders."""
    temporary = Path(tempfile.gettempdir()).resolve()
    for parent in path.resolve().parents:
        if parent == temporary or not parent.is_relative_to(temporary):
            break
        if parent.stat().st_uid == os.geteuid():
            parent.chmod(stat.S_IMODE(parent.stat().st_mode) | 0o011)


# -- user ids ----------------------------------------------------------------------------------------


STRANGERS = range(60_000, 65_000)
"""The user ids for bots. No account has one of these ids."""


RUN = "/run"
"""The folder for files that are of use only while the machine runs. Only root can write there."""
STRANGERS_IN_USE = "harness-users"
"""The name of the file in which each id of a running bot has a locked byte. Bots must not be able to open
this file. A bot that locks all ids would prevent all other bots from starting, and its matches would become
void instead of lost."""
LOCKED_BYTE = struct.Struct("hhqqi4x")
"""The kernel's `struct flock`: kind, whence, first byte, number of bytes, 0."""


class Uid:
    """A user id for one bot. No other bot on this machine gets this id before `release` is called.

    A lock reserves the id. The kernel frees this lock when our process ends, even after a crash.
    """

    def __init__(self) -> None:
        """Takes a free user id. Raises OSError if no user id is free."""
        self._file = _users_in_use()
        for number in STRANGERS:
            lock = LOCKED_BYTE.pack(fcntl.F_WRLCK, os.SEEK_SET, number, 1, 0)
            try:
                fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, lock)
            except OSError:
                continue
            self.number = number
            return
        self.release()
        raise OSError(11, "no user id is free for the bot")

    def release(self) -> None:
        os.close(self._file)


def _users_in_use() -> int:
    """Opens the file of the locks, which only our user can open. This file is in the temporary folder if we
    cannot write in RUN. Raises OSError if other users can open it."""
    folder = RUN if os.access(RUN, os.W_OK) else tempfile.gettempdir()
    path = f"{folder}/{STRANGERS_IN_USE}"
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    about = os.fstat(file)
    if about.st_uid != os.geteuid() or about.st_mode & 0o077:
        os.close(file)
        raise OSError(1, f"other users can lock {path}")
    return file
