"""Owns a match on record that is played once more to one bot: what it answers now, beside what was answered;
shows nothing.

The referee is fed from the log, so the match takes the course that is on record whatever the bot says. All
other seats are silent, and chance yields what it yielded.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from harness.bot.process import become_subreaper
from harness.chance import Chance, ReadBack, Seeded
from harness.errors import RecordError
from harness.events import Chance as Chanced
from harness.events import InEncounter, Match, Scalar, Turn, Usage
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.judge.rules import Rules
from harness.model import Illegal, Malformed, Reply, ms
from harness.play import match
from harness.play.match import Seated
from harness.play.seating import seated
from harness.protocol import Wants

T = TypeVar("T", bound=Scalar)


class Answer(NamedTuple):
    """A question of a match, what is on record as its answer, and what was said to it now."""

    match: str
    question: int
    """From 1; 0 is the question whether it is ready."""
    ask: str
    recorded: str | None
    """None where nothing was said, or nothing that is text."""
    said: str | None
    us: int
    why: str
    """What is wrong with what was said now; "" where nothing is."""
    position: str
    """As the seat may see it."""
    same: bool


class Course(NamedTuple):
    """A match on record, as it is fed to the bot."""

    records: Sequence[InEncounter]
    number: int
    """Its place within the bot's process."""

    @property
    def head(self) -> Match:
        """How it begins."""
        head = self.records[0]
        assert isinstance(head, Match)
        return head


class Compared(NamedTuple):
    """All questions up to the last that the bot was there for, and what it wrote to stderr."""

    answers: tuple[Answer, ...]
    stderr: str


async def replay(rules: Rules, courses: Sequence[Course], entrant: Entrant, seat: int) -> Compared:
    """Feeds matches of one seating to one process of the bot. Raises Void where the machine failed, and
    RecordError where the log does not follow from the rules."""
    become_subreaper()
    answers: list[Answer] = []
    async with seated([(entrant, rules)]) as (taken,):
        await taken.fill()
        for course in courses:
            if not await _feed(rules, course, taken.occupant, seat, answers.append):
                break
    return Compared(tuple(answers), taken.stderr.decode(errors="backslashreplace"))


async def _feed(
    rules: Rules, course: Course, live: Seated | None, seat: int, told: Callable[[Answer], object]
) -> bool:
    """Feeds one match; whether the bot is still there."""
    head = course.head
    assert live is not None
    recorded = terms_on_record(rules, head, course.number, heard=True)
    wants = list(recorded.wants)
    wants[seat - 1] = getattr(live, "wants", Wants())
    terms = msgspec.structs.replace(recorded, wants=tuple(wants))
    referee = Referee(terms, _AsRecorded(course.records), lambda record: None)
    players: list[Seated] = [_Recorded(course.records, place) for place in range(1, len(head.bots) + 1)]
    players[seat - 1] = twin = _Twin(course.records, seat, live, referee, told)
    await match.play(referee, players, lambda record: None)
    return twin.is_there


class _Recorded:
    """A seat whose answers are those on record."""

    def __init__(self, records: Sequence[InEncounter], seat: int) -> None:
        self._turns = (record for record in records if isinstance(record, Turn) and record.seat == seat)
        self._usage = next((each.cpu_us for each in records if isinstance(each, Usage)), ())
        self._seat = seat

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        turn = next(self._turns, None)
        if turn is None:
            raise RecordError(f"the record has no answer of seat {self._seat} to this question")
        return Reply(turn.said, turn.us, turn.at, turn.failed, turn.why, turn.excused_us)

    async def tell(self, block: bytes) -> None:
        pass

    async def dismiss(self) -> str:
        return ""

    def begin(self) -> None:
        pass

    def unasked_cpu_us(self) -> int:
        return self._usage[self._seat - 1] if self._usage else 0


class _Twin(_Recorded):
    """A seat whose answers are those on record, and beside them those of a live bot."""

    def __init__(
        self,
        records: Sequence[InEncounter],
        seat: int,
        live: Seated,
        referee: Referee,
        told: Callable[[Answer], object],
    ) -> None:
        super().__init__(records, seat)
        self.is_there = True
        """Whether the bot lives and has not failed."""
        self._match = records[0].id if isinstance(records[0], Match) else ""
        self._live = live
        self._referee = referee
        self._told = told
        self._asked = -1

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        self._asked += 1
        recorded = await super().ask(block, limit_us, began)
        if self.is_there:
            self._compare(block, recorded, await self._live.ask(block, limit_us, began), limit_us)
        return recorded

    def _compare(self, block: bytes, recorded: Reply, now: Reply, limit_us: int) -> None:
        state = self._referee.state
        late = f"answered after {ms(now.us)}; the limit is {ms(limit_us)}"
        why = now.why if now.failed else late if now.us - now.excused_us > limit_us else ""
        self.is_there = not now.failed
        if why:
            same = now.failed == recorded.failed and now.said == recorded.said and bool(now.failed)
        elif state is None:
            same = now.said == recorded.said
        else:
            judged = state.check(self._seat, now.said or "")
            why = judged.reason if isinstance(judged, Malformed | Illegal) else ""
            # The same fault, word by word, is the same answer; of moves the canonical text is compared.
            same = now.said == recorded.said or (
                not why and judged == state.check(self._seat, recorded.said or "")
            )
        position = state.text(self._seat) if state is not None and not same else ""
        ask = block.decode(errors="replace").splitlines()[-1]
        self._told(
            Answer(self._match, self._asked, ask, recorded.said, now.said, now.us, why, position, same)
        )

    async def tell(self, block: bytes) -> None:
        if self.is_there:
            await self._live.tell(block)

    def begin(self) -> None:
        self._live.begin()


class _AsRecorded(Chance):
    """Yields what each stream yielded. What was not drawn then, a list of legal moves that this bot alone
    asks for, is drawn anew."""

    def __init__(self, records: Iterable[InEncounter]) -> None:
        drawn: defaultdict[str, list[Chanced]] = defaultdict(list)
        for record in records:
            if isinstance(record, Chanced):
                drawn[record.stream].append(record)
        self._streams = {stream: ReadBack(each) for stream, each in drawn.items()}
        self._anew = Seeded(0)

    def _of(self, stream: str) -> Chance:
        return self._streams.get(stream, self._anew)

    def shuffle(self, stream: str, items: Sequence[T]) -> tuple[T, ...]:
        return self._of(stream).shuffle(stream, items)

    def roll(self, stream: str, sides: int) -> int:
        return self._of(stream).roll(stream, sides)

    def sample(self, stream: str, items: Sequence[T], count: int) -> tuple[T, ...]:
        return self._of(stream).sample(stream, items, count)
