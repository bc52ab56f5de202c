"""Finds one match in the files of a record, and judges it again for a viewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from harness.config import FrozenPlan
from harness.errors import InputError
from harness.events import InEncounter, Match, Record, SittingBegan, Stderr, Turn
from harness.games import State
from harness.judge.rejudge import LogLines, Look, rejudge
from harness.judge.rules import rules_of
from harness.record.log import Numbered, by_match, encounter_path, read_encounter, stderr_path
from harness.record.packs import size_of

Asked: TypeAlias = tuple[Turn, State]
"""A question with its answer, and the position in which it was asked."""


def questions_in(judge: Callable[[Look], object]) -> list[Asked]:
    """Returns the questions of a match in order, without the beginning `new`. `judge` judges the match again.
    `judge` gets one argument, a function, and calls this function with each record."""
    asked: list[Asked] = []

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Turn) and state is not None:
            asked.append((record, state))

    judge(look)
    return asked


class RecordedMatch:
    """A match on record. `head` is its first record. `number` is its number in the sitting, from 1.
    `numbered` has its records, each with the number of its line."""

    def __init__(self, logs: Path, match: str) -> None:
        """Finds the match with this id of four numbers. Raises InputError if the match is not on record."""
        self._logs = logs
        self._run, self._encounter, self._sitting, self.number = map(int, match.split("."))
        self._path = encounter_path(logs, self._run, self._encounter)
        self._bots: tuple[str, ...] = ()
        self.account = ""
        """The account of time: who counted the CPU time of the bots (`harness.model.ACCOUNTS`)."""
        for head, lines in self._matches():
            if head.id == match:
                self.head, self.numbered = head, lines
                return
        raise InputError(f"match {match} is not on record; `harness show {logs}` lists the matches", "MATCH")

    def _matches(self) -> Iterator[tuple[Match, list[Numbered]]]:
        if size_of(self._path) is not None:
            for lines in by_match(self._noted(read_encounter(self._path))):
                head = lines[0][1]
                assert isinstance(head, Match)
                yield head, lines

    def _noted(self, lines: Iterator[Numbered]) -> Iterator[Numbered]:
        """Yields the lines. When the first line of the sitting comes, keeps the bots of the sitting (in the
        order of their places) and its account for later."""
        for number, record in lines:
            if isinstance(record, SittingBegan) and record.sitting == self._sitting:
                self._bots, self.account = record.bots, record.account
            yield number, record

    @property
    def records(self) -> Sequence[InEncounter]:
        """The records of the match. The first record is `head`."""
        return [record for _, record in self.numbered]

    @property
    def file(self) -> str:
        """The path of the encounter's file, relative to the log folder."""
        return self._path.relative_to(self._logs).as_posix()

    def judge(self, plan: FrozenPlan, look: Look) -> None:
        """Judges the match again. Calls `look` with each confirmed record, and then with each stderr record.

        If a record does not follow from the records before it, raises RecordError with the place of the first
        such record.
        """
        rejudge(LogLines(self.numbered, str(self._path)), rules_of(plan), None, self.number, look=look)
        for _, record in self.numbered:
            if isinstance(record, Stderr):
                look(record, None)

    def questions(self, plan: FrozenPlan) -> list[Asked]:
        """Judges the match again, and returns its questions in order."""
        return questions_in(lambda look: self.judge(plan, look))

    def position(self, plan: FrozenPlan, question: int, seat: int) -> str:
        """Returns a text with the position at the question with this number. The text shows only what the
        seat could know."""
        _, state = self.questions(plan)[question - 1]
        return state.text(seat)

    def stderr_files(self) -> list[tuple[int, Path]]:
        """Returns the files with the stderr of bots in this sitting, each with the bot's seat in this
        match."""
        found = partial(stderr_path, self._logs, self._run, self._encounter, self._sitting)
        seated = enumerate(self.head.bots, start=1)
        paths = [(seat, found(self._bots.index(bot) + 1)) for seat, bot in seated if bot in self._bots]
        return [(seat, path) for seat, path in paths if size_of(path) is not None]
