"""Owns the reading of what bots write to stderr, which is never left lying; knows no bot and no match."""

from __future__ import annotations

import os
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector

import trio

from harness.bot.process import READ
from harness.bot.stderr_buffer import StderrBuffer

FLOOD = 16
"""So many full reads, one right after the other, are a flood, and it is slowed down."""
PAUSE = 0.001
"""Seconds for which a flood is left alone: the pipe is full then, and whoever writes waits."""
LAST = 4
"""Reads, at most, of what still lies there when a bot is ended."""


class Listener:
    """Reads the stderr of all bots of a loop in one task: one for each would be half a match's memory."""

    def __init__(self) -> None:
        self._pipes = DefaultSelector()
        self._full = 0

    def add(self, descriptor: int, into: StderrBuffer) -> None:
        """From now on what comes here is kept."""
        self._pipes.register(descriptor, EVENT_READ, into)

    def remove(self, descriptor: int) -> None:
        """To be called before it is closed: the number may stand for a pipe of the next bot then."""
        with suppress(KeyError):
            self._pipes.unregister(descriptor)

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self._pipes.fileno())
            self._full = self._full + 1 if self._read() else 0
            # A flood would else keep the loop to itself, and make whoever is asked meanwhile look late.
            await trio.sleep(PAUSE if self._full and self._full % FLOOD == 0 else 0)

    def _read(self) -> bool:
        """Reads once from each pipe in which something lies; whether there may be as much again."""
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
    """Reads what lies there, without waiting."""
    for _ in range(LAST):
        try:
            data = os.read(descriptor, READ)
        except OSError:
            return
        if not data:
            return
        into.add(data)
