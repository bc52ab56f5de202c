"""Reads the lines that a person types, without blocking the event loop."""

from __future__ import annotations

import os

import trio

READ = 4_096


class Keyboard:
    """Lines from a terminal, a pipe or a file, one at a time."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._typed = b""
        self._ended = False

    async def line(self) -> str | None:
        """The next line; None at the end of the input (on a terminal, Ctrl-D)."""
        while b"\n" not in self._typed and not self._ended:
            # We wait for a terminal or a pipe; a file is always readable, and epoll rejects it.
            try:
                await trio.lowlevel.wait_readable(self._descriptor)
            except PermissionError:
                await trio.lowlevel.checkpoint()
            data = os.read(self._descriptor, READ)
            self._ended = not data
            self._typed += data
        if not self._typed:
            self._ended = False
            return None
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")
