"""Defines the lines of an encounter's file."""

from __future__ import annotations

from typing import TypeAlias, final

import msgspec

# Defines what all lines of a log have in common.


Scalar: TypeAlias = int | float | str


# A record contains no other record, only plain values. So the garbage collector need not look for cycles.
class Record(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="is", gc=False):
    """A line of a log."""


MOST_IN_BRIEF = 200
"""The number of characters of the text of a fault that tournament.jsonl repeats. A history keeps them in
memory."""


@final
class SittingBegan(Record, frozen=True, tag="seating"):
    """A sitting begins: one set of processes plays the matches that follow. `sitting` is its number.

    `bots` has the names of the bots by place; the line of each match has them by seat. `isolation` is the
    level under which they were started.
    """

    run: int
    encounter: int
    sitting: int = msgspec.field(name="seating")
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
    CPU was free. If no answer came, or no valid line, `failed`
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


InEncounter: TypeAlias = SittingBegan | Match | Drawn | Event | Turn | Usage | Fault | Stderr | Result
