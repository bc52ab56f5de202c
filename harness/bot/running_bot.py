"""Sends a running bot the lines that need no answer, ends bots, and names the fault of a bot that ended.

Three methods end the process:

    bye()  -> stop()        says `bye` and closes stdin; waits up to `shutdown_ms` for the exit, then kills
    dismiss()               after a fault: closes stdin, waits up to LAST_WORDS for stderr, then kills
    kill()                  kills at once
"""

from __future__ import annotations

from os import write
from signal import Signals

import trio
from trio.lowlevel import wait_writable

from harness import protocol
from harness.bot.excuse import NEVER
from harness.bot.process import Process
from harness.bot.stderr import Listener, StderrBuffer, read_last
from harness.model import Limits, ms
from harness.protocol import Problem
from harness.sandbox import Launch

LAST_WORDS = 0.1
"""The seconds in which a bot may write to stderr after its fault, or exit after it closed a pipe."""


class RunningBot:
    """A live process and the text that it writes to stderr."""

    def __init__(self, name: str, launch: Launch, limits: Limits, listener: Listener) -> None:
        """Starts the process. Raises Void if the machine cannot start it."""
        self.name = name
        self.alive = True
        self.errors = StderrBuffer(limits.stderr_bytes)
        self._limits = limits
        self._listener = listener
        self._process = Process(launch)
        self._stdin = self._process.stdin
        self._stdout = self._process.stdout
        self._leaves_by = float(NEVER)
        listener.add(self._process.stderr, self.errors)  # A bot hangs if nobody reads its stderr.

    async def tell(self, block: bytes) -> None:
        """Writes a block of lines that needs no answer. If the bot has not read the block after
        `shutdown_ms`, this method stops and does not write the rest of the block."""
        try:
            sent = self._send_at_once(block)
            if sent < len(block):
                with trio.move_on_after(self._limits.shutdown_ms / 1000):
                    await self._send_rest(block, sent)
        except OSError:
            pass  # The bot has exited or closed its input.

    async def bye(self) -> None:
        """Says `bye` to the bot, but only once. After `bye`, the process has `shutdown_ms` to exit by
        itself."""
        if self._leaves_by == NEVER:
            await self.tell(protocol.block([protocol.BYE]))
            self._process.close_stdin()
            self._leaves_by = trio.current_time() + self._limits.shutdown_ms / 1000

    async def stop(self) -> None:
        """Says `bye`, waits until the process exits or its time is over, and kills all its processes that
        still run."""
        await self.bye()
        with trio.CancelScope(deadline=self._leaves_by):
            await self._process.wait()
        await self.kill()

    async def dismiss(self) -> str:
        """Ends the bot after a fault: gives it LAST_WORDS seconds to write to stderr, then kills it.

        Returns the last text that the bot wrote to stderr.
        """
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
        """Writes as many bytes as fit into the pipe now, and returns their number."""
        try:
            return write(self._stdin, data)
        except BlockingIOError:
            return 0

    async def _send_rest(self, block: bytes, sent: int) -> None:
        while sent < len(block):
            await wait_writable(self._stdin)
            sent += self._send_at_once(block[sent:])


# -- the fault of a bot that ended -------------------------------------------------------------------


def ending(status: int | None, pipe: str, half: str) -> Problem:
    """Returns the fault of a bot after one of its pipes has ended.

    `status` is the bot's exit status; None means that the bot still runs, and has closed `pipe` itself.
    `half` is the beginning of a line that the bot did not end, or "".
    """
    unended = f", having begun the line {half!r} without ending it" if half else ""
    if status is None:
        return closed(pipe, unended)
    if status < 0:
        return Problem("crash", f"was ended by {_signal_name(-status)}{unended}")
    return Problem("crash", f"ended with exit status {status}{unended}")


def closed(pipe: str, unended: str = "") -> Problem:
    """Returns the fault of a bot that has closed one of its pipes. `pipe` is "input" or "output"."""
    return Problem("closed", f"closed its standard {pipe} and runs on{unended}")


def _signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"


def unanswered(limit_us: int, half: str, expected: str) -> Problem:
    """Returns the fault of a bot that still runs but has not answered in time.

    `half` is the part of a line that the bot wrote. `expected` is the only correct answer, or "" if several
    answers are possible.
    """
    unended = f"; it wrote {half!r} without ending the line" if half else ""
    wanted = f"; {expected} is due" if expected else ""
    return Problem("late", f"no answer within {ms(limit_us)}{unended}{wanted}")
