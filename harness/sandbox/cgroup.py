"""Makes, reads and removes the control group of one bot.

All processes of a bot are in its group, and no process can leave it. The kernel limits the memory and the
number of processes of the group, gives it a fair share of the CPU, and counts its CPU time. If this machine
does not allow the harness to make groups, bots have no group.

This file supports both versions of control groups. In version 1, each controller has its own tree, and a
bot's group is below the group of the harness. In version 2, all controllers share one tree, and only the root
of this tree may have processes and also give controllers to the groups below it. So a bot's group with limits
is beside the group of the harness. A machine may have the controllers of version 1 and also the tree of
version 2. Then a bot has an additional group in the tree of version 2. This group only measures how long the
bot waits for a CPU. On some machines, no tree allows us to limit memory and processes. Even there, a group of
version 2 counts the CPU time and the waits of a bot exactly, because such counting needs no controller. Such
a group is not `limited`, and it is below the group of the harness. In many containers, root can make only
such groups.

If this machine allows no groups with limits, but has version 2 and systemd, the harness asks systemd for a
part of the tree (harness/sandbox/scope.py).

A group can also pin a bot: the bot's processes then run only on the cores on which the process that starts
the bot may run. No system call of the bot changes this. If a bot is in a sandbox, its group does not pin the
bot, because the filter of system calls in a sandbox has the same effect. This saves time: a process needs 8
ms to enter a group that pins.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import count

from harness.model import MEGABYTE, Limits
from harness.sandbox import kernel_files, scope

PREFIX = "harness-"
CONTROLLERS = ("memory", "pids", "cpu", "cpuacct", "cpuset")
NEEDED = ("memory", "pids")
PINS = "cpuset"
OUR_OWN = 3
"""The number of processes in a group that do not belong to the bot but start it."""

_numbers = count(1)


class Group:
    """A control group. Call `enter` before the bot starts, and `remove` when all its processes have ended."""

    def __init__(self, folders: Mapping[str, str]) -> None:
        """Makes the group: one folder for each controller. Raises OSError if a folder cannot be made."""
        self._folders = folders
        self._unified = "unified" in folders
        counted = ("unified", "cpu.stat") if self._unified else ("cpuacct", "cpuacct.usage")
        self._used = kernel_files.Kept(f"{folders.get(counted[0], '')}/{counted[1]}")
        made: list[str] = []
        try:
            for folder in dict.fromkeys(folders.values()):
                os.mkdir(folder)
                made.append(folder)
        except OSError:
            for folder in made:
                os.rmdir(folder)
            raise

    @property
    def limited(self) -> bool:
        """True if the kernel limits the memory and the number of processes of the group."""
        return _limits(self._folders)

    def limit(self, limits: Limits) -> None:
        """Sets the limits if the group is `limited`. Raises OSError if the kernel rejects one of them."""
        if not self.limited:
            return
        memory = str(limits.memory_mb * MEGABYTE)
        self._write("pids", "pids.max", str(limits.processes + OUR_OWN))
        if self._unified:
            self._write("memory", "memory.max", memory)
            with contextlib.suppress(OSError):  # A kernel without swap does not have this file.
                self._write("memory", "memory.swap.max", "0")
            return
        self._write("memory", "memory.limit_in_bytes", memory)
        with contextlib.suppress(OSError):
            self._write("memory", "memory.memsw.limit_in_bytes", memory)

    def pin(self) -> None:
        """Lets the processes of the group run only on the cores on which this process may run, if the group
        can do this. Raises OSError if the kernel refuses it."""
        if PINS not in self._folders:
            return
        if not self._unified:  # In version 1, no process can enter the group before `cpuset.mems` is set.
            mems = kernel_files.read(f"{os.path.dirname(self._folders[PINS])}/cpuset.mems")
            self._write(PINS, "cpuset.mems", mems.decode().strip())
        self._write(PINS, "cpuset.cpus", ",".join(map(str, sorted(os.sched_getaffinity(0)))))

    def enter(self, pid: int) -> None:
        """Puts a process into the group. The processes that it starts later are in the group too."""
        for folder in dict.fromkeys(self._folders.values()):
            with open(f"{folder}/cgroup.procs", "w") as file:
                file.write(str(pid))

    @contextlib.contextmanager
    def around(self) -> Iterator[None]:
        """Puts the calling thread into the group, so that all processes that it starts are in the group from
        their first instruction on.

        In version 1, only this thread enters the group, and the thread must end soon. In version 2, only a
        whole process can enter a group. So the whole harness enters the group, and leaves it afterwards.
        Meanwhile, the threads of the harness must not count for the limit on processes.
        """
        if not self._unified:
            for folder in dict.fromkeys(self._folders.values()):
                _put_us(f"{folder}/tasks")
            yield
            return
        home = _own_group()
        with self._any_number():
            _put_us(f"{self._folders['unified']}/cgroup.procs")
            try:
                yield
            finally:
                _put_us(f"{home}/cgroup.procs")

    @contextlib.contextmanager
    def _any_number(self) -> Iterator[None]:
        """Allows any number of processes in the group, inside the `with` block."""
        if not self.limited:
            yield
            return
        [most] = _lines(f"{self._folders['pids']}/pids.max")
        self._write("pids", "pids.max", "max")
        try:
            yield
        finally:
            self._write("pids", "pids.max", most)

    def cpu_us(self) -> int:
        """Returns the microseconds of CPU time that the processes of the group have used, or -1 if the kernel
        does not count CPU time."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            if self._unified:
                return _counts(self._used.read())[b"usage_usec"]
            return int(self._used.read()) // 1000
        return -1

    def waited_us(self) -> int:
        """Returns for how many microseconds a process of the group was ready to run while no process of the
        group had a CPU, or -1 if the kernel does not count this time."""
        folder = self._folders.get("unified") or self._folders.get("pressure")
        if not folder:
            return -1
        with contextlib.suppress(OSError, ValueError, IndexError):
            lines = kernel_files.read(f"{folder}/cpu.pressure")
            return int(lines.partition(b"full ")[2].partition(b"total=")[2].split()[0])
        return -1

    def kills(self) -> int:
        """Returns how many processes of the group the kernel has killed at the limit of memory."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            file = "memory.events" if self._unified else "memory.oom_control"
            return _counts(kernel_files.read(f"{self._folders['memory']}/{file}"))[b"oom_kill"]
        return 0

    def remove(self) -> None:
        """Removes the group if it has no processes any more."""
        self._used.close()
        for folder in dict.fromkeys(self._folders.values()):
            with contextlib.suppress(OSError):
                os.rmdir(folder)

    def _write(self, controller: str, file: str, value: str) -> None:
        with open(f"{self._folders[controller]}/{file}", "w") as opened:
            opened.write(value)


def _counts(text: bytes) -> dict[bytes, int]:
    return {name: int(value) for name, value in map(bytes.split, text.splitlines())}


def _put_us(file: str) -> None:
    """Puts us into the group to which this file belongs. A file `tasks` takes only the calling thread, and a
    file `cgroup.procs` takes the whole process."""
    with open(file, "w") as opened:
        opened.write("0")


def _lines(file: str) -> list[str]:
    with open(file) as opened:
        return opened.read().splitlines()


def _own_group() -> str:
    """Returns the folder of the group of the harness in the tree of version 2."""
    [path] = (line[3:] for line in _lines("/proc/self/cgroup") if line.startswith("0::"))
    return dict(_mounts())["unified"] + path.rstrip("/")


def make(limits: Limits, pinned: bool = False, measured: bool = True) -> Group:
    """Makes a group with these limits. If `pinned` is true and this machine allows such groups, the group
    also pins its bot. Raises OSError if this machine does not allow groups, or cannot make one now.

    If `measured` is false, no additional group in the tree of version 2 measures how long the bot waits for a
    CPU. Only a whole process can enter this additional group, and to enter it takes some milliseconds.
    """
    homes = {name: home for name, home in _homes().items() if measured or name != "pressure"}
    free = {controller: home for controller, home in homes.items() if controller != PINS}
    if pinned and homes != free:
        with contextlib.suppress(OSError):
            return _made(homes, limits)
    return _made(free, limits)


def _made(homes: Mapping[str, str], limits: Limits) -> Group:
    if not homes:
        raise OSError(errno.EOPNOTSUPP, "this machine allows no control groups")
    group = _new(homes)
    try:
        group.limit(limits)
        group.pin()
    except OSError:
        group.remove()
        raise
    return group


def _new(homes: Mapping[str, str]) -> Group:
    """Makes a group with a new name. Raises OSError if this machine makes no group.

    A name contains the number of our process. A process that was killed leaves its groups behind. If our
    process now has the number of a process that was killed, a group with this name may already exist. Then
    this function tries the next name.
    """
    while True:
        name = f"{PREFIX}{os.getpid()}-{next(_numbers)}"
        with contextlib.suppress(FileExistsError):
            return Group({controller: f"{home}/{name}" for controller, home in homes.items()})


def clear_away() -> None:
    """Removes the groups that were made by processes that have ended. A killed worker leaves such groups."""
    for home in set(_allowed().values()):
        for name in os.listdir(home):
            owner = name.removeprefix(PREFIX).partition("-")[0]
            if name.startswith(PREFIX) and not os.path.exists(f"/proc/{owner}"):
                with contextlib.suppress(OSError):
                    os.rmdir(f"{home}/{name}")


@cache
def available() -> bool:
    """Tests at the first call whether this machine allows groups: makes a group and removes it. Every call
    returns the result of this test."""
    try:
        make(Limits()).remove()
    except OSError:
        return False
    return True


def limiting() -> bool:
    """Returns whether this machine allows groups in which the kernel limits memory and processes. If this is
    false but groups are `available`, the groups only count CPU time."""
    return available() and _limits(_homes())


def homes() -> set[str]:
    """Returns the folders in which we may make groups."""
    return set(_homes().values())


@lru_cache
def _homes() -> Mapping[str, str]:
    """Returns the folders in which we may make groups, by controller. If groups in these folders would
    have no limits, asks systemd for a part of the tree, at most once in a process."""
    found = _allowed()
    return _allowed() if not _limits(found) and _lent() else found


def _limits(folders: Mapping[str, str]) -> bool:
    return all(controller in folders for controller in NEEDED)


def _lent() -> bool:
    """Returns whether systemd lent us a part of the tree that has the needed controllers."""
    tree = dict(_mounts()).get("unified") if sys.platform == "linux" else None
    if tree is None:
        return False
    with contextlib.suppress(OSError), open(f"{tree}/cgroup.controllers") as file:
        offered = file.read().split()
        return all(controller in offered for controller in NEEDED) and scope.enter(tree)
    return False


def _allowed() -> Mapping[str, str]:
    """Returns the folders in which we may make groups now, by controller.

    If a needed controller is missing, the mapping has at most the tree of version 2, in which groups count
    CPU time without limits.
    """
    if sys.platform != "linux":
        return {}
    try:
        found = dict(_found())
        return found if _limits(found) else dict(_counting())
    except (OSError, ValueError):
        return {}


def _found() -> Iterator[tuple[str, str]]:
    mounts = dict(_mounts())
    with open("/proc/self/cgroup") as file:
        own = [line.rstrip("\n").split(":", 2) for line in file]
    for number, controllers, path in own:
        for controller in controllers.split(","):
            home = mounts.get(controller, "") + path.rstrip("/")
            if controller in CONTROLLERS and controller in mounts and os.access(home, os.W_OK):
                yield controller, home
        if number == "0" and "unified" in mounts:
            yield from _unified(mounts["unified"], path)
            yield from _pressure(mounts["unified"] + path.rstrip("/"))


def _unified(mount: str, path: str) -> Iterator[tuple[str, str]]:
    """Yields each controller with the folder above our group, if groups in this folder can have all needed
    controllers.

    If our group is the root of the tree, the folder is the root itself. Only the root may have processes and
    also give controllers to the groups below it.
    """
    home = mount + os.path.dirname(path.rstrip("/")).rstrip("/")
    if not os.access(home, os.W_OK):
        return
    with open(f"{home}/cgroup.subtree_control") as file:
        controllers = file.read().split()
    if all(controller in controllers for controller in NEEDED):
        pins = (PINS,) if PINS in controllers else ()
        yield from ((controller, home) for controller in ("unified", *NEEDED, *pins))


def _pressure(home: str) -> Iterator[tuple[str, str]]:
    """Yields our own group if groups below it can measure how long bots wait for a CPU, but set no limits,
    because all controllers are of version 1."""
    with contextlib.suppress(OSError), open(f"{home}/cgroup.controllers") as file:
        if not file.read().split() and os.access(home, os.W_OK) and os.path.exists(f"{home}/cpu.pressure"):
            yield "pressure", home


def _counting() -> Iterator[tuple[str, str]]:
    """Yields our own group in the tree of version 2 if groups below it can count CPU time.

    Our group has processes. If our group also gives a controller to the groups below it, version 2 allows no
    processes in these groups.
    """
    if "unified" not in dict(_mounts()):
        return
    home = _own_group()
    if os.access(home, os.W_OK) and not _lines(f"{home}/cgroup.subtree_control"):
        yield "unified", home


def _mounts() -> Iterator[tuple[str, str]]:
    """Yields the mount point of each controller's tree, and of the unified tree (version 2)."""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            kind, _, settings = after.split()[:3]
            place = before.split()[4]
            if kind == "cgroup2":
                yield "unified", place
            elif kind == "cgroup":
                yield from ((name, place) for name in settings.split(",") if name in CONTROLLERS)
