"""Writes the options of bubblewrap, the program that makes sandboxes. The options decide what a bot in a
sandbox sees, and as which user the bot runs.

Root and an ordinary user need two different sandboxes. An ordinary user makes a user namespace, in which no
process has more rights than the user. If root made such a namespace, the kernel would still treat its
processes as the machine's root, so they could write to /proc/sys. So root changes to a user id that no
account has, and gives up all capabilities.

bubblewrap itself makes `/`, `/dev` and `/dev/shm`. Without more options, these folders would be writable and
have no limit of size. So options make them read-only or limit their size. Other options set the modes of
the parent folders of visible files, so that every user may enter these folders.

In a sandbox, `/dev/zero` is the device `/dev/full`. Both devices give zeros, but no process can map
`/dev/full`. With the real `/dev/zero`, a bot could make a shared mapping. The memory of such a mapping stays
in use even while no process of the bot maps its pages. Then nobody would count this memory for the bot.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from harness.model import MEGABYTE, Limits
from harness.sandbox import HOME, SCRATCH, Launch, Sandbox
from harness.sandbox.places import configured, of_system, system

BWRAP = "bwrap"
NOBODY = 65_534
FIRST_PROCESS = "/proc/1"
"""The folder of bubblewrap's own process. In the sandbox, this folder is empty. If an ordinary user runs the
harness, this process has the same user as the bot, so the bot could write to the memory of this process."""
HIDDEN_FOLDERS = ("/proc/sys", "/proc/fs", "/proc/pressure")
"""Folders that are empty in a sandbox. Outside a sandbox, these folders show numbers of the whole machine.
These numbers are so exact that bots in two sandboxes could use them to send each other data."""
HIDDEN_FILES = ("/proc/keys", "/proc/key-users", "/proc/locks")
"""Files that a bot cannot open, because they show keys and locks of other sandboxes."""
SHARED_MB = 16
"""The largest size of /dev/shm in a sandbox, in megabytes."""
LEAST_VERSION = (0, 8, 0)
"""The first version of bubblewrap with --disable-userns, --size and --perms."""


def options(launch: Launch, status: int, filtered: int | None, uid: int | None) -> Iterator[str]:
    """Yields all options of bubblewrap.

    `status` is the descriptor to which bubblewrap reports its child process and the exit code. `filtered` is
    the descriptor of the filter of system calls, or None if there is no filter. `uid` is the user id to which
    root changes; None means that an ordinary user starts bubblewrap.
    """
    sandbox = launch.sandbox
    assert sandbox is not None
    yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
    if uid is None:
        yield from ("--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY))
    yield from ("--die-with-parent", "--new-session", "--hostname", "bot", "--clearenv")
    for name, value in launch.environment.items():
        yield from ("--setenv", name, value)
    yield from _own(launch.limits)
    yield from _shown(sandbox)
    yield from _home(sandbox)
    yield from ("--chdir", launch.folder, "--remount-ro", "/", "--cap-drop", "ALL")
    if uid is not None:
        for right in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            yield from ("--cap-add", right)
    yield from ("--json-status-fd", str(status))
    if filtered is not None:
        yield from ("--seccomp", str(filtered))


def command(launch: Launch, uid: int | None) -> tuple[str, ...]:
    """Returns the command that runs in the sandbox and starts the bot. If root runs the harness, the command
    first gives up all privileges. If an ordinary user runs the harness, the command first limits the number
    of processes.

    For an ordinary user, this limit must be set inside the sandbox. If the limit were set outside, the kernel
    would compare it with the number of all processes of the user.
    """
    if uid is None:
        return ("prlimit", f"--nproc={launch.limits.processes}", "--", *launch.argv)
    drop = (f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all")
    return ("setpriv", *drop, "--no-new-privs", "--", *launch.argv)


def _shown(sandbox: Sandbox) -> Iterator[str]:
    """Yields the options that show files of the machine to the bot."""
    for path, target in system():
        yield from ("--symlink", target, path) if target else ("--ro-bind", path, path)
    made: set[str] = set()
    yield from _folder("/etc", made)
    for path in configured():
        yield from _on_the_way(path, made)
        yield from ("--ro-bind", path, path)
    inside = tuple(f"{folder}/" for folder in sandbox.hidden)
    for place in sorted(place for place in sandbox.places if not place.startswith(inside)):
        if not of_system(place):
            yield from _on_the_way(place, made)
            yield from ("--ro-bind-try", place, place)
    for folder in sandbox.hidden:
        yield from ("--perms", "0755", "--size", "65536", "--tmpfs", folder)
    for place in sorted(place for place in sandbox.places if place.startswith(inside)):
        yield from _on_the_way(place, made)
        yield from ("--ro-bind-try", place, place)
    for folder in sandbox.hidden:
        yield from ("--remount-ro", folder)


def _own(limits: Limits) -> Iterator[str]:
    """Yields the options that make the sandbox's own file systems."""
    yield from ("--proc", "/proc", "--dev", "/dev", "--dev-bind", "/dev/full", "/dev/zero")
    for hidden in (FIRST_PROCESS, *filter(os.path.isdir, HIDDEN_FOLDERS)):
        yield from ("--perms", "0555", "--size", "4096", "--tmpfs", hidden, "--remount-ro", hidden)
    for hidden in filter(os.path.exists, HIDDEN_FILES):
        yield from ("--ro-bind", "/dev/null", hidden)
    yield from _memory("/dev/shm", min(SHARED_MB, limits.scratch_mb))
    yield from ("--remount-ro", "/dev")
    yield from _memory(SCRATCH, limits.scratch_mb)
    yield from _memory("/tmp", limits.scratch_mb)


def _home(sandbox: Sandbox) -> Iterator[str]:
    """Yields the options that show the bot's folder, or only one file of it."""
    bind = "--bind" if sandbox.writable else "--ro-bind"
    if sandbox.alone:
        yield from _folder(HOME, set())
        yield from (bind, f"{sandbox.home}/{sandbox.alone}", f"{HOME}/{sandbox.alone}")
    else:
        yield from (bind, sandbox.home, HOME)


def _memory(path: str, megabytes: int) -> Sequence[str]:
    return ("--perms", "1777", "--size", str(megabytes * MEGABYTE), "--tmpfs", path)


def _on_the_way(path: str, made: set[str]) -> Iterator[str]:
    parts = path.strip("/").split("/")[:-1]
    for count in range(1, len(parts) + 1):
        yield from _folder("/" + "/".join(parts[:count]), made)


def _folder(path: str, made: set[str]) -> Iterator[str]:
    """Yields the options that make a folder that every user may enter.

    Yields nothing if this sandbox already has the folder, or if it is a folder of the system.
    """
    if path not in made and path not in [each for each, _ in system()]:
        made.add(path)
        yield from ("--perms", "0755", "--dir", path)
