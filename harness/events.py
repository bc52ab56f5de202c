"""Defines each kind of line in a log as a struct; knows nothing about files or how a log is made.

A log consists of lines of JSON. Each line is one of the structs below; the key `is` has its kind. Keys with
their default value are left out. All times are microseconds of the monotonic clock. If a tournament is played
twice, only the keys of time (`us`, `at`, `excused_us`, `unseen_us`, `waited_us`, `cpu_us`) differ. Seats are
numbered from 1.

An encounter's file has a line `seating` for each sitting: one set of processes plays the matches that follow.
The key `seating` is the number of the sitting, because a sitting used to be one order of seats. A match
begins with a line `match` and ends with a line `result`. Between them are the lines `chance`, `event`,
`turn`, `usage`, `fault` and `stderr` in the order in which they happened. tournament.jsonl has all other
kinds of lines.
"""

from __future__ import annotations

from typing import Any, TypeAlias, final

import msgspec

Scalar: TypeAlias = int | float | str

MOST_IN_BRIEF = 200
"""tournament.jsonl repeats so many characters of each text of a fault. A history keeps them in memory."""


# A record contains no other record, only plain values. So the garbage collector need not look for cycles.
class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", gc=False):
    """A line of a log."""


# -- an encounter's file ---------------------------------------------------------------------------


@final
class Seating(Record, frozen=True, tag="seating"):
    """A sitting begins: one set of processes plays the matches that follow. `seating` is its number.

    `bots` has the names of the bots by place; the line of each match has them by seat. `isolation` is the
    level under which they were started.
    """

    run: int
    encounter: int
    seating: int
    bots: tuple[str, ...]
    attempt: int = 1
    isolation: str = "none"


@final
class Match(Record, frozen=True, tag="match"):
    """A match begins. `id` is "run.encounter.sitting.number", with its number in the sitting.

    `bots` has the names of the bots by seat. `seeds` has the seed that each seat's bot received. `wants` has
    the words of each seat's bot in its answer to `hello`: `legal`, `state` or both.
    """

    id: str
    bots: tuple[str, ...]
    seeds: tuple[int, ...] = ()
    wants: tuple[str, ...] = ()


@final
class Drawn(Record, frozen=True, tag="chance"):
    """Chance yielded this value in this stream: an order of cards, a roll or a draw."""

    stream: str
    value: Scalar | tuple[Scalar, ...]


@final
class Event(Record, frozen=True, tag="event"):
    """Something happened in the game. The seats in `to` receive `line`; None means all seats."""

    line: str
    to: tuple[int, ...] | None = None


@final
class Turn(Record, frozen=True, tag="turn"):
    """A question and its answer. `ask` is the line of the question, `said` is the line of the answer.

    `us` is the time from the question to the answer; `at` is the time from the begin of the match to the
    question; `excused_us` is the part of `us` that the bot did not cause. It is the sum of `unseen_us`, for
    which the harness did not look for the answer, and `waited_us`, for which the bot was ready to run but no
    CPU was free. Records of earlier versions have only the sum. If no answer came, or no valid line, `failed`
    has the name of the fault and `why` has the reason.
    """

    seat: int
    ask: str
    said: str | None = None
    us: int = 0
    at: int = 0
    limit_us: int = 0
    excused_us: int = 0
    failed: str = ""
    why: str = ""
    comments: tuple[str, ...] = ()
    unseen_us: int = 0
    waited_us: int = 0


@final
class Usage(Record, frozen=True, tag="usage"):
    """The end of a match: the CPU time that each seat's bot certainly used while it was not asked."""

    cpu_us: tuple[int, ...]


@final
class Fault(Record, frozen=True, tag="fault"):
    """A seat broke a rule. `ask` is the question, `said` the answer, `view` all that the seat could know."""

    seat: int
    name: str
    reason: str
    ask: str = ""
    said: str | None = None
    view: tuple[str, ...] = ()

    def brief(self) -> Fault:
        """Shortens the texts of the fault for tournament.jsonl. The encounter's file has the full texts."""
        said = None if self.said is None else self.said[:MOST_IN_BRIEF]
        return Fault(self.seat, self.name, self.reason[:MOST_IN_BRIEF], self.ask[:MOST_IN_BRIEF], said)


@final
class Stderr(Record, frozen=True, tag="stderr"):
    """The last part of the text that a bot with a fault wrote to stderr."""

    seat: int
    tail: str


@final
class Result(Record, frozen=True, tag="result"):
    """The result of a match: a rank and a score of the game for each seat. Tied seats share the average of
    their places."""

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    reason: str


InEncounter: TypeAlias = Seating | Match | Drawn | Event | Turn | Usage | Fault | Stderr | Result


# -- tournament.jsonl ------------------------------------------------------------------------------


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
    number of the other encounters, which this run plays. Each encounter has `seatings` sittings, and each
    sitting has `deals` matches.
    If each match has a deal of its own, `orders` has the orders in which the bots take their seats. The
    matches of an encounter use one order after the other, and begin again after the last. An order has, by
    seat, the place of the bot in the `bots` of its sitting, counted from 1. If `orders` is empty, each deal
    is played in every sitting, and the bots of a sitting are in the order of their seats.

    If rounds depend on results, `stages` has the format of each stage, and each round begins with a record
    `round`. Then `encounters` is the number that the plan expects.
    """

    run: int
    bots: tuple[str, ...]
    seats: int
    encounters: int
    seatings: int
    deals: int
    kept: tuple[str, ...] = ()
    certificate: Any = None
    orders: tuple[tuple[int, ...], ...] = ()
    stages: tuple[str, ...] = ()

    @property
    def matches(self) -> int:
        """The number of matches that this run plays."""
        return self.encounters * self.seatings * self.deals

    def by_seat(self, bots: tuple[str, ...], sitting: int, number: int) -> tuple[str, ...]:
        """The bots of a sitting in the order of their seats in its match with this number."""
        if not self.orders:
            return bots
        order = self.orders[((sitting - 1) * self.deals + number - 1) % len(self.orders)]
        return tuple([bots[place - 1] for place in order])


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


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """A short form of a match: ranks and scores by seat, and the faults with short texts."""

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    faults: tuple[Fault, ...] = ()


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
    seating: int
    bots: tuple[str, ...]
    matches: tuple[Brief, ...]
    size: int
    file: str
    stderr: dict[str, str] = {}
    isolation: str = "none"


@final
class Voided(Record, frozen=True, tag="void"):
    """An attempt at a sitting does not count, and no bot is to blame. `note` has the reason.

    Only records of earlier versions have `us` and `excused_us`: a late answer that was not late by its own
    doing made an attempt void, and these are its time and the part of it that the bot did not cause.
    """

    run: int
    round: int
    encounter: int
    seating: int
    bots: tuple[str, ...]
    attempt: int
    note: str
    us: int = 0
    excused_us: int = 0


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
    """The tournament is over. If it ended early, `note` has the reason. `unplayed` is the number of matches
    that could not be played. `standings` is the digest of the standings as JSON, without the numbers of void
    attempts, because they depend on the machine. If the format decides the places, `order` has all bots, the
    best first; bots in one list share a place.
    """

    note: str = ""
    unplayed: int = 0
    standings: str = ""
    order: tuple[tuple[str, ...], ...] = ()


InTournament: TypeAlias = Opened | RunBegan | RoundBegan | Played | Voided | Disqualified | Ended
