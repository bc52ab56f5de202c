"""Plays a fork of a match on record. In a fork, live bots play on from one question of the match. In the
fork, the answer to this question may differ from the answer on record, and a seat may have another bot.

A bot has a memory, so it is never started in the middle. The bot first gets all lines of the match up to the
question. The answers that the bot gives here do not count: they are only compared with the answers on record.
After the question there are two ways to go on:

- with the same luck: each stream of chance yields the values on record, as long as the game can use them;
- drawn again: at the question, everything that the asked seat cannot know is drawn again (`State.alike`).
  All later chance is drawn again too. The other bots have been told the true hidden facts. So if anything is
  hidden, sparring bots (harness itself chooses their moves) play on instead of the other bots. Sparring bots
  see only the new facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import msgspec

from harness.bot.process import become_subreaper
from harness.events import Brief, InEncounter, Record
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.model import Number, Reply
from harness.play import match
from harness.play.recorded_seat import RecordedSeat
from harness.play.sitting import Taker, seated
from harness.play.sparring import SparringPlayer, sit_down
from harness.record.forks import ForkCourse, ForkPoint


class ForkOrder(NamedTuple):
    """Says how to play a fork. `entrants` has a bot for each seat; None means that a sparring bot plays on
    from the question. `move` is the answer to the question; None means that the bot answers. `draw` is the
    number of the draw; 0 means the luck on record. `play_outs` is the number of play-outs of the sparring
    bots."""

    entrants: tuple[Entrant | None, ...]
    move: str | None = None
    draw: int = 0
    play_outs: int = 16


class Forked(NamedTuple):
    """A fork that was played. `keys` are the numbers of its last position (`State.keys`): for each seat, a
    high number is good, also in a game in which a low score is good. `differ` has, for each seat, the number
    of answers before the question that differ from the record."""

    brief: Brief
    keys: tuple[Number, ...]
    differ: tuple[int, ...]
    records: tuple[InEncounter, ...]


async def play_fork(point: ForkPoint, order: ForkOrder) -> Forked:
    """Plays a fork. Raises Void if the machine failed."""
    become_subreaper()
    head, records = point.recorded.head, point.recorded.records
    known = terms_on_record(point.rules, head, point.recorded.number, heard=True)
    written: list[Record] = []
    async with AsyncExitStack() as stack:
        bots = [(entrant, point.rules) for entrant in order.entrants if entrant]
        free = iter(await stack.enter_async_context(seated(bots)))
        seats = [next(free) if entrant else None for entrant in order.entrants]
        for seat in seats:
            if seat:
                await seat.fill()
        live = [seat.occupant if seat else SparringPlayer(order.play_outs) for seat in seats]
        takers = [taker for taker in live if taker is not None]
        wants = [
            taker.wants if entrant else told
            for taker, entrant, told in zip(takers, order.entrants, known.wants, strict=True)
        ]
        terms = msgspec.structs.replace(known, wants=tuple(wants))
        course = ForkCourse(point, order.draw)
        count = _Count(point, order, course)
        referee = Referee(terms, course.luck, written.append, course.exchange)
        sit_down(takers, referee)
        players = [
            _ForkedSeat(count, taker, records, seat, entrant is None)
            for seat, (taker, entrant) in enumerate(zip(takers, order.entrants, strict=True), start=1)
        ]
        outcome = await match.play(referee, players, written.append)
    faults = tuple(fault.brief() for fault in referee.faults)
    brief = Brief(outcome.ranks, outcome.scores, faults)
    told = msgspec.structs.replace(head, wants=tuple([each.words() for each in wants]))
    assert referee.state is not None, "a fork is played to its end"
    kept = tuple(each for each in (told, *written) if isinstance(each, InEncounter))
    return Forked(brief, referee.state.keys(), tuple(player.differ for player in players), kept)


class _Count:
    """Counts the questions of a fork, except the question `new`."""

    def __init__(self, point: ForkPoint, order: ForkOrder, course: ForkCourse) -> None:
        self._number = point.number
        self._order = order
        self._course = course
        self._asked = 0

    def next(self) -> tuple[bool, str | None]:
        """Counts a question. Returns two values: whether the answer on record still counts for this question,
        and the answer that replaces the bot's answer; None if the bot's own answer counts."""
        self._asked += 1
        before = self._asked < self._number and not (self._course.begun and self._order.draw)
        return before, self._order.move if self._asked == self._number else None


class _ForkedSeat(RecordedSeat):
    """A live bot whose answers count only from the question of the fork on. A sparring bot that replaces a
    bot is not asked before this question."""

    def __init__(
        self, count: _Count, live: Taker, records: Sequence[InEncounter], seat: int, stands_in: bool
    ) -> None:
        super().__init__(records, seat)
        self._stands_in = stands_in
        self.differ = 0
        self._count = count
        self._live = live
        self._is_new = True
        self._failed: Reply | None = None

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        before, instead = (True, None) if self._is_new else self._count.next()
        if not before:
            now = self._failed or await self._live.ask(block, limit_us, began)
            return now if instead is None else Reply(instead, us=min(now.us, limit_us), at=now.at)
        known = await super().ask(block, limit_us, began)
        if self._failed is None and (self._is_new or not self._stands_in):
            now = await self._live.ask(block, limit_us, began)
            self.differ += now.said != known.said
            self._failed = now if now.failed else None
        self._is_new = False
        return known

    async def tell(self, block: bytes) -> None:
        if self._failed is None:
            await self._live.tell(block)

    async def dismiss(self) -> str:
        return await self._live.dismiss()

    def begin(self) -> None:
        self._live.begin()

    def unasked_cpu_us(self) -> int:
        return self._live.unasked_cpu_us()
