"""Decides which records of a match one seat may see; knows no game."""

from __future__ import annotations

from harness.events import Drawn, Event, Fault, Record, Stderr, Turn, Usage


def visible_to(seat: int | None, record: Record) -> Record | None:
    """Returns the part of a record that this seat may see; None if it may see nothing of it.

    If `seat` is None, the viewer may see everything. Of another seat's turn, a seat may see only the times;
    events show the rest. Of another seat's fault, it may see only the name, because the reason may contain
    hidden information.
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
