"""Finds out whether a silent bot has forgotten to flush its output.

Such a bot waits for its next line while its answer is still in a buffer, so it seems to think. But it uses no
CPU time. When its stdin is closed, the bot exits, and its answer arrives.
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
"""If a bot uses no CPU time for this number of seconds, it is idle: it waits for a line."""
IDLE_US = 10_000
"""A bot that uses less CPU time than this is idle, because run-time systems use a little while they wait."""
AFTERWARDS = 0.3
"""If a bot is idle for this number of seconds after its stdin was closed, it will not exit."""
ENDING = 3.0
"""The most seconds to wait for a bot's exit after its stdin was closed."""
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
    """The answers of a bot."""

    answers: int
    """The number of lines, without comments, that came while its stdin was open."""
    held_back: int
    """The number of lines, without comments, that came after its stdin was closed."""
    us: int
    """The time from the start to the last expected answer, in microseconds."""
    status: int | None
    """The exit status of the bot if it ended before its stdin was closed, else None."""
    stderr: str
    first: bytes
    """The first line that is not a comment, with its newline; b"" if there is none."""

    def flushes(self, expected: int) -> bool:
        """Whether the bot flushes: false if an expected answer came only after stdin was closed."""
        return not self.answers < expected <= self.answers + self.held_back


async def listen(
    entrant: Entrant, blocks: bytes, expected: int, patience: float, idle: float = IDLE
) -> Heard:
    """Starts the bot, writes `blocks`, and waits until there are `expected` answers. Then closes its stdin.

    It waits at most `patience` seconds, and only until the bot has been idle for `idle` seconds. Raises Void
    if the bot cannot be started.
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
    """Writes to and reads from the pipes of a bot again and again."""

    def __init__(self, process: Process, blocks: bytes) -> None:
        self.process = process
        self.errors = StderrBuffer(READ)
        self._unsent = blocks
        self._heard = b""

    def answers(self) -> int:
        """Returns the number of complete lines so far, without comments."""
        return len(self._lines())

    def first(self) -> bytes:
        """Returns the first complete line that is not a comment."""
        return next((line + b"\n" for line in self._lines()), b"")

    def _lines(self) -> list[bytes]:
        return [line for line in self._heard.split(b"\n")[:-1] if not line.startswith(b"#")]

    async def wait(self, expected: int, patience: float, idle: float) -> None:
        """Waits until the answers are there, the bot has ended or is idle, or `patience` seconds are over."""
        until = monotonic() + patience
        busy, used_us = monotonic(), self.used_us()
        while self.answers() < expected and len(self._heard) < MOST_HEARD:
            ended = self.process.ended() is not None
            self._exchange()
            # A smaller number is a change, too: wall-clock time was used before the CPU time was known.
            if abs((now_us := self.used_us()) - used_us) > IDLE_US:
                busy, used_us = monotonic(), now_us
            if ended or monotonic() > min(until, busy + idle):
                return
            await trio.sleep(TICK)

    def used_us(self) -> int:
        """Returns the CPU time that the bot used or waited for.

        If this is unknown, returns wall-clock time, so that the bot never seems idle.
        """
        return self.process.cpu_us() + self.process.waits().waited_us or monotonic_ns() // 1000

    def _exchange(self) -> None:
        # If the pipe is full or the bot does not read any more, its answers must still be read.
        with contextlib.suppress(OSError):
            self._unsent = self._unsent[os.write(self.process.stdin, self._unsent) :] if self._unsent else b""
        self._heard += _read(self.process.stdout)
        self.errors.add(_read(self.process.stderr))


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, READ)
    except OSError:
        return b""
