"""Makes the rows of an export from the lines of a match; reads no files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from harness.errors import RecordError
from harness.events import Fault, Match, Result, Stderr, Turn, Usage
from harness.record.log import Numbered
from harness.record.masking import Mask

Cell: TypeAlias = str | int | float | bool | None
ExportRow: TypeAlias = tuple[Cell, ...]
Placed: TypeAlias = tuple[str, ExportRow]
"""The name of a table and a row of it."""
NEW = "new"
"""The first word of the question that starts a match for a seat."""


class InRecord(NamedTuple):
    """Where a match belongs in its record, as the journal says."""

    id: str
    tournament: str
    run: int
    round: int
    encounter: int
    sitting: int
    number: int
    deal: str
    bots: tuple[str, ...]
    """By seat."""
    counts: bool
    isolation: str
    out: frozenset[str]
    """The bots that were disqualified because of this match."""


class ExportNames:
    """Names and texts as an export has them. Masked, it leaves out what a bot wrote to its team."""

    def __init__(self, mask: Mask, masked: bool) -> None:
        self.bot = mask.name
        self._mask = mask if masked else None

    def text(self, text: str | None) -> str | None:
        """A text that may contain names."""
        return self._mask.text(text) if self._mask and text else text

    def own(self, text: str | None) -> str | None:
        """A text from a bot to its team."""
        return None if self._mask else text


def rows_of(where: InRecord, lines: Sequence[Numbered], names: ExportNames) -> Iterator[Placed]:
    """Yields the rows of a match. Raises RecordError if its lines are not those of the match."""
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
    """What is added up for a seat."""

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
        sum(seat.questions for seat in seats),
        sum(len(seat.faults) for seat in seats),
        last_us,
        names.text(result.reason),
    )
