"""Names the fault of a bot that does not answer any more; pure."""

from __future__ import annotations

from signal import Signals

from harness.model import ms
from harness.protocol import Problem


def ending(status: int | None, pipe: str, half: str) -> Problem:
    """Returns the fault of a bot whose pipe has ended.

    `status` is its exit status; None means that it still runs and has closed this `pipe`. `half` is a line
    without an end, if the bot wrote one.
    """
    unended = f", having begun the line {half!r} without ending it" if half else ""
    if status is None:
        return closed(pipe, unended)
    if status < 0:
        return Problem("crash", f"was ended by {_signal_name(-status)}{unended}")
    return Problem("crash", f"ended with exit status {status}{unended}")


def closed(pipe: str, unended: str = "") -> Problem:
    """Returns the fault of a bot that has closed its standard `pipe`, "input" or "output"."""
    return Problem("closed", f"closed its standard {pipe} and runs on{unended}")


def _signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"


def unanswered(limit_us: int, half: str, expected: str) -> Problem:
    """Returns the fault of a bot that runs and has not answered in time.

    `half` is the part of a line that it wrote. `expected` is the only correct answer; "" if several answers
    are possible.
    """
    unended = f"; it wrote {half!r} without ending the line" if half else ""
    wanted = f"; {expected} is due" if expected else ""
    return Problem("late", f"no answer within {ms(limit_us)}{unended}{wanted}")
