"""Reads a record for an export: yields the rows of all its tables, match by match.

It reads the journal twice. The first time it finds the runs and the disqualifications, so that the second
time it can say whether a match counts. In memory are only one match, and where encounters end of which
sittings are missing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

import msgspec

from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.events import Disqualified, Ended, Entered, Opened, Played, RunBegan
from harness.record import run_folder
from harness.record.log import (
    JOURNAL,
    START,
    Line,
    Mark,
    by_match,
    encounter_path,
    read_encounter,
    read_journal,
)
from harness.results.export_rows import ExportNames, ExportRow, InRecord, Placed, rows_of


class ExportedRecord:
    """A record to export. It may still grow; lines that come later are left out."""

    def __init__(self, folder: Path, plan: FrozenPlan, names: ExportNames) -> None:
        """Reads the journal. Raises InputError if this is not the folder of a tournament, and RecordError if
        the journal is damaged."""
        run_folder.plan_in(folder)
        self._folder = folder
        self._plan = plan
        self._names = names
        self._bots = {bot.name for bot in plan.bots}
        self._runs: list[RunBegan] = []
        self._out: dict[str, Disqualified] = {}
        self._ended = False
        self._last: Line | None = None
        for line in read_journal(folder, growing=True):
            self._note(line)
            self._last = line
        if self._last is None:
            raise RecordError("this file is empty", str(folder / JOURNAL))
        self._kept = frozenset(self._runs[-1].kept if self._runs else ())

    def _note(self, line: Line) -> None:
        record = line.record
        if (line.number == 1) is not isinstance(record, Opened):
            raise self._error(line, "the first line opens a tournament, and no other line does")
        self._ended = isinstance(record, Ended) and not record.unplayed
        if isinstance(record, RunBegan):
            seats = list(range(1, record.seats + 1))
            if record.run != len(self._runs) + 1 or any(sorted(order) != seats for order in record.orders):
                raise self._error(line, "this run contradicts the lines before")
            self._require_known(line, record.bots)
            self._runs.append(record)
        elif isinstance(record, Entered):
            self._require_known(line, (bot.name for bot in record.bots))
        elif isinstance(record, Disqualified):
            self._out.setdefault(record.bot, record)

    def _require_known(self, line: Line, bots: Iterable[str]) -> None:
        if strangers := set(bots) - self._bots:
            raise self._error(line, f"the plan does not name {', '.join(sorted(strangers))}")

    def _error(self, line: Line, message: str) -> RecordError:
        return RecordError(message, f"{self._folder / JOURNAL}:{line.number}")

    # -- rows

    def rows(self) -> Iterator[Placed]:
        """Yields each row with the name of its table. Raises RecordError at the first damaged line."""
        assert self._last is not None
        yield "tournament", self._tournament(self._last.digest)
        for bot in self._plan.bots:
            out = self._out.get(bot.name)
            house = bot.name in self._plan.house
            yield "bots", (self._names.bot(bot.name), bot.language or None, house, out.run if out else None)
        unfinished: dict[tuple[int, int], tuple[int, Mark]] = {}
        for line in read_journal(self._folder, growing=True):
            if isinstance(line.record, Played):
                began = self._run_of(line, line.record)
                key = line.record.run, line.record.encounter
                sittings, begin = unfinished.pop(key, (0, START))
                end = yield from self._sitting(line.record, began, begin)
                if sittings + 1 < began.seatings:
                    unfinished[key] = sittings + 1, end
            if line.number == self._last.number:
                return

    def _tournament(self, digest: str) -> ExportRow:
        plan = self._plan
        return (
            plan.name,
            plan.game.name,
            plan.game.version,
            msgspec.json.encode(plan.options, order="sorted").decode(),
            plan.policy,
            plan.clock,
            plan.limits.move_ms * 1_000,
            plan.harness,
            self._ended,
            digest,
        )

    def _run_of(self, line: Line, played: Played) -> RunBegan:
        if not 0 < played.run <= len(self._runs):
            raise self._error(line, f"run {played.run} has not begun")
        began = self._runs[played.run - 1]
        self._require_known(line, played.bots)
        if len(played.bots) != began.seats or len(played.matches) != began.deals:
            raise self._error(line, "this sitting does not have the bots and matches of its run")
        return began

    def _sitting(self, played: Played, began: RunBegan, begin: Mark) -> Generator[Placed, None, Mark]:
        """Yields the rows of a sitting; returns where it ends in the encounter's file."""
        path = encounter_path(self._folder, played.run, played.encounter)
        number, last = 0, begin.lines
        for number, lines in enumerate(by_match(read_encounter(path, begin, played.size)), 1):
            last = lines[-1][0]
            try:
                yield from rows_of(self._where(played, began, number), lines, self._names)
            except RecordError as error:
                raise RecordError(error.message, f"{path}:{lines[0][0]}") from None
        if number != began.deals:
            raise RecordError(f"the journal has {began.deals} matches here, the file has {number}", str(path))
        return Mark(played.size, last)

    def _where(self, played: Played, began: RunBegan, number: int) -> InRecord:
        encounter = f"{played.run}.{played.encounter}"
        match = f"{encounter}.{played.seating}.{number}"
        in_last = played.run == len(self._runs) or encounter in self._kept
        return InRecord(
            match,
            self._plan.name,
            played.run,
            played.round,
            played.encounter,
            played.seating,
            number,
            match if began.orders else f"{encounter}.{number}",
            began.by_seat(played.bots, played.seating, number),
            in_last and self._out.keys().isdisjoint(played.bots),
            played.isolation,
            frozenset(bot for bot, record in self._out.items() if record.match == match),
        )
