"""Owns one match played here and now, between bots and persons at this terminal; tells nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import trio

from harness.bot.player import Player
from harness.bot.process import become_subreaper, end_strays
from harness.bot.watchdog import Watchdog
from harness.chance import Seeded, bot_seed
from harness.events import Record
from harness.job import Entrant
from harness.judge.referee import Referee, Terms
from harness.judge.rejudge import Look
from harness.judge.rules import Rules
from harness.model import Outcome
from harness.play import match
from harness.play.match import Seated
from harness.play.seating import Seat
from harness.protocol import Wants

Person: TypeAlias = Callable[[int, Referee], Seated]
"""Seats a person: given the seat and the referee, whose position a person sees."""


class Table(NamedTuple):
    """What is played, and who sits where: a bot, or None for a person."""

    rules: Rules
    seed: int
    entrants: tuple[Entrant | None, ...]


class Played(NamedTuple):
    """How it ended, and what each seat's bot wrote to stderr."""

    outcome: Outcome
    stderr: tuple[bytes, ...]


async def play_here(table: Table, look: Look, person: Person) -> Played:
    """Plays one match; `look` is shown every record. Raises Void where the machine failed."""
    become_subreaper()
    watchdog = Watchdog()
    # Nobody can tell how long a person thinks.
    rules = table.rules._replace(ponder=None in table.entrants)
    limits = rules.process_limits
    seats = [entrant and Seat(entrant, limits, watchdog) for entrant in table.entrants]
    bots = [seat for seat in seats if seat]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watchdog.run)
        try:
            for seat in bots:
                await seat.fill(rules.game.name)
            outcome = await _match(rules, table.seed, seats, look, person)
            for seat in bots:
                await seat.clear(Player.stop)
        finally:
            with trio.CancelScope(shield=True):
                for seat in bots:
                    await seat.clear(Player.kill)
            end_strays()
        nursery.cancel_scope.cancel()
    return Played(outcome, tuple(seat.stderr if seat else b"" for seat in seats))


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
    return await match.play(referee, players, write)
