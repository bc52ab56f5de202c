"""Defines the lines of an encounter's file."""

from __future__ import annotations

from typing import TypeAlias, final

import msgspec

# This part defines what all lines of a log have in common.


Scalar: TypeAlias = int | float | str


# A record contains only plain values and other immutable structs, so it is never part of a cycle of
# references. Therefore the garbage collector need not look at records (`gc=False`).
class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", gc=False):
    """A line of a log."""


MOST_IN_BRIEF = 200
"""The largest number of characters that a text of a fault may have in tournament.jsonl. This number is small,
because a `History` keeps these texts in memory."""


@final
class SittingBegan(Record, frozen=True, tag="seating"):
    """The start of a sitting: one set of processes plays the matches after this line. `sitting` is the
    sitting's number.

    `bots` has the names of the bots in the order of their places. The line `match` of each match has the same
    names in the order of seats. `isolation` is the level of isolation under which the bots were started.
    `account` says who counted their CPU time (`harness.model.ACCOUNTS`).
    """

    run: int
    encounter: int
    sitting: int = msgspec.field(name="seating")
    bots: tuple[str, ...]
    attempt: int = 1
    isolation: str = "none"
    account: str = "incomplete"


@final
class Match(Record, frozen=True, tag="match"):
    """The start of a match. `id` is "run.encounter.sitting.number", where `number` is the match's number in
    the sitting.

    `bots` has the names of the bots by seat. `seeds` has, for each seat, the seed that the bot received.
    `wants` has, for each seat, the words after the version in the bot's answer to `hello`: `legal`, `state`
    or both.
    """

    id: str
    bots: tuple[str, ...]
    seeds: tuple[int, ...] = ()
    wants: tuple[str, ...] = ()


@final
class Drawn(Record, frozen=True, tag="chance"):
    """A random value: an order of cards, a roll of dice or a draw. It comes from the stream of chance with
    the name `stream`."""

    stream: str
    value: Scalar | tuple[Scalar, ...]


@final
class Event(Record, frozen=True, tag="event"):
    """An event of the game. The seats in `to` receive `line`. If `to` is None, all seats receive it."""

    line: str
    to: tuple[int, ...] | None = None


@final
class Turn(Record, frozen=True, tag="turn"):
    """A question and its answer. `ask` is the line of the question, `said` is the line of the answer.

    `us` is the time from the question to the answer. `at` is the time from the start of the match to the
    question. `excused_us` is the part of `us` that the bot did not cause. It is the sum of `unseen_us` and
    `waited_us`. During `unseen_us`, the harness did not look for the answer. During `waited_us`, the bot was
    ready to run but no CPU was free. `failed` and `why` are empty unless no answer came, or the answer was
    not a valid line. Then `failed` has the name of the fault, and `why` has the reason.
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
    """For each seat, a CPU time in microseconds. The bot in this seat used at least this much CPU time in the
    match while it was not asked. This line is written at the end of the match."""

    cpu_us: tuple[int, ...]


@final
class Fault(Record, frozen=True, tag="fault"):
    """A fault of a seat. `ask` is the question, `said` is the answer, and `view` has all lines that the seat
    could know."""

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
    """The result of a match: a rank, and a score in the game, for each seat. Tied seats get the average of
    the ranks that they share."""

    ranks: tuple[int | float, ...]
    scores: tuple[int | float, ...]
    reason: str


InEncounter: TypeAlias = SittingBegan | Match | Drawn | Event | Turn | Usage | Fault | Stderr | Result
