"""Makes the rows of an export from a record, match by match."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from harness.config import FrozenPlan
from harness.errors import RecordError
from harness.events import (
    Disqualified,
    Ended,
    Entered,
    Fault,
    Match,
    Opened,
    Played,
    Result,
    RunBegan,
    Stderr,
    Turn,
    Usage,
)
from harness.record import run_folder
from harness.record.bot_numbers import numbers_of
from harness.record.log import (
    JOURNAL,
    START,
    Line,
    Mark,
    Numbered,
    by_match,
    encounter_path,
    read_encounter,
    read_journal,
)
from harness.record.masking import Mask

Cell: TypeAlias = str | int | float | bool | None
ExportRow: TypeAlias = tuple[Cell, ...]
Placed: TypeAlias = tuple[str, ExportRow]
"""The name of a table, and a row of this table."""
NEW = "new"
"""The first word of the question that starts a match for a seat."""


class InRecord(NamedTuple):
    """What the journal says about a match: the position of the match in the record of the tournament, and
    other facts."""

    id: str
    tournament: str
    run: int
    round: int
    encounter: int
    sitting: int
    number: int
    deal: str
    bots: tuple[str, ...]
    """The names of the bots, in the order of seats."""
    counts: bool
    isolation: str
    account: str
    out: frozenset[str]
    """The bots that were disqualified because of this match."""


class ExportNames:
    """The names and texts of an export. A masked export replaces the names of bots, and leaves out the texts
    that a bot wrote to its team."""

    def __init__(self, mask: Mask, masked: bool) -> None:
        self.bot = mask.name
        self._mask = mask if masked else None

    def text(self, text: str | None) -> str | None:
        """Returns a text that may contain names of bots. In a masked export, masks replace these names."""
        return self._mask.text(text) if self._mask and text else text

    def own(self, text: str | None) -> str | None:
        """Returns a text that a bot wrote for its own team. In a masked export, returns None instead."""
        return None if self._mask else text


def rows_of(where: InRecord, lines: Sequence[Numbered], names: ExportNames) -> Iterator[Placed]:
    """Yields the rows of a match. Raises RecordError if the lines do not belong to the match."""
    head, result = lines[0][1], None
    if not isinstance(head, Match) or (head.id, head.bots) != (where.id, where.bots):
        raise RecordError(f"the journal has match {where.id} of {', '.join(where.bots)} here")
    seats = [_Seat(seat, bot) for seat, bot in enumerate(head.bots, 1)]
    faults: list[Fault] = []
    tails: dict[int, str] = {}
    turn = last_us = 0
    for _, record in lines:
        if isinstance(record, Turn):
            turn += 1
            seat = _seat(seats, record.seat)
            seat.add(record)
            last_us = max(last_us, record.at)
            yield "turns", _turn(where, turn, seat, record, names)
            if record.comments:
                yield from _numbers(where, turn, seat, record, names)
        elif isinstance(record, Fault):
            _seat(seats, record.seat).faults.append(record.name)
            faults.append(record)
        elif isinstance(record, Stderr):
            tails[record.seat] = record.tail
        elif isinstance(record, Usage):
            for seat, us in zip(seats, record.cpu_us, strict=False):
                seat.idle_cpu_us = us
        elif isinstance(record, Result):
            result = record
    if result is None or not len(result.ranks) == len(result.scores) == len(seats):
        raise RecordError(f"match {where.id} has no result for each of its {len(seats)} seats")
    yield from _faults(where, faults, tails, seats, names)
    yield from _seats(where, head, result, seats, names)
    yield "matches", _match(where, result, seats, last_us, names)


class _Seat:
    """Adds up the questions to one seat in one match: their number, the times of the answers, and the
    faults."""

    def __init__(self, number: int, bot: str) -> None:
        self.number = number
        self.bot = bot
        self.faults: list[str] = []
        self.questions = self.us = self.excused_us = self.slowest_us = 0
        self.start_us = self.idle_cpu_us = 0

    def add(self, turn: Turn) -> None:
        """Adds a question and its answer."""
        if _word(turn) == NEW:
            self.start_us = turn.us
            return
        self.questions += 1
        self.us += turn.us
        self.excused_us += turn.excused_us
        self.slowest_us = max(self.slowest_us, turn.us)


def _seat(seats: Sequence[_Seat], number: int) -> _Seat:
    if not 0 < number <= len(seats):
        raise RecordError(f"a line names seat {number}, but the match has {len(seats)} seats")
    return seats[number - 1]


def _word(turn: Turn) -> str:
    return turn.ask.partition(" ")[0]


def _turn(where: InRecord, number: int, seat: _Seat, turn: Turn, names: ExportNames) -> ExportRow:
    return (
        where.id,
        number,
        seat.number,
        names.bot(seat.bot),
        _word(turn),
        names.text(turn.ask),
        names.text(turn.said),
        turn.at,
        turn.us,
        turn.excused_us,
        turn.unseen_us,
        turn.waited_us,
        turn.limit_us,
        turn.failed or None,
        names.text(turn.why) or None,
        names.own("\n".join(turn.comments)) or None,
    )


def _numbers(where: InRecord, number: int, seat: _Seat, turn: Turn, names: ExportNames) -> Iterator[Placed]:
    """Yields the numbers in the comments that came with an answer. A masked export has neither comments nor
    numbers."""
    for name, value in numbers_of(turn.comments).items():
        if names.own(name) is not None:
            yield "numbers", (where.id, number, seat.number, names.bot(seat.bot), name, value)


def _faults(
    where: InRecord,
    faults: Sequence[Fault],
    tails: dict[int, str],
    seats: Sequence[_Seat],
    names: ExportNames,
) -> Iterator[Placed]:
    for number, fault in enumerate(faults, 1):
        bot = seats[fault.seat - 1].bot
        yield (
            "faults",
            (
                where.id,
                number,
                fault.seat,
                names.bot(bot),
                fault.name,
                names.text(fault.reason),
                names.text(fault.ask) or None,
                names.text(fault.said),
                names.text("\n".join(fault.view)) or None,
                names.own(tails.get(fault.seat)),
                bot in where.out,
            ),
        )


def _seats(
    where: InRecord, head: Match, result: Result, seats: Sequence[_Seat], names: ExportNames
) -> Iterator[Placed]:
    best = min(result.ranks)
    winners = result.ranks.count(best)
    share = 1 / winners if winners > 1 else 1
    for seat, rank, score in zip(seats, result.ranks, result.scores, strict=True):
        place = seat.number - 1
        yield (
            "seats",
            (
                where.id,
                where.run,
                where.encounter,
                where.deal,
                where.counts,
                seat.number,
                names.bot(seat.bot),
                rank,
                score,
                share if rank == best else 0,
                seat.faults[0] if seat.faults else None,
                seat.questions,
                seat.us,
                seat.excused_us,
                seat.slowest_us,
                seat.start_us,
                seat.idle_cpu_us,
                head.seeds[place] if place < len(head.seeds) else None,
                (head.wants[place] if place < len(head.wants) else "") or None,
            ),
        )


def _match(
    where: InRecord, result: Result, seats: Sequence[_Seat], last_us: int, names: ExportNames
) -> ExportRow:
    return (
        where.id,
        where.tournament,
        where.run,
        where.round,
        where.encounter,
        where.sitting,
        where.number,
        where.deal,
        len(seats),
        where.counts,
        where.isolation,
        where.account,
        sum(seat.questions for seat in seats),
        sum(len(seat.faults) for seat in seats),
        last_us,
        names.text(result.reason),
    )


# -- the rows of a whole record ----------------------------------------------------------------------
#
# This part reads a record for an export, and yields the rows of all its tables, match by match.
#
# This part reads the journal twice. In the first pass this part finds the runs and the disqualifications. In
# the second pass, these facts decide whether a match counts. Only one match is in memory at a time. For each
# incomplete encounter, this part also remembers where in the encounter's file the next sitting begins.


class ExportedRecord:
    """A record to export. The record may still grow: the export leaves out the lines of the journal that are
    written after `__init__` has read it."""

    def __init__(self, folder: Path, plan: FrozenPlan, names: ExportNames) -> None:
        """Reads the journal. Raises InputError if `folder` is not the folder of a tournament, and RecordError
        if the journal is damaged."""
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
            if record.run != len(self._runs) + 1 or record.flaw():
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
                if sittings + 1 < began.sittings:
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
        """Yields the rows of a sitting. Returns the position in the encounter's file where the sitting
        ends."""
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
        match = f"{encounter}.{played.sitting}.{number}"
        in_last = played.run == len(self._runs) or encounter in self._kept
        return InRecord(
            match,
            self._plan.name,
            played.run,
            played.round,
            played.encounter,
            played.sitting,
            number,
            match if began.orders else f"{encounter}.{number}",
            began.by_seat(played.bots, played.sitting, number),
            in_last and self._out.keys().isdisjoint(played.bots),
            played.isolation,
            played.account,
            frozenset(bot for bot, record in self._out.items() if record.match == match),
        )
