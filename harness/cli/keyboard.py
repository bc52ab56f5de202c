"""Reads the lines that a person types, without blocking the event loop."""

from __future__ import annotations

import os

import trio

READ = 4_096


class Keyboard:
    """Reads stdin line by line, from a terminal, a pipe or a file."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._typed = b""
        self._ended = False

    async def line(self) -> str | None:
        """The next line; None at the end of the input (on a terminal, Ctrl-D)."""
        while b"\n" not in self._typed and not self._ended:
            # A terminal or a pipe needs waiting. A file does not: it is always readable, and epoll rejects
            # it.
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
