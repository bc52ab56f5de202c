"""Owns what is wrong with a reply before any rules are asked: no answer came, or too late; knows no game."""

from __future__ import annotations

from msgspec.structs import replace

from harness.errors import Void
from harness.model import Reply, ms


def failure(seat: int, reply: Reply, limit_us: int) -> tuple[str, str]:
    """The fault's name and the reason, of a reply that failed or is late.

    Raises Void where the lateness was not the bot's own.
    """
    failed, why = _failed(reply, limit_us)
    if failed == "late" and _excused(reply, limit_us):
        raise Void(
            f"seat {seat} was late by no time of its own: "
            f"{ms(reply.us)}, of that {ms(reply.excused_us)} not its own",
            reply.us,
            reply.excused_us,
        )
    return failed, why


def starting(reply: Reply, limit_us: int) -> Reply:
    """A process that fails before its first `ready` did not start, whatever it did instead."""
    failed, why = _failed(reply, limit_us)
    excused = failed == "late" and _excused(reply, limit_us)
    if failed in ("late", "overdue", "crash", "closed") and not excused:
        return replace(reply, failed="no-start", why=why)
    return reply


def _failed(reply: Reply, limit_us: int) -> tuple[str, str]:
    if not reply.failed and reply.us > limit_us:
        return "late", f"answered after {ms(reply.us)}; the limit was {ms(limit_us)}"
    return reply.failed, reply.why


def _excused(reply: Reply, limit_us: int) -> bool:
    return reply.us - reply.excused_us <= limit_us
