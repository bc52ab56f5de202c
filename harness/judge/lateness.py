"""Decides whether a reply is late by its bot's own doing, and turns a failed or late reply into a fault.

A reply is late if its own time is more than the limit. Its own time is its time without the excused part,
which the bot did not cause. So a reply that is late only because of its excused time is in time.
"""

from __future__ import annotations

from msgspec.structs import replace

from harness.events import Turn
from harness.model import Reply, ms, span


def own_us(reply: Reply) -> int:
    """Returns the part of the reply's time that counts: for the limit, and for the bank."""
    return reply.us - reply.excused_us


def excused(turn: Turn, reply: Reply) -> Turn:
    """Returns the record of this reply with its excused time."""
    return replace(turn, excused_us=reply.excused_us, unseen_us=reply.unseen_us, waited_us=reply.waited_us)


def failure(reply: Reply, limit_us: int) -> tuple[str, str]:
    """Returns the name and the reason of the fault of this reply; two empty texts if it has none."""
    if reply.failed in ("", "malformed") and own_us(reply) > limit_us:  # The clock comes before the form.
        return "late", f"answered after {ms(reply.us)}; the limit was {ms(limit_us)}"
    return reply.failed, reply.why


def starting(reply: Reply, limit_us: int) -> Reply:
    """Returns the reply to the first `new` of a process, with the fault "no-start" if it ended or is late."""
    failed, why = failure(reply, limit_us)
    if failed in ("late", "overdue", "crash", "closed"):
        return replace(reply, failed="no-start", why=why)
    return reply


def told(turn: Turn) -> str:
    """Returns the end of a sentence that says which part of an answer's time was excused, and why.

    It is empty if no time was excused.
    """
    if not turn.excused_us:
        return ""
    parts = (
        (turn.waited_us, "no CPU was free for it"),
        (turn.unseen_us, "the harness did not look for its answer"),
    )
    why = " and ".join(f"for {span(us)} {what}" for us, what in parts if us)
    return f", of which {span(turn.excused_us)} was not its own" + (f": {why}" if why else "")
