"""Reads the stderr of bots. If nobody reads it, a bot hangs when the pipe is full."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from selectors import EVENT_READ, BaseSelector, DefaultSelector, PollSelector

import trio

from harness.bot.process import READ
from harness.escape import last_lines

FLOOD = 16
"""The listener reads more slowly after this number of full reads (of READ bytes) in a row, because then a bot
floods its stderr.
"""
PAUSE = 0.001
"""The pause in seconds during a flood. In this pause the pipe becomes full, so the bot that writes must
wait."""
REFUSED = frozenset((errno.ENOSPC, errno.ENOMEM))
"""The system errors (errno) with which the kernel refuses to watch a pipe (harness/bot/loop.py)."""
LAST = 4
"""The largest number of reads from the stderr of a bot when the bot is killed."""


class Listener:
    """Reads the stderr of all bots of an event loop, in one task. If each bot had a task of its own, these
    tasks would take half of the memory of a match."""

    def __init__(self) -> None:
        self._pipes = DefaultSelector()
        self._unwatched = PollSelector()
        """The pipes that the kernel refused to watch."""
        self._full = 0
        self.unwatched = False
        """True if the kernel has refused to watch a pipe. Then call `read_unwatched` again and again."""

    def add(self, descriptor: int, into: StderrBuffer) -> None:
        """Begins to read this descriptor, and keeps the bytes in `into`."""
        try:
            self._pipes.register(descriptor, EVENT_READ, into)
        except OSError as error:
            if error.errno not in REFUSED:
                raise
            self._unwatched.register(descriptor, EVENT_READ, into)
            self.unwatched = True

    def remove(self, descriptor: int) -> None:
        """Stops reading this descriptor. Call this method before you close the descriptor, because a pipe of
        another bot may get the number of a closed descriptor."""
        for pipes in (self._pipes, self._unwatched):
            with suppress(KeyError):
                pipes.unregister(descriptor)

    def fileno(self) -> int:
        """Returns a descriptor that is readable while one of the pipes has data, so `poll` can wait for
        it."""
        return self._pipes.fileno()

    async def run(self) -> None:
        """Reads the pipes until this task is cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self.fileno())
            self._full = self._full + 1 if self.read() else 0
            # Without a pause, a flood would keep the loop busy, and answers of other bots would seem late.
            await trio.sleep(PAUSE if self._full and self._full % FLOOD == 0 else 0)

    def read(self) -> bool:
        """Reads once from each pipe that has data and that the kernel watches. Returns whether at least one
        of these reads returned READ bytes, the most that one read can return."""
        return self._read(self._pipes)

    def read_unwatched(self) -> None:
        """Reads once from each pipe that has data and that the kernel refused to watch. The watchdog calls
        this method at each tick."""
        self._read(self._unwatched)

    def _read(self, pipes: BaseSelector) -> bool:
        full = False
        for key, _ in pipes.select(0):
            try:
                data = os.read(key.fd, READ)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                self.remove(key.fd)
            key.data.add(data)
            full = full or len(data) == READ
        return full


def read_last(descriptor: int, into: StderrBuffer) -> None:
    """Reads the bytes that are in the pipe, and does not wait for more."""
    for _ in range(LAST):
        try:
            data = os.read(descriptor, READ)
        except OSError:
            return
        if not data:
            return
        into.add(data)


# -- what is kept of stderr --------------------------------------------------------------------------


class StderrBuffer:
    """The first and the last bytes of a stream, at most `limit` bytes together.

    The buffer does not keep the bytes between them, but counts these bytes.
    """

    def __init__(self, limit: int) -> None:
        self._half = limit // 2
        self._head = b""
        self._tail = b""
        self._left_out = 0

    def add(self, data: bytes) -> None:
        room = self._half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * self._half:
            self._left_out += len(self._tail) - self._half
            self._tail = self._tail[-self._half :]

    def whole(self) -> bytes:
        extra = max(0, len(self._tail) - self._half)
        left_out = self._left_out + extra
        gap = b"\n... %d bytes left out ...\n" % left_out if left_out else b""
        return self._head + gap + self._tail[extra:]

    def last(self) -> str:
        """Returns the last lines as text, as evidence for a fault."""
        return last_lines(self.whole().decode(errors="backslashreplace"))
