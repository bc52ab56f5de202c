"""Defines the lines of tournament.jsonl."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias, final

import msgspec

from harness.events.encounter import Fault, Record


@final
class Opened(Record, frozen=True, tag="opened"):
    """The first line, which identifies the tournament. `plan` is the digest of plan.json, the copy of the
    plan in the same folder."""

    name: str
    game: str
    plan: str
    harness: str


MOST_SEATS = 1_000
"""The largest number of seats of a run. If a run has more bots than this, it may have as many seats as bots.
A ladder may wait for bots, so it may have fewer bots than seats."""


@final
class RunBegan(Record, frozen=True, tag="run"):
    """The start of a run of the tournament, with these bots.

    `kept` has those encounters of earlier runs that still count. An encounter is written as "run.encounter".
    `encounters` is the number of encounters that this run itself plays. Each encounter has `sittings`
    sittings, and each sitting has `deals` matches.

    If each match has its own deal, `orders` has the orders of seats. The matches of an encounter use these
    orders one after the other. After the last order, the first one follows again. An order has one number for
    each seat: the number of the bot that sits there, counted from 1 in the list `bots` of the sitting. If
    `orders` is empty, every sitting of an encounter plays the same deals, and the list `bots` of a sitting is
    in the order of the seats.

    If rounds depend on results, `stages` has the format of each stage, and each round begins with a record
    `round`. Then `encounters` is the number of encounters that the plan expects. More bots may enter a ladder
    later.
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

    def flaw(self) -> str:
        """Returns the reason why no run can have these seats. The reason completes a sentence that
        begins with "the run". Returns "" if the seats are possible."""
        most = max(len(self.bots), MOST_SEATS)
        if not 0 < self.seats <= most:
            return f"has {self.seats} seats, but at most {most} can be"
        seats = list(range(1, self.seats + 1))
        if any(sorted(order) != seats for order in self.orders):
            return f"has `orders` that do not have each of {self.seats} places once"
        return ""

    def by_seat(self, bots: tuple[str, ...], sitting: int, number: int) -> tuple[str, ...]:
        """Returns the bots in the order of their seats, for the match with this number in this sitting."""
        if not self.orders:
            return bots
        return _in_order(bots, self.orders[((sitting - 1) * self.deals + number - 1) % len(self.orders)])

    def by_match(self, bots: tuple[str, ...], sitting: int) -> Sequence[tuple[str, ...]]:
        """Returns the bots of a sitting in the order of their seats, for each match of the sitting."""
        if not self.orders:
            return [bots] * self.deals
        before, orders = (sitting - 1) * self.deals, self.orders
        return [_in_order(bots, orders[(before + number) % len(orders)]) for number in range(self.deals)]


@lru_cache(10_000)
def _in_order(bots: tuple[str, ...], order: tuple[int, ...]) -> tuple[str, ...]:
    """Returns these bots in this order. Many matches share the cached result."""
    return tuple([bots[place - 1] for place in order])


class Newcomer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot that enters a ladder. It has the same keys as a bot in plan.json.

    If `house` is true, it is a house bot, and its name is never masked.
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
    """The entry of new bots into a ladder. `bots` has the new bots.

    Each item of `lines` begins with a bot that plays from now on. The former versions of this bot follow. If
    the bot is disqualified, a former version plays instead. If an encounter of the current round has not
    begun yet, it is not played.
    """

    run: int
    bots: tuple[Newcomer, ...]
    lines: tuple[tuple[str, ...], ...]


@final
class RoundBegan(Record, frozen=True, tag="round"):
    """The start of a round. The encounters of the round follow from the plan and from the results of the
    earlier rounds.

    `blocks` has the bots of each encounter of the round. `byes` has those bots of the stage that do not play
    in this round. `why` says why these bots meet. If a table ended in a tie, its bots play again, and `again`
    says how often this has happened.
    """

    run: int
    stage: int
    round: int
    blocks: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    why: str = ""
    again: int = 0


MOST_NUMBER = 1e15
"""The largest absolute value of a score or of a luck. Up to this value, numbers that differ by 1 are
different floats, and the sum of the squares of the numbers is not too large for a float."""


class Brief(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A short form of a match: ranks and scores by seat, and the faults with short texts.

    `luck` is the luck of each seat, in the same unit as the values that `worth` of a state returns. `luck` is
    () unless the plan has `luck = "off"`.
    """

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    faults: tuple[Fault, ...] = ()
    luck: tuple[float, ...] = ()

    def flaw(self, seats: int) -> str:
        """Returns the reason why no match with this number of seats can have these values. The reason
        completes a sentence that begins with "the match". Returns "" if the values are possible.

        Only this method checks numbers that come from elsewhere: from a log, a shard or a node.
        """
        ranks, luck = self.ranks, self.luck
        if not len(ranks) == len(self.scores) == seats or len(luck) not in (0, seats):
            return "has more or fewer seats than bots"
        for fault in self.faults:
            if not 0 < fault.seat <= seats:
                return "has a fault of a seat that it does not have"
        # Each comparison with NaN is false, so this check also refuses NaN.
        if not (min(ranks) >= 1 and max(ranks) <= seats and 2 * sum(ranks) == seats * (seats + 1)):
            return "has ranks that do not add up"
        for value in (*self.scores, *luck):
            if not -MOST_NUMBER <= value <= MOST_NUMBER:
                return f"has a score or a luck that is no number from {-MOST_NUMBER:.0e} to {MOST_NUMBER:.0e}"
        return ""


@final
class Played(Record, frozen=True, tag="played"):
    """The record of a sitting that has been played. After this sitting, the file of the encounter has `size`
    bytes and the digest `file`.

    `bots` has the names of the bots by place. For each bot that wrote to stderr, `stderr` has the digest of
    this text. The key is the place of the bot. `isolation` is the level of isolation under which the bots
    were started, and `account` says who counted their CPU time (`harness.model.ACCOUNTS`).
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
    account: str = "incomplete"


@final
class Voided(Record, frozen=True, tag="void"):
    """An attempt to play a sitting. The attempt does not count, because it failed for a reason that no bot
    caused. `note` has the reason."""

    run: int
    round: int
    encounter: int
    sitting: int = msgspec.field(name="seating")
    bots: tuple[str, ...]
    attempt: int
    note: str


@final
class Disqualified(Record, frozen=True, tag="disqualified"):
    """The disqualification of a bot because of this fault in this match. The bot does not play in the next
    run.

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
    """The end of the tournament.

    If the bots that are left cannot play another run, `note` has the reason. Otherwise `note` has the result
    of a test of two bots, or the rule that decided the last tie. `unplayed` is the number of matches that
    could not be played. `standings` is the digest of the standings as JSON. This digest does not cover the
    numbers of void attempts, because these numbers depend on the machine. If the format decides the places,
    `order` has all bots in groups, the best group first. The bots of a group share a place.
    """

    note: str = ""
    unplayed: int = 0
    standings: str = ""
    order: tuple[tuple[str, ...], ...] = ()


InTournament: TypeAlias = Opened | RunBegan | Entered | RoundBegan | Played | Voided | Disqualified | Ended
