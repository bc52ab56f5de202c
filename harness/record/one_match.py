"""Owns one match on record: found in its file, judged again for whoever looks on; shows nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from harness.config import FrozenPlan
from harness.errors import InputError
from harness.events import InEncounter, Match, Stderr
from harness.judge.rejudge import Lines, Look, rejudge
from harness.judge.rules import rules_of
from harness.record.log import by_match, encounter_path, read_encounter, stderr_path


class Recorded:
    """The lines of a match, from its file."""

    def __init__(self, logs: Path, match: str) -> None:
        """`match` is an id of four numbers. Raises InputError where it is not on record."""
        self._logs = logs
        self._run, self._encounter, self._seating, self._deal = map(int, match.split("."))
        self._path = encounter_path(logs, self._run, self._encounter)
        matches = by_match(read_encounter(self._path)) if self._path.is_file() else iter(())
        for lines in matches:
            head = lines[0][1]
            if isinstance(head, Match) and head.id == match:
                break
        else:
            raise InputError(f"match {match} is not on record; `harness show {logs}` lists those", "MATCH")
        self.head = head
        self._lines = lines

    @property
    def lines(self) -> Sequence[tuple[int, InEncounter]]:
        """Its numbered lines, the beginning first."""
        return self._lines

    def judge(self, plan: FrozenPlan, look: Look) -> None:
        """Judges the match again; `look` is shown every record as it is confirmed, and at the end what bots
        wrote to stderr. Raises RecordError, with its place, at the first record that does not follow."""
        rejudge(Lines(self._lines, str(self._path)), rules_of(plan), None, self._deal, look=look)
        for _, record in self._lines:
            if isinstance(record, Stderr):
                look(record, None)

    def stderr_files(self) -> list[tuple[int, Path]]:
        """Where all lies that bots wrote to stderr in this seating, by seat, of those that wrote."""
        found = partial(stderr_path, self._logs, self._run, self._encounter, self._seating)
        paths = [(seat, found(seat)) for seat in range(1, len(self.head.bots) + 1)]
        return [(seat, path) for seat, path in paths if path.is_file()]
