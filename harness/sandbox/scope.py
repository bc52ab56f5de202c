"""Asks systemd for a control group that the harness may manage, and moves the harness into this group.

An ordinary user may make control groups only in one part of the tree of groups: the part that the user's own
systemd manages. systemd lends a piece of this part, a *scope*, to a process that asks for it. A group can let
the groups below it use its controllers only if the group itself has no processes. So the harness moves into a
group below the scope, and bots get groups beside this group:

    harness-4711.scope     lent by systemd; ends with its last process
        controller         the harness and its workers
        harness-4712-1     a bot

A process in the scope of a user ends when the user has logged out everywhere. Some processes must live longer
than their terminal, for example with nohup or as a job in the background. Such a process asks for a scope
only if systemd keeps the processes of this user after the logout (`loginctl enable-linger`).
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import time
from pathlib import Path

CONTROLLER = "controller"
LENT = ("memory", "pids", "cpu", "cpuset")
"""The controllers that the control groups of bots use. A controller limits or counts one thing, for example
memory.
"""
PATIENCE = 10.0
"""The most seconds to wait for systemd. systemd usually needs some hundredths of a second."""
LINGERING = Path("/var/lib/systemd/linger")


def enter(tree: str) -> bool:
    """Moves this process into a scope of its own, and returns whether this worked. `tree` is the folder of
    the control groups of version 2."""
    try:
        address = _address()
        if not address or not _may_move():
            return False
        name = f"harness-{os.getpid()}.scope"
        _ask(address, name)
        until = time.monotonic() + PATIENCE
        while not (path := own_path()).endswith(f"/{name}"):
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        divide(Path(tree + path))
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def divide(scope: Path) -> None:
    """Moves the processes of the group `scope` into a new group below `scope`. Then also lets other groups
    below `scope` use the controllers. Raises OSError if this is impossible."""
    (scope / CONTROLLER).mkdir()
    for pid in (scope / "cgroup.procs").read_text().split():
        (scope / CONTROLLER / "cgroup.procs").write_text(pid)
    offered = (scope / "cgroup.controllers").read_text().split()
    for name in LENT:
        if name in offered:
            with contextlib.suppress(OSError):
                (scope / "cgroup.subtree_control").write_text(f"+{name}")


def own_path() -> str:
    """Returns the path of our own group in the tree of version 2. Raises OSError if there is no such tree."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::"):
            return line.removeprefix("0::")
    raise FileNotFoundError("0::")


def _ask(address: str, name: str) -> None:
    pid = str(os.getpid())
    manager = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager")
    subprocess.run(
        (
            *("busctl", f"--address={address}", "call", *manager, "StartTransientUnit", "ssa(sv)a(sa(sv))"),
            *(name, "fail", "2", "PIDs", "au", "1", pid, "Delegate", "b", "true", "0"),
        ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=True,
    )


def _address() -> str:
    """Returns the address of the bus of the systemd that manages our groups; "" if there is none."""
    if shutil.which("busctl") is None or not os.path.isdir("/run/systemd/system"):
        return ""
    runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.geteuid()}"
    socket = "/run/dbus/system_bus_socket" if os.geteuid() == 0 else f"{runtime}/bus"
    return f"unix:path={socket}" if os.path.exists(socket) else ""


def _may_move() -> bool:
    """Returns whether this process could move into a scope and live there at least as long as in its present
    group."""
    user = os.geteuid()
    if user == 0 or f"/user@{user}.service/" in own_path() or (LINGERING / _name(user)).exists():
        return True
    return signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN and _in_foreground()


def _name(user: int) -> str:
    try:
        return pwd.getpwuid(user).pw_name
    except KeyError:
        return str(user)


def _in_foreground() -> bool:
    """Returns whether this process is in the foreground of a terminal, so that it ends with the terminal."""
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    finally:
        os.close(terminal)
