"""Defines the player for a sparring bot. A sparring bot has no process: harness itself chooses its moves."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic_ns

import trio

from harness.chance import derived
from harness.judge.referee import Referee
from harness.model import Reply
from harness.play.match import Occupant, WithoutProcess
from harness.protocol import Wants
from harness.sparring.search import chosen


class SparringPlayer(WithoutProcess):
    """A sparring bot in a seat.

    The random numbers of a sparring bot come from the seed in `new`, as for every house bot. The strength of
    a sparring bot depends on its number of play-outs, and not on time. So its time does not count, and the
    record has the time 0 for each of its answers.
    """

    wants = Wants()
    fresh = True

    def __init__(self, play_outs: float) -> None:
        self._play_outs = play_outs
        self._referee: Referee | None = None
        self._seat = 0
        self._seed = 0
        self._asked = 0

    def sit_down(self, referee: Referee, seat: int) -> None:
        """Takes this seat in a match. The referee knows the position."""
        self._referee, self._seat = referee, seat

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        """Chooses the answer. Lets other tasks run after each play-out."""
        at = (monotonic_ns() - began) // 1000
        assert self._referee is not None
        state = self._referee.state
        if state is None:
            self._seed, self._asked = int(block.split()[-1]), 0
            return Reply("ready", at=at)
        self._asked += 1
        thinking = chosen(state, self._seat, self._play_outs, derived(self._seed, self._asked))
        while True:
            try:
                next(thinking)
            except StopIteration as end:
                return Reply(end.value, at=at)
            await trio.lowlevel.checkpoint()


def sit_down(players: Sequence[Occupant], referee: Referee) -> None:
    """Gives the sparring bots among the players of a match their seats."""
    for seat, player in enumerate(players, start=1):
        if isinstance(player, SparringPlayer):
            player.sit_down(referee, seat)
