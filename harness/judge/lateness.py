"""Keeps the time of each seat, and decides whether a reply is late.

A reply is late if its own time is more than the limit. The own time is the time of the reply minus its
excused time, which the bot did not cause. So a reply that takes longer than the limit is not late if its own
time is within the limit.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from harness.events import Turn
from harness.model import Limits, Reply, ms, span


def own_us(reply: Reply | Turn) -> int:
    """Returns the part of the time of a reply, or of its record, that counts for the limit and the bank."""
    return reply.us - reply.excused_us


def excused(turn: Turn, reply: Reply) -> Turn:
    """Returns a copy of the record `turn` that also has the excused time of its reply."""
    return replace(turn, excused_us=reply.excused_us, unseen_us=reply.unseen_us, waited_us=reply.waited_us)


def failure(reply: Reply, limit_us: int) -> tuple[str, str]:
    """Returns the name and the reason of the fault of this reply, or two empty texts if it has no fault."""
    # A late reply has the fault "late" even if the form of its answer is wrong too.
    if reply.failed in ("", "malformed") and own_us(reply) > limit_us:
        return "late", f"answered after {ms(reply.us)}; the limit was {ms(limit_us)}"
    return reply.failed, reply.why


def starting(reply: Reply, limit_us: int) -> Reply:
    """Checks the reply to the first `new` of a process, and returns this reply. If the process ended or
    closed a pipe, or if the reply is late, the returned reply has the fault "no-start"."""
    failed, why = failure(reply, limit_us)
    if failed in ("late", "overdue", "crash", "closed"):
        return replace(reply, failed="no-start", why=why)
    return reply


def told(turn: Turn) -> str:
    """Returns words for the end of a sentence about an answer. These words say which part of the answer's
    time was excused, and why.

    Returns "" if no time was excused.
    """
    if not turn.excused_us:
        return ""
    parts = (
        (turn.waited_us, "no CPU was free for it"),
        (turn.unseen_us, "the harness did not look for its answer"),
    )
    why = " and ".join(f"for {span(us)} {what}" for us, what in parts if us)
    return f", of which {span(turn.excused_us)} was not its own" + f": {why}"


# -- the time of each seat ---------------------------------------------------------------------------
#
# This part computes the time that each seat has left. This part measures no time itself.
#
# All times are whole microseconds. An answer may take as long as the move limit or the bank, whichever is
# smaller. After each answer, the time of the answer is subtracted from the bank, and then the increment is
# added (protocol.md, "Time, exactly").


NO_BANK = -1


class Clock(msgspec.Struct, frozen=True):
    """One seat's clock in one match. The bank is the time that is left for all further answers of the match.
    If the bank is NO_BANK, only the move limit counts.

    Every question needs the values `limit_us`, `move_ms` and `bank_ms`. To save time, the values are computed
    only when the clock changes. A clock without a bank never changes.
    """

    move_us: int
    bank_us: int
    increment_us: int
    limit_us: int
    """The largest number of microseconds that the next answer may take."""
    move_ms: int
    """The move limit in whole milliseconds, rounded down, as a bot receives it."""
    bank_ms: int
    """The bank in whole milliseconds, rounded down, as a bot receives it; -1 if there is no bank."""

    def spent(self, used_us: int) -> Clock:
        """Returns the clock after an answer that took `used_us` microseconds. The bank is never below 0."""
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
