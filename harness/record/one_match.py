"""Finds one match in the files of a record, and judges it again for a viewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from harness.config import FrozenPlan
from harness.errors import InputError
from harness.events import InEncounter, Match, Stderr
from harness.judge.rejudge import LogLines, Look, rejudge
from harness.judge.rules import rules_of
from harness.record.log import Numbered, by_match, encounter_path, read_encounter, stderr_path


class RecordedMatch:
    """A match on record. `head` is its first record; `number` is its number within its processes, from 1."""

    def __init__(self, logs: Path, match: str) -> None:
        """Finds the match with this id of four numbers. Raises InputError if it is not on record."""
        self._logs = logs
        self._run, self._encounter, self._seating, self.number = map(int, match.split("."))
        self._path = encounter_path(logs, self._run, self._encounter)
        for head, lines in self._matches():
            if head.id == match:
                self.head, self._lines = head, lines
                return
        raise InputError(f"match {match} is not on record; `harness show {logs}` lists those", "MATCH")

    def _matches(self) -> Iterator[tuple[Match, list[Numbered]]]:
        if self._path.is_file():
            for lines in by_match(read_encounter(self._path)):
                head = lines[0][1]
                assert isinstance(head, Match)
                yield head, lines

    @property
    def records(self) -> Sequence[InEncounter]:
        """The records of the match; the first is `head`."""
        return [record for _, record in self._lines]

    def judge(self, plan: FrozenPlan, look: Look) -> None:
        """Judges the match again. Calls `look` with each confirmed record, and then with each stderr record.

        Raises RecordError, with the place, at the first record that does not follow from the records before.
        """
        rejudge(LogLines(self._lines, str(self._path)), rules_of(plan), None, self.number, look=look)
        for _, record in self._lines:
            if isinstance(record, Stderr):
                look(record, None)

    def stderr_files(self) -> list[tuple[int, Path]]:
        """Returns the files with the stderr of bots in this seating, each with its seat."""
        found = partial(stderr_path, self._logs, self._run, self._encounter, self._seating)
        paths = [(seat, found(seat)) for seat in range(1, len(self.head.bots) + 1)]
        return [(seat, path) for seat, path in paths if path.is_file()]
