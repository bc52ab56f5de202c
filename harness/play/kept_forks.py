"""Plays forks, and keeps them in the file of their record. A fork that is in the file is not played again."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from harness.bot.loop import run_loop
from harness.job import Entrant
from harness.play.fork import Forked, ForkOrder, play_fork
from harness.record.fork_file import ForkFile
from harness.record.forks import Fork, ForkPoint, check_fork

T = TypeVar("T")


class Forks:
    """Forks that begin at the same question, and differ only in their random values. `programs` has the same
    meaning as in `Fork`. Without a `file`, no fork is kept."""

    def __init__(
        self, point: ForkPoint, order: ForkOrder, programs: tuple[str, ...], file: ForkFile | None
    ) -> None:
        self._point = point
        self._file = file
        self._order = order
        self._programs = programs

    def changed(self, move: str | None, new: Entrant | None, digest: str | None) -> Forks:
        """Returns forks with this answer to the question, or with a new bot in the asked seat."""
        seat = self._point.seat
        order = self._order._replace(move=move, entrants=_with(self._order.entrants, seat, new))
        return Forks(self._point, order, _with(self._programs, seat, digest), self._file)

    def play(self, draw: int) -> Forked:
        """Returns the fork with this draw. If the file has this fork, the fork is only judged again, not
        played.

        Raises Void if the machine failed, and RecordError if the kept fork does not follow from the rules.
        """
        point, order = self._point, self._order._replace(draw=draw)
        wanted = Fork(point.recorded.head.id, point.number, order.move, draw, self._programs)
        if self._file and (found := self._file.find(wanted.key)):
            kept, where = found
            return Forked(*check_fork(point, kept, where), kept.differ, kept.records)
        played = run_loop(play_fork, point, order)
        if self._file:
            self._file.add(msgspec.structs.replace(wanted, differ=played.differ, records=played.records))
        return played


def _with(values: tuple[T, ...], seat: int, value: T | None) -> tuple[T, ...]:
    """Returns the values of the seats. If `value` is not None, `value` replaces the value of this seat."""
    return values if value is None else (*values[: seat - 1], value, *values[seat:])
