"""Owns the account of what one bot uses, held against its limits; ends nobody and knows no question.

It is read off the hot path, ten times a second, and not before: a match that is over by then costs nothing.
What a bot's children use is the bot's own.
"""

from __future__ import annotations

from harness.bot.process import Process
from harness.model import MEGABYTE, Limits
from harness.protocol import Problem

UNREAD = -1


class Meter:
    """What one process and all that it started have used, and what of it in this match."""

    def __init__(self, process: Process, limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._cpu_before_us = UNREAD
        self._asked_before_us = 0
        self._playing = False
        self.unasked_us = 0
        """CPU time in this match that it cannot have used while it was asked, as far as was seen."""

    def begin(self) -> None:
        """A match begins."""
        self._cpu_before_us = UNREAD
        self._playing = True
        self.unasked_us = 0

    def end(self) -> None:
        """The match is over: what it does now, until the next begins, is its own business."""
        self._playing = False

    def read(self, asked_us: int, asked: bool) -> Problem | None:
        """What limit it is past. `asked_us` is the time of its answers in this match; whether it is being
        `asked` for another one."""
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
        self.unasked_us = max(self.unasked_us, in_match_us - (asked_us - self._asked_before_us))
        if self.unasked_us > limits.ponder_ms * 1000:
            spent = f"used the CPU for {self.unasked_us // 1000} ms while not asked"
            return Problem("pondered", f"{spent}; {limits.ponder_ms} ms are allowed")
        return None

    def too_much_memory(self, memory: int = 0) -> Problem:
        """That it is over its limit of memory."""
        most = self._limits.memory_mb
        held = f"held {-(-memory // MEGABYTE)} MB of memory" if memory else "wanted more memory"
        return Problem("memory", f"{held}; {most} MB are allowed")
