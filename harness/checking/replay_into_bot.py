"""Asks one bot the questions of a match on record again, and compares its answers with the answers on record.

The referee gets all answers and all random values from the record. So the match goes on as on record, even if
the bot now gives other answers. The bots in the other seats do not run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import msgspec

from harness.bot.process import become_subreaper
from harness.events import InEncounter, Match
from harness.job import Entrant
from harness.judge.lateness import own_us
from harness.judge.recorded_luck import RecordedLuck
from harness.judge.referee import Referee
from harness.judge.rejudge import terms_on_record
from harness.judge.rules import Rules
from harness.model import Illegal, Malformed, Reply, ms
from harness.play import match
from harness.play.match import Occupant
from harness.play.recorded_seat import RecordedSeat
from harness.play.sitting import seated
from harness.play.sparring import SparringPlayer
from harness.protocol import Wants


class ComparedAnswer(msgspec.Struct, frozen=True):
    """A question of a match, the answer on record, and the bot's answer now."""

    match: str
    question: int
    """The number of the question, from 1; 0 means `new`."""
    ask: str
    recorded: str | None
    """The answer on record; None if the bot gave no valid line."""
    said: str | None
    us: int
    why: str
    """The reason why the new answer is wrong; "" if it is valid."""
    position: str
    """What the seat could know of the position, as text; "" if both answers are the same."""
    same: bool


class Replayed(NamedTuple):
    """All questions to the bot until the bot ended or failed, each with its answer, and the text that the bot
    wrote to stderr."""

    answers: tuple[ComparedAnswer, ...]
    stderr: str


class KnownMatch(Protocol):
    """A match that was played: its first record, all its records, and the number of the match in the
    sitting."""

    @property
    def head(self) -> Match: ...

    @property
    def records(self) -> Sequence[InEncounter]: ...

    @property
    def number(self) -> int: ...


async def replay(rules: Rules, matches: Sequence[KnownMatch], entrant: Entrant, bot: str) -> Replayed:
    """Starts one process of `entrant`, and asks it the questions that the bot with the name `bot` got in the
    matches of one sitting.

    Raises Void if the machine failed, and RecordError if the log does not follow from the rules.
    """
    become_subreaper()
    answers: list[ComparedAnswer] = []
    async with seated([(entrant, rules)]) as (taken,):
        await taken.fill()
        for recorded in matches:
            seat = recorded.head.bots.index(bot) + 1
            if not await _replay(rules, recorded, taken.occupant, seat, answers.append):
                break
    return Replayed(tuple(answers), taken.stderr.decode(errors="backslashreplace"))


async def _replay(
    rules: Rules,
    recorded: KnownMatch,
    live: Occupant | None,
    seat: int,
    on_answer: Callable[[ComparedAnswer], object],
) -> bool:
    """Plays one match. Returns True if the bot can play another match."""
    assert live is not None
    head, records = recorded.head, recorded.records
    terms = terms_on_record(rules, head, recorded.number, heard=True)
    wants = list(terms.wants)
    wants[seat - 1] = getattr(live, "wants", Wants())
    terms = msgspec.structs.replace(terms, wants=tuple(wants))
    referee = Referee(terms, RecordedLuck(records), lambda record: None)
    compared = _ComparedSeat(records, seat, live, referee, on_answer)
    players: list[Occupant] = [RecordedSeat(records, place) for place in range(1, len(head.bots) + 1)]
    players[seat - 1] = compared
    if isinstance(live, SparringPlayer):
        live.sit_down(referee, seat)
    await match.play(referee, players, lambda record: None)
    return compared.is_there


class _ComparedSeat(RecordedSeat):
    """A seat that gives the answers on record. It compares each of these answers with the new answer of a
    live bot."""

    def __init__(
        self,
        records: Sequence[InEncounter],
        seat: int,
        live: Occupant,
        referee: Referee,
        on_answer: Callable[[ComparedAnswer], object],
    ) -> None:
        super().__init__(records, seat)
        self.is_there = True
        """True if the bot can still answer: it runs and has not failed."""
        self._match = records[0].id if isinstance(records[0], Match) else ""
        self._live = live
        self._referee = referee
        self._on_answer = on_answer
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
        why = now.why if now.failed else late if own_us(now) > limit_us else ""
        self.is_there = not now.failed
        if why:
            same = now.failed == recorded.failed and now.said == recorded.said and bool(now.failed)
        elif state is None:
            same = now.said == recorded.said
        else:
            judged = state.check(self._seat, now.said or "")
            why = judged.reason if isinstance(judged, Malformed | Illegal) else ""
            # Two wrong answers count as the same if their texts are equal. Two legal moves count as the same
            # if their canonical texts are equal.
            same = now.said == recorded.said or (
                not why and judged == state.check(self._seat, recorded.said or "")
            )
        position = state.text(self._seat) if state is not None and not same else ""
        ask = block.decode(errors="replace").splitlines()[-1]
        self._on_answer(
            ComparedAnswer(
                self._match, self._asked, ask, recorded.said, now.said, now.us, why, position, same
            )
        )

    async def tell(self, block: bytes) -> None:
        if self.is_there:
            await self._live.tell(block)

    def begin(self) -> None:
        self._live.begin()
