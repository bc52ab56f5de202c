"""Owns the second judgement of a match: the same referee, fed from the log; knows no file and no process.

Every record that the referee writes must be the next one of the log, to the letter: questions, events,
faults with what the bot could know, the result. Chance is read back from the log and held against what the
seed yields. What a bot said, and when, is taken from the log: that is the evidence, all else follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from harness.chance import Chance, ReadBack, Scripted, Seeded
from harness.errors import RecordError, Void
from harness.events import Brief, Fault, InEncounter, Match, Record, Scalar, Stderr, Turn, Usage
from harness.events import Chance as Chanced
from harness.games import Game, State
from harness.model import FAULTS, Limits, Reply
from harness.protocol import Wants
from harness.referee import Answer, Ask, Audit, Referee, Step, Terms

T = TypeVar("T", bound=Scalar)
Drawn = TypeVar("Drawn")
Look: TypeAlias = Callable[[Record, State | None], object]
"""Shown each record as it is confirmed, with the position before it (None before the first)."""


class Rules(NamedTuple):
    """What the matches of a tournament are judged by."""

    game: Game
    options: Any
    limits: Limits
    ponder: bool = False
    shown: bool = False
    script: dict[str, Any] | None = None


class Lines:
    """The numbered records of an encounter's file, one at a time, with a look at the next."""

    def __init__(self, numbered: Iterable[tuple[int, InEncounter]], path: str = "") -> None:
        self._numbered = iter(numbered)
        self._path = path
        self._next: InEncounter | None = None
        self._number = 0
        self._advance()

    def place(self) -> str:
        """Where the next record stands."""
        return f"{self._path}:{self._number}" if self._path else f"line {self._number}"

    def peek(self) -> InEncounter | None:
        """The next record; None at the end."""
        return self._next

    def take(self) -> InEncounter | None:
        """The next record, and moves on."""
        record = self._next
        self._advance()
        return record

    def expect(self, record: Record) -> None:
        """Takes the next record, which must be this one."""
        if self._next != record:
            self.skip_stderr()
            self.hold(record)
        self._advance()

    def hold(self, record: Record) -> None:
        """Raises RecordError unless the next record is this one."""
        if self._next != record:
            raise RecordError(difference(self._next, record), self.place())

    def skip_stderr(self) -> None:
        """Passes over what bots wrote to stderr: no judgement rests on it."""
        while isinstance(self._next, Stderr):
            self._advance()

    def _advance(self) -> None:
        pair = next(self._numbered, None)
        self._number, self._next = pair if pair else (self._number + 1, None)


def rejudge(
    lines: Lines,
    rules: Rules,
    deal_seed: int | None,
    number: int,
    *,
    look: Look = lambda record, state: None,
) -> tuple[Match, Brief]:
    """The next match in these lines, judged anew.

    `number` is its place in its processes; without a `deal_seed` the luck on record is taken as it is.
    Raises RecordError, with the place, at the first record that does not follow from those before.
    """
    head = lines.take()
    if not isinstance(head, Match):
        raise RecordError("a match is to begin here", lines.place())
    terms = Terms(
        game=rules.game,
        options=rules.options,
        seats=len(head.bots),
        limits=rules.limits,
        number=number,
        seeds=head.seeds,
        names=head.bots if rules.shown else (),
        wants=tuple(Wants("legal" in wants, "state" in wants) for wants in head.wants),
        fresh=(False,) * len(head.bots),  # A turn on record says `no-start` already where that was so.
        ponder=rules.ponder,
    )
    faults: list[Fault] = []

    def write(record: Record) -> None:
        lines.expect(record)
        look(record, referee.state)
        if isinstance(record, Fault):
            faults.append(record.brief())

    referee = Referee(terms, _chance(lines, rules, deal_seed), write)
    steps = referee.questions()
    answer: Answer = None
    try:
        while True:
            answer = _from_log(lines, steps.send(answer))
    except StopIteration as end:
        lines.skip_stderr()
        return head, Brief(end.value.ranks, end.value.scores, tuple(faults))
    except Void as why:
        raise RecordError(f"this match should have been void: {why}", lines.place()) from None
    except RecordError as error:
        raise error if error.place else RecordError(error.message, lines.place()) from None


def _from_log(lines: Lines, step: Step) -> Answer:
    lines.skip_stderr()
    record = lines.peek()
    if isinstance(step, Ask):
        if not isinstance(record, Turn):
            raise RecordError(f"seat {step.seat} is to be asked here", lines.place())
        if record.failed not in FAULTS if record.failed else record.said is None:
            raise RecordError("a turn holds what was said, or the name of what went wrong", lines.place())
        return Reply(
            record.said, record.us, record.at, record.failed, record.why, record.excused_us, record.comments
        )
    if isinstance(step, Audit) and isinstance(record, Usage):
        return record
    return None


def _chance(lines: Lines, rules: Rules, seed: int | None) -> Chance:
    def records() -> Iterator[Chanced]:
        while isinstance(record := lines.peek(), Chanced):
            yield record

    if seed is None:
        return ReadBack(records())
    seeded: Chance = Seeded(seed)
    if rules.script:
        seeded = Scripted(rules.script, seeded)
    return _Confirmed(ReadBack(records()), seeded)


class _Confirmed(Chance):
    """What the log says, which must be what the seed yields."""

    def __init__(self, recorded: Chance, seeded: Chance) -> None:
        self._recorded = recorded
        self._seeded = seeded

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        return _same(stream, self._recorded.shuffle(stream, items), self._seeded.shuffle(stream, items))

    def roll(self, stream: str, sides: int) -> int:
        return _same(stream, self._recorded.roll(stream, sides), self._seeded.roll(stream, sides))

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        drawn = self._recorded.sample(stream, items, count)
        return _same(stream, drawn, self._seeded.sample(stream, items, count))


def _same(stream: str, recorded: Drawn, seeded: Drawn) -> Drawn:
    if recorded != seeded:
        raise RecordError(f"chance {stream!r} is {recorded!r} on record, but the seed yields {seeded!r}")
    return recorded


def difference(found: Record | None, due: Record) -> str:
    """The first key in which two records differ, in words."""
    if found is None:
        return f"the file ends where `{kind(due)}` is due"
    if type(found) is not type(due):
        return f"`{kind(found)}` stands where `{kind(due)}` is due"
    for key in due.__struct_fields__:
        said, derived = getattr(found, key), getattr(due, key)
        if said != derived:
            return f"`{key}` of `{kind(due)}` is {said!r}, but the rules say {derived!r}"
    return "the record differs"


def kind(record: Record) -> str:
    """What a line of this kind is called in the log."""
    return str(type(record).__struct_config__.tag)
