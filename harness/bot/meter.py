"""Measures one bot's CPU time and memory, and compares them with its limits; kills nothing.

The watchdog calls it ten times a second, outside the hot path. So a match that ends before the first call
costs nothing. The CPU time and memory of a bot's children count too.
"""

from __future__ import annotations

from time import thread_time_ns

from harness.bot.gaps import Gaps
from harness.bot.process import Process
from harness.model import MEGABYTE, Limits
from harness.protocol import Problem

UNREAD = -1


class Meter:
    """Measures a process and all processes that it started, in total and in the current match."""

    def __init__(self, process: Process, limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._cpu_before_us = UNREAD
        self._asked_before_us = 0
        self._playing = False
        self._unasked_us = 0
        self.gaps = Gaps(process.total_cpu_us, thread_time_ns)

    def begin(self) -> None:
        """Call this when a match begins."""
        self._cpu_before_us = UNREAD
        self._playing = True
        self._unasked_us = 0
        self.gaps.begin(reading=self._limits.bank_ms > 0)

    @property
    def unasked_us(self) -> int:
        """CPU time in this match that the bot certainly used while it was not asked, by the readings."""
        return max(self._unasked_us, self.gaps.us)

    def end(self) -> None:
        """Call this when the match is over: CPU time before the next match does not count."""
        self._playing = False

    def read(self, asked_us: int, asked: bool) -> Problem | None:
        """Returns a Problem if the bot exceeds a limit, else None.

        `asked_us` is the time of its answers in this match; `asked` is true while it must answer a question.
        """
        limits = self._limits
        used = self._process.used(limits.memory_mb * MEGABYTE)
        if used.too_much_memory:
            return self.too_much_memory(used.memory)
        if not self._playing:
            return None
        if self._cpu_before_us == UNREAD:
            self._cpu_before_us, self._asked_before_us = used.cpu_us, asked_us
            return None
        in_match_us = used.cpu_us - self._cpu_before_us
        if in_match_us > limits.cpu_ms * 1000:
            spent = f"used the CPU for {in_match_us // 1000} ms"
            return Problem("cpu", f"{spent}; {limits.cpu_ms} ms are allowed in a match")
        if asked:
            return None
        self._unasked_us = max(self._unasked_us, in_match_us - (asked_us - self._asked_before_us))
        self.gaps.count(used.cpu_us, asked_us)
        if self.unasked_us > limits.ponder_ms * 1000:
            spent = f"used the CPU for {self.unasked_us // 1000} ms while not asked"
            return Problem("pondered", f"{spent}; {limits.ponder_ms} ms are allowed")
        return None

    def too_much_memory(self, memory: int = 0) -> Problem:
        """Returns the fault of a bot that exceeds its limit of memory."""
        most = self._limits.memory_mb
        reason = f"held {-(-memory // MEGABYTE)} MB of memory" if memory else "wanted more memory"
        return Problem("memory", f"{reason}; {most} MB are allowed")
