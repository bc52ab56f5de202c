"""Works out which part of a bot's time was not its own; pure: it reads no clock and no process.

A bot is charged the time that passed, less what is given back. Two things are given back:

- The loop looked late. An answer may have lain in the pipe while nobody read it.
- No CPU was free. The bot stood runnable, and something else had its core.

Both may happen at the same moment, and then count once. What is given back is a bound: it is never more than
the time that passed less the time that the bot ran, because a bot that runs keeps others waiting, the loop
among them. A late answer that is in time without what is given back is no fault (harness/judge/lateness.py).

    asked      first tick          tick             answer read    tick
      |------------|----------------|--- unseen_us ------|----------|
       late_first_ns    late_ns: the sum over all later ticks
                   |----- ran_us, waited_us since then --|

The watchdog ticks every 10 ms. Before its first tick after the question nothing is known of the bot, so that
an answer which comes sooner costs no read of /proc (docs/design.md, section 8).
"""

from __future__ import annotations

from typing import NamedTuple

NEVER = 1 << 62
"""Of a moment: later than any, in monotonic nanoseconds."""


class Scheduled(NamedTuple):
    """How a bot has fared with the scheduler since its start, in microseconds."""

    ran_us: int
    """How long the thread that ran most has run."""
    waited_us: int
    """How long the thread that waited most stood runnable without a CPU, less what the bot's other threads
    and processes ran meanwhile."""


class Noted(NamedTuple):
    """What the watchdog has noted since a question was asked."""

    asked: int
    """The question, by the moment at which it was asked, in monotonic nanoseconds."""
    before: Scheduled
    """What the scheduler said at the first tick."""
    late_first_ns: int
    """How late the loop was at the first tick, as far as that was after the question."""
    late_ns: int = 0
    """How late it was at later ticks, together; the tick that follows the answer counts too."""

    def later(self, late: int) -> Noted:
        """The note after another tick, which came `late` nanoseconds too late."""
        return self._replace(late_ns=self.late_ns + late)


NOTHING = Noted(NEVER, Scheduled(0, 0), 0)
"""No question has been asked."""


def note(asked: int, now: int, late: int, before: Scheduled) -> Noted:
    """What is known at the first tick after a question; moments and durations are in nanoseconds."""
    return Noted(asked, before, min(late, now - asked))


def before_first_tick_us(passed_us: int, unseen_us: int) -> int:
    """The part of this time to give back if the watchdog has not ticked since the question.

    `unseen_us`: how long before the answer was read the loop had not looked. Nothing else is known.
    """
    return min(passed_us, unseen_us)


def given_back_us(passed_us: int, noted: Noted, now: Scheduled, unseen_us: int = 0) -> int:
    """The part of this time to give back if the watchdog has ticked since the question.

    The loop and the bot may have waited for a CPU at the same time, so the larger counts, not the sum. But
    the bot did not wait any more while its answer lay in the pipe: `unseen_us` is added to what it waited.
    """
    waited_us = max(0, now.waited_us - noted.before.waited_us)
    given_us = noted.late_first_ns // 1000 + max(noted.late_ns // 1000, waited_us + unseen_us)
    ran_us = now.ran_us - noted.before.ran_us
    return max(0, min(passed_us - ran_us, given_us))
