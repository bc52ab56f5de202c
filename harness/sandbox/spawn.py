"""Owns the start of a bot's process, bare or in its sandbox, and its sudden end; reads and writes no pipe.

Popen is called in the thread that lives as long as the bot, for a parent-death signal follows the thread
that spawned. There is no `preexec_fn`, which would fork where a vfork does.

The sandbox reads its options from a pipe. Until they are all there it waits, and meanwhile it is given its
limits and put in its control group: so nothing is ever started outside of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import signal
import socket
import subprocess
import sys
from time import monotonic, sleep
from typing import IO, NamedTuple

from harness.model import Limits
from harness.sandbox import HOME, Launch, cgroup
from harness.sandbox.bwrap import BWRAP, command, options
from harness.sandbox.process_tree import children
from harness.sandbox.seccomp import program

STRANGERS = range(60_000, 65_000)
"""User ids of which root gives each bot one."""
PATIENCE = 2.0
"""Seconds until a sandbox that does not say what it started, or a killed group that is still there, is given
up: the kernel may hold a process for a while."""
FIRST_TO_GO = "1000"
"""What the kernel is to end first when the machine's memory runs out."""


class Pipes(NamedTuple):
    """Where a process reads and writes, as subprocess takes it."""

    stdin: int = subprocess.PIPE
    stdout: int | IO[bytes] = subprocess.PIPE
    stderr: int = subprocess.PIPE


PIPES = Pipes()


class Spawned:
    """A process that was started, with all that was made for it."""

    def __init__(self, launch: Launch, pipes: Pipes = PIPES) -> None:
        """Raises OSError when the machine cannot start it."""
        self.confined = launch.sandbox is not None
        self.group: cgroup.Group | None = None
        self._uid: Uid | None = None
        self._status = -1
        self._status_text = b""
        self._init = 0
        self._watch = -1
        self._bot = 0
        self._killed = False
        try:
            self.popen = self._confined(launch, pipes) if launch.sandbox else _bare(launch, pipes)
        except BaseException:
            self.release()
            raise

    # -- the start

    def _confined(self, launch: Launch, pipes: Pipes) -> subprocess.Popen[bytes]:
        if not os.access(_outside(launch), os.X_OK):
            raise FileNotFoundError(2, os.strerror(2))
        self._uid = Uid() if os.geteuid() == 0 else None
        uid = self._uid.number if self._uid else None
        self._status, status = os.pipe()
        os.set_blocking(self._status, False)
        reading, writing = os.pipe()
        filtered = _filter()
        given = [each for each in (status, reading, filtered) if each is not None]
        try:
            popen = subprocess.Popen(
                (BWRAP, "--args", str(reading), "--", *command(launch, uid)),
                env={"PATH": os.environ.get("PATH", os.defpath)},
                start_new_session=True,
                bufsize=0,
                pass_fds=given,
                stdin=pipes.stdin,
                stdout=pipes.stdout,
                stderr=pipes.stderr,
            )
            _limit(popen.pid, launch.limits, processes=uid is not None)
            self.group = cgroup.make(launch.limits)
            if self.group:
                self.group.enter(popen.pid)
            told = "\0".join(options(launch, status, filtered, uid))
            os.write(writing, told.encode(errors="surrogateescape"))
        finally:
            for descriptor in (*given, writing):
                os.close(descriptor)
        return popen

    # -- who is who

    def init(self) -> int:
        """The id of the first process in the sandbox, with which all of them end; 0 before it is known."""
        if not self._init:
            self._read_status()
            for line in self._status_text.split(b"\n"):
                with contextlib.suppress(ValueError, KeyError, OSError):
                    self._init = int(json.loads(line)["child-pid"])
                    self._watch = os.pidfd_open(self._init)
        return self._init

    def bot(self) -> int:
        """The id of the bot itself; that of what starts it before that is known."""
        if not self.confined:
            return self.popen.pid
        if not self._bot and (init := self.init()):
            self._bot = next(iter(children(init)), 0)
        return self._bot or self.popen.pid

    def root(self) -> int:
        """The id of the process from which all that the bot started descend."""
        return self.init() or self.popen.pid if self.confined else self.popen.pid

    def never_ran(self) -> bool:
        """Of a process that has ended: whether its sandbox failed before the bot was started in it.

        The sandbox says how what it started ended, whatever that did. A bot cannot keep it from doing so.
        """
        self._read_status()
        return self.confined and b'"exit-code"' not in self._status_text and not self._killed

    def ended_as(self, status: int) -> int:
        """What the bot ended with, given what its outermost process did: a negative number for a signal."""
        if self.confined and status - 128 in signal.valid_signals():
            return 128 - status
        return status

    def _read_status(self) -> None:
        if self._status >= 0:
            with contextlib.suppress(BlockingIOError):
                while more := os.read(self._status, 4096):
                    self._status_text += more

    # -- the end

    def unsettled(self) -> bool:
        """Whether its sandbox has not said yet what it started: not the moment to kill it."""
        return self.confined and not self.init() and self.popen.poll() is None

    def kill_now(self) -> None:
        """Ends it now: a sandbox by its first process, whose end none in there outlives, and the group.

        If a sandbox is killed from outside alone while it is unsettled, its bot lives on.
        """
        self._killed = self._killed or self.popen.poll() is None
        self.init()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._watch >= 0:
                signal.pidfd_send_signal(self._watch, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def gone(self) -> bool:
        """Of a process that has ended: whether all that it started has, as far as that was its group's or
        its sandbox's. Orphans of it are ours to reap, for we are their subreaper."""
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self.popen.pid, os.WNOHANG)[0]:
                pass
        if self._watch >= 0:
            if not select.select([self._watch], [], [], 0)[0]:
                return False
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._init, os.WNOHANG)
        try:
            os.killpg(self.popen.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            pass
        return False

    def end(self) -> None:
        """Ends it and all that belongs to it, and waits for that, in a place where waiting costs nobody."""
        until = monotonic() + PATIENCE
        while self.unsettled() and monotonic() < until:
            sleep(0.001)
        self.kill_now()
        self.popen.wait()
        while not self.gone() and monotonic() < until:
            sleep(0.001)
        self.release()

    def release(self) -> None:
        """Gives back what was made for it, when all of it has ended."""
        for descriptor in (self._status, self._watch):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._watch = -1
        if self._uid:
            self._uid.release()
        if self.group:
            self.group.remove()


class Uid:
    """A user id that no other bot on this machine has until it is released.

    Locked by a name in the kernel, which the kernel frees however we end.
    """

    def __init__(self) -> None:
        self._lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        for number in STRANGERS:
            try:
                self._lock.bind(f"\0harness-uid-{number}")
            except OSError:
                continue
            self.number = number
            return
        self._lock.close()
        raise OSError(11, "no user id is free for the bot")

    def release(self) -> None:
        self._lock.close()


def _outside(launch: Launch) -> str:
    """Where the program lies on this machine."""
    program = launch.argv[0]
    assert launch.sandbox is not None
    return launch.sandbox.home + program.removeprefix(HOME) if program.startswith(f"{HOME}/") else program


def _bare(launch: Launch, pipes: Pipes) -> subprocess.Popen[bytes]:
    popen = subprocess.Popen(
        launch.argv,
        cwd=launch.folder,
        env=launch.environment,
        start_new_session=True,
        bufsize=0,
        stdin=pipes.stdin,
        stdout=pipes.stdout,
        stderr=pipes.stderr,
    )
    _limit(popen.pid, launch.limits, processes=False)
    return popen


def _filter() -> int | None:
    """A descriptor to read the filter of system calls from; each sandbox reads one to its end."""
    content = program(platform.machine())
    if content is None:
        return None
    descriptor = os.memfd_create("filter")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _limit(pid: int, limits: Limits, processes: bool) -> None:
    """Limits what a process, and each that it starts, may have; where the machine cannot, it is left."""
    if sys.platform != "linux":
        return
    import resource

    wanted = [(resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, limits.open_files)]
    if processes:
        wanted.append((resource.RLIMIT_NPROC, limits.processes))
    for which, most in wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, which, (most, most))
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write(FIRST_TO_GO)
