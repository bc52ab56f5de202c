"""Owns what the end of a bot is called, from what is known of it; ends nobody."""

from __future__ import annotations

from signal import Signals

from harness.model import ms
from harness.protocol import Problem


def ending(status: int | None, pipe: str, half: str) -> Problem:
    """Why nothing more comes of a bot: its exit status (None: it runs on, and has closed this `pipe`), and
    the line that it began and did not end."""
    unended = f", having begun the line {half!r} without ending it" if half else ""
    if status is None:
        return closed(pipe, unended)
    if status < 0:
        return Problem("crash", f"was ended by {_signal_name(-status)}{unended}")
    return Problem("crash", f"ended with exit status {status}{unended}")


def closed(pipe: str, unended: str = "") -> Problem:
    """It has closed its standard `pipe`, "input" or "output"."""
    return Problem("closed", f"closed its standard {pipe} and runs on{unended}")


def _signal_name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"


def unanswered(limit_us: int, half: str, due: str) -> Problem:
    """A bot that is still running has not answered. `half` is what it wrote of a line, `due` what alone
    would have been right; "" where there is none."""
    unended = f"; it wrote {half!r} without ending the line" if half else ""
    wanted = f"; {due} is due" if due else ""
    return Problem("late", f"no answer within {ms(limit_us)}{unended}{wanted}")
