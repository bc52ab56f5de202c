"""Plays one match between bots and persons. This file prints nothing and writes no record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from harness.bot.process import become_subreaper
from harness.chance import Seeded, bot_seed
from harness.events import Record
from harness.job import Entrant
from harness.judge.referee import Referee
from harness.judge.rejudge import Look
from harness.judge.rules import Rules, Terms
from harness.model import Outcome
from harness.play import match
from harness.play.match import Occupant
from harness.play.sitting import Seat, seated
from harness.play.sparring import sit_down
from harness.protocol import Wants

Person: TypeAlias = Callable[[int, Referee], Occupant]
"""A function that makes the occupant for a person. Its arguments are the seat and the referee, which knows
the position."""


class LiveMatch(NamedTuple):
    """The rules of a match, its seed, and the bot in each seat; None stands for a person."""

    rules: Rules
    seed: int
    entrants: tuple[Entrant | None, ...]


class LiveResult(NamedTuple):
    """The outcome of a match, and the bytes that each seat's bot wrote to stderr."""

    outcome: Outcome
    stderr: tuple[bytes, ...]


async def play_here(wanted: LiveMatch, look: Look, person: Person) -> LiveResult:
    """Plays one match, and calls `look` with each record. Raises Void if the machine failed."""
    become_subreaper()
    # If a person plays, bots may ponder (think while they are not asked), because a person may think for a
    # long time.
    rules = wanted.rules._replace(ponder=None in wanted.entrants)
    async with seated((entrant, rules) for entrant in wanted.entrants if entrant) as bots:
        for bot in bots:
            await bot.fill()
        free = iter(bots)
        seats = [next(free) if entrant else None for entrant in wanted.entrants]
        outcome = await _match(rules, wanted.seed, seats, look, person)
    return LiveResult(outcome, tuple(seat.stderr if seat else b"" for seat in seats))


async def _match(
    rules: Rules, seed: int, seats: Sequence[Seat | None], look: Look, person: Person
) -> Outcome:
    occupants = [seat.occupant if seat else None for seat in seats]
    terms = Terms(
        rules=rules,
        seats=len(seats),
        seeds=tuple(bot_seed(seed, "seat", place) for place in range(1, len(seats) + 1)),
        wants=tuple(occupant.wants if occupant else Wants() for occupant in occupants),
    )

    def write(record: Record) -> None:
        look(record, referee.state)

    referee = Referee(terms, Seeded(seed), write)
    players = [occupant or person(place, referee) for place, occupant in enumerate(occupants, start=1)]
    sit_down(players, referee)
    return await match.play(referee, players, write)
