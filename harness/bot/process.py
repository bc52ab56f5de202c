"""Measures the CPU time and the memory of one bot's process, and kills the process and its group. This file
knows no protocol.

The code in harness/sandbox/spawn.py starts the process. `Process` calls this code in trio's own thread,
because this thread does not end before the process. `kill` waits until all processes of the group have ended,
because grandchildren can end some milliseconds after the first process of the group.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from time import monotonic_ns
from typing import IO, NamedTuple

import trio

from harness.bot.excuse import Waits
from harness.bot.stolen import NO_CORES, Lost, Stolen
from harness.errors import Void
from harness.sandbox import Launch, kernel_files, process_tree, waiting
from harness.sandbox.process_tree import CpuTime
from harness.sandbox.scales import Scales
from harness.sandbox.spawn import PATIENCE, Spawned, live, starting

READ = 65_536
UNREAD = -1


class Resources(NamedTuple):
    """The CPU time and memory of all processes of a bot together."""

    cpu: CpuTime
    """The CPU time since the start."""
    memory: int
    """The bytes of memory that the bot uses now. If the kernel enforces the limit, nothing is measured, and
    `memory` is 0."""
    too_much_memory: bool


class Process:
    """A live process, which leads its own session. Its three pipes are non-blocking descriptors."""

    def __init__(self, launch: Launch) -> None:
        """Starts the process. Raises Void if the machine cannot start it."""
        try:
            self._spawned = Spawned(launch)
        except OSError as error:
            raise Void(f"{launch.argv[0]} could not be started: {error.strerror}") from error
        self._readings = waiting.Readings()
        self._scales = Scales()
        self._stolen = Stolen.here() if self._spawned.counted_on_core else NO_CORES
        self._lost = Lost()
        self._changes_before = UNREAD
        self._hidden_us = 0
        self._looked_at = monotonic_ns()
        self._closed_before = ""
        popen = self._popen = self._spawned.popen
        self.pid = popen.pid
        self.stdin, self.stdout, self.stderr = map(_unblocked, (popen.stdin, popen.stdout, popen.stderr))

    def ended(self) -> int | None:
        """Returns the exit status if the process has ended, else None. If a signal ended the process, the
        status is the number of this signal with a minus sign."""
        status = self._popen.poll()
        return status if status is None else self._spawned.ended_as(status)

    async def wait(self) -> int:
        """Waits until the process has ended; returns its exit status. Raises Void if its sandbox failed."""
        if self._popen.returncode is None:
            await _wait_for_end(self.pid)
        status = self._popen.wait()
        if self._spawned.never_ran():
            raise Void("its sandbox could not be made")
        return self._spawned.ended_as(status)

    def close_stdin(self) -> None:
        """Closes the pipe to the process's stdin, so that the process reads end-of-file."""
        assert self._popen.stdin is not None
        trio.lowlevel.notify_closing(self.stdin)
        self._popen.stdin.close()

    def kill_now(self) -> None:
        """Kills the process, its group and its sandbox, and does not wait. `kill` must still be called."""
        self._spawned.kill_now()

    def kill_leftovers(self) -> None:
        """If the process has ended by itself, kills the processes that it left behind.

        Each call also reaps those left-behind processes that have ended. So when no process of the group is
        left, the harness knows this at the next call.
        """
        if self.ended() is not None:
            self._spawned.kill_now()

    async def kill(self) -> None:
        """Kills the process, its group and its sandbox, waits until they have ended, and closes the pipes."""
        spawned = self._spawned
        with trio.CancelScope(shield=True):
            give_up = trio.current_time() + PATIENCE
            while spawned.unsettled() and trio.current_time() < give_up:
                await trio.sleep(0.001)
            spawned.kill_now()
            if self._popen.returncode is None:
                await _wait_for_end(self.pid)
                self._popen.wait()
            give_up = trio.current_time() + PATIENCE
            while not spawned.gone() and trio.current_time() < give_up:
                spawned.kill_now()
                await trio.sleep(0.001)
        spawned.release()
        self._scales.stop()
        self._stolen.close()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe is not None and not pipe.closed:
                trio.lowlevel.notify_closing(pipe.fileno())
                pipe.close()

    def cpu_us(self) -> int:
        """Returns the microseconds of CPU time that the process has used so far, or 0 if the CPU time is
        unknown."""
        return process_tree.own_cpu_us(self._spawned.bot())

    def total_cpu_us(self) -> int:
        """Returns the microseconds of CPU time that the process and its descendants have used so far."""
        return self.total_cpu().us

    def total_cpu(self) -> CpuTime:
        """Returns the CPU time that the process and its descendants have used so far."""
        counted_us = self._counted_us()
        if counted_us >= 0 and self._spawned.group:
            return CpuTime(counted_us)
        pids = process_tree.members(self._spawned.root())
        return process_tree.cpu_time(pids, counted_us, self._spawned.confined)

    def used(self, most_bytes: int) -> Resources:
        """Measures the process and its descendants together. `most_bytes` is the limit of memory."""
        spawned, group = self._spawned, self._spawned.group
        if group and group.limited:
            return Resources(self.total_cpu(), 0, group.kills() > 0)
        pids = process_tree.members(spawned.root())
        elsewhere = kernel_files.held(spawned.init()) if spawned.confined else 0
        memory = elsewhere + self._scales.memory(pids, most_bytes - elsewhere)
        counted_us = self._counted_us()
        cpu = CpuTime(counted_us) if group else process_tree.cpu_time(pids, counted_us, spawned.confined)
        return Resources(cpu, memory, memory > most_bytes)

    def _counted_us(self) -> int:
        """Returns the microseconds of CPU time that the kernel has counted, or -1 if the kernel does not
        count them.

        On a virtual machine, the host sometimes takes the core for other machines (stolen time). A counter of
        a process includes this time, as if the process had run. So this method subtracts all stolen time of
        the core. The result is too small if the host took the core from a process that is not the bot's. But
        if the exact CPU time of all live processes is larger, harness/sandbox/process_tree.py uses that time
        instead.
        """
        counted_us = self._spawned.counted_us()
        if counted_us < 0 or self._spawned.group:
            return counted_us
        return max(0, counted_us - self._stolen.us(monotonic_ns())) + self._hidden_us

    def root(self) -> int:
        """Returns the id of the process from which all processes of the bot descend."""
        return self._spawned.root()

    def out_of_memory(self) -> bool:
        """Returns whether the kernel killed one of the bot's processes at the limit of memory."""
        return self._spawned.group is not None and self._spawned.group.kills() > 0

    def waits(self) -> Waits:
        """Returns the time for which the bot was ready to run but had no CPU, or zeros if this time is
        unknown.

        If one process or thread of the bot waited while another process or thread of the same bot ran, this
        wait does not count.
        """
        group, readings = self._spawned.group, self._readings
        if group and (waited_us := group.waited_us()) >= 0:
            exact_us = group.cpu_us()
            return Waits(waited_us, 0, self._lost_us(exact_us, exact_us + waited_us))
        counted_us = self.total_cpu_us() if self._spawned.counted_us() >= 0 else -1
        readings.read(self._roots(), counted_us)
        lost_us = self._lost_us(readings.exact_us, readings.ran_us + readings.waited_us)
        return Waits(readings.waited_us, readings.ran_us, lost_us, changes=self._changes())

    def look(self) -> None:
        """If nobody counts the CPU time of all processes of the bot, notes which processes the bot has. If a
        counter of events does, notes only for how long processes hid from it. If a control group does, does
        nothing.

        A process that hides (`process_tree.hides`) is missing from the counter of events. So if a look (a
        call of this method) finds such a process, the process counts as if it had run since the last look.
        The looks come at random moments, so on average the sum of these times is at least the time for which
        such processes existed. This is true even if some of these processes end between two looks. While such
        a process exists, its whole age also counts as CPU time (`process_tree.cpu_time`). So a bot that hides
        processes is charged for more time than it can gain."""
        account, confined, now = self._spawned.account, self._spawned.confined, monotonic_ns()
        if account == "incomplete":
            self._readings.look(self._roots())
        elif account == "counter":
            pids = process_tree.members(self._spawned.root())
            if any(process_tree.hides(pid, confined) for pid in pids):
                self._hidden_us += (now - self._looked_at) // 1000
            self._looked_at = now

    def _changes(self) -> int:
        """Returns how often CPU time of the bot may have become unknown; 0 if the kernel counts all its CPU
        time.

        The processes that make the sandbox do not count.
        """
        changes = self._readings.changes
        if self._spawned.account != "incomplete":
            return 0
        if self._changes_before == UNREAD:
            if not self._spawned.has_begun():
                return 0
            self._changes_before = changes
        return changes - self._changes_before

    def _roots(self) -> list[int]:
        """Returns the processes from which all processes of the bot descend.

        Without a sandbox, a process that lost its parent becomes a child of the process of the harness. The
        session of such a process may tell to which bot the process belongs. If its bot is unknown, the
        process counts for every bot to which it may belong. The list of these processes is made before the
        list of the bot's descendants. If a process loses its parent between these two moments, the process is
        in neither list. `Readings.look` notices this, because it compares the processes with those of the
        last look.
        """
        spawned = self._spawned
        if spawned.confined or spawned.account != "incomplete":
            return [spawned.root()]
        others = {os.getsid(0), None, *live} - {self.pid}
        lost = [pid for pid in _children() - live if _session_of(pid) not in others]
        return [*filter(spawned.is_of_its_user, lost), self.pid]

    def _lost_us(self, exact_us: int, worked_us: int) -> int:
        self._lost.read(self._spawned.on_core_us(), exact_us, worked_us, self._is_awake, monotonic_ns())
        return self._lost.us

    def count_on_core(self, wanted: bool) -> None:
        """Begins or ends the counter that makes `lost_us` exact. The counter makes an answer 1.3 µs
        slower."""
        self._spawned.count_on_core(wanted)

    def is_ready(self) -> bool:
        """Returns whether the bot may be waiting for a CPU now. The result of `waits` does not contain this
        wait yet."""
        group = self._spawned.group
        return not (group and group.waited_us() >= 0) and waiting.is_ready(self._spawned.root())

    def _is_awake(self) -> bool:
        return waiting.is_ready(self._spawned.root())

    def closed(self) -> str:
        """Returns "input" or "output" if no process in the sandbox has the pipe with this name open, or "" if
        both pipes are open.

        If the bot closes a pipe in a sandbox, the harness reads no end-of-file, because the process that made
        the sandbox keeps both pipes open. This method returns a name only if the previous call found the same
        pipe closed, because a process that is ending closes its pipes one after the other.
        """
        found, before = self._closed_now(), self._closed_before
        self._closed_before = found
        return found if found == before else ""

    def _closed_now(self) -> str:
        if not self._spawned.confined or not (init := self._spawned.init()):
            return ""
        pids = process_tree.members(init)[1:]
        for name, number, pipe in (("input", 0, self.stdin), ("output", 1, self.stdout)):
            if not any(map(process_tree.descriptors, pids)):
                continue
            if not process_tree.have_open(pids, number, os.fstat(pipe)):
                return name
        return ""


def _unblocked(pipe: IO[bytes] | None) -> int:
    assert pipe is not None
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


async def _wait_for_end(pid: int) -> None:
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):  # macOS has no pidfd. On Linux, perhaps no descriptor is free.
        while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            await trio.sleep(0.005)
        return
    try:
        await trio.lowlevel.wait_readable(descriptor)
    finally:
        trio.lowlevel.notify_closing(descriptor)
        os.close(descriptor)


def become_subreaper() -> None:
    """Makes this process adopt all its descendants that lose their parent. Works only on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def end_strays() -> None:
    """Kills all children of this process that are outside its session. Then adopts and kills the children of
    the killed processes.

    Each bot starts in its own session, and the process that started the bot kills it. But two kinds of
    processes stay alive: daemons that left their group and lost their parent, and bots of a worker that was
    killed. This function does not kill the live bots and builds of this process.
    """
    with starting:
        spared = {os.getsid(0), None, *live}
        while strays := [pid for pid in _children() if _session_of(pid) not in spared]:
            for pid in strays:
                with contextlib.suppress(ProcessLookupError, PermissionError, ChildProcessError):
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)


def reap_strays() -> None:
    """Reaps the strays that have ended by themselves. Strays are processes of live bots that have lost their
    parent. A sandbox reaps its own strays.

    After a process has ended, the kernel still counts it as a process of the bot's user, until the parent of
    the process waits for it. So a bot that starts many short strays would soon be at its limit of processes.
    """
    if not (process_tree.KNOWN and _has_ended_child() and starting.acquire(blocking=False)):
        return
    try:
        spared = {os.getsid(0), None}
        for pid in _children() - live:
            if _session_of(pid) not in spared:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
    finally:
        starting.release()


def _has_ended_child() -> bool:
    try:
        return os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return False


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _children() -> set[int]:
    """Returns the ids of this process's children, or an empty set if the ids are unknown."""
    found: set[int] = set()
    with contextlib.suppress(FileNotFoundError):
        for thread in os.listdir("/proc/self/task"):
            with contextlib.suppress(OSError), open(f"/proc/self/task/{thread}/children") as file:
                found.update(map(int, file.read().split()))
    return found
