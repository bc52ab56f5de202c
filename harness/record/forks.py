"""Defines forks, and checks them by the rules. A fork is a second way in which a match on record goes on.

A fork does not count as a match. So each line in a file of forks is marked as a fork (`"is": "fork"`), and no
line in the other files of a record has this mark. Forks are verified like matches. Up to its question, a fork
must be equal to the match on record. After this question, the referee judges the answers of the fork again.
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
from harness.model import Illegal, Malformed, Number
from harness.record.one_match import RecordedMatch

TRIES = 20
"""To find out whether anything is hidden from a seat, this number of positions is drawn."""
NO_REPEAT = "With the answer on record, the bots did not repeat the match on record:"
"""The beginning of a warning. The warning is for a match whose bots play differently in a fork."""


class ForkPoint(NamedTuple):
    """A question of a match on record. `number` is the number of the question among the questions to all
    seats, counted from 1. `hidden` is true if something is hidden from the asked seat."""

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
        """Returns the canonical text of a move for this question. Raises InputError if the move is not
        legal."""
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

    `move` is the answer that the fork gives to the question; None means that the bot itself answered. `draw`
    is the number of a draw with new luck, counted from 1; 0 means that the fork has the luck of the match on
    record. `programs` has, for each seat, the digest of its bot. If a sparring bot replaced the bot of a
    seat, `programs` has the word of the sparring bot for this seat, such as `spar:16`. `differ` has, for
    each seat, the number of answers that differ from the answers on record: only answers of this seat's bot
    before the question of the fork are counted. `records` are the records of the whole fork.
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
        """The values that decide how the fork is played. Two forks with the same key were played under
        the same conditions.
        """
        return self.match, self.question, self.move, self.draw, self.programs


def fork_point(plan: FrozenPlan, recorded: RecordedMatch, number: int) -> ForkPoint:
    """Finds a question of a match. Raises InputError if the match has no such question, and RecordError if
    the record does not follow from the rules."""
    found = recorded.questions(plan)
    if not 1 <= number <= len(found):
        asked = f"match {recorded.head.id} has {count_of(len(found), 'question')}"
        raise InputError(f"{asked}, and no question {number}", "--from")
    turn, state = found[number - 1]
    others = (state.alike(turn.seat, Seeded(draw)) for draw in range(TRIES))
    rules = rules_of(plan)._replace(luck_off=False)  # In a fork, harness does not measure luck.
    return ForkPoint(rules, recorded, number, turn, state, any(other != state for other in others))


class ForkCourse:
    """Follows a fork while the fork is judged. If the fork has new luck, this object changes the position and
    the luck of the match at the question of the fork."""

    def __init__(self, point: ForkPoint, draw: int) -> None:
        self.begun = False
        """True as soon as the match has reached the turn with the fork's question."""
        self._point = point
        self._draw = draw
        self._asked = 0
        head = point.recorded.head
        self._seed = derived("fork", head.id, *head.seeds, point.number, draw)
        self.luck = RecordedLuck(point.recorded.records, self._seed, free=True)

    def exchange(self, state: State) -> State:
        """Is called with the position of each turn. At the turn with the fork's question, begins the fork.
        Returns the position from which the match continues."""
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
    """Returns whether the fork is equal to the match on record, apart from times."""
    return _timeless(records) == _timeless(point.recorded.records)


def _timeless(records: Sequence[InEncounter]) -> list[object]:
    """Returns the questions, the answers, and the records that follow from the answers, without times."""
    found: list[object] = []
    for each in records:
        match each:
            case Turn():
                found.append((each.seat, each.ask.partition(" ")[0], each.said, each.failed))
            case Fault():
                found.append((each.seat, each.ask.partition(" ")[0], each.said, each.name))
            case Event() | Drawn() | Result():
                found.append(each)
    return found


def check_fork(point: ForkPoint, fork: Fork, where: str = "") -> tuple[Brief, tuple[Number, ...]]:
    """Judges a fork again, and returns its result and the keys of its last position. Raises
    RecordError if the fork differs from the match on record before its question, or if the fork does not
    follow from the rules."""
    if fork.match != point.recorded.head.id or fork.question != point.number:
        raise RecordError("this is a fork of another match, or of another question", where)
    before, known = _answers(fork.records), _answers(point.recorded.records)
    told = point.number - 1
    if fork.draw:  # With new luck, other answers in the turn of the question may differ.
        told -= point.state.to_act().index(point.seat)
    if before[:told] != known[:told]:
        raise RecordError("the answers before the question are not those on record", where)
    if fork.move is not None and before[point.number - 1 : point.number] != [(point.seat, fork.move, "")]:
        raise RecordError("the answer to the question is not the move of the fork", where)
    lines = LogLines(enumerate(fork.records, start=1), where)
    course = ForkCourse(point, fork.draw)
    keys: tuple[Number, ...] = ()

    def look(record: Record, state: State | None) -> None:
        nonlocal keys
        if isinstance(record, Result) and state is not None:
            keys = state.keys()

    _, brief = rejudge(lines, point.rules, None, point.recorded.number, look=look, course=course)
    if lines.peek() is not None:
        raise RecordError("this record comes after the end of the fork", where)
    return brief, keys


def _answers(records: Sequence[InEncounter]) -> list[tuple[int, str | None, str]]:
    turns = (each for each in records if isinstance(each, Turn) and not each.ask.startswith("new "))
    return [(each.seat, each.said, each.failed) for each in turns]
