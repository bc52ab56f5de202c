"""Starts a bot's process, bare or in its sandbox, and kills it; reads and writes none of its pipes.

**Bare.** `Popen` starts the bot as the leader of a session and a group of its own (0.2 ms). There is no
`preexec_fn`: with one, Python forks instead of vfork, and each start takes 4 to 25 ms. `Popen` is called in
trio's own thread: a parent-death signal follows the thread that started the process, and worker threads
retire after 10 s (docs/design.md, section 8). Its limits are set at once, but after its start.

**In a sandbox** three processes stand one below the other, of which the bot is the last:

    we                    bwrap (`popen.pid`)         `init()`, pid 1 inside       `bot()`
     |--- Popen ----------->|
     |    limits, cgroup    | reads its options,
     |--- options, EOF ---->| makes the namespaces
     |                      |--- clone ---------------->| makes the sandbox
     |<-- "child-pid" ------|                           |--- fork ---------------->| setpriv or prlimit,
     |                      |                           |                          | then the bot's program
     |                      |                           |<-- exits ----------------|
     |<-- "exit-code" ------|<-- exits -----------------|

bwrap waits until its options have arrived on a pipe. Meanwhile we set its limits and put it into its control
group, so that nothing in the sandbox ever runs outside of them. Its two words, child-pid and exit-code, come
on another pipe, the status.

**States of a sandbox**, by what the status has said:

    nothing       `unsettled()`: do not kill it yet. If bwrap alone is killed now, its bot may live on.
    child-pid     `_watch` is a pidfd of init. When init ends, the kernel kills all processes in there.
    exit-code     The bot has run and ended; `ended_as` turns bwrap's 128 + n into signal n.

If bwrap ends without an exit-code and nobody killed it, the bot `never_ran()`: that is the sandbox's fault.

**The end.** `kill_now` kills init through its pidfd, which never means another process, and the group by its
number. A bot's grandchildren may outlive it: by up to 43 ms, in 15 of 40 tries. So a caller kills, waits
until `gone()`, and then calls `release`. It gives up after PATIENCE, because the kernel may keep a process
for a while. A bare bot that calls `setsid` leaves its group; harness.bot.process.end_strays kills it.

**As root** each bot gets a user id of its own, because the kernel counts processes by user id. The bots of an
ordinary user run as nobody, each in a user namespace of its own; prlimit inside sets their limit.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import signal
import subprocess
import sys
from time import monotonic, sleep
from typing import IO, NamedTuple

from harness.model import Limits
from harness.sandbox import HOME, Launch, cgroup
from harness.sandbox.bwrap import BWRAP, command, options
from harness.sandbox.process_tree import children
from harness.sandbox.seccomp import program
from harness.sandbox.uid import Uid

PATIENCE = 2.0
"""Seconds to wait for a sandbox to say what it started, and for a killed group to be gone."""
FIRST_TO_GO = "1000"
"""The kernel kills these processes first when the machine's memory runs out."""


class Pipes(NamedTuple):
    """The standard streams of a process, as subprocess takes them."""

    stdin: int = subprocess.PIPE
    stdout: int | IO[bytes] = subprocess.PIPE
    stderr: int = subprocess.PIPE


PIPES = Pipes()


class Spawned:
    """A process that was started, with its sandbox, user id and control group."""

    def __init__(self, launch: Launch, pipes: Pipes = PIPES) -> None:
        """Raises OSError if the machine cannot start it."""
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

    # -- its processes

    def init(self) -> int:
        """The id of the first process in the sandbox; when it ends, all in there end. 0: not known yet."""
        if not self._init:
            self._read_status()
            for line in self._status_text.split(b"\n"):
                with contextlib.suppress(ValueError, KeyError, OSError):
                    self._init = int(json.loads(line)["child-pid"])
                    self._watch = os.pidfd_open(self._init)
        return self._init

    def bot(self) -> int:
        """The id of the bot itself; before it is known, that of the process that starts it."""
        if not self.confined:
            return self.popen.pid
        if not self._bot and (init := self.init()):
            self._bot = next(iter(children(init)), 0)
        return self._bot or self.popen.pid

    def root(self) -> int:
        """The id of the process from which the bot, and all that it started, descend."""
        return self.init() or self.popen.pid if self.confined else self.popen.pid

    def never_ran(self) -> bool:
        """Of a process that has ended: whether its sandbox failed before the bot was started in it.

        If the bot was started, the status has its exit code, whatever the bot did: it cannot prevent that.
        """
        self._read_status()
        return self.confined and b'"exit-code"' not in self._status_text and not self._killed

    def ended_as(self, status: int) -> int:
        """The bot's exit status, from that of its outermost process; a negative number is a signal."""
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
        """Whether its sandbox has not yet said what it started: do not kill it now."""
        return self.confined and not self.init() and self.popen.poll() is None

    def kill_now(self) -> None:
        """Kills a sandbox by its first process, which no other process in there outlives, and the group.

        Do not call it for a sandbox that is unsettled: its bot may live on.
        """
        self._killed = self._killed or self.popen.poll() is None
        self.init()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._watch >= 0:
                signal.pidfd_send_signal(self._watch, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def gone(self) -> bool:
        """Of a process that has ended: whether its whole group and its whole sandbox have ended too.

        It reaps their orphans, because we are their subreaper.
        """
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
        """Kills it and all that belongs to it, and waits until they are gone. It blocks its thread."""
        until = monotonic() + PATIENCE
        while self.unsettled() and monotonic() < until:
            sleep(0.001)
        self.kill_now()
        self.popen.wait()
        while not self.gone() and monotonic() < until:
            sleep(0.001)
        self.release()

    def release(self) -> None:
        """Frees its descriptors, user id and control group; call it when all of it has ended."""
        for descriptor in (self._status, self._watch):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._watch = -1
        if self._uid:
            self._uid.release()
        if self.group:
            self.group.remove()


def _outside(launch: Launch) -> str:
    """The path of the program on this machine."""
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
    """A descriptor with the filter of system calls; each sandbox reads one of its own to the end."""
    content = program(platform.machine())
    if content is None:
        return None
    descriptor = os.memfd_create("filter")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _limit(pid: int, limits: Limits, processes: bool) -> None:
    """Sets the limits of a process and of those that it will start, as far as the machine can."""
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
