"""Plays matches between one live bot and opponents that run inside this process. The code of the check
decides how long these opponents take for an answer.

The bot plays the same match three times. In the first match the opponents are slow. So this match shows
whether the bot computes while its opponents must move. If the opponents were quick, nobody would notice such
a bot. In the second match the opponents are quick, and a new process of the bot plays, with the same SEED. A
bot that takes all its random numbers from SEED gives the same answers in both matches. The process that
played the second match also plays the third match. A bot that forgets each match when the next match begins
gives the same answers again. A bot may wrongly use an old position that is still in its memory. If such a bot
gets the legal moves with each question, the bot still plays legal moves and causes no fault. So no fault
shows this mistake, but different answers in the third match show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

import trio

from harness.bot.process import become_subreaper
from harness.chance import Chance, Seeded, bot_seed, derived
from harness.checking.trial import Failed, PlayedMatch, Trial
from harness.events import Fault, Match, Record, Turn
from harness.judge.referee import Referee
from harness.judge.rules import Terms
from harness.model import Reply
from harness.play import match
from harness.play.match import Occupant, WithoutProcess
from harness.play.sitting import Taker, seated
from harness.protocol import Wants

SLOW = 0.1
"""The seconds that a slow opponent takes for an answer."""
MOST_MOVES = 50
MOST_SLOW = 10
"""The largest number of slow answers in a match."""
QUICK_US = 20_000
"""If a bot needs at least this time, in microseconds, for each of two different answers to the same question,
the difference is not reported. A slow bot may decide by the clock, so its answers may differ from match to
match."""


class SlowOpponent(WithoutProcess):
    """A player in this process that answers after a pause and plays at random."""

    def __init__(self, seat: int, referee: Referee, chance: Chance, pauses: list[float]) -> None:
        self._seat = seat
        self._referee = referee
        self._chance = chance
        self._pauses = pauses
        self._asked = 0

    async def ask(self, block: bytes, limit_us: int, began: int) -> Reply:
        if self._pauses:
            await trio.sleep(self._pauses.pop())
        state = self._referee.state
        if state is None:
            return Reply("ready")
        self._asked += 1
        # Only the first moves are read, because a list of legal moves may have more than 100,000 moves.
        moves = tuple(islice(state.legal(self._seat), MOST_MOVES))
        [move] = self._chance.sample(f"move {self._asked}", moves, 1)
        return Reply(move)


class Difference(NamedTuple):
    """A question to which a bot gave two different answers, although the bot played the same match twice with
    the same SEED.

    If `remembers` is true, the same process gave both answers, in its first and its second match.
    """

    ask: str
    said: str
    other: str
    remembers: bool = False


async def slowly(trial: Trial, seats: int) -> Failed | Difference | None:
    """Plays one match three times, as the text at the top of this file says. Returns the first fault of the
    bot. If the bot has no fault, returns a difference between its answers; None if all answers are the same.

    Raises Void if the machine failed.
    """
    slow = await _matches(trial, seats, [SLOW] * MOST_SLOW, 1)
    if isinstance(slow, Failed):
        return slow
    quick = await _matches(trial, seats, [], 2)
    if isinstance(quick, Failed):
        return quick
    if found := _difference(slow[0], quick[0]):
        return found
    found = _difference(quick[0], quick[1])
    return found._replace(remembers=True) if found else None


async def _matches(trial: Trial, seats: int, pauses: list[float], many: int) -> list[PlayedMatch] | Failed:
    """Plays the same match `many` times in one process, with the bot in seat 1. The function stops at the
    first fault."""
    become_subreaper()
    found: list[PlayedMatch] = []
    async with seated([(trial.entrant, trial.rules)]) as (taken,):
        for _ in range(many):
            await taken.fill()
            live = taken.occupant
            assert live is not None
            result = await _match(trial, seats, live, found, pauses)
            if isinstance(result, Failed):
                return result
            found.append(result)
    return found


async def _match(
    trial: Trial, seats: int, live: Taker, before: Sequence[PlayedMatch], pauses: list[float]
) -> PlayedMatch | Failed:
    rules, records = trial.rules, list[Record]()
    seeds = tuple(bot_seed(trial.seed, "alone", seat) for seat in range(1, seats + 1))
    wants = (live.wants, *[Wants()] * (seats - 1))
    names = (trial.entrant.name, *["opponent"] * (seats - 1))
    terms = Terms(rules, seats, len(before) + 1, seeds, names, wants, (live.fresh, *[False] * (seats - 1)))
    records.append(Match(f"1.1.1.{len(before) + 1}", names, seeds, tuple(each.words() for each in wants)))
    referee = Referee(terms, Seeded(derived(trial.seed, "alone")), records.append)
    players: list[Occupant] = [live]
    for seat in range(2, seats + 1):
        players.append(SlowOpponent(seat, referee, Seeded(derived(trial.seed, "move", seat)), pauses))
    await match.play(referee, players, records.append)
    return _result(records, seats, before)


def _result(records: list[Record], seats: int, before: Sequence[PlayedMatch]) -> PlayedMatch | Failed:
    played = PlayedMatch(len(before) + 1, 1, records)  # type: ignore[arg-type]
    fault = next((each for each in records if isinstance(each, Fault)), None)
    if fault is None:
        return played
    return Failed(fault, seats, (*before, played), played.last_words())


def _difference(first: PlayedMatch, again: PlayedMatch) -> Difference | None:
    turns = [
        [each for each in played.records if isinstance(each, Turn) and each.seat == played.seat]
        for played in (first, again)
    ]
    for one, other in zip(*turns, strict=False):
        if one.said != other.said:
            quick = min(one.us, other.us) < QUICK_US
            return Difference(one.ask, one.said or "", other.said or "") if quick else None
    return None
