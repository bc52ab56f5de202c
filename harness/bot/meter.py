"""Measures one bot's CPU time and memory, also in the gaps between its answers. This file kills nothing.

The watchdog calls `Meter.read` through the player, at most ten times a second and outside the hot path. So a
match that ends before the first call costs nothing. The CPU time and memory of a bot's children count too.
"""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time_ns

from harness.bot.process import Process
from harness.model import MEGABYTE, Limits
from harness.protocol import Problem
from harness.sandbox.process_tree import CpuTime


class Meter:
    """Measures a process and all processes that it started, both since the start and in the current match."""

    def __init__(self, process: Process, limits: Limits) -> None:
        self._process = process
        self._limits = limits
        self._cpu_before: CpuTime | None = None
        self._asked_before_us = 0
        self._playing = False
        self._unasked_us = 0
        self.gaps = Gaps(process.total_cpu, thread_time_ns)

    def begin(self) -> None:
        """Begins to measure a match."""
        self._cpu_before = None
        self._playing = True
        self._unasked_us = 0
        self.gaps.begin(reading=self._limits.bank_ms > 0)

    @property
    def unasked_us(self) -> int:
        """The CPU time in this match that the bot certainly used while it was not asked, according to the
        readings.
        """
        return max(self._unasked_us, self.gaps.us)

    def end(self) -> None:
        """Ends the measurement of a match. CPU time between two matches does not count."""
        self._playing = False

    def read(self, asked_us: int, asked: bool) -> Problem | None:
        """Reads the CPU time and the memory. Returns a Problem if the bot exceeds a limit, else None.

        `asked_us` is the total time of the bot's answers in this match. `asked` is true while the bot must
        answer a question.
        """
        limits = self._limits
        used = self._process.used(limits.memory_mb * MEGABYTE)
        if used.too_much_memory:
            return self.too_much_memory(used.memory)
        if not self._playing:
            return None
        if self._cpu_before is None:
            self._cpu_before, self._asked_before_us = used.cpu, asked_us
            return None
        in_match_us = used.cpu.us - self._cpu_before.us
        if in_match_us > limits.cpu_ms * 1000:
            spent = f"used the CPU for {in_match_us // 1000} ms"
            return Problem("cpu", f"{spent}; {limits.cpu_ms} ms are allowed in a match")
        if asked:
            return None
        self._unasked_us = max(self._unasked_us, in_match_us - (asked_us - self._asked_before_us))
        self.gaps.count(used.cpu, asked_us)
        if self.unasked_us > limits.ponder_ms * 1000:
            spent = f"used the CPU for {self.unasked_us // 1000} ms while not asked"
            return Problem("pondered", f"{spent}; {limits.ponder_ms} ms are allowed")
        return None

    def too_much_memory(self, memory: int = 0) -> Problem:
        """Returns the fault of a bot that exceeds its limit of memory."""
        most = self._limits.memory_mb
        reason = f"held {-(-memory // MEGABYTE)} MB of memory" if memory else "wanted more memory"
        return Problem("memory", f"{reason}; {most} MB are allowed")


# -- the gaps between answers ------------------------------------------------------------------------
#
# Adds up the CPU time that a bot used in the gaps between its answers. This part is pure: it receives
# functions that read the counters.
#
# There is a limit for the CPU time that a bot uses while it is not asked. One sum for the whole match is not
# enough to check this limit. A bot could sleep while it is asked, and then compute for the same time while
# other bots are asked. So the CPU time of each gap is counted separately:
#
#     question      answer            question      answer            question
#        |-- asked ---|------ gap -------|-- asked ---|------ gap -------|
#                   `answer`         `question`     `answer`         `question`    read the CPU time
#
# A reading costs as much as several moves. So the readings may use at most 1/SHARE of the time of all
# answers. If the reading at a question is missing, the whole time of its answer counts as CPU time that the
# bot used while it was asked. So the sum of the CPU time in the gaps is never too high. If an answer has not
# come at the first tick of the watchdog, `early` reads the CPU time at this tick, because the bot may sleep
# from then on.
#
# From the same readings, `answer` computes how long the bot ran for its last answer (`ran_us`). If there
# was no reading at the question, the last reading before the question serves: `ran_us` is the CPU time
# since that reading, minus the whole time of all answers between that reading and the question. With a
# bank, there is also a reading at the start of each match. The time for this reading does not count for the
# limit of 1/SHARE. So `ran_us` is known even for the first answer.


SHARE = 25
SPARED_US = 500
"""The CPU time that does not count in each gap, because a bot that has answered needs some time to go to
sleep."""


# `CpuTime.us` is a sum over all processes of a bot. If the account of the bot is "incomplete"
# (`harness.model.ACCOUNTS`), this sum still has the exact time of each live child. When a child has ended and
# its parent waits for it, the time of the child is missing from the sum at first. The kernel adds this time
# later, rounded down to steps of 10 ms, and perhaps only together with the time of later children. So if the
# sum falls, some time is missing from the sum. This time was counted before, and the kernel will add this
# time to the sum again. `_missing_us` keeps this missing time, so that it does not count twice.


class Gaps:
    """Counts the CPU time of one bot in the gaps of one match."""

    def __init__(self, used: Callable[[], CpuTime], cpu_clock: Callable[[], int]) -> None:
        """Keeps two functions: `used` reads the CPU time of the bot, and `cpu_clock` reads the CPU time of
        this thread in nanoseconds."""
        self._used = used
        self._cpu_clock = cpu_clock
        self._cost_ns = 0
        self._budget_ns = 0
        self.begin()

    def begin(self, reading: bool = False) -> None:
        """Begins the account of a match. Reads the CPU time of the bot now if `reading` is true."""
        self.us = 0
        """The CPU time in all gaps of this match, minus SPARED_US for each gap."""
        self.ran_us = 0
        """The CPU time that the bot used for its last answer. `ran_us` is 0 if there was no reading after
        this answer."""
        self._known = self._used() if reading else None
        self._missing_us = 0
        self._asked_us = 0
        self._early: tuple[int, CpuTime, int] | None = None

    def question(self, asked_us: int) -> bool:
        """Reads the CPU time before a question. `asked_us` is the time of all answers in this match so far.
        Returns whether the next question may have a reading too: the readings so far have not used up their
        share of time (1/SHARE)."""
        self.count(self._read(), asked_us)
        return self._budget_ns >= self._cost_ns

    def early(self, asked_us: int, passed_us: int) -> None:
        """Reads the CPU time while an answer is missing. `passed_us` is the time since the question."""
        if self._early is None or self._early[0] != asked_us:
            self._early = asked_us, self._used(), passed_us

    def answer(self, us: int, asked_us: int, certainly: bool = False) -> bool:
        """Reads the CPU time after an answer. `us` is the time of this answer, and `asked_us` is the time of
        all answers, including this one.

        If earlier readings have used up 1/SHARE of the time of all answers, reads only if `certainly` is
        true. Returns whether this call has read the CPU time. If the method returns True, the caller must
        call `question` before the next question.
        """
        self._budget_ns += us * 1000 // SHARE
        early, self._early = self._early, None
        self.ran_us = 0
        if self._budget_ns < self._cost_ns and not certainly:
            return False
        now, before_us = self._read(), asked_us - us
        if self._known is not None:
            self.ran_us = max(0, now.us - self._known.us - (before_us - self._asked_us))
        if self._known is None or self._asked_us != before_us:  # There was no reading at the question.
            if early is not None and early[0] == before_us:
                self.count(early[1], before_us + early[2])
            else:
                self.count(now, asked_us)
        self._grown_us(now)
        self._asked_us = asked_us
        return True

    def count(self, used: CpuTime, asked_us: int) -> None:
        """Counts the CPU time that the bot used since the last reading, without the time for its answers."""
        since_us = self._grown_us(used) - (asked_us - self._asked_us)
        self.us += max(0, since_us - SPARED_US)
        self._asked_us = asked_us

    def _grown_us(self, used: CpuTime) -> int:
        """Returns the CPU time from the last reading to the reading `used`. Then `used` becomes the last
        reading. Returns 0 at the first reading."""
        before, self._known = self._known or used, used
        rounded_us = used.rounded_us - before.rounded_us
        exact_us = used.us - before.us - rounded_us
        self._missing_us -= min(0, exact_us) + min(0, rounded_us)
        back_us = min(self._missing_us, max(0, rounded_us))
        self._missing_us -= back_us
        return max(0, exact_us) + max(0, rounded_us) - back_us

    def _read(self) -> CpuTime:
        began = self._cpu_clock()
        used = self._used()
        self._cost_ns = self._cpu_clock() - began
        self._budget_ns -= self._cost_ns
        return used
