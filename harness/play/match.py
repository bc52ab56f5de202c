"""Plays one match: takes the referee's questions to the players and their replies back; decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic_ns
from typing import Protocol

from harness.events import Stderr, Usage
from harness.judge.referee import Referee, Write
from harness.judge.steps import Answer, Ask, Farewell
from harness.model import Outcome, Reply


class Occupant(Protocol):
    """A player in a seat: a bot's process, a person or a script."""

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """The answer to a block; `began` (monotonic nanoseconds) is when the match began."""

    async def tell(self, block: bytes) -> None:
        """Writes a block that needs no answer."""

    async def dismiss(self) -> str:
        """After a fault: lets the bot write to stderr for a moment, ends it, and returns the last of that."""

    def begin(self) -> None:
        """A match begins."""

    def unasked_cpu_us(self) -> int:
        """CPU time in this match that it used while it was not asked, as far as that is certain."""


async def play(referee: Referee, players: Sequence[Occupant], write: Write) -> Outcome:
    """One match to its outcome; `write` gets the last words on stderr, as it gets the referee's records.

    Raises Void as the referee and players do.
    """
    steps = referee.questions()
    for player in players:
        player.begin()
    began = monotonic_ns()
    answer: Answer = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        if type(step) is Ask:
            answer = await players[step.seat - 1].ask(step.block, step.limit_us, began)
        elif type(step) is Farewell:
            answer = None
            player = players[step.seat - 1]
            await player.tell(step.block)
            if step.faulty and (last := await player.dismiss()):
                write(Stderr(step.seat, last))
        else:
            answer = Usage(tuple([player.unasked_cpu_us() for player in players]))
