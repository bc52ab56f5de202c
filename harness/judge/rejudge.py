"""Judges a match again: gives the replies in a log to the same code (the referee) that judges live matches.
This code uses no file and no process.

The log is the evidence for the answers of the bots and for the times of these answers. Everything else
follows from these answers and times: questions, events, faults, the values of chance and the result. So if
the log is right, each record that the referee writes now is equal to the next record of the log. If no seed
is given, the values of chance also come from the log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias, cast

from harness import protocol
from harness.chance import Chance, ReadBack, Scripted, Seeded
from harness.errors import RecordError
from harness.events import Brief, Drawn, InEncounter, Match, Record, Stderr, Turn, Usage
from harness.games import State
from harness.judge.lateness import own_us
from harness.judge.referee import Referee
from harness.judge.rules import Answer, Ask, Audit, Rules, Step, Terms
from harness.model import FAULTS, Reply
from harness.protocol import Wants

Look: TypeAlias = Callable[[Record, State | None], object]
"""A function that is called with each record that agrees with the log, and with the position before this
record. The position is None as long as the match has no position."""


class OtherCourse(Protocol):
    """The two differences between a fork and its match: the source of chance, and the position from which the
    match goes on (see `Referee`)."""

    @property
    def luck(self) -> Chance:
        """The source of all values of chance."""

    def exchange(self, state: State) -> State:
        """Returns the position in which the match goes on."""


class LogLines:
    """A reader that returns the numbered records of an encounter's file one after another. The reader can
    also show the next record without taking it."""

    def __init__(self, numbered: Iterable[tuple[int, InEncounter]], path: str = "") -> None:
        self._numbered = iter(numbered)
        self._path = path
        self._next: tuple[int, InEncounter | None] = (0, None)
        self._advance()

    def place(self) -> str:
        """Returns the file and the line number of the next record."""
        number, _ = self._next
        return f"{self._path}:{number}" if self._path else f"line {number}"

    def peek(self) -> InEncounter | None:
        """Returns the next record without taking it, or None at the end."""
        return self._next[1]

    def take(self) -> InEncounter | None:
        """Takes the next record and returns it. Returns None at the end."""
        _, record = self._next
        self._advance()
        return record

    def expect(self, record: Record) -> None:
        """Takes the next record. Raises RecordError if it differs from `record`."""
        found = self._next[1]
        if found != record:
            self.skip_stderr()
            self.require(record)
        elif type(record) is Drawn and type(record.value) is not type(cast(Drawn, found).value):
            raise RecordError(difference(found, record), self.place())  # in a log, 4.0 differs from 4
        # This line does the same as `_advance`. A call of `_advance` would slow down the hot path of
        # `verify`.
        self._next = next(self._numbered, None) or (self._next[0] + 1, None)

    def require(self, record: Record) -> None:
        """Raises RecordError if the next record differs from `record`."""
        _, found = self._next
        if found != record:
            raise RecordError(difference(found, record), self.place())

    def skip_stderr(self) -> None:
        """Skips records of stderr, because nothing that the referee decides depends on them."""
        while isinstance(self._next[1], Stderr):
            self._advance()

    def _advance(self) -> None:
        self._next = next(self._numbered, None) or (self._next[0] + 1, None)


def rejudge(
    lines: LogLines,
    rules: Rules,
    deal_seed: int | None,
    number: int,
    *,
    look: Look | None = None,
    course: OtherCourse | None = None,
) -> tuple[Match, Brief]:
    """Judges again the next match in these lines of a log.

    `number` is the number of the match in its sitting. If there is no `deal_seed`, the values of chance are
    not checked. If the match is a fork, `course` gives the values of chance. If a record does not follow from
    the records before it, raises RecordError with the file and the line of the first such record.
    """
    head = lines.take()
    if not isinstance(head, Match):
        raise RecordError("expected here: the first record of a match", lines.place())
    terms = terms_on_record(rules, head, number)

    def shown(record: Record) -> None:
        lines.expect(record)
        if look:
            look(record, referee.state)

    chance = course.luck if course else _chance(lines, rules, deal_seed)
    exchange = course.exchange if course else None
    referee = Referee(terms, chance, shown if look else lines.expect, exchange)
    steps = referee.questions()
    answer: Answer = None
    try:
        while True:
            answer = _from_log(lines, steps.send(answer))
    except StopIteration as end:
        lines.skip_stderr()
        faults = tuple([fault.brief() for fault in referee.faults])
        return head, Brief(end.value.ranks, end.value.scores, faults, referee.luck)
    except RecordError as error:
        raise error if error.place else RecordError(error.message, lines.place()) from None


def steps_on_record(lines: LogLines, rules: Rules, number: int) -> Iterator[Step]:
    """Judges again the next match in these lines of a log. Yields each step, with the blocks of lines that
    bots received.

    Raises RecordError in the same cases as `rejudge`.
    """
    head = lines.take()
    if not isinstance(head, Match):
        raise RecordError("expected here: the first record of a match", lines.place())
    terms = terms_on_record(rules, head, number, heard=True)
    steps = Referee(terms, _chance(lines, rules, None), lines.expect).questions()
    answer: Answer = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration:
            return
        yield step
        answer = _from_log(lines, step)


def terms_on_record(rules: Rules, head: Match, number: int, heard: bool = False) -> Terms:
    """Makes the terms of a match from its first record. The terms are the data that a referee needs.
    `number` is the number of the match in its sitting."""
    return Terms(
        rules=rules,
        seats=len(head.bots),
        number=number,
        seeds=head.seeds,
        names=head.bots,
        wants=tuple(Wants("legal" in wants, "state" in wants) for wants in head.wants),
        fresh=(False,) * len(head.bots),  # not used here: a turn on record already has its fault "no-start"
        heard=heard,
    )


def _from_log(lines: LogLines, step: Step) -> Answer:
    record = lines.peek()
    if type(record) is Stderr:
        lines.skip_stderr()
        record = lines.peek()
    if type(step) is Ask:
        if type(record) is not Turn:
            raise RecordError(f"expected here: a question to seat {step.seat}", lines.place())
        if not _can_fail(record) if record.failed else record.said is None:
            raise RecordError("a turn must have an answer or the name of a fault", lines.place())
        reply = reply_of(record)
        if reply.failed == "late" and own_us(reply) <= step.limit_us:
            raise RecordError("`failed` of `turn` is 'late', but the bot still had time", lines.place())
        return reply
    if isinstance(step, Audit) and isinstance(record, Usage):
        return record
    return None


def _can_fail(turn: Turn) -> bool:
    """Returns whether a live player, which does not know the rules of the game, can have reported the fault
    of this turn. A live player reports `malformed` only for one reason: an answer has a character that is
    never allowed."""
    if turn.failed == "malformed":
        return turn.said is not None and turn.why == protocol.misspelt(turn.said) != ""
    return turn.failed in FAULTS


def reply_of(turn: Turn) -> Reply:
    """Returns the reply that this turn records."""
    return Reply(
        said=turn.said,
        us=turn.us,
        at=turn.at,
        failed=turn.failed,
        why=turn.why,
        excused_us=turn.excused_us,
        comments=turn.comments,
        unseen_us=turn.unseen_us,
        waited_us=turn.waited_us,
    )


def _chance(lines: LogLines, rules: Rules, seed: int | None) -> Chance:
    if seed is not None:
        # The referee writes the values of chance that follow from the seed. So these values are compared with
        # the record too.
        seeded = Seeded(seed)
        return Scripted(rules.script, seeded) if rules.script else seeded

    def records() -> Iterator[Drawn]:
        while isinstance(record := lines.peek(), Drawn):
            yield record

    return ReadBack(records())


def difference(found: Record | None, expected: Record) -> str:
    """Returns a sentence about the first key in which two records differ."""
    if found is None:
        return f"the file ends, but `{kind(expected)}` is expected here"
    if type(found) is not type(expected):
        return f"here is `{kind(found)}`, but `{kind(expected)}` is expected"
    if isinstance(found, Drawn) and isinstance(expected, Drawn) and found.stream == expected.stream:
        # The two values differ, so somebody has given a seed. Without a seed, the value in `expected` would
        # come from the record itself, so it would be equal to the value in `found`.
        return (
            f"chance {expected.stream!r} is {found.value!r} on record, but the seed yields {expected.value!r}"
        )
    for name, key in zip(expected.__struct_fields__, expected.__struct_encode_fields__, strict=True):
        said, derived = getattr(found, name), getattr(expected, name)
        if said != derived:
            return f"`{key}` of `{kind(expected)}` is {said!r}, but the rules say {derived!r}"
    return "the record differs"


def kind(record: Record) -> str:
    """Returns the name of the kind of this record, as it stands in the lines of the log."""
    return str(type(record).__struct_config__.tag)
