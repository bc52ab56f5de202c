"""Finds out whether a silent bot does not flush its output.

Such a bot waits for its next line while its answer is still in a buffer, and looks as if it were thinking.
But it uses no CPU, and when its input is closed it ends and the answer comes out.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from time import monotonic, monotonic_ns
from typing import NamedTuple

import trio

from harness.bot.process import READ, Process
from harness.bot.stderr_buffer import StderrBuffer
from harness.job import Entrant
from harness.model import MEGABYTE, Limits
from harness.sandbox import launch_of

TICK = 0.01
IDLE = 2.0
"""Seconds without CPU time after which a bot counts as waiting for its input, not as sleeping."""
IDLE_US = 10_000
"""CPU time that a language's run-time system may use while its program waits."""
AFTERWARDS = 0.3
"""Seconds without CPU time after which a bot counts as one that does not end when its input is closed."""
ENDING = 3.0
"""The most seconds that a bot may take to end after its input was closed."""
MOST_HEARD = MEGABYTE

HINTS = {
    "C": "call fflush(stdout)",
    "C++": "end lines with std::endl, or write std::flush",
    "Java": "call System.out.flush()",
    "Perl": "set $| = 1",
    "Python": "print(..., flush=True)",
    "Ruby": "set $stdout.sync = true",
    "Rust": "call io::stdout().flush()",
}


class Heard(NamedTuple):
    """What a bot answered."""

    answers: int
    """Lines while its input was open, comments aside."""
    held_back: int
    """Further lines that came after it was closed."""
    us: int
    """From the start to the last expected answer."""
    status: int | None
    """Its exit status, if it ended before its input was closed."""
    stderr: str
    first: bytes
    """The first of these lines, with its newline; b"" if there is none."""

    def flushes(self, expected: int) -> bool:
        """Whether no expected answer was left in a buffer."""
        return not self.answers < expected <= self.answers + self.held_back


async def listen(
    entrant: Entrant, blocks: bytes, expected: int, patience: float, idle: float = IDLE
) -> Heard:
    """Starts the bot, writes all of this, and waits for the expected answers: for `patience` seconds, or
    until the bot has been idle for `idle` seconds. Then closes its input.

    Raises Void if the bot cannot be started.
    """
    with tempfile.TemporaryDirectory(prefix="harness-") as scratch:
        began = monotonic_ns()
        ear = _Ear(Process(launch_of(entrant, Limits(), scratch)), blocks)
        try:
            await ear.wait(expected, patience, idle)
            us, answers, status = (monotonic_ns() - began) // 1000, ear.answers(), ear.process.ended()
            if status is None:
                ear.process.close_stdin()
                await ear.wait(expected, ENDING, AFTERWARDS)
            return Heard(answers, ear.answers() - answers, us, status, ear.errors.last(), ear.first())
        finally:
            await ear.process.kill()


class _Ear:
    """The pipes of a bot, read again and again."""

    def __init__(self, process: Process, blocks: bytes) -> None:
        self.process = process
        self.errors = StderrBuffer(READ)
        self._unsent = blocks
        self._heard = b""

    def answers(self) -> int:
        """Whole lines so far, comments aside."""
        return len(self._lines())

    def first(self) -> bytes:
        """The first of them."""
        return next((line + b"\n" for line in self._lines()), b"")

    def _lines(self) -> list[bytes]:
        return [line for line in self._heard.split(b"\n")[:-1] if not line.startswith(b"#")]

    async def wait(self, expected: int, patience: float, idle: float) -> None:
        """Until these answers are there, the bot has ended or is idle, or `patience` seconds are over."""
        until = monotonic() + patience
        busy, used_us = monotonic(), self.used_us()
        while self.answers() < expected and len(self._heard) < MOST_HEARD:
            ended = self.process.ended() is not None
            self._exchange()
            # A smaller figure is news, too: before, wall-clock time stood in for an unknown CPU time.
            if abs((now_us := self.used_us()) - used_us) > IDLE_US:
                busy, used_us = monotonic(), now_us
            if ended or monotonic() > min(until, busy + idle):
                return
            await trio.sleep(TICK)

    def used_us(self) -> int:
        """CPU time that it used or waited for; if unknown, wall-clock time, so that it never looks idle."""
        return self.process.cpu_us() + self.process.scheduled().waited_us or monotonic_ns() // 1000

    def _exchange(self) -> None:
        # If the pipe is full, or the bot does not read any more, its answers are read all the same.
        with contextlib.suppress(OSError):
            self._unsent = self._unsent[os.write(self.process.stdin, self._unsent) :] if self._unsent else b""
        self._heard += _read(self.process.stdout)
        self.errors.add(_read(self.process.stderr))


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, READ)
    except OSError:
        return b""
