"""Computes how much time each seat has; measures no time itself.

All times are whole microseconds. An answer may take as long as the move limit or the bank, whichever is
smaller. After each answer its time is subtracted from the bank, and then the increment is added (protocol.md,
"Time, exactly").
"""

from __future__ import annotations

import msgspec

from harness.model import Limits

NO_BANK = -1


class Clock(msgspec.Struct, frozen=True):
    """One seat's clock in one match. If the bank is NO_BANK, only the move limit counts.

    Each question needs `limit_us`, `move_ms` and `bank_ms`. So they are computed only when the clock changes;
    a clock without a bank never changes.
    """

    move_us: int
    bank_us: int
    increment_us: int
    limit_us: int
    """Microseconds that the next answer may take."""
    move_ms: int
    """The move limit in whole milliseconds, rounded down, as a bot receives it."""
    bank_ms: int
    """The bank in whole milliseconds, rounded down, as a bot receives it (-1: no bank)."""

    def spent(self, used_us: int) -> Clock:
        """Returns the clock after an answer that took `used_us`. The bank is never below 0."""
        if self.bank_us == NO_BANK:
            return self
        return _clock(self.move_us, max(0, self.bank_us - used_us) + self.increment_us, self.increment_us)


def clock(limits: Limits) -> Clock:
    """Returns the clock with which each seat begins a match."""
    bank_us = limits.bank_ms * 1000 if limits.bank_ms else NO_BANK
    return _clock(limits.move_ms * 1000, bank_us, limits.increment_ms * 1000)


def _clock(move_us: int, bank_us: int, increment_us: int) -> Clock:
    if bank_us == NO_BANK:
        return Clock(move_us, bank_us, increment_us, move_us, move_us // 1000, NO_BANK)
    return Clock(move_us, bank_us, increment_us, min(move_us, bank_us), move_us // 1000, bank_us // 1000)
