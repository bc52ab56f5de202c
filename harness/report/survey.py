"""Reads the files of encounters, match by match, and collects facts that the journal of the log does not
have.

Each file is read only once, and only up to the size that the journal has for this file. A whole file is never
in memory at one time. Only three things stay in memory: the answer times of each bot, a few numbers for each
match, and the first faults with all their details.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import NamedTuple

from harness.errors import RecordError
from harness.events import Fault, Match, Stderr, Turn
from harness.record.history import History
from harness.record.log import PER_FOLDER, Mark, Numbered, by_match, encounter_path, read_encounter
from harness.record.parts import Key
from harness.record.run import Run
from harness.report.answers import Answers
from harness.report.pace import Paces

MOST_FAULTS = 200
"""The most faults that are kept with all details. The list of matches names the other faults."""


class MatchLines(NamedTuple):
    """All lines of a match. `file` is relative to the log folder, and `deal` is the match's number in its
    sitting."""

    head: Match
    deal: int
    file: str
    lines: tuple[Numbered, ...]
    linked: bool = False
    """True if the file stays in its folder. Otherwise the file is or will be in a pack, and no page links to
    the file."""
    account: str = ""
    """Who counted the CPU time of the bots (`harness.model.ACCOUNTS`); "" if nobody asked for this."""


class LoggedFault(NamedTuple):
    """A fault with all facts in the log about it. `file` and `line` are the fault's place in the log."""

    match: str
    bot: str
    fault: Fault
    file: str
    line: int
    stderr: str
    linked: bool = False


class MatchFacts(NamedTuple):
    """The facts that the list of matches shows about a match: the number of answers, the time of the
    slowest answer, and how the lead changed."""

    answers: int = 0
    slowest_us: int = 0
    leads: int = 0
    behind: float = 0
    told: bool = False
    """True if the match has a replay."""


class Survey:
    """The facts that were collected from the files so far."""

    def __init__(self, logs: Path) -> None:
        self.paces = Paces()
        self.answers = Answers()
        self.first_faults: list[LoggedFault] = []
        self.fault_count = 0
        self._logs = logs
        self._runs: dict[int, RunFacts] = {}
        self._told: dict[str, tuple[int, float]] = {}
        """How the lead changed, for each match that has a replay."""

    def new(self, history: History) -> Iterator[MatchLines]:
        """Yields the matches that were not read before, and collects facts about them.

        Raises RecordError at a damaged line.
        """
        for run in history.runs:
            known = self._runs.setdefault(run.number, RunFacts(run.began.sittings, run.began.deals))
            for number in sorted(run.encounters):
                encounter, begin = run.encounters[number], known.read(number)
                if encounter.size > begin.offset:
                    path = encounter_path(self._logs, run.number, number)
                    file, last = path.relative_to(self._logs).as_posix(), begin.lines
                    linked = path.is_file() and not _fills_folder(run, number)
                    for lines in by_match(read_encounter(path, begin, encounter.size)):
                        head, last = lines[0][1], lines[-1][0]
                        assert isinstance(head, Match)
                        key, deal = _place(run, number, head, path)
                        account = history.account(head.id)
                        match = MatchLines(head, deal, file, tuple(lines), linked, account)
                        yield self._noted(match, known, key)
                    known.have_read(number, Mark(encounter.size, last))

    def facts_of(self, match: str) -> MatchFacts:
        """Returns the facts that were collected about a match."""
        run, encounter, sitting, deal = map(int, match.split("."))
        if (known := self._runs.get(run)) is None:
            return MatchFacts()
        told = self._told.get(match)
        leads, behind = told or (0, 0)
        return MatchFacts(*known.answers((encounter, sitting), deal), leads, behind, told is not None)

    def note(self, match: str, leads: int, behind: float) -> None:
        """Adds the facts about the lead in a match: how often it changed, and how far the winner was behind.
        Only the code that makes the replay of the match knows these facts."""
        self._told[match] = leads, behind

    def _noted(self, match: MatchLines, known: RunFacts, key: Key) -> MatchLines:
        bots = match.head.bots
        stderr = {record.seat: record.tail for _, record in match.lines if isinstance(record, Stderr)}
        answers = slowest = 0
        for number, record in match.lines:
            if isinstance(record, Turn) and not record.ask.startswith("new"):
                self.paces.add(bots[record.seat - 1], record)
                answers += 1
                slowest = max(slowest, record.us)
            elif isinstance(record, Fault):
                self.fault_count += 1
                if len(self.first_faults) < MOST_FAULTS:
                    bot, tail = bots[record.seat - 1], stderr.get(record.seat, "")
                    self.first_faults.append(
                        LoggedFault(match.head.id, bot, record, match.file, number, tail, match.linked)
                    )
        self.answers.take(bots, (record for _, record in match.lines))
        known.note(key, match.deal, answers, slowest)
        return match


def _fills_folder(run: Run, encounter: int) -> bool:
    """Returns whether the folder with the file of this encounter will be full at the end of the run. The
    files of a full folder are moved into a pack."""
    encounters = run.planned // (run.began.sittings * run.began.deals)
    return (encounter - 1) // PER_FOLDER < encounters // PER_FOLDER


def _place(run: Run, encounter: int, head: Match, path: Path) -> tuple[Key, int]:
    """Returns the sitting and the deal to which a match in the file of this encounter belongs."""
    with suppress(ValueError):
        number, own, sitting, deal = map(int, head.id.split("."))
        known = 0 < sitting <= run.began.sittings and 0 < deal <= run.began.deals
        if known and (number, own) == (run.number, encounter):
            return (encounter, sitting), deal
    raise RecordError(f"encounter {run.number}.{encounter} has no match {head.id[:80]!r}", str(path))


# -- facts of a run, in arrays -----------------------------------------------------------------------
#
# `RunFacts` keeps facts about the matches of a run in arrays. A number takes 8 bytes in an array, and 50
# bytes as a Python object. This difference matters for a report of a million matches, because the memory also
# has to hold the history of these matches.


BLOCK = 256
LARGEST = 2**63 - 1


class BlockArray:
    """An array of numbers. Every number is 0 until it is set.

    The numbers are in blocks, and a block is made only when it is needed. So a very high index needs no more
    memory than a low index.
    """

    def __init__(self) -> None:
        self._blocks: dict[int, array[int]] = {}

    def __getitem__(self, place: int) -> int:
        block = self._blocks.get(place // BLOCK)
        return block[place % BLOCK] if block else 0

    def __setitem__(self, place: int, number: int) -> None:
        block = self._blocks.get(place // BLOCK)
        if block is None:
            block = self._blocks[place // BLOCK] = array("q", bytes(8 * BLOCK))
        block[place % BLOCK] = min(number, LARGEST)


class RunFacts:
    """The facts about the matches of a run, and the position up to which each of its encounters was read."""

    def __init__(self, sittings: int, deals: int) -> None:
        self._sittings = sittings
        self._deals = deals
        self._answers = BlockArray()
        self._slowest = BlockArray()
        self._offsets = BlockArray()
        self._lines = BlockArray()

    def answers(self, key: Key, deal: int) -> tuple[int, int]:
        """Returns the number of answers in a match, and the time of the slowest answer in microseconds."""
        place = self._place(key, deal)
        return self._answers[place], self._slowest[place]

    def note(self, key: Key, deal: int, answers: int, slowest_us: int) -> None:
        """Keeps the two values that `answers` returns for this match."""
        place = self._place(key, deal)
        self._answers[place], self._slowest[place] = answers, slowest_us

    def read(self, encounter: int) -> Mark:
        """Returns the position up to which the file of an encounter was read."""
        return Mark(self._offsets[encounter], self._lines[encounter])

    def have_read(self, encounter: int, mark: Mark) -> None:
        """Notes the position up to which the file of an encounter was read."""
        self._offsets[encounter], self._lines[encounter] = mark

    def _place(self, key: Key, deal: int) -> int:
        encounter, sitting = key
        return ((encounter - 1) * self._sittings + sitting - 1) * self._deals + deal - 1


# -- the matches that have replays -------------------------------------------------------------------


USUAL = 20_000


class ReplayChoice(NamedTuple):
    """The settings that say which matches get a replay. A match with a fault always gets a replay."""

    first: int | None = USUAL
    """The number of matches at the start of each run that have a replay. None means all matches.

    This number is rounded up to the end of an encounter.
    """

    def until(self, run: Run) -> int | None:
        """At the start of a run there are encounters in which every match has a replay. Returns their number.

        Returns None if all matches of the run have a replay.
        """
        if self.first is None:
            return None
        last = ceil(self.first / (run.began.sittings * run.began.deals))
        return last if last * run.began.sittings * run.began.deals < run.planned else None

    def has(self, history: History, match: MatchLines) -> bool:
        """Returns whether a match has a replay."""
        run, encounter, *_ = map(int, match.head.id.split("."))
        until = self.until(history.runs[run - 1])
        return until is None or encounter <= until or any(isinstance(line, Fault) for _, line in match.lines)


ALL = ReplayChoice(None)
FAULTS = ReplayChoice(0)
