"""Reads what bots write to stderr: a bot whose stderr nobody reads hangs when the pipe is full."""

from __future__ import annotations

import os
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector

import trio

from harness.bot.process import READ
from harness.bot.stderr_buffer import StderrBuffer

FLOOD = 16
"""This many full reads, one right after the other, are a flood, which is slowed down."""
PAUSE = 0.001
"""Seconds without reading during a flood: the pipe fills up, and the writer waits."""
LAST = 4
"""The most reads of what is left in the pipe when a bot is killed."""


class Listener:
    """Reads the stderr of all bots of a loop in one task: a task for each bot takes half a match's memory."""

    def __init__(self) -> None:
        self._pipes = DefaultSelector()
        self._full = 0

    def add(self, descriptor: int, into: StderrBuffer) -> None:
        """From now on, what arrives here is kept in `into`."""
        self._pipes.register(descriptor, EVENT_READ, into)

    def remove(self, descriptor: int) -> None:
        """Call this before it is closed: later the number may mean a pipe of the next bot."""
        with suppress(KeyError):
            self._pipes.unregister(descriptor)

    async def run(self) -> None:
        """Runs until it is cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self._pipes.fileno())
            self._full = self._full + 1 if self._read() else 0
            # Without a pause a flood would fill the loop, and other bots that are asked would look late.
            await trio.sleep(PAUSE if self._full and self._full % FLOOD == 0 else 0)

    def _read(self) -> bool:
        """Reads once from each pipe that has data; returns whether one of the reads was full."""
        full = False
        for key, _ in self._pipes.select(0):
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
    """Reads what is in the pipe, without waiting."""
    for _ in range(LAST):
        try:
            data = os.read(descriptor, READ)
        except OSError:
            return
        if not data:
            return
        into.add(data)
