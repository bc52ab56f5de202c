"""Decides which records of a match one seat may see; knows no game."""

from __future__ import annotations

from collections.abc import Sequence

from harness.events import Drawn, Event, Fault, Record, Stderr, Turn, Usage


def visible_to(seat: int | None, record: Record) -> Record | None:
    """Returns the part of a record that this seat may see; None if it may see nothing of it.

    If `seat` is None, the viewer may see everything.
    """
    if seat is None:
        return record
    seats, rest = audience(record)
    return record if seats is None or seat in seats else rest


def audience(record: Record) -> tuple[Sequence[int] | None, Record | None]:
    """The seats that may see all of a record (None: all seats), and the part that the other seats may see.

    Of another seat's turn, a seat may see only the times; events show the rest. Of another seat's fault, it
    may see only the name, because the reason may contain hidden information.
    """
    if isinstance(record, Event):
        return record.to, None
    if isinstance(record, Turn):
        return (record.seat,), Turn(record.seat, "", us=record.us, at=record.at, limit_us=record.limit_us)
    if isinstance(record, Fault):
        return (record.seat,), Fault(record.seat, record.name, "")
    if isinstance(record, Stderr):
        return (record.seat,), None
    return (() if isinstance(record, Drawn | Usage) else None), None
