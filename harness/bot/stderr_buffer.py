"""Keeps the beginning and the end of a bot's stderr; pure."""

from __future__ import annotations


class StderrBuffer:
    """The first and the last bytes of a stream, at most `limit` together.

    It also counts the bytes between them, which are left out.
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

    def last(self, size: int = 2_000) -> str:
        """Returns the last `size` bytes as text, as evidence for a fault."""
        return self.whole()[-size:].decode(errors="backslashreplace")
