"""Forks of matches on record: the question from which a match goes on, and whether a fork follows from the
rules.

A fork is no match: its file has a kind of line that no other file of a record has, so nothing counts it. It
is verified as matches are. Up to the question it must be the match on record. From there on, the referee
judges its answers again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from harness.chance import Seeded, derived
from harness.config import FrozenPlan
from harness.errors import InputError, RecordError
from harness.escape import count_of
from harness.events import Brief, Drawn, Event, Fault, InEncounter, Record, Result, Turn
from harness.games import State
from harness.judge.recorded_luck import RecordedLuck
from harness.judge.rejudge import LogLines, rejudge
from harness.judge.rules import Rules, rules_of
from harness.model import Illegal, Malformed
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


class Fork(msgspec.Struct, frozen=True, tag="fork", tag_field="is"):
    """A fork that was played, as one line of a file.

    `move` is the answer to the question; None if the bot answered. `draw` is the number of the draw, from 1;
    0 means the luck of the match. `programs` has, for each seat, the digest of its bot, or the word of the
    sparring bot that played on for the bot. `differ` counts, for each seat, the answers of the bot before the
    question that are not those on record. `records` are the records of the whole fork.
    """

    match: str
    question: int
    move: str | None
    draw: int
    programs: tuple[str, ...]
    differ: tuple[int, ...] = ()
    records: tuple[InEncounter, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What was to be played. Two forks with the same key answer the same question."""
        return self.match, self.question, self.move, self.draw, self.programs


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
    rules = rules_of(plan)._replace(luck_off=False)  # Nobody takes the luck off a fork.
    return ForkPoint(rules, recorded, number, turn, state, any(other != state for other in others))


class ForkCourse:
    """How far a fork has come, and what changes at its question."""

    def __init__(self, point: ForkPoint, draw: int) -> None:
        self.begun = False
        """True from the turn of the fork's question on."""
        self._point = point
        self._draw = draw
        self._asked = 0
        head = point.recorded.head
        self._seed = derived("fork", head.id, *head.seeds, point.number, draw)
        self.luck = RecordedLuck(point.recorded.records, self._seed, free=True)

    def exchange(self, state: State) -> State:
        """Begins the fork at the turn that has its question."""
        self._asked += len(state.to_act())
        if self.begun or self._asked < self._point.number:
            return state
        self.begun = True
        if not self._draw:
            return state
        self.luck.draw_again()
        other = state.alike(self._point.seat, Seeded(derived(self._seed, "alike")))
        return state if other is None else other


def rest_on_record(point: ForkPoint, records: Sequence[InEncounter]) -> bool:
    """Returns whether the fork is the match on record again, in all but times."""
    return _timeless(records) == _timeless(point.recorded.records)


def _timeless(records: Sequence[InEncounter]) -> list[object]:
    """Returns the questions, the answers, and all that follows from them, without times."""
    return [
        (each.seat, each.ask.partition(" ")[0], each.said, each.failed) if isinstance(each, Turn) else each
        for each in records
        if isinstance(each, Turn | Event | Drawn | Fault | Result)
    ]


def check_fork(point: ForkPoint, fork: Fork, where: str = "") -> Brief:
    """Judges a fork again, and returns its result. Raises RecordError if it is not the match on record up to
    its question, or if it does not follow from the rules."""
    if fork.match != point.recorded.head.id or fork.question != point.number:
        raise RecordError("this is a fork of another match, or of another question", where)
    before, known = _answers(fork.records), _answers(point.recorded.records)
    told = point.number - 1
    if fork.draw and len(point.state.to_act()) > 1:
        told = min(told, _before_turn(point, known))
    if before[:told] != known[:told]:
        raise RecordError("the answers before the question are not those on record", where)
    if fork.move is not None and before[point.number - 1 : point.number] != [(point.seat, fork.move, "")]:
        raise RecordError("the answer to the question is not the move of the fork", where)
    lines = LogLines(enumerate(fork.records, start=1), where)
    course = ForkCourse(point, fork.draw)
    _, brief = rejudge(lines, point.rules, None, point.recorded.number, course=course)
    if lines.peek() is not None:
        raise RecordError("this record comes after the end of the fork", where)
    return brief


def _before_turn(point: ForkPoint, known: Sequence[object]) -> int:
    """Returns the number of questions before the turn that has the question of the fork."""
    return point.number - 1 - point.state.to_act().index(point.seat)


def _answers(records: Sequence[InEncounter]) -> list[tuple[int, str | None, str]]:
    turns = (each for each in records if isinstance(each, Turn) and not each.ask.startswith("new "))
    return [(each.seat, each.said, each.failed) for each in turns]
