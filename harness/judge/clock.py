"""Computes how much time each seat has; measures none.

All times are whole microseconds. The time for an answer is the smaller of the move limit and the bank; the
time used comes off the bank, then the increment is added, after each answer (protocol.md, "Time, exactly").
"""

from __future__ import annotations

import msgspec

from harness.model import Limits

NO_BANK = -1


class Clock(msgspec.Struct, frozen=True):
    """One seat's clock in one match; a bank of NO_BANK means that only the move limit counts.

    `limit_us`, `move_ms` and `bank_ms` are needed with each question, so they are computed when the clock
    changes; without a bank it never does.
    """

    move_us: int
    bank_us: int
    increment_us: int
    limit_us: int
    """Microseconds that the next answer may take."""
    move_ms: int
    """Move limit and bank in whole milliseconds, rounded down, as a bot is told them (-1: no bank)."""
    bank_ms: int

    def spent(self, used_us: int) -> Clock:
        """The clock after an answer that took this long; a bank never falls below 0."""
        if self.bank_us == NO_BANK:
            return self
        return _clock(self.move_us, max(0, self.bank_us - used_us) + self.increment_us, self.increment_us)


def clock(limits: Limits) -> Clock:
    """The clock with which each seat begins a match."""
    bank_us = limits.bank_ms * 1000 if limits.bank_ms else NO_BANK
    return _clock(limits.move_ms * 1000, bank_us, limits.increment_ms * 1000)


def _clock(move_us: int, bank_us: int, increment_us: int) -> Clock:
    if bank_us == NO_BANK:
        return Clock(move_us, bank_us, increment_us, move_us, move_us // 1000, NO_BANK)
    return Clock(move_us, bank_us, increment_us, min(move_us, bank_us), move_us // 1000, bank_us // 1000)
