"""Turns a failed or late reply into a fault, or raises Void if the bot did not cause the delay."""

from __future__ import annotations

from msgspec.structs import replace

from harness.errors import Void
from harness.model import Reply, ms


def failure(seat: int, reply: Reply, limit_us: int) -> tuple[str, str]:
    """Returns the name and the reason of the fault for a reply that failed or is late.

    Raises Void if the reply is late only because of its excused time.
    """
    failed, why = _failed(reply, limit_us)
    if failed == "late" and _excused(reply, limit_us):
        raise Void(
            f"seat {seat} seemed late, but not by its own doing: "
            f"{ms(reply.us)}, of which {ms(reply.excused_us)} were not its own",
            reply.us,
            reply.excused_us,
        )
    return failed, why


def starting(reply: Reply, limit_us: int) -> Reply:
    """Returns the reply to the first `new` of a process, with the fault "no-start" if it ended or is late."""
    failed, why = _failed(reply, limit_us)
    excused = failed == "late" and _excused(reply, limit_us)
    if failed in ("late", "overdue", "crash", "closed") and not excused:
        return replace(reply, failed="no-start", why=why)
    return reply


def _failed(reply: Reply, limit_us: int) -> tuple[str, str]:
    if reply.failed in ("", "malformed") and reply.us > limit_us:  # The clock comes before the form.
        return "late", f"answered after {ms(reply.us)}; the limit was {ms(limit_us)}"
    return reply.failed, reply.why


def _excused(reply: Reply, limit_us: int) -> bool:
    return reply.us - reply.excused_us <= limit_us
