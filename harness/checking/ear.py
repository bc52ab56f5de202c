"""Writes to the pipes of a bot and reads from them. There is no match, so no clock of a match runs, and
nothing that the bot does here is a fault."""

from __future__ import annotations

import contextlib
import fcntl
import os
import termios
from collections.abc import Iterator
from itertools import groupby
from time import monotonic, monotonic_ns
from typing import NamedTuple

import trio

from harness.bot.process import READ, Process
from harness.bot.stderr import StderrBuffer
from harness.model import MEGABYTE, Limits

TICK = 0.005
IDLE_US = 10_000
"""A bot counts as idle as long as it has used less than this CPU time, in microseconds, since it was last
busy. The limit is not 0, because the run-time systems of some languages use a little CPU time while they
wait."""
IDLE_SHARE = 0.1
"""The limit IDLE_US grows by this share of the time since the bot was last busy. For example, Java uses some
milliseconds of CPU time in each second while it waits, and more on a busy machine."""
ENDING = 3.0
"""The longest time, in seconds, to wait until a bot is idle."""
LAST_WORDS = 0.5
"""The longest time, in seconds, to wait for the end of a bot that has closed a pipe."""
WEIGHED = 10
"""The memory of the bot is measured once in this number of looks at the pipes."""
MOST_HEARD = MEGABYTE


class Patience(NamedTuple):
    """The time to wait for an answer, in seconds. The wait ends after the time `longest`. If the bot has been
    idle for the time `idle`, the wait ends earlier."""

    longest: float
    idle: float


class Ear:
    """The pipes of a bot, and everything that the bot wrote to them so far."""

    def __init__(self, process: Process, limits: Limits) -> None:
        self.process = process
        self.errors = StderrBuffer(READ)
        self.ended_after = ""
        self.too_much_memory = False
        self._limits = limits
        self._unsent = b""
        self._heard = b""
        self._rounds = 0
        self._waited_us = 0
        self.restart()

    # -- what was seen

    def lines(self) -> list[str]:
        """Returns the complete lines that the bot has written so far, without comments."""
        lines = self._heard.split(b"\n")[:-1]
        return [line.decode(errors="backslashreplace") for line in lines if not line.startswith(b"#")]

    def first(self) -> bytes:
        """Returns the first complete line of the bot that is not a comment; b"" if there is none."""
        whole = self._heard.split(b"\n")[:-1]
        return next((line + b"\n" for line in whole if not line.startswith(b"#")), b"")

    def partial(self) -> str:
        """Returns the beginning of a line that the bot has not ended yet; "" if this line is a comment."""
        line = self._heard.rpartition(b"\n")[2]
        return "" if line.startswith(b"#") else line[:200].decode(errors="backslashreplace")

    def heard_bytes(self) -> int:
        """Returns the number of bytes that the bot has written so far."""
        return len(self._heard)

    def unread(self) -> bool:
        """Tells whether some bytes that were sent to the bot are still unread."""
        waiting = bytearray(4)
        try:
            fcntl.ioctl(self.process.stdin, termios.FIONREAD, waiting)
        except OSError:
            return False
        return any(waiting)

    def has_answer(self) -> bool:
        """Tells whether the bot has written a complete line since `restart`."""
        return len(self.lines()) > self._before

    def status(self) -> int | None:
        """Returns the exit status if the bot has ended."""
        return self.process.ended()

    # -- what is done

    def restart(self) -> None:
        """Begins to wait for the next answer."""
        self._exchange()
        self._before = len(self.lines())
        self._began = monotonic_ns()
        self._cpu_before = self._counted_us()
        self.passed_us = self.seen_cpu_us = 0
        self.is_idle = False

    def send(self, data: bytes) -> None:
        """Writes as much as the pipe takes now. The rest is written later, while the ear waits for an
        answer."""
        self._unsent += data
        self._exchange()

    def close(self) -> None:
        """Ends the input of the bot."""
        # No more data may be written: another file may get the file descriptor of the closed pipe.
        self._unsent = b""
        self.process.close_stdin()

    async def send_slowly(self, block: bytes, seconds: float) -> None:
        """Writes a block line by line. If the bot ends, `ended_after` has the last line that was sent to the
        bot before its end.

        After each line this method waits until the bot has been idle for `seconds`. Lines with the same first
        word are sent together."""
        for line in _alike(block):
            if self.status() is not None:
                return
            self.send(line)
            self.ended_after = line.decode(errors="replace").splitlines()[0]
            await self.rest(seconds)

    async def rest(self, seconds: float) -> None:
        """Waits until the bot has been idle for this time, or has ended."""
        begin = quiet = monotonic()
        used_us = self._counted_us()
        while monotonic() < min(quiet + seconds, begin + ENDING) and self.status() is None:
            await trio.sleep(TICK)
            self._exchange()
            if (now_us := self._counted_us()) != used_us:
                quiet, used_us = monotonic(), now_us
        self._exchange()

    async def wait(self, patience: Patience) -> bool:
        """Waits for an answer. Stops waiting if the bot ends, is idle, or takes longer than `patience`
        allows. Returns True if an answer came.

        The time in which the bot waits for a CPU does not count.
        """
        until = monotonic() + patience.longest
        busy, used_us = monotonic(), self._counted_us()
        waited_us = self._waited_us
        while not self.has_answer() and len(self._heard) < MOST_HEARD:
            ended = self.status() is not None
            self._exchange()
            self._weigh()
            # While the CPU time of the bot is unknown, `_counted_us` returns wall-clock time. When the CPU
            # time becomes known, the result may become smaller. Because of `abs`, such a fall counts as
            # work of the bot too.
            quiet_us = (monotonic() - busy) * 1e6
            if abs((now_us := self._counted_us()) - used_us) > IDLE_US + IDLE_SHARE * quiet_us:
                busy, used_us = monotonic(), now_us
            self.passed_us = (monotonic_ns() - self._began) // 1000
            self.seen_cpu_us = now_us - self._cpu_before
            if self.has_answer():
                break
            self.is_idle = ended or monotonic() > busy + patience.idle
            if self.is_idle or self.too_much_memory or self._time_without(waited_us) > until:
                return False
            await trio.sleep(TICK)
        return self.has_answer()

    async def end_of(self, came: str) -> int | None:
        """Returns the exit status of the bot. If the bot has closed its output, this method waits a moment
        for the end of the process."""
        if came and self.status() is None:
            return None
        with trio.move_on_after(LAST_WORDS if self._closed else 0):
            await self.process.wait()
        self._exchange()
        return self.status()

    # -- the pipes

    _closed = False

    def _exchange(self) -> None:
        # A write fails if the pipe is full or the bot has closed it. Even if a write fails, the answers must
        # be read.
        with contextlib.suppress(OSError):
            self._unsent = self._unsent[os.write(self.process.stdin, self._unsent) :] if self._unsent else b""
        self._heard += self._read(self.process.stdout)
        self.errors.add(self._read(self.process.stderr))

    def _read(self, descriptor: int) -> bytes:
        try:
            data = os.read(descriptor, READ)
        except OSError:
            return b""
        self._closed = self._closed or (not data and descriptor == self.process.stdout)
        return data

    def _counted_us(self) -> int:
        # If the CPU time of the bot is unknown, wall-clock time is used instead. Then the bot never seems
        # idle.
        self._waited_us = self.process.waits().waited_us
        return self.process.cpu_us() + self._waited_us or monotonic_ns() // 1000

    def _time_without(self, waited_us: int) -> float:
        """Returns the monotonic time in seconds, minus the time in which the bot waited for a CPU.
        `waited_us` is the time that the bot had already waited for a CPU when `wait` began."""
        return monotonic() - (self._waited_us - waited_us) / 1e6

    def _weigh(self) -> None:
        self._rounds += 1
        if self._rounds % WEIGHED == 0 and self.status() is None:
            used = self.process.used(self._limits.memory_mb * MEGABYTE)
            self.too_much_memory = used.too_much_memory
        self.too_much_memory = self.too_much_memory or self.process.out_of_memory()


def _alike(block: bytes) -> Iterator[bytes]:
    """Yields the lines of a block. Lines that follow each other and have the same first word are yielded
    together."""
    for _, lines in groupby(block.splitlines(keepends=True), key=lambda line: line.split(b" ")[0]):
        yield b"".join(lines)
