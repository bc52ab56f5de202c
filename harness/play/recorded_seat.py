"""Defines a player for matches that are played again: this player gives the answers on record."""

from __future__ import annotations

from collections.abc import Sequence

from harness.errors import RecordError
from harness.events import InEncounter, Turn, Usage
from harness.judge.rejudge import reply_of
from harness.model import Reply
from harness.play.match import WithoutProcess


class RecordedSeat(WithoutProcess):
    """A seat that gives the answers on record."""

    def __init__(self, records: Sequence[InEncounter], seat: int) -> None:
        self._turns = (record for record in records if isinstance(record, Turn) and record.seat == seat)
        self._usage = next((each.cpu_us for each in records if isinstance(each, Usage)), ())
        self._seat = seat

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        turn = next(self._turns, None)
        if turn is None:
            raise RecordError(f"the record has no answer of seat {self._seat} to this question")
        return reply_of(turn)

    def unasked_cpu_us(self) -> int:
        return self._usage[self._seat - 1] if self._usage else 0
