"""Owns one bot's operating-system process: spawned, measured, killed with its group; knows no protocol.

Three habits here were learnt by trial. Popen is called in trio's own thread, for a parent-death signal
follows the thread that spawned. There is no `preexec_fn`, which would fork where a vfork does. And a
process group is waited for until it is gone, for grandchildren outlive their leader by milliseconds.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from typing import IO

import trio

from harness.errors import Void
from harness.sandbox import Launch

READ = 65_536
PATIENCE = 2.0
"""Seconds until a killed group that is still there is given up: the kernel may hold a process for a while."""


class Process:
    """A live process with its three pipes as non-blocking descriptors, leader of a session of its own."""

    def __init__(self, launch: Launch) -> None:
        """Raises Void when the machine cannot start it."""
        try:
            self._popen = subprocess.Popen(
                launch.argv,
                cwd=launch.folder,
                env=launch.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Void(f"{launch.argv[0]} could not be started: {error.strerror}") from error
        popen = self._popen
        self.pid = popen.pid
        self.stdin, self.stdout, self.stderr = map(_unblocked, (popen.stdin, popen.stdout, popen.stderr))

    def ended(self) -> int | None:
        """The exit status when the process has ended (a negative signal number if it was killed)."""
        return self._popen.poll()

    async def wait(self) -> int:
        """Waits until the process has ended."""
        if self._popen.returncode is None:
            await _wait_for_end(self.pid)
        return self._popen.wait()

    def close_stdin(self) -> None:
        """Tells the process that no more will come."""
        assert self._popen.stdin is not None
        trio.lowlevel.notify_closing(self.stdin)
        self._popen.stdin.close()

    async def kill(self) -> None:
        """Ends the process and its group now, waits until they are gone, and closes the pipes."""
        with trio.CancelScope(shield=True):
            _signal_group(self.pid)
            await self.wait()
            give_up = trio.current_time() + PATIENCE
            while _group_lives(self.pid) and trio.current_time() < give_up:
                _signal_group(self.pid)
                await trio.sleep(0.001)
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None and not pipe.closed:
                trio.lowlevel.notify_closing(pipe.fileno())
                pipe.close()

    def cpu_us(self) -> int:
        """Microseconds of CPU time that the process has used so far; 0 where the machine does not tell."""
        if sys.platform != "linux":
            return 0
        try:
            return time.clock_gettime_ns(_cpu_clock(self.pid)) // 1000
        except OSError:
            return 0

    def waited_us(self) -> int:
        """Microseconds for which it stood runnable without a CPU, less what its own other threads ran.

        From the kernel's scheduler statistics, per thread: time run, time waited, in nanoseconds.
        """
        threads = _schedstat(self.pid)
        if not threads:
            return 0
        waited, ran = max((waited, ran) for ran, waited in threads)
        own = sum(each for each, _ in threads) - ran
        return max(0, waited - own) // 1000


def _unblocked(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _cpu_clock(pid: int) -> int:
    # The kernel's encoding of "the CPU clock of this process", as glibc's clock_getcpuclockid makes it.
    return (~pid << 3) | 2


def _schedstat(pid: int) -> list[tuple[int, int]]:
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                ran, waited, _ = file.read().split()
            found.append((int(ran), int(waited)))
    except (OSError, ValueError):
        pass
    return found


async def _wait_for_end(pid: int) -> None:
    if not hasattr(os, "pidfd_open"):  # macOS
        while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            await trio.sleep(0.005)
        return
    descriptor = os.pidfd_open(pid)
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        trio.lowlevel.notify_closing(descriptor)
        os.close(descriptor)


def _signal_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _group_lives(leader: int) -> bool:
    # Orphans of the group are ours to reap, for we are their subreaper.
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-leader, os.WNOHANG)[0]:
            pass
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def become_subreaper() -> None:
    """From now on, descendants that lose their parent become children of this process (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def end_strays() -> None:
    """Ends the children of this process that lie outside its session, and theirs, until there are none.

    Bots start in sessions of their own and are ended by whoever started them; what is left then is a daemon
    that gave up its group and lost its parent, or the bot of a worker that was killed.
    """
    session = os.getsid(0)
    while strays := [pid for pid in _children() if _session_of(pid) not in (session, None)]:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _children() -> set[int]:
    """The ids of this process's children; empty where the machine does not tell."""
    found: set[int] = set()
    with contextlib.suppress(FileNotFoundError):
        for thread in os.listdir("/proc/self/task"):
            with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children") as file:
                found.update(map(int, file.read().split()))
    return found
