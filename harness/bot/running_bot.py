"""Tells a running bot what needs no answer, and ends it.

The ways to the end:

    bye()  -> stop()        `bye`, input closed; the process has `shutdown_ms` to exit, then it is killed
    dismiss()               after a fault: input closed, LAST_WORDS to write to stderr, then it is killed
    kill()                  at once
"""

from __future__ import annotations

from os import write

import trio
from trio.lowlevel import wait_writable

from harness import protocol
from harness.bot.excuse import NEVER
from harness.bot.process import Process
from harness.bot.stderr import Listener, read_last
from harness.bot.stderr_buffer import StderrBuffer
from harness.model import Limits
from harness.sandbox import Launch

LAST_WORDS = 0.1
"""Seconds that a bot has to write to stderr after its fault, and to exit after it closed a pipe."""


class RunningBot:
    """A process and what it writes to stderr: `tell` it, `stop` it."""

    def __init__(self, name: str, launch: Launch, limits: Limits, listener: Listener) -> None:
        """Raises Void if the machine cannot start the process."""
        self.name = name
        self.alive = True
        self.errors = StderrBuffer(limits.stderr_bytes)
        self._limits = limits
        self._listener = listener
        self._process = Process(launch)
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        self._leaves_by = float(NEVER)
        listener.add(self._process.stderr, self.errors)  # If nobody reads its stderr, a bot hangs.

    async def tell(self, block: bytes) -> None:
        """Writes what needs no answer; a bot that does not read it within `shutdown_ms` misses the rest."""
        try:
            sent = self._send_at_once(block)
            if sent < len(block):
                with trio.move_on_after(self._limits.shutdown_ms / 1000):
                    await self._send_rest(block, sent)
        except OSError:
            pass  # The bot has exited or closed its input.

    async def bye(self) -> None:
        """Says `bye`, once; from then on the process has `shutdown_ms` to exit by itself."""
        if self._leaves_by == NEVER:
            await self.tell(protocol.block([protocol.BYE]))
            self._process.close_stdin()
            self._leaves_by = trio.current_time() + self._limits.shutdown_ms / 1000

    async def stop(self) -> None:
        """Says `bye` and waits until the process exits or its time is up, then kills what is left."""
        await self.bye()
        with trio.CancelScope(deadline=self._leaves_by):
            await self._process.wait()
        await self.kill()

    async def dismiss(self) -> str:
        """After a fault: a moment to write to stderr, then the end. Returns the end of its stderr."""
        self._process.close_stdin()
        with trio.move_on_after(LAST_WORDS):
            await self._process.wait()
        await self.kill()
        return self.errors.last()

    async def kill(self) -> None:
        """Kills the process and its group now."""
        self.alive = False
        self._listener.remove(self._process.stderr)
        with trio.CancelScope(shield=True):
            read_last(self._process.stderr, self.errors)
            await self._process.kill()

    def _send_at_once(self, data: bytes) -> int:
        """Writes what fits into the pipe now; returns how many bytes that was."""
        try:
            return write(self._stdin, data)
        except BlockingIOError:
            return 0

    async def _send_rest(self, block: bytes, sent: int) -> None:
        while sent < len(block):
            await wait_writable(self._stdin)
            sent += self._send_at_once(block[sent:])
