"""Starts a bot's process, with or without a sandbox, and kills it. This file does not read or write the
standard streams of the bot.

**Without a sandbox** (bare), `Popen` starts the bot as the leader of its own session and group
(harness/sandbox/bare.py). For a bot with a user of its own, the new process sets its limits before the
program of the bot begins. For other bots, the harness sets the limits directly after the start.

**The account** of the CPU time must be complete from the first instruction of the bot on. bwrap waits until
we write its options, so its control group or its counter is ready in time. A bare process inherits its group
or its counter from the thread that starts it. So a new thread enters the group or begins the counter, starts
the process, and then ends. A process may ask for a parent-death signal. This signal comes when the thread
that started the process ends (docs/design.md, section 8). bwrap asks for such a signal, so it starts in
trio's own thread or in a thread that lives as long as bwrap.

**In a sandbox** there are three processes. Each process is the parent of the next, and the bot is the last:

    we                    bwrap (`popen.pid`)         `init()`, pid 1 inside       `bot()`
     |--- Popen ----------->|
     |    limits, cgroup    | reads its options,
     |--- options, EOF ---->| makes the namespaces
     |                      |--- clone ---------------->| makes the sandbox
     |<-- "child-pid" ------|                           |--- fork ---------------->| setpriv or prlimit,
     |                      |                           |                          | then the bot's program
     |                      |                           |<-- exits ----------------|
     |<-- "exit-code" ------|<-- exits -----------------|

bwrap waits until its options arrive on a pipe. Before we write the options, we set bwrap's limits and put
bwrap into its control group. So every process in the sandbox has these limits. bwrap reports child-pid and
exit-code on another pipe, the status pipe.

**States of a sandbox**, by the last report on the status pipe:

    nothing       `unsettled()`: kill nothing yet. If only bwrap is killed now, the bot may continue to run.
    child-pid     `_watch` is a pidfd of init. When init ends, the kernel kills all processes in the sandbox.
    exit-code     The bot has run and ended; `ended_as` turns bwrap's 128 + n into signal n.

If bwrap exits with an error and without an exit-code, `never_ran()` is true: the sandbox failed.

**The end.** `kill_now` kills init by the pidfd, which can never refer to another process. `kill_now` also
kills the process group, by its number. Grandchildren of a bot may run longer than the bot. In a test, this
happened in 15 of 40 tries, for up to 43 ms. So a caller first calls `kill_now`, then waits until `gone()` is
true, and then calls `release`. The caller waits at most PATIENCE, because the kernel cannot always end a
killed process at once. A bot without a sandbox leaves its group if it calls `setsid`;
harness.bot.process.end_strays kills such bots.

**If root runs the harness**, each isolated bot gets its own user id, because the kernel counts processes by
user id. If an ordinary user runs the harness, bots in a sandbox run as the user nobody, each in its own user
namespace. Inside this namespace, prlimit sets the limit on the number of processes.
"""

from __future__ import annotations

import contextlib
import json
import operator
import os
import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from time import monotonic, sleep
from typing import IO, NamedTuple

from harness.model import Limits
from harness.sandbox import HOME, Launch, cgroup, cpu_counter, own_user
from harness.sandbox.bare import in_thread, resources, start
from harness.sandbox.bwrap import BWRAP, command, options
from harness.sandbox.cpu_counter import CpuCounter, counter
from harness.sandbox.own_user import Owner, Uid
from harness.sandbox.pidfd import has_ended
from harness.sandbox.process_tree import children, members, threads
from harness.sandbox.seccomp import program

PATIENCE = 2.0
"""The largest number of seconds that the harness waits until a sandbox tells the id of the bot's process, or
until all processes of a killed bot have ended."""
FEW = 4
"""If a bot has more threads than this, the counter of its time on a core neither ends nor begins again,
because each thread needs a descriptor for this counter."""


class Pipes(NamedTuple):
    """The standard streams of a process, in the form that `subprocess` expects."""

    stdin: int = subprocess.PIPE
    stdout: int | IO[bytes] = subprocess.PIPE
    stderr: int = subprocess.PIPE


PIPES = Pipes()
live: set[int] = set()
"""The ids of the processes that were started here and not released yet. Each of them leads a session."""
starting = threading.Lock()
"""A lock that is held while a process is started and becomes a member of `live`."""


class Spawned:
    """A running process with its sandbox, its user id and its control group."""

    def __init__(self, launch: Launch, pipes: Pipes = PIPES) -> None:
        """Starts the process. Raises OSError if the machine cannot start it."""
        self.confined = launch.sandbox is not None
        self.account = "incomplete"
        """Who counts the CPU time of all processes of the bot from its first instruction on
        (`harness.model.ACCOUNTS`)."""
        self.group: cgroup.Group | None = None
        self._counter: CpuCounter | None = None
        self._may_count = False
        self._uid: Uid | None = None
        self._status = -1
        self._status_text = b""
        self._init = 0
        self._watch = -1
        self._bot = 0
        self._killed = False
        self._is_gone = False
        try:
            self._open_account(launch)
            with ignoring_none(), starting:
                self.popen = self._confined(launch, pipes) if launch.sandbox else self._bare(launch, pipes)
                live.add(self.popen.pid)
            self._may_count = self._counter is not None
        except BaseException:
            self.release()
            raise

    # -- the start

    def _open_account(self, launch: Launch) -> None:
        """Decides who counts the CPU time. The CPU time of all bots must be counted in the same way. So this
        method raises OSError if this machine can make control groups, but cannot make one for this
        process."""
        wanted = self.confined or launch.counted
        if wanted and cgroup.available():
            self.group = cgroup.make(launch.limits, pinned=not self.confined, measured=self.confined)
            self.account = "group"
        elif wanted and cpu_counter.available():
            self.account = "counter"

    def _confined(self, launch: Launch, pipes: Pipes) -> subprocess.Popen[bytes]:
        if not os.access(_outside(launch), os.X_OK):
            raise FileNotFoundError(2, os.strerror(2))
        self._uid = Uid() if os.geteuid() == 0 else None
        uid = self._uid.number if self._uid else None
        self._status, status = os.pipe()
        os.set_blocking(self._status, False)
        reading, writing = os.pipe()
        filtered = _filter(launch)
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
            try:
                limit(popen.pid, launch.limits, processes=uid is not None)
                if self.group:
                    self.group.enter(popen.pid)
                # If bwrap has ended, it has failed. Then no bot will start, and there is nothing to count.
                with contextlib.suppress(ProcessLookupError):
                    self._counter = CpuCounter((popen.pid,)) if self.counted_on_core else counter(popen.pid)
                told = "\0".join(options(launch, status, filtered, uid))
                os.write(writing, told.encode(errors="surrogateescape"))
            except BaseException:
                with popen:
                    popen.kill()
                raise
        finally:
            for descriptor in (*given, writing):
                os.close(descriptor)
        return popen

    def _bare(self, launch: Launch, pipes: Pipes) -> subprocess.Popen[bytes]:
        self._uid = Uid() if launch.own_user else None
        owner = own_user.owner(launch, self._uid.number) if self._uid else None
        if self.account == "incomplete" and owner is None:
            popen = start(launch, *pipes)
        else:
            popen = in_thread(lambda: self._started_from_thread(launch, pipes, owner))
        if not self.counted_on_core:
            self._counter = counter(popen.pid)
        limit(popen.pid, launch.limits, processes=self._uid is not None)
        return popen

    def _started_from_thread(
        self, launch: Launch, pipes: Pipes, owner: Owner | None
    ) -> subprocess.Popen[bytes]:
        """Starts a bare process. This process inherits the control group and the counter of the calling
        thread. It also has no rights that this thread has given up."""
        if owner:
            own_user.refuse_rights()
        if self.counted_on_core:
            self._counter = CpuCounter((0,))
        with self.group.around() if self.group else contextlib.nullcontext():
            return start(launch, *pipes, owner)

    # -- the processes

    def init(self) -> int:
        """Returns the id of the first process in the sandbox, or 0 if the id is not known yet.

        When this process ends, the kernel kills all other processes in the sandbox.
        """
        if not self._init:
            self._read_status()
            for line in self._status_text.split(b"\n"):
                with contextlib.suppress(ValueError, KeyError, OSError):
                    self._init = int(json.loads(line)["child-pid"])
                    self._watch = os.pidfd_open(self._init)
        return self._init

    def bot(self) -> int:
        """Returns the id of the bot's own process, or the id of `popen` until the bot's id is known."""
        if not self.confined:
            return self.popen.pid
        if not self._bot and (init := self.init()):
            self._bot = next(iter(children(init)), 0)
        return self._bot or self.popen.pid

    def root(self) -> int:
        """Returns the id of the process from which all processes of the bot descend."""
        return self.init() or self.popen.pid if self.confined else self.popen.pid

    def counted_us(self) -> int:
        """Returns the microseconds of CPU time that the kernel has counted for all processes together.

        Returns -1 if the kernel does not count CPU time.
        """
        if self.group:
            return self.group.cpu_us()
        return self.on_core_us() if self.counted_on_core else -1

    @property
    def counted_on_core(self) -> bool:
        """True if the CPU time of all processes together is known only from `on_core_us`."""
        return self.account == "counter"

    def has_begun(self) -> bool:
        """Returns whether the bot's own process is known. As long as this process is not known, all new
        processes belong to the sandbox and not to the bot."""
        return not self.confined or self.bot() != self.popen.pid

    def is_of_its_user(self, pid: int) -> bool:
        """Looks at the user of a process, and returns whether the process may belong to the bot. If bots have
        no users of their own, every process may belong to the bot."""
        return self._uid is None or own_user.has_user(pid, self._uid.number)

    def on_core_us(self) -> int:
        """Returns for how many microseconds processes of the bot had a core since the counter began, or -1 if
        there is no counter.

        If the host of a virtual machine takes the core for a time, this stolen time counts too.
        """
        return self._counter.us() if self._counter else -1

    def count_on_core(self, wanted: bool) -> None:
        """Begins or ends the counter of `on_core_us`. The counter already runs when the process starts.

        Does nothing if the bot has more than FEW threads, or if no other counter knows the CPU time of the
        bot.
        """
        if not self._may_count or wanted == (self._counter is not None):
            return
        found = [int(thread) for pid in members(self.root()) for thread in threads(pid)]
        if len(found) > FEW or self.counted_on_core:
            return
        if self._counter:
            self._counter.close()
        self._counter = counter(*found) if wanted else None

    def never_ran(self) -> bool:
        """Returns whether the sandbox failed before it started the bot. Call this method after the end of the
        process.

        If the sandbox fails, bwrap exits with an error by itself, and the status pipe has no exit code. If
        the kernel killed bwrap, the sandbox did not fail. The kernel kills bwrap, and not the bot, if the bot
        itself uses less memory than bwrap but fills the rest of its limit with files in memory.
        """
        self._read_status()
        failed = self.confined and self.popen.returncode > 0 and not self._killed
        return failed and b'"exit-code"' not in self._status_text

    def ended_as(self, status: int) -> int:
        """Computes the bot's exit status from the exit status of `popen`. A negative status is the number of
        a signal."""
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
        """Returns whether the sandbox still runs but has not reported its child-pid yet. Do not kill such a
        sandbox."""
        return self.confined and not self.init() and self.popen.poll() is None

    def kill_now(self) -> None:
        """Kills the process group. Also kills the first process of the sandbox, so that all other processes
        of the sandbox end too.

        Do not call this method for a sandbox that is `unsettled`, because its bot may continue to run. After
        the end of all processes the method does nothing, because the kernel may give their ids to another
        bot. The method also does nothing if the processes ended by themselves.
        """
        self.init()
        ended = self.popen.poll() is not None
        if ended and self.gone():
            return
        self._killed = self._killed or not ended
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._watch >= 0:
                signal.pidfd_send_signal(self._watch, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)

    def gone(self) -> bool:
        """Returns whether all processes of the group and the sandbox have ended. Call this method after the
        first process has ended.

        The method also reaps processes that lost their parent, because the process of the harness has adopted
        them.
        """
        if self._is_gone:
            return True
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self.popen.pid, os.WNOHANG)[0]:
                pass
        if self._watch >= 0:
            if not has_ended(self._watch):
                return False
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._init, os.WNOHANG)
        try:
            os.killpg(self.popen.pid, 0)
        except ProcessLookupError:
            self._is_gone = True
            return True
        except PermissionError:
            pass
        return False

    def end(self) -> None:
        """Kills the process, its group and its sandbox, and blocks until they have ended."""
        until = monotonic() + PATIENCE
        while self.unsettled() and monotonic() < until:
            sleep(0.001)
        self.kill_now()
        self.popen.wait()
        while not self.gone() and monotonic() < until:
            sleep(0.001)
        self.release()

    def release(self) -> None:
        """Frees the descriptors, the user id and the control group. Call this method when all processes have
        ended.

        A second call does nothing, because the user id may already belong to another bot.
        """
        if hasattr(self, "popen"):
            live.discard(self.popen.pid)
        for descriptor in (self._status, self._watch):
            if descriptor >= 0:
                os.close(descriptor)
        self._status = self._watch = -1
        if self._uid:
            if not self.confined:  # Without a sandbox, processes of the bot may still run.
                own_user.end_all(self._uid.number)
            self._uid.release()
            self._uid = None
        if self.group:
            self.group.remove()
            self.group = None
        if self._counter:
            self._counter.close()
            self._counter = None


def _outside(launch: Launch) -> str:
    """Returns the path of the program outside the sandbox."""
    program = launch.argv[0]
    assert launch.sandbox is not None
    return launch.sandbox.home + program.removeprefix(HOME) if program.startswith(f"{HOME}/") else program


def _filter(launch: Launch) -> int | None:
    """Returns a descriptor with the filter of system calls, or None if there is no filter for this machine.

    Each sandbox needs a new descriptor, because bwrap reads the descriptor to the end.
    """
    building = launch.sandbox is not None and launch.sandbox.writable
    content = program(platform.machine(), building)
    if content is None:
        return None
    descriptor = os.memfd_create("filter")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


# -- limits that a process passes on to its children -------------------------------------------------


FIRST_TO_GO = "1000"
"""An `oom_score_adj` that makes the kernel kill bots first when the machine has no memory left."""


def limit(pid: int, limits: Limits, processes: bool) -> None:
    """Sets the limits of a process and of its future children, as far as the machine can."""
    if sys.platform != "linux":
        return
    import resource

    for name, most in resources(limits, processes).items():
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(pid, getattr(resource, f"RLIMIT_{name.upper()}"), (most, most))
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "w") as file:
        file.write(FIRST_TO_GO)


# -- signals ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def ignoring_none() -> Iterator[None]:
    """Inside the `with` block, new processes start without ignored signals, even if this process ignores
    signals.

    A child inherits ignored signals, for example SIGHUP if a user starts the harness with nohup. But a child
    inherits no handlers. So inside the `with` block, each ignored signal gets a handler that does
    nothing. With this handler the signal still does not end this process, but a child does not ignore
    it. Only the main thread can set a handler.
    """
    can = threading.current_thread() is threading.main_thread()
    ignored = [number for number in _ignored() if can and signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, operator.is_)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


@cache
def _ignored() -> tuple[int, ...]:
    """Returns the signals that this process ignored at its start. Leaves out the two signals that Python
    itself ignores, because `Popen` resets these two."""
    own = (signal.SIGPIPE, signal.SIGXFSZ)
    # Real-time signals are left out: no program ignores them when it starts another program, and valgrind
    # keeps the last of them for itself.
    last = getattr(signal, "SIGRTMIN", signal.NSIG)
    others = (number for number in signal.valid_signals() if number not in own and number < last)
    return tuple(number for number in others if signal.getsignal(number) is signal.SIG_IGN)
