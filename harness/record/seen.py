"""Says what one seat may know of a match's records; knows no game."""

from __future__ import annotations

from harness.events import Drawn, Event, Fault, Record, Stderr, Turn, Usage


def visible_to(seat: int | None, record: Record) -> Record | None:
    """The record as this seat may know it, None if it may not know it at all; seat None knows everything.

    Of another seat's turn it may know that there was one and how long it took; events tell the rest. The
    reason of another seat's fault may name hidden things, so only the name of the fault is left.
    """
    if seat is None:
        return record
    if isinstance(record, Event):
        return record if record.to is None or seat in record.to else None
    if isinstance(record, Drawn | Usage):
        return None
    if not isinstance(record, Turn | Fault | Stderr) or record.seat == seat:
        return record
    if isinstance(record, Turn):
        return Turn(record.seat, "", us=record.us, at=record.at, limit_us=record.limit_us)
    return Fault(record.seat, record.name, "") if isinstance(record, Fault) else None
