"""Plays one match: passes the referee's questions to the players, and the players' replies to the
referee."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic_ns
from typing import Protocol

from harness.events import Stderr, Usage
from harness.judge.referee import Referee, Write
from harness.judge.rules import Answer, Ask, Farewell
from harness.model import Outcome, Reply


class Occupant(Protocol):
    """A player in a seat: a bot's process, a person or a script."""

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """Asks a question, and returns the reply. `began` is the start time of the match in monotonic
        nanoseconds."""

    async def tell(self, block: bytes) -> None:
        """Writes a block that needs no answer."""

    async def dismiss(self) -> str:
        """After a fault, lets the bot write to stderr for a moment, and then ends the bot. Returns the last
        text that the bot wrote to stderr."""

    def begin(self) -> None:
        """Begins a match."""

    def unasked_cpu_us(self) -> int:
        """Returns the CPU time in this match that the player certainly used while it was not asked."""


class WithoutProcess:
    """The methods of an occupant without a process. Such an occupant ignores all lines, writes no text and
    uses no CPU time."""

    async def tell(self, block: bytes) -> None:
        pass

    async def dismiss(self) -> str:
        return ""

    def begin(self) -> None:
        pass

    def unasked_cpu_us(self) -> int:
        return 0


async def play(referee: Referee, players: Sequence[Occupant], write: Write) -> Outcome:
    """Plays one match and returns its outcome.

    If a bot has a fault, the function calls `write` with the last text that this bot wrote to stderr. The
    referee calls `write` with its own records. Raises Void if the referee or a player raises it.
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
