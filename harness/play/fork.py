"""Plays a fork of a match on record: the match goes on from one of its questions with live bots, perhaps with
another answer to this question or with another bot.

A bot has a memory, so it is never started in the middle. It first gets all lines of the match up to the
question, and its answers to them are only compared with those on record. After the question there are two
ways to go on:

- by the same luck: each stream of chance yields the values on record, as long as they fit;
- drawn again: what the asked seat cannot know is drawn again at the question (`State.alike`), and so is all
  later chance. The other bots have been told the true hidden facts. So if anything is hidden, sparring bots
  play on for them. They see only the new facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import msgspec

from harness.bot.process import become_subreaper
from harness.chance import Seeded, derived
from harness.config import FrozenPlan
from harness.errors import InputError
from harness.escape import count_of
from harness.events import Brief, Drawn, Event, Fault, InEncounter, Record, Result, Turn
from harness.games import State
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.judge.rules import Rules, rules_of
from harness.model import Illegal, Malformed, Reply
from harness.play import match
from harness.play.recorded import RecordedLuck, RecordedSeat
from harness.play.sitting import Taker, seated
from harness.play.sparring import SparringPlayer, sit_down
from harness.record.one_match import RecordedMatch

TRIES = 20
"""The number of positions that are drawn to find out whether anything is hidden."""


class ForkPoint(NamedTuple):
    """A question of a match on record. `number` counts the questions to all seats, from 1. `hidden` says
    whether the asked seat does not know everything."""

    rules: Rules
    recorded: RecordedMatch
    number: int
    turn: Turn
    state: State
    hidden: bool

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.turn.seat

    def canonical(self, move: str) -> str:
        """Returns the canonical text of a move for this question. Raises InputError if it is not legal."""
        said = move if f"{move} ".startswith(f"{self._word} ") else f"{self._word} {move}"
        verdict = self.state.check(self.seat, said)
        if isinstance(verdict, Malformed | Illegal):
            raise InputError(
                f"this is not a legal move at question {self.number}: {verdict.reason}", "--move"
            )
        return verdict

    @property
    def _word(self) -> str:
        return self.turn.ask.partition(" ")[0]


class ForkOrder(NamedTuple):
    """What is to be played: the bot in each seat (None: a sparring bot plays on from the question), the
    answer to the question (None: the answer of the bot), the number of the draw (0: by the same luck), and
    the play-outs of the sparring bots."""

    entrants: tuple[Entrant | None, ...]
    move: str | None = None
    draw: int = 0
    play_outs: int = 16


class Forked(NamedTuple):
    """A fork that was played. For each seat, `differ` counts the answers before the question that are not
    those on record."""

    brief: Brief
    differ: tuple[int, ...]
    records: tuple[Record, ...]


def fork_point(plan: FrozenPlan, recorded: RecordedMatch, number: int) -> ForkPoint:
    """Finds a question of a match. Raises InputError if the match has no such question, and RecordError if
    the record does not follow from the rules."""
    found: list[tuple[Turn, State]] = []

    def look(record: Record, state: State | None) -> None:
        if isinstance(record, Turn) and state is not None:
            found.append((record, state))

    recorded.judge(plan, look)
    if not 1 <= number <= len(found):
        asked = f"match {recorded.head.id} has {count_of(len(found), 'question')}"
        raise InputError(f"{asked}, and no question {number}", "--from")
    turn, state = found[number - 1]
    others = (state.alike(turn.seat, Seeded(draw)) for draw in range(TRIES))
    return ForkPoint(rules_of(plan), recorded, number, turn, state, any(other != state for other in others))


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
        course = _Course(point, order, records)
        referee = Referee(terms, course.luck, written.append, course.exchange)
        sit_down(takers, referee)
        players = [
            _ForkedSeat(course, taker, records, seat, entrant is None)
            for seat, (taker, entrant) in enumerate(zip(takers, order.entrants, strict=True), start=1)
        ]
        outcome = await match.play(referee, players, written.append)
    faults = tuple(fault.brief() for fault in referee.faults)
    brief = Brief(outcome.ranks, outcome.scores, faults)
    return Forked(brief, tuple(player.differ for player in players), (head, *written))


def rest_on_record(point: ForkPoint, forked: Forked) -> bool:
    """Returns whether the fork is the match on record again, in all but times."""
    return _timeless(forked.records) == _timeless(point.recorded.records)


def _timeless(records: Sequence[InEncounter | Record]) -> list[object]:
    """Returns the questions, the answers, and all that follows from them, without times."""
    return [
        (each.seat, each.ask.partition(" ")[0], each.said, each.failed) if isinstance(each, Turn) else each
        for each in records
        if isinstance(each, Turn | Event | Drawn | Fault | Result)
    ]


class _Course:
    """How far a fork has come, and what changes at its question."""

    def __init__(self, point: ForkPoint, order: ForkOrder, records: Sequence[InEncounter]) -> None:
        self._point = point
        self._order = order
        self.asked = 0
        """The number of questions so far, without `new`."""
        self.begun = False
        """True from the turn of the fork's question on."""
        seed = derived("fork", point.recorded.head.id, *point.recorded.head.seeds, point.number, order.draw)
        self._seed = seed
        self.luck = RecordedLuck(records, seed, free=True)

    def exchange(self, state: State) -> State:
        """Begins the fork at the turn that has its question."""
        if self.begun or self.asked + len(state.to_act()) < self._point.number:
            return state
        self.begun = True
        if not self._order.draw:
            return state
        self.luck.draw_again()
        other = state.alike(self._point.seat, Seeded(derived(self._seed, "alike")))
        return state if other is None else other

    def count(self) -> tuple[bool, str | None]:
        """Counts a question. Returns whether the answer on record still counts, and otherwise the answer
        that replaces that of the bot, if one does."""
        self.asked += 1
        before = self.asked < self._point.number and not (self.begun and self._order.draw)
        return before, self._order.move if self.asked == self._point.number else None


class _ForkedSeat(RecordedSeat):
    """A live bot whose answers count only from the question of the fork on. A sparring bot that stands in for
    a bot is not asked before that."""

    def __init__(
        self, course: _Course, live: Taker, records: Sequence[InEncounter], seat: int, stands_in: bool
    ) -> None:
        super().__init__(records, seat)
        self._stands_in = stands_in
        self.differ = 0
        self._course = course
        self._live = live
        self._is_new = True
        self._failed: Reply | None = None

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        before, instead = (True, None) if self._is_new else self._course.count()
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
