"""Checks the records that no rule of a game decides: times, audits of CPU time, the last lines of stderr."""

from __future__ import annotations

from harness.errors import RecordError
from harness.events import Fault, InEncounter, Match, Result, Stderr, Turn, Usage


class SideRecords:
    """Checks the records of matches, one after the other."""

    def __init__(self, ponder: bool, cpu: bool = False) -> None:
        """If bots may not `ponder`, each match must have the CPU time that they used while not asked.

        If `cpu` is true, the times of answers are CPU time. Several threads can use more CPU time than
        wall-clock time passes, so answers may seem to overlap.
        """
        self._ponder = ponder
        self._cpu = cpu
        self._seats = 0
        self._free_us = 0
        """The time of the last answer, in microseconds: the next question must not be earlier."""
        self._audited = False
        self._faulty: set[int] = set()
        """Seats that broke a rule in this match and have no `stderr` record yet."""

    def take(self, record: InEncounter) -> None:
        """Checks the next record. Raises RecordError if it is impossible or a record before it is missing."""
        if type(record) is Turn:
            self._turn(record)
        elif type(record) is Match:
            self._seats, self._free_us, self._audited = len(record.bots), 0, False
            self._faulty.clear()
        elif type(record) is Fault:
            self._faulty.add(record.seat)
        elif type(record) is Stderr:
            if record.seat not in self._faulty:
                raise RecordError(f"`stderr` of seat {record.seat}, which has not just broken a rule")
            self._faulty.discard(record.seat)
        elif type(record) is Usage:
            self._audited = True
            if len(record.cpu_us) != self._seats or min(record.cpu_us) < 0:
                raise RecordError(f"`cpu_us` of `usage` is {record.cpu_us!r}, for {self._seats} seats")
        elif type(record) is Result and not self._audited and not self._ponder:
            raise RecordError("the line is `result`, but `usage` must come before it")

    def _turn(self, turn: Turn) -> None:
        if turn.us < 0 or not 0 <= turn.excused_us <= turn.us:
            raise RecordError(f"`us` of `turn` is {turn.us}, but `excused_us` is {turn.excused_us}")
        parts = turn.unseen_us, turn.waited_us
        if min(parts) < 0 or (any(parts) and sum(parts) != turn.excused_us):
            raise RecordError(
                f"`excused_us` of `turn` is {turn.excused_us}, but `unseen_us` and `waited_us` are "
                f"{turn.unseen_us} and {turn.waited_us}"
            )
        if turn.failed:  # A bot that does not start may have failed before the match began.
            return
        if turn.at < self._free_us and not self._cpu:
            raise RecordError(
                f"`at` of `turn` is {turn.at}, but the answer before it came at {self._free_us} or later"
            )
        self._free_us = turn.at + turn.us
