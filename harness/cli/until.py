"""Reads how long a command is to play: a duration, or a time of the day. Only this file reads the clock."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from harness.errors import InputError

UNITS = {"s": 1, "m": 60, "h": 3600}
_DURATION = re.compile(r"(?:\d{1,6}[hms])+")
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def seconds_in(text: str) -> float:
    """The seconds of a duration.

    >>> seconds_in("1h30m")
    5400.0
    """
    total = sum(int(part[:-1]) * UNITS[part[-1]] for part in re.findall(r"\d+[hms]", text))
    if not _DURATION.fullmatch(text) or not total:
        raise InputError(f"expected a duration as 90s, 10m or 1h30m, not {text!r}", "--for")
    return float(total)


def seconds_until(text: str) -> float:
    """The seconds until the clock of this machine shows this time."""
    found = _TIME.fullmatch(text)
    if not found:
        raise InputError(f"expected a time of the day as 23:30, not {text!r}", "--until")
    now = datetime.now()
    then = now.replace(hour=int(found[1]), minute=int(found[2]), second=0, microsecond=0)
    return ((then if then > now else then + timedelta(days=1)) - now).total_seconds()
