"""Computes the lost time of a bot: it had a core, but the host ran another machine there; pure.

If the host takes a core, the kernel goes on to count how long a process has the core. But it does not add
this time to the CPU time of the process:

    a process has a core       |--------------------------|    `on_core_us`, a counter of events
    the host has the core            |--------|
    the process runs           |-----|        |-----------|    `exact_us`, the CPU time
    lost time                        |--------|

A bot can make the lost time longer than it is: the CPU time of some children that have ended is known to
nobody. So the lost time is only an upper limit, beside the stolen time of the core (harness/bot/stolen.py).

Without the counter, a bot that is awake may lose all its time. It is also so if the counter missed a child:
a bot without a sandbox can start a child before the counter begins.
"""

from __future__ import annotations

from collections.abc import Callable

SLACK_US = 1_000
"""The two counters are not read at the same moment."""


class Lost:
    """The lost time of one bot, from reading to reading."""

    def __init__(self) -> None:
        self.us = 0
        """The lost time in microseconds. It can fall a little, because some CPU time is known late."""
        self._counts = True  # whether the counter has seen all processes of the bot
        self._before_us = 0
        self._read_at = 0
        self._worked_us = 0

    def read(
        self, on_core_us: int, exact_us: int, worked_us: int, awake: Callable[[], bool], now: int
    ) -> None:
        """Takes a reading at `now`, in monotonic nanoseconds.

        `on_core_us` is negative if there is no counter. `worked_us` is the time for which the bot has run or
        waited for a CPU. It grows if the bot was awake after the last reading. If it did not grow, `awake`
        tells whether the bot is awake now.
        """
        self._counts = self._counts and on_core_us + SLACK_US >= exact_us
        if self._counts:
            self.us += on_core_us - exact_us - self._before_us
        elif worked_us > self._worked_us or awake():
            self.us += (now - self._read_at) // 1000
        self._before_us, self._read_at, self._worked_us = on_core_us - exact_us, now, worked_us
