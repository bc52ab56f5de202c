"""Defines the lines of tournament.jsonl."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias, final

import msgspec

from harness.events.encounter import Fault, Record


@final
class Opened(Record, frozen=True, tag="opened"):
    """The first line identifies the tournament. `plan` is the digest of the frozen plan beside this file."""

    name: str
    game: str
    plan: str
    harness: str


@final
class RunBegan(Record, frozen=True, tag="run"):
    """A run of the tournament begins with these bots.

    `kept` names the encounters of earlier runs that still count, as "run.encounter". `encounters` is the
    number of the other encounters, which this run plays. Each encounter has `sittings` sittings, and each
    sitting has `deals` matches.
    If each match has a deal of its own, `orders` has the orders in which the bots take their seats. The
    matches of an encounter use one order after the other, and begin again after the last. An order has, by
    seat, the place of the bot in the `bots` of its sitting, counted from 1. If `orders` is empty, each deal
    is played in every sitting, and the bots of a sitting are in the order of their seats.

    If rounds depend on results, `stages` has the format of each stage, and each round begins with a record
    `round`. Then `encounters` is the number that the plan expects. More bots may come into a ladder later.
    """

    run: int
    bots: tuple[str, ...]
    seats: int
    encounters: int
    sittings: int = msgspec.field(name="seatings")
    deals: int
    kept: tuple[str, ...] = ()
    certificate: Any = None
    orders: tuple[tuple[int, ...], ...] = ()
    stages: tuple[str, ...] = ()

    @property
    def matches(self) -> int:
        """The number of matches that this run plays."""
        return self.encounters * self.sittings * self.deals

    def by_seat(self, bots: tuple[str, ...], sitting: int, number: int) -> tuple[str, ...]:
        """The bots of a sitting in the order of their seats in its match with this number."""
        if not self.orders:
            return bots
        return _in_order(bots, self.orders[((sitting - 1) * self.deals + number - 1) % len(self.orders)])

    def by_match(self, bots: tuple[str, ...], sitting: int) -> Sequence[tuple[str, ...]]:
        """The bots of a sitting in the order of their seats, for each of its matches."""
        if not self.orders:
            return [bots] * self.deals
        before, orders = (sitting - 1) * self.deals, self.orders
        return [_in_order(bots, orders[(before + number) % len(orders)]) for number in range(self.deals)]


@lru_cache(10_000)
def _in_order(bots: tuple[str, ...], order: tuple[int, ...]) -> tuple[str, ...]:
    """These bots in this order, which is the same for many matches."""
    return tuple([bots[place - 1] for place in order])


class Newcomer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot that comes into a ladder, with the keys that a bot has in plan.json.

    `house` says that it is a house bot: its name is never masked.
    """

    name: str
    path: str
    digest: str
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    language: str = ""
    house: bool = False


@final
class Entered(Record, frozen=True, tag="entered"):
    """Of a ladder: `bots` are new, and `lines` says which bots play from now on.

    Each line has one bot that plays. After it come former versions of it, which play in its place if it is
    disqualified. The encounters of the round that have not begun are not played any more.
    """

    run: int
    bots: tuple[Newcomer, ...]
    lines: tuple[tuple[str, ...], ...]


@final
class RoundBegan(Record, frozen=True, tag="round"):
    """A round begins. Its encounters follow from the plan and the results of the rounds before it.

    `blocks` has the bots of each encounter, `byes` the bots of the stage that rest, and `why` the reason.
    `again` counts how often tables with a tie have been played again.
    """

    run: int
    stage: int
    round: int
    blocks: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    why: str = ""
    again: int = 0


class Brief(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A short form of a match: ranks and scores by seat, and the faults with short texts."""

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    faults: tuple[Fault, ...] = ()

    def fits(self, seats: int) -> bool:
        """Whether this can be a match with this number of seats."""
        return len(self.ranks) == len(self.scores) == seats and all(
            0 < fault.seat <= seats for fault in self.faults
        )


@final
class Played(Record, frozen=True, tag="played"):
    """A sitting is on record. Its encounter's file now has `size` bytes and the digest `file`.

    `bots` has the names of the bots by place. `stderr` has, by place, the digests of the texts that bots
    wrote to stderr; a bot that wrote nothing is left out. `isolation` is the level under which the bots were
    started.
    """

    run: int
    round: int
    encounter: int
    sitting: int = msgspec.field(name="seating")
    bots: tuple[str, ...]
    matches: tuple[Brief, ...]
    size: int
    file: str
    stderr: dict[str, str] = msgspec.field(default_factory=dict)
    isolation: str = "none"


@final
class Voided(Record, frozen=True, tag="void"):
    """An attempt at a sitting does not count, and no bot is to blame. `note` has the reason."""

    run: int
    round: int
    encounter: int
    sitting: int = msgspec.field(name="seating")
    bots: tuple[str, ...]
    attempt: int
    note: str


@final
class Disqualified(Record, frozen=True, tag="disqualified"):
    """A bot is disqualified because of this fault in this match: it does not play in the next run.

    `run` and `round` are the run and the round of the match.
    """

    run: int
    round: int
    bot: str
    match: str
    fault: str
    reason: str
    ask: str = ""
    said: str | None = None


@final
class Ended(Record, frozen=True, tag="ended"):
    """The tournament is over. `note` says why it ended early, what a test says, or how the last tie was
    decided. `unplayed` is the number of matches
    that could not be played. `standings` is the digest of the standings as JSON, without the numbers of void
    attempts, because they depend on the machine. If the format decides the places, `order` has all bots, the
    best first; bots in one list share a place.
    """

    note: str = ""
    unplayed: int = 0
    standings: str = ""
    order: tuple[tuple[str, ...], ...] = ()


InTournament: TypeAlias = Opened | RunBegan | Entered | RoundBegan | Played | Voided | Disqualified | Ended
