"""Each kind of line in a log, as a struct; knows nothing of files or of how a log is made.

A log is JSON lines. Each line is one of the structs below, with its kind in the key `is`. Keys that have
their default value are left out. All times are microseconds of the monotonic clock; keys of time (`us`, `at`,
`excused_us`, `cpu_us`) are the only ones that differ when the same tournament is played twice.
Seats are numbered from 1.

An encounter's file holds, for each seating, `seating`, then for each of its matches `match`, then `chance`,
`event`, `turn`, `fault`, `stderr` as they come, then `result`. tournament.jsonl holds the rest.
"""

from __future__ import annotations

from typing import Any, TypeAlias, final

import msgspec

Scalar: TypeAlias = int | float | str

MOST_IN_BRIEF = 200
"""Characters of each text of a fault that tournament.jsonl repeats: a history keeps all of them in memory."""


# Records contain plain values, never each other, so the garbage collector need not search them for cycles.
class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", gc=False):
    """A line of a log."""


# -- an encounter's file ---------------------------------------------------------------------------


@final
class Seating(Record, frozen=True, tag="seating"):
    """One set of processes plays the matches that follow; `bots` by seat, started under this level of
    isolation."""

    run: int
    encounter: int
    seating: int
    bots: tuple[str, ...]
    attempt: int = 1
    isolation: str = "none"


@final
class Match(Record, frozen=True, tag="match"):
    """A match begins. `id` is "run.encounter.seating.deal"; for each seat's bot `seeds` has the seed that it
    was given, and `wants` what it asked for in its answer to `hello`."""

    id: str
    bots: tuple[str, ...]
    seeds: tuple[int, ...] = ()
    wants: tuple[str, ...] = ()


@final
class Drawn(Record, frozen=True, tag="chance"):
    """What chance yielded in the stream of this name: an order of cards, a roll, a draw."""

    stream: str
    value: Scalar | tuple[Scalar, ...]


@final
class Event(Record, frozen=True, tag="event"):
    """Something happened in the game. The seats in `to` (None: all) are told `line`."""

    line: str
    to: tuple[int, ...] | None = None


@final
class Turn(Record, frozen=True, tag="turn"):
    """A question and its answer. `ask` is the line of the question, `said` that of the answer, if one came.

    `us` is the time that the answer took; `at` is the time of the question since the match began;
    `excused_us` is the part of `us` that was not the bot's own; `failed` names what went wrong before the
    rules could judge (no line came, or one that is not text), with the reason in `why`.
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


@final
class Usage(Record, frozen=True, tag="usage"):
    """CPU time that each seat's bot is known to have used while it was not asked, at the end of a match."""

    cpu_us: tuple[int, ...]


@final
class Fault(Record, frozen=True, tag="fault"):
    """A seat broke a rule: what it was asked, all that it could know then, and what it said."""

    seat: int
    name: str
    reason: str
    ask: str = ""
    said: str | None = None
    view: tuple[str, ...] = ()

    def brief(self) -> Fault:
        """The fault as tournament.jsonl has it; the match's own log has the whole of it."""
        said = None if self.said is None else self.said[:MOST_IN_BRIEF]
        return Fault(self.seat, self.name, self.reason[:MOST_IN_BRIEF], self.ask[:MOST_IN_BRIEF], said)


@final
class Stderr(Record, frozen=True, tag="stderr"):
    """The last that an offender wrote to stderr."""

    seat: int
    tail: str


@final
class Result(Record, frozen=True, tag="result"):
    """How a match ended: for each seat its rank (ties share the average place) and the game's own score."""

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    reason: str


InEncounter: TypeAlias = Seating | Match | Drawn | Event | Turn | Usage | Fault | Stderr | Result


# -- tournament.jsonl ------------------------------------------------------------------------------


@final
class Opened(Record, frozen=True, tag="opened"):
    """The first line: which tournament this is. `plan` is the digest of the frozen plan beside this file."""

    name: str
    game: str
    plan: str
    harness: str


@final
class RunBegan(Record, frozen=True, tag="run"):
    """A run of the tournament begins with these bots; encounters in `kept` stand from earlier runs.

    Its schedule has this number of `encounters` beside those kept, each of `seatings` seatings with `deals`
    matches. A kept encounter is named "run.encounter", with the run that played it.
    """

    run: int
    bots: tuple[str, ...]
    seats: int
    encounters: int
    seatings: int
    deals: int
    kept: tuple[str, ...] = ()
    certificate: Any = None

    @property
    def matches(self) -> int:
        """The number of matches in its schedule."""
        return self.encounters * self.seatings * self.deals


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match in brief: ranks and scores by seat, and the faults, each in brief."""

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    faults: tuple[Fault, ...] = ()


@final
class Played(Record, frozen=True, tag="played"):
    """A seating is on record: its encounter's file is `size` bytes long after it, with digest `file`.

    `stderr` has the digest of what each seat's bot wrote to stderr, for the bots that wrote; `isolation` is
    the level under which the bots were started.
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
    """An attempt at a seating does not count, by no bot's fault.

    `note` says why; a late answer took `us`, of which `excused_us` were not the bot's own.
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
    """A bot is out of the tournament, for this fault in this match: it is not in the next run.

    `run` and `round` are those of the match.
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
    """The tournament is over; `note` says why if early; `unplayed` counts the matches that are left.

    `standings` is the digest of their JSON without void attempts, which depend on the machine.
    """

    note: str = ""
    unplayed: int = 0
    standings: str = ""


InTournament: TypeAlias = Opened | RunBegan | Played | Voided | Disqualified | Ended
