"""Owns what must hold of the evidence on record, of which no rule speaks: times, audits, last words; knows no
file and no game."""

from __future__ import annotations

from harness.errors import RecordError
from harness.events import Fault, InEncounter, Match, Result, Stderr, Turn, Usage


class SideRecords:
    """Follows the records of matches, one after the other."""

    def __init__(self, ponder: bool, cpu: bool = False) -> None:
        """Unless bots may `ponder`, each match says what CPU time they used while they were not asked. Where
        `cpu` time is charged, of which several threads use more than passes, no answer has a moment."""
        self._ponder = ponder
        self._cpu = cpu
        self._seats = 0
        self._free_us = 0
        """When the last answer had come: no question is asked before."""
        self._audited = False
        self._faulty: set[int] = set()
        """Who broke a rule in this match and has not had its last words."""

    def take(self, record: InEncounter) -> None:
        """The next record. Raises RecordError where it cannot be, or something is kept back."""
        if type(record) is Turn:
            self._turn(record)
        elif type(record) is Match:
            self._seats, self._free_us, self._audited = len(record.bots), 0, False
            self._faulty.clear()
        elif type(record) is Fault:
            self._faulty.add(record.seat)
        elif type(record) is Stderr:
            if record.seat not in self._faulty:
                raise RecordError(
                    f"`stderr` of seat {record.seat} stands here, which has just broken no rule"
                )
            self._faulty.discard(record.seat)
        elif type(record) is Usage:
            self._audited = True
            if len(record.cpu_us) != self._seats or min(record.cpu_us) < 0:
                raise RecordError(f"`cpu_us` of `usage` is {record.cpu_us!r}, for {self._seats} seats")
        elif type(record) is Result and not self._audited and not self._ponder:
            raise RecordError("`result` stands here, but `usage` is due")

    def _turn(self, turn: Turn) -> None:
        if turn.us < 0 or not 0 <= turn.excused_us <= turn.us:
            raise RecordError(f"`us` of `turn` is {turn.us}, and of that {turn.excused_us} are excused")
        if turn.failed:  # A bot that does not start may have failed before the match began.
            return
        if turn.at < self._free_us and not self._cpu:
            raise RecordError(
                f"`at` of `turn` is {turn.at}, but the answer before it came no sooner than {self._free_us}"
            )
        self._free_us = turn.at + turn.us
