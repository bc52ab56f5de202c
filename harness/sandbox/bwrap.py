"""Writes the command line of bubblewrap: what a bot in a sandbox sees, and as which user it runs.

Root and an ordinary user need two different sandboxes. A user gets a user namespace, in which no process has
more rights than the user had. Root in such a namespace would still be the machine's root for the kernel (it
could open /proc/sys for writing). So root drops to a user id that no account has, and keeps no capability.

What bubblewrap makes itself, `/`, `/dev` and `/dev/shm`, would be writable and of any size: it is made
read-only or limited. The parent folders of what is shown get modes that let any user pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.model import MEGABYTE, Limits
from harness.sandbox import HOME, SCRATCH, Launch, Sandbox
from harness.sandbox.places import configured, of_system, system

BWRAP = "bwrap"
NOBODY = 65_534
SHARED_MB = 16
"""The largest size of /dev/shm."""
LEAST_VERSION = (0, 8, 0)
"""The first with --disable-userns, --size and --perms."""


def options(launch: Launch, status: int, filtered: int | None, uid: int | None) -> Iterator[str]:
    """All options of bubblewrap.

    `status` is the descriptor to which it writes what it started, `filtered` that of the filter of system
    calls, if there is one. `uid` is the user id that root drops to (None: an ordinary user starts it).
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
    """The command that runs in the sandbox: it gives up all privileges and then runs the bot.

    It limits the number of processes inside the sandbox: outside, all processes of the user would count.
    """
    if uid is None:
        return ("prlimit", f"--nproc={launch.limits.processes}", "--", *launch.argv)
    drop = (f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all")
    return ("setpriv", *drop, "--no-new-privs", "--", *launch.argv)


def _shown(sandbox: Sandbox) -> Iterator[str]:
    """The parts of the machine that are shown."""
    for path, target in system():
        yield from ("--symlink", target, path) if target else ("--ro-bind", path, path)
    made: set[str] = set()
    yield from _folder("/etc", made)
    for path in configured():
        yield from _on_the_way(path, made)
        yield from ("--ro-bind", path, path)
    for place in sorted(place for place in sandbox.places if not of_system(place)):
        yield from _on_the_way(place, made)
        yield from ("--ro-bind-try", place, place)


def _own(limits: Limits) -> Iterator[str]:
    """The file systems that are the sandbox's own."""
    yield from ("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev")
    yield from _memory("/dev/shm", min(SHARED_MB, limits.scratch_mb))
    yield from ("--remount-ro", "/dev")
    yield from _memory(SCRATCH, limits.scratch_mb)
    yield from _memory("/tmp", limits.scratch_mb)


def _home(sandbox: Sandbox) -> Iterator[str]:
    """The bot's folder, or the only file of it that is shown."""
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
    """Makes a folder that every user may pass, once, unless it is one of the system's."""
    if path not in made and path not in [each for each, _ in system()]:
        made.add(path)
        yield from ("--perms", "0755", "--dir", path)
