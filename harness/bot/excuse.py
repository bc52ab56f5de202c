"""Computes the part of an answer's time that the bot did not cause; pure: reads no clock and no process.

This part is the excused time. If an answer is late only because of its excused time, it is not a fault
(harness/judge/lateness.py). Two causes excuse time:

- The event loop was late. The answer may have been in the pipe while the loop did other work.
- No CPU was free. The bot was ready to run, and something else used its core.

If both happen at the same moment, this moment counts once. The time for which the bot itself ran is never
excused, because a bot that runs makes others wait, including the loop.

    asked      first tick          tick             answer read    tick
      |------------|----------------|--- unseen_us ------|----------|
       late_first_ns    late_ns: the sum over all later ticks
                   |----- ran_us, waited_us since then --|

The watchdog ticks every 10 ms. It reads /proc only at its first tick after a question, so an answer that
comes before this tick costs no read of /proc (docs/design.md, section 8).
"""

from __future__ import annotations

from typing import NamedTuple

NEVER = 1 << 62
"""A moment that never comes, in monotonic nanoseconds."""


class Scheduled(NamedTuple):
    """The time for which a bot has run and waited for a CPU since its start, in microseconds."""

    ran_us: int
    """The time for which the thread that ran longest has run."""
    waited_us: int
    """The time for which the thread that waited longest was ready to run, but had no CPU. The time for which
    the bot's other threads and processes ran is subtracted."""


class Noted(NamedTuple):
    """The watchdog's observations since a question was asked."""

    asked: int
    """The moment at which the question was asked, in monotonic nanoseconds. It identifies the question."""
    before: Scheduled
    """The times of the scheduler at the first tick."""
    late_first_ns: int
    """The lateness of the loop at the first tick; only the part after the question counts."""
    late_ns: int = 0
    """The sum of the lateness at all later ticks. The tick that follows the answer counts too."""

    def later(self, late: int) -> Noted:
        """Returns the note after another tick, which came `late` nanoseconds too late."""
        return self._replace(late_ns=self.late_ns + late)


NOTHING = Noted(NEVER, Scheduled(0, 0), 0)
"""The note before the first question."""


def note(asked: int, now: int, late: int, before: Scheduled) -> Noted:
    """Makes the note at the first tick after a question. All times are in nanoseconds."""
    return Noted(asked, before, min(late, now - asked))


def before_first_tick_us(passed_us: int, unseen_us: int) -> int:
    """Computes the excused part of this time if the watchdog has not ticked since the question.

    `unseen_us` is the time for which the loop had not looked at the pipe before it read the answer. Nothing
    else is known.
    """
    return min(passed_us, unseen_us)


def given_back_us(passed_us: int, noted: Noted, now: Scheduled, unseen_us: int = 0) -> int:
    """Computes the excused part of this time if the watchdog has ticked since the question.

    The loop and the bot may have waited for a CPU at the same time, so the longer wait counts, not the sum.
    While the answer was in the pipe, the bot no longer waited. So `unseen_us` is added to the bot's wait.
    """
    waited_us = max(0, now.waited_us - noted.before.waited_us)
    given_us = noted.late_first_ns // 1000 + max(noted.late_ns // 1000, waited_us + unseen_us)
    ran_us = now.ran_us - noted.before.ran_us
    return max(0, min(passed_us - ran_us, given_us))
