"""Counts the processes that a bot starts, if nobody counts their CPU time.

A child that ends may take its CPU time with it: if its parent ignores SIGCHLD, the kernel removes the child
at once, and no file of /proc ever shows its time. Readings of /proc, about every 10 ms, cannot notice a child
that begins and ends between two of them. So the kernel tells each start of a process before it happens.

A filter of system calls does this (`of_starts` in harness/sandbox/seccomp.py). A thread of ours installs the
filter for itself alone, and then starts the bot. The bot and all its processes inherit the filter, from their
first instruction on, and none of them can remove it:

    the thread of this bot                     helper program                     the bot
     | installs the filter, gets its listener    |                                  |
     |--- listener, file for the count --------->|                                  |
     |--- Popen ------------------------------------------------------------------->|
     |                                           |<-- "it starts a process" --------|
     |                                           | counts, and says "go on" ------->|

The start of a thread is not told, because the CPU time of a thread stays in its process. The filter changes
no signal, so a bot can handle and ignore signals as it likes. A filter that denied to ignore SIGCHLD could
not read what a bot wants to do with this signal, so it would also deny the handlers that Node and many shells
need to wait for their children.
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from harness.sandbox.seccomp import ARCHITECTURES, INSTALL, of_starts
from harness.sandbox.start_counter import COUNT

PR_SET_NO_NEW_PRIVS = 38
MODE_FILTER, NEW_LISTENER = 1, 8
PROGRAM = Path(__file__).with_name("start_counter.py")

T = TypeVar("T")


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def install(content: bytes, flags: int = 0) -> int:
    """Installs a filter of system calls for the calling thread and for all that it starts.

    Returns what the kernel returns: a descriptor with the flag NEW_LISTENER. Raises OSError if the kernel
    does not install the filter.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    number = INSTALL[ARCHITECTURES[platform.machine()][0]]
    wanted = _Filter(len(content) // 8, content)
    result: int = library.syscall(number, MODE_FILTER, flags, ctypes.byref(wanted))
    if result < 0:
        raise OSError(ctypes.get_errno(), "the kernel installs no filter")
    return result


def in_thread(begin: Callable[[], T], until: Event | None = None) -> T:
    """Calls this function in a thread of its own, so that what it changes for its thread ends with it.

    Returns the result of the function, or raises its exception. With `until`, the thread lives until this
    event.
    """
    done: SimpleQueue[tuple[list[T], BaseException | None]] = SimpleQueue()

    def live() -> None:
        try:
            done.put(([begin()], None))
        except BaseException as error:
            done.put(([], error))
        if until:
            until.wait()

    thread = Thread(target=live, daemon=True)
    thread.start()
    found, error = done.get()
    if not until:
        thread.join()
    if error is not None:
        raise error
    return found[0]


class Starts:
    """The number of processes that one bot has started. Call `begin` once, and `close` when all its processes
    have ended."""

    def __init__(self) -> None:
        self._file = -1
        self._over = Event()

    def count(self) -> int:
        """Returns the number of processes until now, or -1 if this kernel does not tell."""
        return int(COUNT.unpack(os.pread(self._file, COUNT.size, 0))[0]) if self._file >= 0 else -1

    def begin(self, begin: Callable[[], T]) -> T:
        """Calls this function in the thread of the bot, so that all processes that it starts are counted.
        Returns its result, or raises its exception.

        The thread lives as long as the bot, because a process with a parent-death signal (bubblewrap) ends
        with the thread that started it.
        """

        def counted() -> T:
            self._listen()
            return begin()

        return in_thread(counted, self._over)

    def _listen(self) -> None:
        """Installs the filter for the calling thread, and gives its listener to the helper program."""
        content = of_starts(platform.machine()) if sys.platform == "linux" else None
        if content is None:
            return
        helper = _helper()
        try:
            listener = install(content, NEW_LISTENER)
        except OSError:
            return
        self._file = os.memfd_create("starts")
        try:
            os.pwrite(self._file, COUNT.pack(0), 0)
            socket.send_fds(helper, [b"+"], [listener, self._file])
        finally:
            os.close(listener)

    def close(self) -> None:
        """Lets the thread end, and closes the file."""
        self._over.set()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


@cache
def _helper() -> socket.socket:
    """Starts the helper program for all bots of this process, and returns the socket to it. The program ends
    when the socket is closed, and so at the latest with our process."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = (sys.executable, "-I", "-S", str(PROGRAM))
    with its:
        os.posix_spawn(sys.executable, command, {}, file_actions=[(os.POSIX_SPAWN_DUP2, its.fileno(), 0)])
    return ours
